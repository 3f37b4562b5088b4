extension LZFSE {
  /// How many bytes a stream unpacks to, as its blocks announce: only their headers are read.
  ///
  /// Throws where the bytes aren't LZFSE data or are cut off. What a damaged stream announces may be wrong.
  package static func announcedSize(_ bytes: [UInt8]) throws(ArchiveError) -> Int {
    var input = Input(bytes)
    var total = 0
    while true {
      let start = input.position
      guard let kind = BlockKind(rawValue: try input.unsigned32()) else {
        throw damaged("byte \(start) doesn't begin a block")
      }
      let size: Int
      switch kind {
      case .raw:
        size = try input.size()
        _ = try input.take(size)
      case .byteCoded:
        size = try input.size()
        _ = try input.take(try input.size())
      case .entropyCoded, .entropyCodedPackedHeader:
        let header =
          kind == .entropyCoded
          ? try EntropyHeader(readingPlain: &input) : try EntropyHeader(readingPacked: &input)
        size = header.size
        _ = try input.take(header.literalBytes)
        _ = try input.take(header.tripleBytes)
      case .end:
        return total
      }
      let sum = total.addingReportingOverflow(size)
      guard !sum.overflow else { throw damaged("its blocks announce more bytes than can be counted") }
      total = sum.partialValue
    }
  }
}
