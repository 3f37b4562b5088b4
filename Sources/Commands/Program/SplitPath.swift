import SystemCalls
import Values

/// A path with spaces that the user's shell took for several words: `storescope rows My App.store Person`.
enum SplitPath {
  /// The words with the path in one; nil if their beginnings name no file, or the first one does.
  static func joined(_ words: [String]) -> [String]? {
    guard let first = words.first, !isThere(first) else { return nil }
    // No path has very many words.
    return words.indices.dropFirst().prefix(16).lazy.map { last in
      [words[...last].joined(separator: " ")] + words[(last + 1)...]
    }.first { isThere($0[0]) }
  }

  private static func isThere(_ path: String) -> Bool {
    FileReader.kind(of: StoreSource.file(of: path)) != nil
  }

  /// The command as it was meant.
  static func error(_ command: [String], _ joined: [String]) -> UsageError {
    let line = (["storescope"] + command + joined.map(ShellQuotes.readable)).joined(separator: " ")
    return .conflict("A path with spaces has to be in quotes:", list: [line])
  }
}
