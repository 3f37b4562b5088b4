import Base
import Testing

/// Texts are found whatever their case and encoding of accents are, and nothing else is.
struct TextPatternTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { "'\(pattern)' in '\(text)' \(isWhole) \(isCaseSensitive)" }
    var pattern: String
    var text: String
    var found: String?
    var isWhole = false
    var isCaseSensitive = false
  }

  static let cases = [
    Case(pattern: "lisbon", text: "Spring in Lisbon", found: "Lisbon"),
    Case(pattern: "LISBON", text: "Spring in Lisbon", found: "Lisbon"),
    Case(pattern: "lisbon", text: "Lisboa", found: nil),
    Case(pattern: "lisbon", text: "Spring in Lisbon", found: nil, isCaseSensitive: true),
    Case(pattern: "Lisbon", text: "Spring in Lisbon", found: nil, isWhole: true),
    Case(pattern: "lisbon", text: "Lisbon", found: "Lisbon", isWhole: true),
    Case(pattern: "aab", text: "aaab", found: "aab"), Case(pattern: "long", text: "lon", found: nil),
    Case(pattern: "ZÜRICH", text: "nach Zürich", found: "Zürich"),
    // Composed and decomposed, either way.
    Case(pattern: "café", text: "le cafe\u{301} noir", found: "cafe\u{301}"),
    Case(pattern: "cafe\u{301}", text: "le Café noir", found: "Café"),
    Case(pattern: "café", text: "le Cafe\u{301}", found: nil, isCaseSensitive: true),
    Case(pattern: "Café", text: "le Cafe\u{301}", found: "Cafe\u{301}", isCaseSensitive: true),
    // An accent is a part of its letter.
    Case(pattern: "cafe", text: "cafe\u{301}", found: nil), Case(pattern: "cafe", text: "café", found: nil),
    Case(pattern: "\u{212B}ngström", text: "Ångström", found: "Ångström"),
    Case(pattern: "ångström", text: "A\u{30A}ngstro\u{308}m", found: "A\u{30A}ngstro\u{308}m"),
    Case(pattern: "한글", text: "\u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF}", found: "한글"),
    Case(pattern: "МОСКВА", text: "в Москве, Москва", found: "Москва"),
    Case(pattern: "ὀδυσσεύς", text: "ὈΔΥΣΣΕΎΣ", found: "ὈΔΥΣΣΕΎΣ"),
    Case(pattern: "istanbul", text: "İstanbul", found: "İstanbul"),
    Case(pattern: "kelvin", text: "ein \u{212A}elvin", found: "\u{212A}elvin"),
    Case(pattern: "東京", text: "東京タワー", found: "東京"),
    Case(pattern: "ガ", text: "カ\u{3099}", found: "カ\u{3099}"),
    Case(pattern: "👩‍👧", text: "für 👩‍👧 und 👩", found: "👩‍👧"),
    Case(pattern: "👩", text: "nur 👩‍👧", found: nil),
    Case(pattern: "👍", text: "👍🏽", found: nil), Case(pattern: "🇵🇹", text: "🇪🇸🇵🇹", found: "🇵🇹"),
    Case(pattern: "🇸🇵", text: "🇪🇸🇵🇹", found: nil),
    Case(pattern: "x\u{301}", text: "éx", found: nil), Case(pattern: "é", text: "plain", found: nil),
    Case(pattern: "ok", text: "grüß ok", found: "ok"), Case(pattern: "grüß", text: "GRÜẞ", found: "GRÜẞ"),
  ]

  @Test(arguments: cases) func isFound(_ example: Case) {
    let options = TextPattern.Options(
      isWhole: example.isWhole, isCaseSensitive: example.isCaseSensitive)
    let hit = TextPattern(example.pattern, options).hit(in: example.text)
    #expect((hit == nil) == (example.found == nil))
    guard let hit, let found = example.found else { return }
    #expect(hit.snippet(200) == example.text)
    #expect(hit.snippet(found.count) == found)
  }

  /// Against a plain reading, character by character.
  @Test func agreesWithAPlainReading() {
    let letters = Array("aAbBkKsSiIéÉe\u{301}EüÜñзЗяЯσΣςµåÅ\u{212B}\u{212A}ſ東-한 ").map(String.init)
    var generator = SystemRandomNumberGenerator()
    func text(_ length: Int) -> String {
      (0..<length).map { _ in letters.randomElement(using: &generator) ?? "" }.joined()
    }
    for _ in 0..<3000 {
      let (needle, text) = (text(Int.random(in: 1...3)), text(Int.random(in: 1...12)))
      let isFound = TextPattern(needle).hit(in: text) != nil
      let plain = { (text: String) in text.uppercased().lowercased() }
      let expected = plain(text).map(\.self).contains(plain(needle).map(\.self))
      #expect(isFound == expected, "\(needle) in \(text)")
    }
  }

  @Test func invalidBytesMeanNothing() {
    let bytes: [UInt8] = [0xFF, 0x4C, 0x69, 0x73, 0xC3]
    #expect(bytes.withUnsafeBytes { TextPattern("lis").hit(in: $0) } != nil)
    #expect(bytes.withUnsafeBytes { TextPattern("é").hit(in: $0) } == nil)
    #expect([UInt8]().withUnsafeBytes { TextPattern("a").hit(in: $0) } == nil)
  }

  @Test(arguments: [
    (20, "…dummy Lisbon dummy…"), (6, "Lisbon"), (4, "Lis…"), (200, "dummy dummy Lisbon dummy dummy"),
  ])
  func theHitIsInTheMiddle(_ length: Int, _ snippet: String) {
    let hit = TextPattern("lisbon").hit(in: "dummy\ndummy Lisbon dummy\tdummy")
    #expect(hit?.snippet(length) == snippet)
  }

  @Test func longTextsAreCut() throws {
    let long = String(repeating: "é ", count: 100_000)
    let hit = try #require(TextPattern("needle").hit(in: long + "Needle" + long))
    let snippet = hit.snippet(41)
    #expect(
      snippet.count == 41 && snippet.contains("Needle") && snippet.hasPrefix("…") && snippet.hasSuffix("…"))
  }

  /// Many bytes are looked at together: what is found must not depend on where in them it lies, nor on what is next to it.
  @Test(arguments: [false, true])
  func asciiIsFoundAsLetterByLetter(_ isCaseSensitive: Bool) {
    var generator = SystemRandomNumberGenerator()
    func text(_ lengths: ClosedRange<Int>) -> String {
      String((0..<Int.random(in: lengths)).map { _ in "aAbB@`z[".randomElement(using: &generator) ?? "a" })
    }
    func folded(_ text: String) -> [Character] { Array(isCaseSensitive ? text : text.lowercased()) }
    for _ in 0..<20_000 {
      let (typed, text) = (text(1...6), text(0...90))
      let (needle, hay) = (folded(typed), folded(text))
      let place = hay.indices.first { hay[$0...].starts(with: needle) }
      let hit = TextPattern(typed, .init(isCaseSensitive: isCaseSensitive)).hit(in: text)
      #expect((hit != nil) == (place != nil), "'\(typed)' in '\(text)'")
      guard let place else { continue }
      let start = text.index(text.startIndex, offsetBy: place)
      let end = text.index(start, offsetBy: needle.count)
      #expect(hit == TextHit(text, start..<end), "'\(typed)' in '\(text)'")
    }
  }

  /// 64 places are looked at together, then 16, and the last ones once more: each length and place is one of these.
  @Test(arguments: ["n", "Ne", "needle", "nobody wrote this at all"])
  func asciiIsFoundAtEachPlace(_ needle: String) {
    let pattern = TextPattern(needle)
    for length in needle.utf8.count..<200 {
      for place in 0...length - needle.utf8.count {
        var bytes = [UInt8](repeating: UInt8(ascii: "."), count: length)
        bytes.replaceSubrange(place..<place + needle.utf8.count, with: needle.uppercased().utf8)
        let hit = bytes.withUnsafeBytes { pattern.hit(in: $0) }
        #expect(hit?.snippet(needle.count) == needle.uppercased())
        bytes[place] = UInt8(ascii: "-")
        #expect(bytes.withUnsafeBytes { pattern.hit(in: $0) } == nil)
      }
    }
  }
}

