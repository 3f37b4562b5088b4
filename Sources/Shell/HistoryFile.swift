import Base

/// What was typed, kept for the next time in `$XDG_STATE_HOME/storescope/history`, one line per entry, readable by its
/// owner only: it may name customers. https://specifications.freedesktop.org/basedir-spec/latest/
struct HistoryFile {
  let path: String
  /// Entries that are kept.
  static let capacity = 2000
  private static let longestEntry = 8192

  /// Nil where there is no place for it.
  static var standardPath: String? {
    if let state = Platform.environment("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/storescope/history"
    }
    guard let home = Platform.environment("HOME"), !home.isEmpty else { return nil }
    return home + "/.local/state/storescope/history"
  }

  /// The entries, oldest first; none where the file isn't there or can't be read. A file that has grown to twice the
  /// capacity is cut.
  func load() -> [String] {
    let limit = 2 * Self.capacity * Self.longestEntry
    guard let bytes = try? FileReader.bytes(of: path, limit: limit) else { return [] }
    let lines = bytes.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
    let kept = lines.suffix(Self.capacity)
    if lines.count > 2 * Self.capacity { rewrite(kept) }
    return kept.map(Self.decoded)
  }

  /// False where it couldn't be written.
  @discardableResult
  func append(_ entry: String) -> Bool {
    guard entry.utf8.count <= Self.longestEntry else { return true }
    if let slash = path.lastIndex(of: "/") { try? Files.makeFolder(String(path[..<slash])) }
    return OpenFile(path, for: .appending)?.write(Self.encoded(entry) + "\n") ?? false
  }

  private func rewrite(_ lines: ArraySlice<String>) {
    try? FileWriter.write(lines.joined(separator: "\n") + "\n", to: path, rights: .own)
  }

  /// Line ends within an entry as `\n`, which needs `\\` for the backslash itself.
  static func encoded(_ entry: String) -> String {
    entry.map { $0 == "\\" ? "\\\\" : $0.isNewline ? "\\n" : String($0) }.joined()
  }

  static func decoded(_ line: String) -> String {
    var entry = ""
    var rest = line[...]
    while let character = rest.popFirst() {
      guard character == "\\", let next = rest.popFirst() else {
        entry.append(character)
        continue
      }
      entry.append(next == "n" ? "\n" : next)
    }
    return entry
  }
}
