/// Text for the shells of Unix.
enum ShellQuotes {
  /// As one word, quoted where it has more than plain characters.
  static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-".contains($0)) }
    return isPlain && !text.isEmpty ? text : single(text)
  }

  /// As one word, whatever it holds.
  static func single(_ text: String) -> String { "'" + insideSingle(text) + "'" }

  /// As it stands between single quotes: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
  static func insideSingle(_ text: String) -> String {
    text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
  }
}
