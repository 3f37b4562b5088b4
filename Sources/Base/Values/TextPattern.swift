/// A text that is searched in others: capitals and the way in which accents are encoded make no difference, in any
/// script. Built for millions of texts, most of which are ASCII and don't hold it.
///
/// Texts are compared by their simple case folding and canonical equivalence (https://www.unicode.org/reports/tr15/),
/// in whole characters: `e` isn't found in `é`, however that is encoded.
package final class TextPattern {
  package struct Options: Sendable {
    /// The text has to be all of the value.
    package var isWhole: Bool
    package var isCaseSensitive: Bool

    package init(isWhole: Bool = false, isCaseSensitive: Bool = false) {
      self.isWhole = isWhole
      self.isCaseSensitive = isCaseSensitive
    }
  }

  package let text: String
  package let options: Options
  private let folding: ScalarFolding
  /// Folded; empty where a text without combining marks can't hold the pattern.
  private let scalars: [UInt32]
  /// The same as bytes, where all of them are ASCII.
  private let ascii: ByteSearch?
  /// Folded, for texts with combining marks.
  private let characters: [Character]
  /// ASCII that every text has that holds the pattern, folded; may be empty. Letters that others fold to are left out.
  private let run: ByteSearch
  /// The same in UTF-16, of whichever order.
  private let wideRun: ByteSearch

  package init(_ text: String, _ options: Options = Options()) {
    self.text = text
    self.options = options
    let folding = ScalarFolding(isCaseSensitive: options.isCaseSensitive)
    self.folding = folding
    let characters = text.map(folding.folded)
    self.characters = characters
    // Each is looked for once.
    var composed: [Character: [UInt32]] = [:]
    for character in Set(characters) { composed[character] = folding.composed(character) }
    let scalars = characters.map { composed[$0] }
    self.scalars = scalars.contains(nil) ? [] : scalars.compactMap(\.self).flatMap(\.self)
    func search(_ bytes: [UInt8]) -> ByteSearch { ByteSearch(bytes, ignoresCase: !options.isCaseSensitive) }
    ascii = self.scalars.allSatisfy { $0 < 0x80 } ? search(self.scalars.map { UInt8($0) }) : nil
    let run = Self.longestRun(characters, options)
    self.run = search(run)
    wideRun = search(run.flatMap { [$0, 0] }.dropLast())
  }

  /// The letters k, s and i have lookalikes beyond ASCII: the Kelvin sign, the long s, and i with and without dots.
  private static func longestRun(_ characters: [Character], _ options: Options) -> [UInt8] {
    let ambiguous: Set<Character> = options.isCaseSensitive ? ["K"] : ["k", "s", "i"]
    let runs = characters.split { !$0.isASCII || $0.utf8.count > 1 || ambiguous.contains($0) }
    return runs.max { $0.count < $1.count }?.compactMap(\.asciiValue) ?? []
  }

  /// Where the text is found in UTF-8, first of all; nil if it isn't. Invalid bytes stand for one that means nothing.
  package func hit(in utf8: UnsafeRawBufferPointer) -> TextHit? {
    guard mayBeHit(in: utf8) else { return nil }
    guard utf8.isASCII else { return slowHit(in: utf8) }
    guard let ascii else { return nil }
    guard options.isWhole else {
      return ascii.firstPlace(in: utf8).map { TextHit(utf8, $0..<$0 + ascii.count) }
    }
    return utf8.count == ascii.count && ascii.matches(utf8, at: 0) ? TextHit(utf8, 0..<ascii.count) : nil
  }

  /// Whether UTF-8 has what every hit has: most texts don't.
  package func mayBeHit(in utf8: UnsafeRawBufferPointer) -> Bool {
    run.count == 0 || run.firstPlace(in: utf8) != nil
  }

  package func hit(in text: String) -> TextHit? {
    var text = text
    return text.withUTF8 { hit(in: UnsafeRawBufferPointer($0)) }
  }

  /// Every place in a text, the first one first, until `body` returns false. Places may overlap.
  func forEachRange(in text: String, _ body: (Range<String.Index>) -> Bool) {
    var start = text.startIndex
    func next() -> Range<String.Index>? {
      if isASCII {
        return ascii.flatMap { Self.find($0, in: text, from: start) }
      }
      return isSimple
        ? Self.find(scalars, in: text.unicodeScalars[start...], false) { folding[$0] }
        : Self.find(characters, in: text[start...], false, folding.folded)
    }
    // Looked at once: the text may be long, and the places in it many.
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let isSimple = isASCII || isSimple(text.unicodeScalars)
    while let range = next(), body(range) { start = text.index(after: range.lowerBound) }
  }

  func folded(_ character: Character) -> Character { folding.folded(character) }

  /// Whether bytes of some format may hold the text, as UTF-8 or as UTF-16 of either order: false only if they can't.
  package func mayOccur(in bytes: UnsafeRawBufferPointer) -> Bool {
    mayBeHit(in: bytes) || wideRun.firstPlace(in: bytes) != nil
  }

  private static func find(
    _ needle: ByteSearch, in text: String, from start: String.Index
  ) -> Range<String.Index>? {
    let rest = text.utf8[start...]
    let place = rest.withContiguousStorageIfAvailable {
      needle.firstPlace(in: UnsafeRawBufferPointer($0))
    }
    guard let offset = place ?? nil else { return nil }
    let first = text.utf8.index(start, offsetBy: offset)
    return first..<text.utf8.index(first, offsetBy: needle.count)
  }

  // MARK: - Scalars and characters

  private func isSimple(_ text: String.UnicodeScalarView) -> Bool {
    text.allSatisfy { folding[$0] & ScalarFolding.isComplex == 0 }
  }

  /// Nothing is kept of the folded text: of 64 MB it would be a gigabyte.
  private func slowHit(in utf8: UnsafeRawBufferPointer) -> TextHit? {
    let text = String(decoding: utf8, as: UTF8.self)
    let view = text.unicodeScalars
    guard isSimple(view) else {
      return Self.find(characters, in: text, options.isWhole, folding.folded).map { TextHit(text, $0) }
    }
    return Self.find(scalars, in: view, options.isWhole) { folding[$0] }.map { TextHit(text, $0) }
  }

  private static func find<Text: Collection, Element: Equatable>(
    _ needle: [Element], in text: Text, _ isWhole: Bool, _ folded: (Text.Element) -> Element
  ) -> Range<Text.Index>? {
    guard let first = needle.first else { return nil }
    var start = text.startIndex
    while start < text.endIndex {
      if folded(text[start]) == first {
        var (index, count) = (text.index(after: start), 1)
        while count < needle.count, index < text.endIndex, folded(text[index]) == needle[count] {
          index = text.index(after: index)
          count += 1
        }
        if count == needle.count, !isWhole || index == text.endIndex { return start..<index }
      }
      if isWhole { return nil }
      start = text.index(after: start)
    }
    return nil
  }
}

