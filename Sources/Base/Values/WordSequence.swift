/// Words that follow each other, whatever stands between them: line breaks, several blanks, punctuation of another style,
/// invisible characters. What a screen shows as one blank needn't be one. Letters are compared as `TextPattern` does it.
package struct WordSequence {
  /// What every text with the words has: the longest of them.
  package let pattern: TextPattern
  /// Folded.
  private let words: [[Character]]
  /// Which of them the pattern is.
  private let longest: Int

  /// More are a text of its own.
  private static let most = 40

  /// Nil for fewer than two words, and for numbers, dates and times, which are values of their own.
  package init?(_ text: String) {
    let words = text.split(maxSplits: Self.most + 1) { !Self.isPart($0) }
    guard (2...Self.most).contains(words.count), words.contains(where: { $0.contains(where: \.isLetter) }),
      let longest = words.indices.max(by: { words[$0].utf8.count < words[$1].utf8.count })
    else { return nil }
    let pattern = TextPattern(String(words[longest]))
    self.pattern = pattern
    self.words = words.map { $0.map(pattern.folded) }
    self.longest = longest
  }

  /// The first place in a text. The first word may be the end of one there, and the last the beginning, but for numbers.
  package func hit(in text: String) -> TextHit? {
    var found: Range<String.Index>?
    pattern.forEachRange(in: text) { range in
      found = match(around: range, in: text)
      return found == nil
    }
    return found.map { TextHit(text, $0) }
  }

  /// Looks at the neighbors of the longest word only: the text may have millions of others.
  private func match(around range: Range<String.Index>, in text: String) -> Range<String.Index>? {
    guard stands(longest, at: range, in: text) else { return nil }
    var (start, end) = (range.lowerBound, range.upperBound)
    for place in (0..<longest).reversed() {
      guard let before = text[..<start].lastIndex(where: Self.isPart) else { return nil }
      let last = text.index(after: before)
      guard
        let first = text.index(last, offsetBy: -words[place].count, limitedBy: text.startIndex),
        stands(place, at: first..<last, in: text)
      else { return nil }
      start = first
    }
    for place in words.indices.dropFirst(longest + 1) {
      guard let first = text[end...].firstIndex(where: Self.isPart),
        let last = text.index(first, offsetBy: words[place].count, limitedBy: text.endIndex),
        stands(place, at: first..<last, in: text)
      else { return nil }
      end = last
    }
    return start..<end
  }

  /// Whether the word of that place is there, and no letter next to it that makes it another one.
  private func stands(_ place: Int, at range: Range<String.Index>, in text: String) -> Bool {
    let word = words[place]
    guard text[range].elementsEqual(word, by: { pattern.folded($0) == $1 }) else { return false }
    let isNumber = word.allSatisfy(\.isNumber)
    let mayContinue = (before: place == 0 && !isNumber, behind: place == words.count - 1 && !isNumber)
    let hasMoreBefore =
      range.lowerBound > text.startIndex && Self.isPart(text[text.index(before: range.lowerBound)])
    let hasMoreBehind = range.upperBound < text.endIndex && Self.isPart(text[range.upperBound])
    return (mayContinue.before || !hasMoreBefore) && (mayContinue.behind || !hasMoreBehind)
  }

  private static func isPart(_ character: Character) -> Bool { character.isLetter || character.isNumber }
}
