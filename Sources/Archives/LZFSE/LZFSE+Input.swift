extension LZFSE {
  /// Reads little-endian numbers front to back and never beyond the end.
  struct Input {
    private let bytes: ArraySlice<UInt8>
    private(set) var position: Int

    init(_ bytes: [UInt8]) { self.init(bytes[...]) }

    init(_ bytes: ArraySlice<UInt8>) {
      self.bytes = bytes
      position = bytes.startIndex
    }

    var remaining: Int { bytes.endIndex - position }

    mutating func take(_ count: Int) throws(ArchiveError) -> ArraySlice<UInt8> {
      guard count >= 0, count <= remaining else {
        throw damaged("\(count) bytes are announced at byte \(position) and \(remaining) are left")
      }
      defer { position += count }
      return bytes[position..<position + count]
    }

    mutating func unsigned8() throws(ArchiveError) -> UInt8 {
      guard position < bytes.endIndex else { throw damaged("they end at byte \(position)") }
      defer { position += 1 }
      return bytes[position]
    }

    mutating func unsigned16() throws(ArchiveError) -> Int { Int(try number(bytes: 2)) }

    mutating func unsigned32() throws(ArchiveError) -> UInt32 {
      UInt32(truncatingIfNeeded: try number(bytes: 4))
    }

    mutating func unsigned64() throws(ArchiveError) -> UInt64 { try number(bytes: 8) }

    /// A count of 32 bits.
    mutating func size() throws(ArchiveError) -> Int { Int(try unsigned32()) }

    private mutating func number(bytes count: Int) throws(ArchiveError) -> UInt64 {
      var value: UInt64 = 0
      for byte in try take(count).reversed() { value = value << 8 | UInt64(byte) }
      return value
    }
  }
}
