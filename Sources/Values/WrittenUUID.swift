/// A UUID as people write it, whole or its beginning: in capitals or not, with hyphens or without, in braces.
package struct WrittenUUID: Sendable, Equatable {
  /// In capitals, with the hyphens.
  package let text: String

  private static let fewestDigits = 8
  private static let hyphens = [8, 13, 18, 23]
  private static let length = 36

  package init?(_ word: String) {
    guard word.utf8.count <= Self.length + 2 else { return nil }
    var word = word.uppercased()[...]
    if word.first == "{", word.last == "}" { word = word.dropFirst().dropLast() }
    let digits = word.filter { $0 != "-" }
    guard digits.utf8.count >= Self.fewestDigits, digits.utf8.count <= Self.length - Self.hyphens.count,
      digits.allSatisfy({ "0123456789ABCDEF".contains($0) })
    else { return nil }
    var text = ""
    for digit in digits {
      if Self.hyphens.contains(text.utf8.count) { text.append("-") }
      text.append(digit)
    }
    // Hyphens elsewhere make it something else; one may stand at the end of a beginning.
    guard
      word == digits[...] || word == text[...] || word == "\(text)-" && Self.hyphens.contains(text.utf8.count)
    else { return nil }
    self.text = text
  }

  package var isWhole: Bool { text.utf8.count == Self.length }

  package var withoutHyphens: String { text.filter { $0 != "-" } }
}
