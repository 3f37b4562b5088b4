import Testing

@testable import Archives

@Suite struct LZFSETests {
  @Test(arguments: LZFSEVector.all) func unpacksWhatThePublishedEncoderMade(_ vector: LZFSEVector) throws {
    #expect(try LZFSE.decode(vector.stream, limit: vector.content.count) == vector.content)
    #expect(LZFSE.recognizes(vector.stream))
  }

  /// No encoder writes `bvx1`; such a block is a `bvx2` block with another header.
  @Test(arguments: [LZFSEVector.manyWords, .zeros]) func unpacksPlainHeaders(_ vector: LZFSEVector) throws {
    let stream = try LZFSEStream.withPlainHeader(vector.stream)
    #expect(try LZFSE.decode(stream, limit: vector.content.count) == vector.content)
  }

  @Test func joinsBlocksOfAllKinds() throws {
    let vectors = [LZFSEVector.oneByte, .fewWords, .manyWords, .empty, .words]
    let blocks =
      try vectors.flatMap { $0.stream.dropLast(4) } + LZFSEStream.withPlainHeader(LZFSEVector.zeros.stream)
    let content = vectors.flatMap(\.content) + LZFSEVector.zeros.content
    #expect(try LZFSE.decode(blocks, limit: content.count) == content)
    #expect(try LZFSE.announcedSize(blocks) == content.count)
  }

  @Test(arguments: LZFSEVector.all) func announcesItsSize(_ vector: LZFSEVector) throws {
    #expect(try LZFSE.announcedSize(vector.stream) == vector.content.count)
    for length in 0..<vector.stream.count {
      #expect(throws: ArchiveError.self) { try LZFSE.announcedSize(Array(vector.stream.prefix(length))) }
    }
  }

  @Test func ignoresWhatFollowsTheEnd() throws {
    #expect(
      try LZFSE.decode(LZFSEVector.oneByte.stream + [1, 2, 3], limit: 1) == LZFSEVector.oneByte.content)
  }

  @Test(arguments: LZFSEVector.all.filter { !$0.content.isEmpty })
  func stopsAtTheLimit(_ vector: LZFSEVector) {
    let limit = vector.content.count - 1
    #expect(throws: ArchiveError("the LZFSE data unpacks to more than the \(limit) bytes that are allowed")) {
      try LZFSE.decode(vector.stream, limit: limit)
    }
  }

  @Test(arguments: [[], [0x62], Array("bplist00".utf8), Array("bvx".utf8), Array("bvx3".utf8)])
  func recognizesNothingElse(_ bytes: [UInt8]) {
    #expect(!LZFSE.recognizes(bytes))
    #expect(throws: ArchiveError.self) { try LZFSE.decode(bytes, limit: 100) }
  }
}

@Suite struct LZFSEByteCodeTests {
  /// Each follows a raw block `0123456789`, so that repetitions have something to reach.
  static let cases: [(String, [UInt8], String)] = [
    ("end alone", [0x06, 0, 0, 0, 0, 0, 0, 0], ""),
    ("codes that do nothing", [0x0e, 0x16, 0xe1, 0x61, 0x06], "a"),
    ("few literals", [0xe2, 0x61, 0x62, 0x06], "ab"),
    ("many literals", [0xe0, 0x01] + Array("abcdefghijklmnopq".utf8) + [0x06], "abcdefghijklmnopq"),
    ("short distance", [0b00_001_000, 10, 0x06], "0123"),
    ("short distance after literals", [0b10_000_000, 12, 0x61, 0x62, 0x06], "ab012"),
    ("overlapping repetition", [0b01_101_000, 2, 0x61, 0x06], "a9a9a9a9a"),
    ("medium distance", [0b101_01_001, 0b001010_11, 0, 0x61, 0x06], "a123456789a"),
    ("long distance", [0b11_000_111, 13, 0, 0x61, 0x62, 0x63, 0x06], "abc012"),
    ("last distance with literals", [0b00_000_000, 10, 0b01_000_110, 0x61, 0x06], "012a456"),
    ("last distance, few", [0b00_000_000, 10, 0xf1, 0x06], "0123"),
    ("last distance, many", [0b00_000_000, 3, 0xf0, 0, 0x06], "7897897897897897897"),
  ]

  @Test(arguments: cases) func unpacks(_ name: String, _ payload: [UInt8], _ unpacked: String) throws {
    let before = Array("0123456789".utf8)
    let stream =
      LZFSEStream.raw(before) + LZFSEStream.byteCoded(size: unpacked.utf8.count, payload)
      + LZFSEStream.end
    #expect(try LZFSE.decode(stream, limit: 1000) == before + unpacked.utf8)
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

@Suite struct LZFSEDamageTests {
  @Test(arguments: LZFSEVector.all) func refusesEveryTruncation(_ vector: LZFSEVector) {
    let stream = vector.stream
    for length in 0..<stream.count {
      #expect(throws: ArchiveError.self) {
        try LZFSE.decode(Array(stream.prefix(length)), limit: vector.content.count)
      }
    }
  }

  /// Whatever the bytes: an answer within the limit or an error. (A trap would end the test process.)
  @Test(arguments: 1...8) func survivesMutations(seed: UInt64) throws {
    var random = Random(state: seed &* 0x9e37_79b9_7f4a_7c15)
    let streams =
      try LZFSEVector.all.map(\.stream) + [LZFSEStream.withPlainHeader(LZFSEVector.manyWords.stream)]
    let limit = 400_000
    var refused = 0
    for _ in 0..<500 {
      var stream = streams[random.below(streams.count)]
      for _ in 0...random.below(3) { mutate(&stream, &random) }
      if let unpacked = try? LZFSE.decode(stream, limit: limit) {
        #expect(unpacked.count <= limit)
      } else {
        refused += 1
      }
    }
    #expect(refused > 200)
  }

  /// Work has to stay in proportion to the result: literals that no triple can use are not decoded.
  @Test func refusesMoreLiteralsThanBytes() throws {
    var input = LZFSE.Input(Array(LZFSEVector.manyWords.stream.dropFirst(4)))
    var header = try LZFSE.EntropyHeader(readingPacked: &input)
    header.size = 0
    #expect(throws: ArchiveError("the LZFSE data is damaged: a block of 0 bytes announces 88 literals")) {
      try LZFSE.decode(LZFSEStream.plain(header), limit: 1000)
    }
  }

  private func mutate(_ stream: inout [UInt8], _ random: inout Random) {
    guard !stream.isEmpty else { return }
    // Every other mutation hits a header, where it matters more.
    let index = random.below(random.below(2) == 0 ? min(stream.count, 60) : stream.count)
    switch random.below(5) {
    case 0: stream[index] = UInt8(random.below(256))
    case 1: stream[index] ^= 1 << UInt8(random.below(8))
    case 2: stream.removeSubrange(index..<min(stream.count, index + 1 + random.below(8)))
    case 3: stream.insert(contentsOf: (0...random.below(8)).map { _ in UInt8(random.below(256)) }, at: index)
    default: stream.replaceSubrange(index..<min(stream.count, index + 4), with: [255, 255, 255, 255])
    }
  }

  private struct Random {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
  }
}
