import Base
import Commands
import Rendering

/// What follows `watch`.
struct WatchArguments: Equatable {
  /// As it would be typed alone.
  var line = ""
  var seconds = 2.0
  /// Runs after which it ends; nil for none.
  var times: Int?

  var interval: String {
    seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }

  static let options = [
    OptionDefinition(
      .every, value: "TIME", kind: .word, help: "time between two runs: 500ms, 2s, 1m (default: 2s)"),
    OptionDefinition(.times, value: "N", kind: .number, help: "stop after N runs (default: never)"),
  ]

  /// - Parameter text: what follows `watch`, as typed: only so the command keeps its own quotes.
  init(_ text: String) throws(UsageError) {
    let bytes = Array(text.utf8)
    let words = TypedWord.words(of: text)
    var kept: [UInt8] = []
    var index = 0
    while index < words.count {
      var next = index + 1
      if let (option, attached) = ArgumentParser.option(in: words[index].text, among: Self.options) {
        let value = attached ?? (next < words.count ? words[next].text : "")
        if attached == nil { next += 1 }
        guard !value.isEmpty else { throw .missingValue(option: option) }
        try set(option.option, to: value)
      } else {
        kept += bytes[words[index].start..<(next < words.count ? words[next].start : bytes.count)]
      }
      index = next
    }
    line = String(decoding: kept, as: UTF8.self)
    guard line.contains(where: { !$0.isWhitespace }) else {
      throw .conflict("'watch' needs a command, as in 'watch pending --every 2s'.")
    }
  }

  /// A statement that psql's `\watch` ends: behind it stand the seconds, as `5` or `i=5`.
  init(_ statement: String, every interval: String) throws(UsageError) {
    line = statement
    let word = interval.trimmed
    if !word.isEmpty { seconds = try Self.seconds(String(word.hasPrefix("i=") ? word.dropFirst(2) : word)) }
  }

  private mutating func set(_ option: OptionName, to value: String) throws(UsageError) {
    guard option == .times else { return seconds = try Self.seconds(value) }
    guard let number = Int(value), number > 0 else {
      throw .conflict("'--times' takes a whole number from 1 up, not '\(value)'.")
    }
    times = number
  }

  private static func seconds(_ word: String) throws(UsageError) -> Double {
    let units = ["ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "": 1.0]
    let digits = word.prefix { $0.isNumber || $0 == "." }
    guard let number = Double(digits), let unit = units[String(word.dropFirst(digits.count))],
      case let seconds = number * unit, seconds >= 0.1, seconds <= 86_400
    else { throw .conflict("'--every' takes a time from 100ms to 24h, such as 2s, not '\(word)'.") }
    return seconds
  }
}

/// Runs a command again and again and prints the lines that come and go.
struct Watcher {
  let arguments: WatchArguments
  /// More rows than tables show, as new ones come last; still few enough to keep.
  private static let rows = 10_000

  init(_ arguments: WatchArguments) { self.arguments = arguments }

  func run(in shell: StoreShell) throws {
    // A pager would wait for its reader.
    let pages = shell.environment.defaults.pages
    shell.environment.defaults.pages = false
    defer { shell.environment.defaults.pages = pages }
    var before = try lines(in: shell)
    try shell.print(fitted(wrapped(before.map { $0 + "\n" }.joined(), in: shell), in: shell))
    if arguments.times != 1 { shell.note("(watching, every \(arguments.interval); Ctrl-C ends it)") }
    var runs = 1
    while arguments.times.map({ runs < $0 }) ?? true {
      guard try wait(in: shell) else { return }
      runs += 1
      let now: [String]
      do { now = try lines(in: shell) } catch  where isPassing(error) { continue }
      let difference = LineDifference(from: before, to: now)
      before = now
      guard !difference.isEmpty else { continue }
      let second = CoreDataDate(seconds: Platform.now().seconds.rounded(.down))
      let time = DateText(isLocal: shell.environment.defaults.isLocal).second(second)
      try shell.print("\(time)\n" + fitted(wrapped(difference.text, indent: 2, in: shell), in: shell))
    }
  }