/// A text that a screen showed in one line, and that was copied from there, wasn't found.
struct WordSequenceTests {
  @Test(
    arguments: [
      ("warm water with", "dissolve in the warm water\nwith 1 tbsp. flour", "warm water with"),
      ("arm wat", "the warm water", "arm wat"),
      ("Elder Park, Adelaide", "\u{200E}elder\u{A0}park — Adelaide", "elder park — Adelaide"),
      ("a b", "a  b", "a  b"), ("a b a c", "a b a b a c", "a b a c"), ("é x", "E\u{301}  X", "E\u{301}  X"),
      ("a b", "a", nil), ("a b", "ab", nil), ("a b c", "a c b", nil),
      // The last sigma of a word was another letter.
      ("οδος αθηνων", "Η ΟΔΟΣ\nΑΘΗΝΩΝ 5", "ΟΔΟΣ ΑΘΗΝΩΝ"), ("strasse Köln", "STRASSE\r\nKÖLN", "STRASSE KÖLN"),
      ("day 2 of 10", "Day 2 of 100, day 2 of 10", "day 2 of 10"), ("ab bab", "bab bab", "bab bab"),
      ("warm water", "warm waxes water", nil), ("No. 3", "No 35", nil), ("Day 2", "day 2.", "day 2"),
    ] as [(String, String, String?)]) func wordsAreFoundInARow(
      _ typed: String, _ text: String, _ found: String?
    ) throws
  {
    let hit = try #require(WordSequence(typed)).hit(in: text)
    #expect((hit == nil) == (found == nil))
    if let found { #expect(hit?.snippet(100).contains(found) == true) }
  }

  /// Not all of a text is taken apart into words: what can't match is passed over, and the rest must still be found.
  @Test func aRowBehindALongTextIsFound() throws {
    let text = String(repeating: "some words of a text ", count: 50_000)
    let sequence = try #require(WordSequence("needle in haystacks"))
    #expect(sequence.hit(in: text + "a needle\nin haystacks")?.snippet(100).contains("needle") == true)
    #expect(sequence.hit(in: text + "a needle\nin a haystack") == nil)
  }

  @Test(arguments: ["", "word", "…", "3.5", "10:31", "2026-03-20", String(repeating: "word ", count: 50)])
  func othersAreNone(_ text: String) { #expect(WordSequence(text) == nil) }
}
