import Lens
import TestSupport
import Testing

/// Words are found by blocks of bytes, which must be those that a look at each character finds.
struct ASCIIWordsTests {
  private func words(_ text: [UInt8], _ lengths: ClosedRange<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    text.withUnsafeBytes { ASCIIWords.forEach(in: $0, lengths) { words.append($0) } }
    return words
  }

  private func plainWords(_ text: [UInt8], _ lengths: ClosedRange<Int>) -> [Range<Int>] {
    text.indices.split { index in
      let character = Character(Unicode.Scalar(text[index]))
      return !character.isLetter && !character.isNumber
    }.map { $0.startIndex..<$0.endIndex }.filter { lengths.contains($0.count) }
  }

  @Test(arguments: [2...5, 6...9, 7...12, 11...18, 14...20, 15...20, 16...41, 30...60])
  func agreeWithAPlainReading(_ lengths: ClosedRange<Int>) {
    var random = SeededGenerator(seed: UInt64(lengths.lowerBound))
    var found = 0
    for _ in 0..<3000 {
      // Letters mostly, so that many words have such a length or nearly.
      let gaps = Int.random(in: 4...40, using: &random)
      let text = (0..<Int.random(in: 0...200, using: &random)).map { _ in
        Int.random(in: 0..<gaps, using: &random) == 0
          ? UInt8.random(in: 0..<0x80, using: &random)
          : [UInt8]("azAZ09mM5".utf8).randomElement(using: &random) ?? 0x61
      }
      let plain = plainWords(text, lengths)
      found += plain.count
      #expect(words(text, lengths) == plain, "\(String(decoding: text, as: UTF8.self))")
    }
    #expect(found > 100)
  }

  /// The borders of what counts as a letter or digit, in a block of nothing else.
  @Test func everyCharacterIsWhatItIs() {
    for byte in UInt8(0)..<0x80 {
      for length in [4, 7, 15] {
        for place in 0..<40 {
          var text = [UInt8](repeating: 0x7A, count: 40)
          text[place] = byte
          #expect(words(text, length...40) == plainWords(text, length...40), "\(byte) at \(place)")
        }
      }
    }
  }
}
