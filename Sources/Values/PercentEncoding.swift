extension StringProtocol {
  /// The text that is percent-encoded in it (RFC 3986, §2.1).
  package var percentDecoded: String {
    guard contains("%") else { return String(self) }
    var bytes: [UInt8] = []
    var rest = Array(utf8)[...]
    while let byte = rest.popFirst() {
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
