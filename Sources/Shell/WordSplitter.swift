import Commands

/// Splits a line into words as a POSIX shell does, and does nothing else that a shell does: no variables, no patterns,
/// no programs. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
enum WordSplitter {
  static func split(_ line: String) throws(UsageError) -> [String] {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = line[...]
    while let character = rest.popFirst() {
      switch (quote, character) {
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("'", _): word?.append(character)
      case ("\"", "\\"):
        // Within these quotes it is a sign like others, unless what follows would mean something.
        if let next = rest.first, "\"\\$`".contains(next) {
          word?.append(next)
          rest.removeFirst()
        } else {
          word?.append(character)
        }
      case ("\"", _): word?.append(character)
      case (_, "'"), (_, "\""):
        quote = character
        word = word ?? ""
      case (_, "\\"):
        guard let next = rest.popFirst() else {
          throw .conflict("The line ends with '\\', which quotes nothing.")
        }
        word = (word ?? "") + String(next)
      case (_, "#") where word == nil: rest = ""
      case _ where character.isWhitespace:
        if let complete = word { words.append(complete) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    if let quote { throw .conflict("A quotation that begins with \(quote) isn't closed.") }
    if let word { words.append(word) }
    return words
  }
}
