import Testing

@testable import Archives

@Suite struct LZFSEByteCodeTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var payload: [UInt8]
    var unpacked: String
  }

  /// Each follows a raw block `0123456789`, so that repetitions have something to reach.
  static let cases: [Case] = [
    Case(testDescription: "end alone", payload: [0x06, 0, 0, 0, 0, 0, 0, 0], unpacked: ""),
    Case(testDescription: "codes that do nothing", payload: [0x0e, 0x16, 0xe1, 0x61, 0x06], unpacked: "a"),
    Case(testDescription: "few literals", payload: [0xe2, 0x61, 0x62, 0x06], unpacked: "ab"),
    Case(
      testDescription: "many literals", payload: [0xe0, 0x01] + Array("abcdefghijklmnopq".utf8) + [0x06],
      unpacked: "abcdefghijklmnopq"),
    Case(testDescription: "short distance", payload: [0b00_001_000, 10, 0x06], unpacked: "0123"),
    Case(
      testDescription: "short distance after literals", payload: [0b10_000_000, 12, 0x61, 0x62, 0x06],
      unpacked: "ab012"),
    Case(
      testDescription: "overlapping repetition", payload: [0b01_101_000, 2, 0x61, 0x06],
      unpacked: "a9a9a9a9a"),
    Case(
      testDescription: "medium distance", payload: [0b101_01_001, 0b001010_11, 0, 0x61, 0x06],
      unpacked: "a123456789a"),
    Case(
      testDescription: "long distance", payload: [0b11_000_111, 13, 0, 0x61, 0x62, 0x63, 0x06],
      unpacked: "abc012"),
    Case(
      testDescription: "last distance with literals",
      payload: [0b00_000_000, 10, 0b01_000_110, 0x61, 0x06], unpacked: "012a456"),
    Case(testDescription: "last distance, few", payload: [0b00_000_000, 10, 0xf1, 0x06], unpacked: "0123"),
    Case(
      testDescription: "last distance, many", payload: [0b00_000_000, 3, 0xf0, 0, 0x06],
      unpacked: "7897897897897897897"),
  ]

  @Test(arguments: cases) func unpacks(_ example: Case) throws {
    let before = Array("0123456789".utf8)
    let stream =
      LZFSEStream.raw(before) + LZFSEStream.byteCoded(size: example.unpacked.utf8.count, example.payload)
      + LZFSEStream.end
    #expect(try LZFSE.decode(stream, limit: 1000) == before + example.unpacked.utf8)
  }

  @Test(
    arguments: [
      ("an unknown code", [0x1e]), ("an unknown code", [0x70]),
      ("an unknown code", [0xd0]),
      ("distance 0", [0b00_000_000, 0]), ("distance before the beginning", [0b01_000_000, 3, 0x61]),
      ("no distance yet", [0xf3]), ("literals missing", [0xe3, 0x61]), ("operand missing", [0xa0, 0x00]),
      ("too much", [0xe4, 0x61, 0x61, 0x61, 0x61]), ("too little", [0xe2, 0x61, 0x61, 0x06]), ("nothing", []),
      ("no end code", [0xe3, 0x61, 0x61, 0x61]),
    ] as [(String, [UInt8])])
  func refuses(_ reason: String, _ payload: [UInt8]) {
    #expect(throws: ArchiveError.self, "\(reason)") {
      try LZFSE.decode(LZFSEStream.byteCoded(size: 3, payload) + LZFSEStream.end, limit: 1000)
    }
  }
}
