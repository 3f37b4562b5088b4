/// Words that follow each other, whatever stands between them: line breaks, several blanks, punctuation of another style,
/// invisible characters. What a screen shows as one blank needn't be one.
package struct WordSequence: Sendable {
  private let words: [String]
  private let longest: String

  /// More are a text of its own.
  private static let most = 40

  /// Nil for fewer than two words, and for numbers, dates and times, which are values of their own.
  package init?(_ text: String) {
    var words: [Substring] = []
    Self.forEachWord(of: text) {
      words.append($0)
      return words.count <= Self.most
    }
    guard (2...Self.most).contains(words.count), words.contains(where: { $0.contains(where: \.isLetter) }),
      let longest = words.max(by: { $0.utf8.count < $1.utf8.count })
    else { return nil }
    self.words = words.map { $0.lowercased() }
    self.longest = String(longest)
  }

  /// What every text with the words has.
  package var pattern: TextPattern { TextPattern(longest) }

  /// The first place in a text that has the pattern. The first word may be the end of one there, and the last the
  /// beginning, but for numbers.
  package func hit(in text: String) -> TextHit? {
    var window: [Substring] = []
    var found: Range<String.Index>?
    Self.forEachWord(of: text) { word in
      window.append(word)
      if window.count > words.count { window.removeFirst() }
      found = match(window)
      return found == nil
    }
    return found.map { TextHit(text, $0) }
  }

  private func match(_ window: [Substring]) -> Range<String.Index>? {
    guard window.count == words.count, let first = window.first, let last = window.last else { return nil }
    let (begin, end) = (words[0], words[words.count - 1])
    func isNumber(_ word: String) -> Bool { word.allSatisfy(\.isNumber) }
    let (head, tail) = (first.lowercased(), last.lowercased())
    guard isNumber(begin) ? head == begin : head.hasSuffix(begin),
      isNumber(end) ? tail == end : tail.hasPrefix(end),
      zip(window, words).dropFirst().dropLast().allSatisfy({ $0.lowercased() == $1 })
    else { return nil }
    return first.index(
      first.endIndex, offsetBy: -begin.count)..<last.index(last.startIndex, offsetBy: end.count)
  }

  /// One after the other: all words of a long text are a multiple of its size.
  private static func forEachWord(of text: String, _ body: (Substring) -> Bool) {
    var rest = text[...]
    while let start = rest.firstIndex(where: isPart) {
      let end = rest[start...].firstIndex { !isPart($0) } ?? rest.endIndex
      guard body(rest[start..<end]) else { return }
      rest = rest[end...]
    }
  }

  private static func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
