/// An NSDecimalNumber as decimal text, exactly.
///
/// It holds up to eight words of 16 bits, the lowest first, each in the byte order of the machine that wrote it,
/// and a power of ten. https://developer.apple.com/documentation/foundation/nsdecimalnumber
struct DecimalText {
  let text: String

  /// Nil where fields are missing or make no number.
  init?(_ object: ArchivedObject) {
    guard case .data(let bytes) = object["NS.mantissa"], let length = object["NS.length"]?.integer,
      let exponent = object["NS.exponent"]?.integer, (-128...127).contains(exponent),
      (0...8).contains(length), bytes.count >= Int(length) * 2
    else { return nil }
    let mantissa = Array(bytes.prefix(16))
    let isNegative = object["NS.negative"]?.bool ?? false
    // Big-endian is 2 in NSByteOrder: https://developer.apple.com/documentation/foundation/ns_bigendian
    let isBigEndian = object["NS.mantissa.bo"]?.integer == 2
    // How an NSDecimal says that it is no number.
    guard length > 0 || !isNegative else {
      text = "NaN"
      return
    }
    var value: UInt128 = 0
    for word in (0..<Int(length)).reversed() {
      let bytes = (UInt128(mantissa[2 * word]), UInt128(mantissa[2 * word + 1]))
      value = value << 16 | (isBigEndian ? bytes.0 << 8 | bytes.1 : bytes.1 << 8 | bytes.0)
    }
    text = (isNegative ? "-" : "") + Self.decimal(value, exponent: Int(exponent))
  }

  private static func decimal(_ mantissa: UInt128, exponent: Int) -> String {
    let digits = String(mantissa)
    guard exponent < 0 else {
      return mantissa == 0 ? "0" : digits + String(repeating: "0", count: exponent)
    }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }
}
