import Values

/// Commands in texts as they can be pasted: with the store's path, and without `storescope` and STORE in the shell.
struct AdviceText {
  let path: String
  let isInShell: Bool

  /// The text with its commands, `'storescope pending STORE'` and the like, as they can be typed here.
  func filled(_ text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: Self.start) {
      let words = rest[range.upperBound...]
      guard let end = words.firstIndex(of: "'") else { break }
      result += rest[..<range.lowerBound]
      result += "'\(typed(words[..<end]))'"
      rest = words[words.index(after: end)...]
    }
    return result + rest
  }

  /// A command of this store.
  func command(_ words: String) -> String {
    let parts = words.split(separator: " ", maxSplits: 1).map(String.init)
    return "'\(typed((["\(parts[0]) STORE"] + parts.dropFirst()).joined(separator: " ")[...]))'"
  }

  private static let start = "'storescope "

  private func typed(_ words: Substring) -> String {
    let words = words.split(separator: " ").map(String.init)
    guard isInShell else {
      return (["storescope"] + words.map { $0 == "STORE" ? ShellQuotes.word(path) : $0 }).joined(
        separator: " ")
    }
    return words.filter { $0 != "STORE" }.joined(separator: " ")
  }
}
