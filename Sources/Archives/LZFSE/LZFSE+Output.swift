extension LZFSE {
  /// What has been unpacked. Every block announces its size; none may write more or less than that, so that
  /// work and memory stay in proportion to the caller's limit, whatever the bytes say.
  struct Output {
    private(set) var bytes: [UInt8] = []
    private let limit: Int
    private var blockEnd = 0

    init(limit: Int) { self.limit = limit }

    /// Bytes that the current block still has to write.
    var missing: Int { blockEnd - bytes.count }

    mutating func beginBlock(size: Int) throws(ArchiveError) {
      guard size <= limit - bytes.count else {
        throw ArchiveError("the LZFSE data unpack to more than the \(limit) bytes that are allowed")
      }
      blockEnd = bytes.count + size
    }

    func endBlock() throws(ArchiveError) {
      guard missing == 0 else { throw damaged("a block holds \(missing) bytes less than it announces") }
    }

    mutating func append(_ literals: ArraySlice<UInt8>) throws(ArchiveError) {
      guard literals.count <= missing else { throw damaged("a block holds more bytes than it announces") }
      bytes.append(contentsOf: literals)
    }

    /// Appends bytes written before, beginning `distance` bytes back. The distance may be smaller than the
    /// length (the bytes then repeat) and may reach into earlier blocks.
    mutating func repeatBytes(distance: Int, count: Int) throws(ArchiveError) {
      guard count <= missing else { throw damaged("a block holds more bytes than it announces") }
      guard distance > 0, distance <= bytes.count else {
        throw damaged("a repetition reaches \(distance) bytes back from byte \(bytes.count)")
      }
      // Not `append(contentsOf: bytes[…])`: the slice would share the buffer and so force a copy of all of it.
      for index in bytes.count - distance..<bytes.count - distance + count { bytes.append(bytes[index]) }
    }
  }
}
