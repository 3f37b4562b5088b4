import Base
import Commands

/// Where the results of one line go in place of the screen.
enum Redirection: Equatable {
  /// Behind `|`, as typed: for a shell.
  case program(String)
  /// Behind `>` and `>>`.
  case file(String, appends: Bool)

  /// Cuts a line where a result is sent elsewhere: at the first `|` that isn't quoted and isn't half of a `||`, which
  /// is SQL's, or at a `>` that begins a word.
  /// - Returns: what is run, and where its result goes; nil for the screen.
  static func split(_ line: String) throws(UsageError) -> (command: String, target: Redirection?) {
    guard let (start, isPipe) = mark(in: line) else { return (line, nil) }
    let bytes = Array(line.utf8)
    let command = String(decoding: bytes[..<start], as: UTF8.self)
    var rest = bytes[(start + 1)...]
    if isPipe {
      let program = String(decoding: rest, as: UTF8.self).drop(while: \.isWhitespace)
      guard !program.isEmpty else {
        throw .conflict("A program is missing after '|', as in 'rows Person | grep Ada'.")
      }
      return (command, .program(String(program)))
    }
    let appends = rest.first == UInt8(ascii: ">")
    if appends { rest.removeFirst() }
    let target = String(decoding: rest, as: UTF8.self)
    let words = try WordSplitter.split(target)
    guard words.count == 1, let path = words.first, !path.isEmpty else {
      throw .conflict(
        words.isEmpty
          ? "A file is missing after '>', as in 'rows Person > people.txt'."
          : "Only one file can follow '>'. Put a condition with '>' in quotes\(quoted(command, target)).")
    }
    try check(path, typedAs: target, behind: command)
    return (command, .file(path, appends: appends))
  }

  /// The same of a statement whose semicolon was typed behind the program. SQL has a `|` of its own: only behind FROM, and
  /// only what is called like a usual filter and isn't compared or calculated with, is one.
  static func split(statement: String) -> (command: String, target: Redirection?) {
    guard let mark = LineMarks(statement).first(where: { $0.kind == .pipe }) else { return (statement, nil) }
    let bytes = Array(statement.utf8)
    let sql = String(decoding: bytes[..<mark.offset], as: UTF8.self)
    var program = String(decoding: bytes[(mark.offset + 1)...], as: UTF8.self).trimmed
    while program.last == ";" { program = program.dropLast().trimmed }
    let name = program.prefix { !$0.isWhitespace }
    let next = program.dropFirst(name.count).first { !$0.isWhitespace }
    guard filters.contains(String(name)), next.map({ !"=<>+*/%&,)".contains($0) }) ?? true,
      sql.lowercased().split(whereSeparator: \.isWhitespace).contains("from")
    else { return (statement, nil) }
    return (sql, .program(String(program)))
  }

  private static let filters: Set = [
    "awk", "cat", "column", "cut", "grep", "head", "jq", "less", "more", "sed", "sort", "tail", "tee", "uniq",
    "wc",
  ]

  /// Refuses what is most likely the rest of a condition without its quotes, as in `--where birthday > '1990-01-01'`:
  /// it would replace a file, and print nothing.
  private static func check(
    _ path: String, typedAs target: String, behind command: String
  ) throws(UsageError) {
    let isQuoted = target.contains { "'\"".contains($0) }
    let property = unfinishedCondition(command)
    let isValue = Double(path) != nil || ISO8601.parse(path) != nil || path.hasPrefix("=")
    let isFile = path.contains("/") || path.contains(".") && !isQuoted
    guard isValue || property != nil && !isFile else { return }
    let value = Double(path) != nil ? path : ShellQuotes.word(path).hasPrefix("'") ? "…" : "'\(path)'"
    throw .conflict(
      "'> \(path)' would write to a file '\(path)'. Put a condition in quotes: --where \"\(property ?? "rating") > \(value)\". For a file of that name, type './\(path)'."
    )
  }

  /// The command with its condition in quotes, behind a colon; nothing if it has none.
  private static func quoted(_ command: String, _ target: String) -> String {
    guard let property = unfinishedCondition(command), command.trimmed.hasSuffix(property) else { return "" }
    let end = target.firstRange(of: " --")?.lowerBound ?? target.endIndex
    let condition = "\(property) > \(target[..<end].trimmed.replacing("\"", with: "'"))"
    return ": \(command.trimmed.dropLast(property.count))\"\(condition)\"\(target[end...])"
  }

  /// The property at the end of a command that `--where` was given and nothing to compare it with.
  private static func unfinishedCondition(_ command: String) -> String? {
    let words = TypedWord.words(of: command).map(\.text).filter { !$0.isEmpty }
    let option = "--" + OptionName.where.rawValue
    guard let last = words.last else { return nil }
    let condition =
      words.dropLast().last == option
      ? last : last.hasPrefix(option + "=") ? String(last.dropFirst(option.count + 1)) : ""
    let isProperty =
      !condition.isEmpty && condition.allSatisfy { $0.isLetter || $0.isNumber || "._\"".contains($0) }
    return isProperty ? condition : nil
  }

  /// The byte at which the command ends.
  private static func mark(in line: String) -> (start: Int, isPipe: Bool)? {
    for mark in LineMarks(line) {
      switch mark.kind {
      case .pipe: return (mark.offset, true)
      case .file: return (mark.offset, false)
      case .remark: return nil
      case .end: continue
      }
    }
    return nil
  }
}

