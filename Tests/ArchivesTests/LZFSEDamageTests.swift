import Testing

@testable import Archives

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
