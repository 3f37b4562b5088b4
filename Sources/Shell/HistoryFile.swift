import Values

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// What was typed, kept for the next time in `$XDG_STATE_HOME/storescope/history`, a line an entry, readable by its
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
    makeFolders()
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return Array((Self.encoded(entry) + "\n").utf8).withUnsafeBytes { Platform.write($0, to: descriptor) }
  }

  private func makeFolders() {
    for index in path.indices.dropFirst() where path[index] == "/" { mkdir(String(path[..<index]), 0o700) }
  }

  private func rewrite(_ lines: ArraySlice<String>) {
    let temporary = "\(path).\(getpid())"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    let isWritten = Array((lines.joined(separator: "\n") + "\n").utf8).withUnsafeBytes {
      Platform.write($0, to: descriptor)
    }
    close(descriptor)
    if !isWritten || rename(temporary, path) != 0 { unlink(temporary) }
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
