/// What a scalar is compared as, looked up in tables that fill as scalars are met.
package final class ScalarFolding {
  /// Marks scalars that change with their neighbors or have another spelling: a text that has one is compared by
  /// characters.
  static let isComplex: UInt32 = 1 << 31

  private let isCaseSensitive: Bool
  /// Of 256 scalars each; empty before one of them is met.
  private var pages = [[UInt32]](repeating: [], count: 256)

  /// Parts of Hangul syllables, the joiner of emoji, flags and skin tones.
  private static let joining: [ClosedRange<UInt32>] = [
    0x1100...0x11FF, 0x200D...0x200D, 0xA960...0xA97F, 0xD7B0...0xD7FF, 0x1F1E6...0x1F1FF, 0x1F3FB...0x1F3FF,
  ]

  init(isCaseSensitive: Bool) { self.isCaseSensitive = isCaseSensitive }

  subscript(scalar: Unicode.Scalar) -> UInt32 {
    let value = scalar.value
    guard value < 0x1_0000 else { return entry(scalar) }
    let page = Int(value >> 8)
    if pages[page].isEmpty {
      pages[page] = (0..<256).map { low in Unicode.Scalar(UInt32(page) << 8 | low).map(entry) ?? 0 }
    }
    return pages[page][Int(value & 0xFF)]
  }

  func folded(_ character: Character) -> Character {
    if isCaseSensitive { return character }
    var text = String.UnicodeScalarView()
    for scalar in character.unicodeScalars { text.append(Self.fold(scalar)) }
    let folded = String(text)
    // Folding joins and splits no characters that people see.
    return folded.count == 1 ? Character(folded) : character
  }

  /// The scalars that a text without combining marks has for the character; nil where there are none.
  func composed(_ character: Character) -> [UInt32]? {
    let scalars = Array(character.unicodeScalars)
    if scalars.allSatisfy({ entry($0) & Self.isComplex == 0 }) { return scalars.map(\.value) }
    // Letters with marks, and Hangul: the standard library composes nothing by itself.
    let composed = [0xC0...0x1FFF, 0x3041...0x30FF, 0xAC00...0xD7A3].lazy.joined().compactMap { value in
      Unicode.Scalar(UInt32(value))
    }
    return composed.first { self.entry($0) & Self.isComplex == 0 && Character($0) == character }.map {
      [$0.value]
    }
  }

  private func entry(_ scalar: Unicode.Scalar) -> UInt32 {
    let properties = scalar.properties
    let isComplex =
      properties.canonicalCombiningClass != .notReordered || properties.isGraphemeExtend
      || properties.isFullCompositionExclusion || properties.generalCategory == .spacingMark
      || Self.joining.contains { $0.contains(scalar.value) }
    return isComplex ? Self.isComplex : (isCaseSensitive ? scalar : Self.fold(scalar)).value
  }

  /// Upper case first: it has one letter for the two kinds of sigma and of s.
  package static func fold(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    let upper = scalar.properties.uppercaseMapping.unicodeScalars
    let common = upper.count == 1 ? upper.first ?? scalar : scalar
    return common.properties.lowercaseMapping.unicodeScalars.first ?? common
  }
}
