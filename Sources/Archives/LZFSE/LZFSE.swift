/// LZFSE, Apple's general-purpose compression: a Lempel-Ziv parse whose parts are coded with finite-state
/// entropy (or, where data are small, as the byte codes of LZVN). The CloudKit mirror keeps its copies of
/// records and shares in it.
///
/// Decoded here by hand because no Debian package carries a library for it and libcompression exists on Apple's
/// systems only. The format is public: https://developer.apple.com/documentation/compression and the
/// implementation that Apple published, https://github.com/lzfse/lzfse.
package enum LZFSE {
  /// The first four bytes of a block, little-endian: `bvx` and one more letter.
  enum BlockKind: UInt32 {
    case raw = 0x2d78_7662
    case byteCoded = 0x6e78_7662
    case entropyCoded = 0x3178_7662
    case entropyCodedPackedHeader = 0x3278_7662
    case end = 0x2478_7662
  }

  /// Whether the bytes begin as LZFSE data do.
  package static func recognizes(_ bytes: [UInt8]) -> Bool {
    var input = Input(bytes)
    guard let magic = try? input.unsigned32() else { return false }
    return BlockKind(rawValue: magic) != nil
  }

  /// Unpacks a whole stream, up to its end block; what follows the end block is ignored.
  ///
  /// `limit` caps the size of the result in bytes, as a few bytes can unpack to gigabytes. Throws where the
  /// bytes aren't LZFSE data, are cut off or damaged, or unpack to more than the limit.
  package static func decode(_ bytes: [UInt8], limit: Int) throws(ArchiveError) -> [UInt8] {
    var input = Input(bytes)
    var output = Output(limit: limit)
    while true {
      let start = input.position
      let magic = try input.unsigned32()
      guard let kind = BlockKind(rawValue: magic) else {
        throw damaged(
          start == 0 ? "the bytes don't begin with 'bvx'" : "byte \(start) doesn't begin a block")
      }
      switch kind {
      case .raw:
        let size = try input.size()
        let content = try input.take(size)
        try output.beginBlock(size: size)
        try output.append(content)
      case .byteCoded:
        let size = try input.size()
        let payload = try input.take(try input.size())
        try output.beginBlock(size: size)
        var decoder = ByteCodeDecoder(payload)
        try decoder.decode(into: &output)
      case .entropyCoded, .entropyCodedPackedHeader:
        let header =
          kind == .entropyCoded
          ? try EntropyHeader(readingPlain: &input) : try EntropyHeader(readingPacked: &input)
        let literals = try input.take(header.literalBytes)
        let triples = try input.take(header.tripleBytes)
        try output.beginBlock(size: header.size)
        try EntropyBlock.decode(header, literals: literals, triples: triples, into: &output)
      case .end:
        return output.bytes
      }
      try output.endBlock()
    }
  }

  static func damaged(_ what: String) -> ArchiveError {
    ArchiveError("the LZFSE data are damaged: \(what)")
  }
}