/// Where a text was found in another, with as much around it as people look at.
package struct TextHit: Sendable, Equatable {
  private var before: String
  private var found: String
  private var after: String
  private static let margin = 400

  init(_ utf8: UnsafeRawBufferPointer, _ range: Range<Int>) {
    // Both ends are cut between characters: bytes that begin with 10 continue one.
    var start = max(0, range.lowerBound - Self.margin)
    while start < range.lowerBound, utf8[start] & 0xC0 == 0x80 { start += 1 }
    var end = min(utf8.count, range.upperBound + Self.margin)
    while end < utf8.count, end > range.upperBound, utf8[end] & 0xC0 == 0x80 { end -= 1 }
    func text(_ range: Range<Int>) -> String { String(decoding: utf8[range], as: UTF8.self) }
    before = (start > 0 ? "…" : "") + text(start..<range.lowerBound)
    found = text(range)
    after = text(range.upperBound..<end) + (end < utf8.count ? "…" : "")
  }

  /// - Parameter range: what was found in the text.
  package init(_ text: String, _ range: Range<String.Index>) {
    let start =
      text.index(range.lowerBound, offsetBy: -Self.margin, limitedBy: text.startIndex) ?? text.startIndex
    let end = text.index(range.upperBound, offsetBy: Self.margin, limitedBy: text.endIndex) ?? text.endIndex
    before = (start > text.startIndex ? "…" : "") + text[start..<range.lowerBound]
    found = String(text[range])
    after = text[range.upperBound..<end] + (end < text.endIndex ? "…" : "")
  }

  /// A value that was found as a whole.
  package init(whole text: String) { (before, found, after) = ("", text, "") }

  /// The value, if all of it was found.
  package var whole: String? { before.isEmpty && after.isEmpty ? found : nil }

  /// One line of at most so many characters, with what was found in the middle.
  /// - Parameter lead: at most so many characters in front of it, where the line may be cut shorter still.
  package func snippet(_ length: Int, lead: Int = .max) -> String {
    func isBlank(_ character: Character) -> Bool {
      character.isWhitespace
        || character.unicodeScalars.allSatisfy {
          [.control, .format].contains($0.properties.generalCategory)
        }
    }
    func line(_ text: String) -> [Character] { text.map { isBlank($0) ? " " : $0 } }
    let (before, found, after) = (line(before), line(found), line(after))
    if found.count > length { return String(found.prefix(length - 1)) + "…" }
    let spare = length - found.count
    // What one side doesn't need, the other may have.
    let isShort = before.count + found.count + after.count <= length / 2
    let left = min(before.count, max(spare / 2, spare - after.count), isShort ? .max : lead)
    let right = min(after.count, spare - left)
    var start = String(before.suffix(left))
    var end = String(after.prefix(right))
    if left < before.count, left > 0 { start = "…" + start.dropFirst() }
    if right < after.count, right > 0 { end = end.dropLast() + "…" }
    return start + String(found) + end
  }
}