/// The characters of a typed line that have a meaning there because no quotes stand around them, from left to right.
struct LineMarks: Sequence, IteratorProtocol {
  enum Kind {
    /// `|`, not `||`, which is SQL's.
    case pipe
    /// `>`, where it begins a word.
    case file
    /// `;`
    case end
    /// `#`, where it begins a word: the rest of the line is a remark.
    case remark
  }

  private let bytes: [UInt8]
  private var index = 0
  private var quote: UInt8?
  private var isWordStart = true

  init(_ line: some StringProtocol) { bytes = Array(line.utf8) }

  mutating func next() -> (kind: Kind, offset: Int)? {
    while index < bytes.count {
      let byte = bytes[index]
      let offset = index
      let wasWordStart = isWordStart
      isWordStart = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
      index += 1
      if byte == UInt8(ascii: "\\"), quote != UInt8(ascii: "'") {
        index += 1
      } else if let open = quote {
        if byte == open { quote = nil }
      } else {
        switch byte {
        case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
        case UInt8(ascii: ";"):
          isWordStart = true
          return (.end, offset)
        case UInt8(ascii: "#") where wasWordStart: return (.remark, offset)
        case UInt8(ascii: ">") where wasWordStart: return (.file, offset)
        case UInt8(ascii: "|"):
          guard index < bytes.count, bytes[index] == byte else { return (.pipe, offset) }
          index += 1
        default: break
        }
      }
    }
    return nil
  }
}

/// A file that results go to.
final class OutputFile {
  let path: String
  private let store: String?
  private let appends: Bool
  private var file: OpenFile?

  /// Opens nothing yet: a command that fails before it prints anything leaves the file as it was.
  /// - Parameters:
  ///   - store: the store that is open, none of whose files is ever written.
  ///   - appends: whether what is in the file stays.
  init(_ path: String, keeping store: String?, appends: Bool = false) throws {
    (self.path, self.store, self.appends) = (path, store, appends)
    try checkPlace()
  }

  /// Whether results may go there as things are.
  private func checkPlace() throws {
    try StoreFileGuard.check(path, keeping: store)
    guard !isSpecial, let status = FileStatus(ofLink: path) else { return }
    // What is written would end up, or be missed, elsewhere.
    if status.kind == .link { throw refusal("is a link", advice: "name the file that it leads to") }
    try check(status)
  }

  /// A pipe or a device is written to as it is.
  private var isSpecial: Bool { FileReader.kind(of: path) == .other }

  /// Opens the file the first time.
  func descriptor() throws -> Int32 {
    if let file { return file.descriptor }
    let opened = try open()
    file = opened
    return opened.descriptor
  }

  private func open() throws -> OpenFile {
    if isSpecial { return try OpenFile(special: path).orThrow(unwritable) }
    let rights = store.map(FileRights.init(like:)) ?? .ordinary
    guard appends else {
      // Minutes may have passed since it was looked at.
      return try FileWriter.begin(path, rights: rights, check: checkPlace)
    }
    let file = try OpenFile(path, for: .appending, rights: rights).orThrow(unwritable)
    // Something else may bear the name since it was looked at.
    guard let status = file.status else { throw unwritable }
    try check(status)
    try StoreFileGuard.check(status, at: path, keeping: store)
    return file
  }

  private func check(_ status: FileStatus) throws {
    guard status.kind == .file else { throw refusal("isn't a file", advice: "choose another name") }
    guard status.names < 2 else {
      throw refusal("has other names (hard links)", advice: "choose another file")
    }
  }

  private func refusal(_ problem: String, advice: String) -> StoreScopeError {
    StoreScopeError(.refused, path, "\(problem), so results aren't written to it", advice: advice)
  }

  private var unwritable: StoreScopeError {
    .unwritable(path, Platform.lastError(), advice: "choose another file")
  }

  var isOpen: Bool { file != nil }

  func close() { file?.close() }
}

extension Optional {
  fileprivate func orThrow(_ error: @autoclosure () -> StoreScopeError) throws -> Wrapped {
    guard let self else { throw error() }
    return self
  }
}