  /// A file's lines, as `> FILE` writes them, are as long as they are.
  private func printsToTerminal(_ shell: StoreShell) -> Bool {
    shell.environment.output == nil && Platform.isTerminal(1)
  }

  private func wrapped(_ text: String, indent: Int = 0, in shell: StoreShell) -> String {
    guard printsToTerminal(shell), let width = Platform.terminalSize(1)?.columns else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { TerminalText.wrapped(String($0), to: width, indent: indent) }.joined(separator: "\n")
  }

  /// Cut to a screen: the beginning of a long text has the answer, and would scroll away.
  private func fitted(_ text: String, in shell: StoreShell) -> String {
    guard printsToTerminal(shell), let rows = Platform.terminalSize(1)?.rows else { return text }
    return Self.fitted(text, rows: rows)
  }

  /// Leaves lines for the time or the note on watching, for the cut, and for the cursor.
  static func fitted(_ text: String, rows: Int) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let most = max(rows, 8) - 3
    // The last one is empty.
    guard lines.count - 1 > most else { return text }
    let more = Sentence.count(lines.count - 1 - most, "more line")
    return lines.prefix(most).joined(separator: "\n") + "\n… \(more)\n"
  }

  /// False where nobody reads any more what is printed.
  private func wait(in shell: StoreShell) throws(InterruptedError) -> Bool {
    let end = Platform.monotonicSeconds() + arguments.seconds
    while shell.hasReader {
      if Interruption.isRequested { throw InterruptedError() }
      let rest = end - Platform.monotonicSeconds()
      if rest <= 0 { return true }
      Interruption.wait(seconds: min(rest, 0.5))
    }
    return false
  }

  /// A store that was written while it was read is read again.
  private func isPassing(_ error: any Error) -> Bool { Application.isStoreChange(error) }

  private func lines(in shell: StoreShell) throws -> [String] {
    var bytes: [UInt8] = []
    let printsToTerminal = printsToTerminal(shell)
    let kept = (shell.environment.output, shell.environment.defaults)
    defer { (shell.environment.output, shell.environment.defaults) = kept }
    if shell.environment.defaults.limit == nil {
      shell.environment.defaults.limit = Self.rows
    }
    shell.environment.output = .memory { bytes += $0 }
    // Two columns are for the marks of lines that come and go.
    shell.environment.outputWidth =
      kept.0 == nil ? Platform.terminalSize(1).map { max(20, $0.columns - 2) } : nil
    // Of a sentence that was wrapped, one half can change without the other.
    shell.environment.keepsLines = true
    defer { (shell.environment.outputWidth, shell.environment.keepsLines) = (nil, false) }
    try shell.runWatched(arguments.line)
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    // The run took its output for a file's, where nothing needs to be escaped.
    return printsToTerminal ? lines.map(TerminalText.escaped) : lines
  }
}

/// Lines that are in one text and not in the other, each as often as it is.
struct LineDifference: Equatable {
  var gone: [String] = []
  var new: [String] = []

  init(from old: [String], to new: [String]) {
    var counts: [String: Int] = [:]
    for line in old { counts[Self.key(line), default: 0] += 1 }
    for line in new {
      if let count = counts[Self.key(line)], count > 0 {
        counts[Self.key(line)] = count - 1
      } else {
        self.new.append(line)
      }
    }
    for line in old.reversed() {
      if let count = counts[Self.key(line)], count > 0 {
        counts[Self.key(line)] = count - 1
        gone.insert(line, at: 0)
      }
    }
  }

  var isEmpty: Bool { gone.isEmpty && new.isEmpty }

  var text: String { (gone.map { "- \($0)\n" } + new.map { "+ \($0)\n" }).joined() }

  /// Columns that grew because of another row make no difference: their cells are two blanks or more apart.
  private static func key(_ line: String) -> String {
    var key = ""
    var blanks = 0
    var isRule = true
    for character in line {
      if character == " " {
        blanks += 1
        continue
      }
      if blanks > 0, !key.isEmpty { key += blanks == 1 ? " " : "  " }
      blanks = 0
      key.append(character)
      isRule = isRule && (character == "─" || character == "-")
    }
    return isRule ? "─" : key
  }
}
