/// LZFSE, Apple's general-purpose compression: a Lempel-Ziv parse whose parts are coded with finite-state
/// entropy (or, if there is little data, as the byte codes of LZVN). The CloudKit mirror keeps its copies of
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
    var produced = 0
    return try decode(bytes, limit: limit, produced: &produced)
  }

  /// - Parameter produced: how many bytes were unpacked, also where an error follows.
  static func decode(_ bytes: [UInt8], limit: Int, produced: inout Int) throws(ArchiveError) -> [UInt8] {
    var input = Input(bytes)
    var output = Output(limit: limit)
    defer { produced = output.bytes.count }
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
    ArchiveError("the LZFSE data is damaged: \(what)")
  }

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

  /// Wraps bytes without compressing them: one block of the kind that holds its content as it is, and the block that
  /// ends a stream. https://github.com/lzfse/lzfse
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return Array("bvx-".utf8) + size + bytes + Array("bvx$".utf8)
  }

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
      guard position < bytes.endIndex else { throw damaged("it ends at byte \(position)") }
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
        throw ArchiveError("the LZFSE data unpacks to more than the \(limit) bytes that are allowed")
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

  /// LZVN: each code is a byte, or a few, that says how many literal bytes follow (L), how many bytes are then
  /// repeated (M) and from how far back (D). Codes without a distance use the last one again.
  ///
  /// | first byte | further bytes | L | M | D |
  /// |---|---|---|---|---|
  /// | `LLMMMDDD`, D below 6 | `DDDDDDDD` | L | M + 3 | 11 bits |
  /// | `LLMMM110`, L above 0 | – | L | M + 3 | last |
  /// | `LLMMM111` | 2 | L | M + 3 | 16 bits, low byte first |
  /// | `101LLMMM` | `DDDDDDMM DDDDDDDD` | L | M + 3, high bits in the first byte | 14 bits |
  /// | `1110LLLL`; L is 0 | –; `LLLLLLLL` | L; L + 16 | – | – |
  /// | `1111MMMM`; M is 0 | –; `MMMMMMMM` | – | M; M + 16 | last |
  /// | `00000110` | ignored | end | | |
  /// | `00001110`, `00010110` | – | nothing | | |
  struct ByteCodeDecoder {
    private var input: Input
    private var distance = 0

    init(_ payload: ArraySlice<UInt8>) { input = Input(payload) }

    mutating func decode(into output: inout Output) throws(ArchiveError) {
      while true {
        let code = Int(try input.unsigned8())
        switch code {
        case 0x06: return
        case 0x0e, 0x16: continue
        case 0x1e, 0x26, 0x2e, 0x36, 0x3e, 0x70...0x7f, 0xd0...0xdf:
          throw damaged("byte \(input.position - 1) is an unknown code")
        case 0xe0: try output.append(try input.take(Int(try input.unsigned8()) + 16))
        case 0xe1...0xef: try output.append(try input.take(code & 15))
        case 0xf0: try output.repeatBytes(distance: distance, count: Int(try input.unsigned8()) + 16)
        case 0xf1...0xff: try output.repeatBytes(distance: distance, count: code & 15)
        case 0xa0...0xbf:
          let rest = try input.unsigned16()
          distance = rest >> 2
          try output.append(try input.take(code >> 3 & 3))
          try output.repeatBytes(distance: distance, count: (code & 7) << 2 + rest & 3 + 3)
        default:
          switch code & 7 {
          case 6: break
          case 7: distance = try input.unsigned16()
          default: distance = (code & 7) << 8 + Int(try input.unsigned8())
          }
          try output.append(try input.take(code >> 6))
          try output.repeatBytes(distance: distance, count: code >> 3 & 7 + 3)
        }
      }
    }
  }
}
