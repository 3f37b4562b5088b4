/// Text for a terminal that shows no UTF-8: our own signs by look-alikes, all others as escapes.
package struct ASCIIFilter {
  /// The beginning of a character whose end is still to come.
  private var rest: [UInt8] = []

  package init() {}

  package mutating func filtered(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let all = rest + bytes
    // A character has at most four bytes; those after the first begin with the bits 10.
    let tail = all.suffix(3).lastIndex { $0 >= 0xC0 }
    let cut = tail.flatMap { all.count - $0 < Self.length(all[$0]) ? $0 : nil } ?? all.count
    rest = Array(all[cut...])
    var result: [UInt8] = []
    result.reserveCapacity(cut)
    for scalar in String(decoding: all[..<cut], as: UTF8.self).unicodeScalars {
      if scalar.isASCII {
        result.append(UInt8(scalar.value))
      } else {
        result += Self.replacement(scalar).utf8
      }
    }
    return result
  }

  package static func filtered(_ text: String) -> String {
    text.unicodeScalars.map { $0.isASCII ? String($0) : replacement($0) }.joined()
  }

  private static func length(_ lead: UInt8) -> Int { lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2 }

  private static func replacement(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "…": "~"
    case "─": "-"
    case "‹": "<"
    case "›": ">"
    case "“", "”": "\""
    case "·": "."
    case "–", "—": "-"
    case "•": "*"
    default: "\\u{\(String(scalar.value, radix: 16))}"
    }
  }
}
