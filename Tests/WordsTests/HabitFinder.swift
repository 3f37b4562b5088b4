/// Finds what `Habit.all` lists, British spelling, and words written twice.
struct HabitFinder {
  struct Finding: Hashable {
    let place: String
    let line: Int
    /// The words that were found, with one blank between them.
    let words: String
    let instead: String

    var description: String { "\(place):\(line): '\(words)': write \(instead)" }
  }

  private struct Phrase {
    let words: [Part]
    let habit: Habit
  }

  private enum Part {
    case any
    case one(Set<String>)
    case other(Set<String>)

    init(_ text: Substring) {
      let words = Set((text.first == "!" ? text.dropFirst() : text).split(separator: "|").map(String.init))
      self = text == "*" ? .any : text.first == "!" ? .other(words) : .one(words)
    }

    func fits(_ word: String) -> Bool {
      switch self {
      // Punctuation ends what belongs together.
      case .any: word.utf8.count > 1 || word.first?.isLetter == true
      case .one(let words): words.contains(word)
      case .other(let words): !words.contains(word)
      }
    }
  }

  /// By a word that each begins with; those that begin with an excluded word, by the next.
  private let phrases: [String: [Phrase]]
  private var british: [String: Bool] = [:]

  init(_ habits: [Habit] = Habit.all) {
    var phrases: [String: [Phrase]] = [:]
    for habit in habits {
      for text in habit.phrases {
        let phrase = Phrase(words: text.split(separator: " ").map(Part.init), habit: habit)
        for part in phrase.words {
          guard case .one(let words) = part else { continue }
          for word in words { phrases[word, default: []].append(phrase) }
          break
        }
      }
    }
    self.phrases = phrases
  }

  mutating func findings(in passage: Passage) -> [Finding] {
    var findings: [Finding] = []
    let words = passage.words
    func add(_ range: Range<Int>, _ instead: String) {
      let text = words[range].map(\.text).filter { $0 != Passage.beginning }.joined(separator: " ")
      findings.append(
        Finding(place: passage.place, line: words[range.lowerBound].line, words: text, instead: instead))
    }
    for index in words.indices {
      let word = words[index].text
      for phrase in phrases[word] ?? [] where passage.kind == .text || phrase.habit.isForComments {
        if let range = Self.range(of: phrase, at: index, in: words) { add(range, phrase.habit.instead) }
      }
      if isBritish(word) { add(index..<index + 1, "it in US spelling") }
      if index > 0, word == words[index - 1].text, Self.isPlain(word) {
        add(index - 1..<index + 1, "it once")
      }
    }
    return findings
  }

  /// - Parameter index: of the first word that isn't excluded.
  private static func range(of phrase: Phrase, at index: Int, in words: [Passage.Word]) -> Range<Int>? {
    var start = index
    if case .other = phrase.words[0] { start -= 1 }
    guard start >= 0, start + phrase.words.count <= words.count + 1 else { return nil }
    for (offset, part) in phrase.words.enumerated() {
      let place = start + offset
      // The end of the text ends its last sentence, too.
      let word = place < words.count ? words[place].text : Passage.beginning
      if case .one(["$"]) = part {
        guard word == Passage.beginning || word == "." else { return nil }
      } else if !part.fits(word) {
        return nil
      }
    }
    return start..<min(start + phrase.words.count, words.count)
  }

  private mutating func isBritish(_ word: String) -> Bool {
    guard word.utf8.count > 3 else { return false }
    if let known = british[word] { return known }
    // Names in code aren't text, and keep their capitals.
    let result = word == word.lowercased() && BritishSpelling.isFound(in: word)
    british[word] = result
    return result
  }

  /// Names, numbers and punctuation may well stand twice.
  private static func isPlain(_ word: String) -> Bool {
    word.utf8.count > 1 && word.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
      && !["that", "had"].contains(word)
  }
}
