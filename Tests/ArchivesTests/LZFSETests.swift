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
