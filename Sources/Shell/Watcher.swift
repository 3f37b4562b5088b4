import Commands
import Rendering
import Values

/// What follows `watch`.
struct WatchArguments: Equatable {
  /// As it would be typed alone.
  var line: String
  var seconds = 2.0
  /// Runs after which it ends; nil for none.
  var times: Int?

  init(_ words: [String], _ text: String) throws(UsageError) {
    var text = text
    if let every = try Self.take("--every", words, &text) { seconds = try Self.seconds(every) }
    if let count = try Self.take("--times", words, &text) {
      guard let number = Int(count), number > 0 else {
        throw .conflict("'--times' takes a whole number from 1 up, not '\(count)'.")
      }
      times = number
    }
    line = text
    guard line.contains(where: { !$0.isWhitespace }) else {
      throw .conflict("'watch' needs a command, as in 'watch pending --every 2s'.")
    }
  }

  /// Takes an option with its value out of the text; its value.
  private static func take(
    _ option: String, _ words: [String], _ text: inout String
  ) throws(UsageError) -> String? {
    guard let index = words.lastIndex(of: option) else { return nil }
    guard words.indices.contains(index + 1) else { throw .conflict("'\(option)' needs a value.") }
    let value = words[index + 1]
    var parts = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let at = parts.lastIndex(of: option), parts.indices.contains(at + 1), parts[at + 1] == value else {
      throw .conflict("'\(option)' takes one word without quotes.")
    }
    parts.removeSubrange(at...at + 1)
    text = parts.joined(separator: " ")
    return value
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
    try shell.print(before.joined(separator: "\n") + "\n")
    shell.note("(watching, every \(arguments.seconds) s; Ctrl-C ends it)")
    var runs = 1
    while arguments.times.map({ runs < $0 }) ?? true {
      Interruption.wait(seconds: arguments.seconds)
      if Interruption.isRequested { throw InterruptedError() }
      runs += 1
      let now: [String]
      do { now = try lines(in: shell) } catch  where isPassing(error) { continue }
      let difference = LineDifference(from: before, to: now)
      before = now
      guard !difference.isEmpty else { continue }
      let time = (Platform.now().iso8601 ?? "").prefix(19) + "Z"
      try shell.print("\(time)\n" + difference.text)
    }
  }

  /// A store that was written while it was read is read again.
  private func isPassing(_ error: any Error) -> Bool { Application.isStoreChange(error) }

  private func lines(in shell: StoreShell) throws -> [String] {
    var bytes: [UInt8] = []
    let kept = (shell.environment.output, shell.environment.defaults)
    defer { (shell.environment.output, shell.environment.defaults) = kept }
    if shell.environment.defaults.limit == .automatic {
      shell.environment.defaults.limit = .rows(Self.rows)
    }
    shell.environment.output = { piece in
      bytes += piece
      return true
    }
    try shell.runWatched(arguments.line)
    var lines = String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    // The run took its output for a file's, where nothing needs to be escaped.
    return Platform.isTerminal(1) ? lines.map(TerminalText.escaped) : lines
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

  /// Columns that grew because of another row make no difference.
  private static func key(_ line: String) -> String {
    line.split { $0 == " " || $0 == "─" || $0 == "-" && line.allSatisfy { $0 == "-" || $0 == " " } }.joined(
      separator: " ")
  }
}
