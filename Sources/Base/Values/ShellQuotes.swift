/// Text for the shells of Unix.
package enum ShellQuotes {
  /// As one word, quoted where it has more than plain characters.
  package static func word(_ text: String) -> String {
    let isPlain = text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "/._-,".contains($0)) }
    return isPlain && !text.isEmpty ? text : single(text)
  }

  /// As one word that reads well within a text, which puts single quotes around commands, as SQL does around texts: in
  /// double quotes, unless a shell would look into those.
  package static func readable(_ text: String) -> String {
    let word = word(text)
    let isSafe = !text.unicodeScalars.contains { "\"\\$`!".unicodeScalars.contains($0) }
    return word != text && isSafe && !text.isEmpty ? "\"\(text)\"" : word
  }

  /// The text with `escape`'s answer in place of those characters that it has one for. Scalar by scalar: a shell takes a
  /// quote with a combining mark on it, which Swift takes for another character, for a quote.
  package static func escaping(_ text: String, _ escape: (Unicode.Scalar) -> String?) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if let escaped = escape(scalar) { result += escaped } else { result.unicodeScalars.append(scalar) }
    }
    return result
  }

  /// As one word, whatever it holds.
  package static func single(_ text: String) -> String { "'" + insideSingle(text) + "'" }

  /// As it stands between single quotes: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_02
  package static func insideSingle(_ text: String) -> String {
    escaping(text) { $0 == "'" ? "'\\''" : nil }
  }
}
