@testable import Archives

/// Streams that no encoder makes.
enum LZFSEStream {
  static func raw(_ content: [UInt8]) -> [UInt8] {
    Array("bvx-".utf8) + littleEndian(UInt32(content.count)) + content
  }

  static func byteCoded(size: Int, _ payload: [UInt8]) -> [UInt8] {
    Array("bvxn".utf8) + littleEndian(UInt32(size)) + littleEndian(UInt32(payload.count)) + payload
  }

  static let end = Array("bvx$".utf8)

  /// The same `bvx2` blocks with their headers written out as `bvx1` has them.
  static func withPlainHeader(_ stream: [UInt8]) throws -> [UInt8] {
    var input = LZFSE.Input(stream)
    var result: [UInt8] = []
    while LZFSE.BlockKind(rawValue: try input.unsigned32()) == .entropyCodedPackedHeader {
      let header = try LZFSE.EntropyHeader(readingPacked: &input)
      result += plain(header)
      result += try input.take(header.literalBytes + header.tripleBytes)
    }
    return result + end
  }

  static func plain(_ header: LZFSE.EntropyHeader) -> [UInt8] {
    let payload = header.literalBytes + header.tripleBytes
    var bytes = Array("bvx1".utf8)
    for number in [
      header.size, payload, header.literals, header.triples, header.literalBytes, header.tripleBytes,
      -header.literalUnusedBits,
    ] {
      bytes += littleEndian(Int32(number))
    }
    for state in header.literalStates { bytes += littleEndian(UInt16(state)) }
    bytes += littleEndian(Int32(-header.tripleUnusedBits))
    for state in [header.literalCountState, header.repeatCountState, header.distanceState] {
      bytes += littleEndian(UInt16(state))
    }
    for frequency in header.frequencies.joined() { bytes += littleEndian(UInt16(frequency)) }
    return bytes + [0, 0]
  }

  private static func littleEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: number.littleEndian) { Array($0) }
  }
}
