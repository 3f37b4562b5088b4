import Commands
import Values

/// Splits a line into words as a POSIX shell does, with `~/` for the home folder, and does nothing else that a shell
/// does: no variables, no patterns, no programs.
/// https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
enum WordSplitter {
  static func split(_ line: String) throws(UsageError) -> [String] {
    let bytes = Array(line.utf8)
    var words: [String] = []
    for word in TypedWord.words(of: line) {
      // Behind the last blank.
      if word.start == bytes.count { break }
      if bytes[word.start] == UInt8(ascii: "#") { break }
      if let quote = word.openQuote {
        throw .conflict(Self.openQuotation(quote, String(decoding: bytes[word.start...], as: UTF8.self)))
      }
      if word.awaitsCharacter { throw .conflict("The line ends with '\\', which quotes nothing.") }
      let isAtHome = bytes[word.start...].starts(with: "~/".utf8)
      words.append(isAtHome ? FolderListing.expanded(word.text) : word.text)
    }
    return words
  }

  /// Which quote it is, and how to go on.
  private static func openQuotation(_ quote: Character, _ text: String) -> String {
    let beginning = text.prefix(30) + (text.count > 30 ? "…" : "")
    let advice =
      quote == "'"
      ? "Close it; a text with an apostrophe goes into double quotes: \"it's\"."
      : "Close it, or type \\\" for a quote that belongs to the text."
    return "A \(quote) isn't closed (in: \(beginning)). \(advice)"
  }
}
