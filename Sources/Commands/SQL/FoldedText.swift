/// A text as it is compared with others from which it differs in case and accents only: `belem` and `Belém`. Lower case is
/// looked up once for each letter, and not at each place where a part may begin.
struct FoldedText {
  private struct Letter {
    let original: Character
    let folded: Character
    let isLetter: Bool
    let isASCII: Bool

    init(_ original: Character) {
      let lowercased = original.lowercased()
      self.original = original
      folded = lowercased.count == 1 ? lowercased[lowercased.startIndex] : original
      (isLetter, isASCII) = (folded.isLetter, folded.isASCII)
    }

    func isSame(as other: Letter) -> Bool {
      folded == other.folded || isLetter && other.isLetter && isASCII != other.isASCII
    }
  }

  private let letters: ArraySlice<Letter>

  init(_ text: String) { letters = text.map(Letter.init)[...] }

  private init(_ letters: ArraySlice<Letter>) { self.letters = letters }

  /// Without white space around it.
  var trimmed: FoldedText {
    var rest = letters.drop(while: \.original.isWhitespace)
    while rest.last?.original.isWhitespace == true { rest.removeLast() }
    return FoldedText(rest)
  }

  func isSame(as other: FoldedText) -> Bool {
    letters.count == other.letters.count && zip(letters, other.letters).allSatisfy { $0.isSame(as: $1) }
  }

  /// The first part of it, as it is spelled here, that differs from the typed text in case and accents only.
  func part(like typed: FoldedText) -> String? {
    let count = typed.letters.count
    guard count > 1, count <= letters.count else { return nil }
    let start = (0...(letters.count - count)).first { start in
      zip(letters.dropFirst(start), typed.letters).allSatisfy { $0.isSame(as: $1) }
    }
    return start.map { String(letters.dropFirst($0).prefix(count).map(\.original)) }
  }
}
