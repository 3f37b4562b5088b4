extension LZFSE {
  /// The content of a `bvx1` or `bvx2` block: all its literals first, then triples that say how many literals
  /// to copy, how many bytes to repeat then, and from how far back.
  enum EntropyBlock {
    static func decode(
      _ header: EntropyHeader, literals literalBytes: ArraySlice<UInt8>,
      triples tripleBytes: ArraySlice<UInt8>,
      into output: inout Output
    ) throws(ArchiveError) {
      // A block without triples can carry no frequencies, and needs none.
      guard header.triples > 0 else { return }
      let literals = try self.literals(header, literalBytes)
      var used = 0

      var bits = try BackwardBits(tripleBytes, unused: header.tripleUnusedBits)
      let literalCounts = try StateTable(.literalCount, frequencies: header.frequencies[0])
      let repeatCounts = try StateTable(.repeatCount, frequencies: header.frequencies[1])
      let distances = try StateTable(.distance, frequencies: header.frequencies[2])
      var literalCountState = header.literalCountState
      var repeatCountState = header.repeatCountState
      var distanceState = header.distanceState
      var distance = 0
      for _ in 0..<header.triples {
        let literalCount = try literalCounts.value(of: &literalCountState, &bits)
        let repeatCount = try repeatCounts.value(of: &repeatCountState, &bits)
        let newDistance = try distances.value(of: &distanceState, &bits)
        // 0 stands for the distance used last.
        if newDistance != 0 { distance = newDistance }
        guard literalCount <= literals.count - used else {
          throw damaged("a block uses more literals than it holds")
        }
        try output.append(literals[used..<used + literalCount])
        used += literalCount
        if repeatCount > 0 { try output.repeatBytes(distance: distance, count: repeatCount) }
      }
    }

    private static func literals(
      _ header: EntropyHeader, _ bytes: ArraySlice<UInt8>
    ) throws(ArchiveError) -> [UInt8] {
      guard header.literals > 0 else { return [] }
      let table = try StateTable(.literal, frequencies: header.frequencies[3])
      var bits = try BackwardBits(bytes, unused: header.literalUnusedBits)
      var states = header.literalStates
      var literals: [UInt8] = []
      literals.reserveCapacity(header.literals)
      for index in 0..<header.literals {
        literals.append(UInt8(truncatingIfNeeded: try table.value(of: &states[index & 3], &bits)))
      }
      return literals
    }
  }

  /// The header of an entropy-coded block. It exists in two forms with the same content: plain (`bvx1`), and
  /// with its numbers packed to 20, 10 and 3 bits and its frequencies as codes of their own (`bvx2`).
  struct EntropyHeader: Equatable {
    /// Bytes that the block unpacks to.
    var size: Int
    var literals: Int
    /// How many triples (literal count, repeat count, distance) there are.
    var triples: Int
    var literalBytes: Int
    var tripleBytes: Int
    /// Unused high bits of the last byte of each payload.
    var literalUnusedBits: Int
    var tripleUnusedBits: Int
    /// Four coders take turns with the literals.
    var literalStates: [Int]
    var literalCountState: Int
    var repeatCountState: Int
    var distanceState: Int
    /// Of literal counts, repeat counts, distances and literals, in this order.
    var frequencies: [[Int]]

    private static let alphabets: [Alphabet] = [.literalCount, .repeatCount, .distance, .literal]
    private static let packedSizeWithoutFrequencies = 32

    /// Reads what follows the magic number of a `bvx1` block.
    init(readingPlain input: inout Input) throws(ArchiveError) {
      size = try input.size()
      let payload = try input.size()
      literals = try input.size()
      triples = try input.size()
      literalBytes = try input.size()
      tripleBytes = try input.size()
      // The unused bits are kept as a negative number.
      literalUnusedBits = -Int(Int32(bitPattern: try input.unsigned32()))
      literalStates = []
      for _ in 0..<4 { literalStates.append(try input.unsigned16()) }
      tripleUnusedBits = -Int(Int32(bitPattern: try input.unsigned32()))
      literalCountState = try input.unsigned16()
      repeatCountState = try input.unsigned16()
      distanceState = try input.unsigned16()
      frequencies = []
      for alphabet in Self.alphabets {
        var group: [Int] = []
        for _ in 0..<alphabet.symbols { group.append(try input.unsigned16()) }
        frequencies.append(group)
      }
      // The last two bytes bring the header to a multiple of four.
      _ = try input.unsigned16()
      guard payload == literalBytes + tripleBytes else {
        throw damaged("a block's payload isn't as long as its two parts")
      }
      try check()
    }

    /// Reads what follows the magic number of a `bvx2` block.
    init(readingPacked input: inout Input) throws(ArchiveError) {
      size = try input.size()
      let counts = PackedFields(try input.unsigned64())
      literals = counts[0, 20]
      literalBytes = counts[20, 20]
      triples = counts[40, 20]
      literalUnusedBits = 7 - counts[60, 3]
      let states = PackedFields(try input.unsigned64())
      literalStates = [states[0, 10], states[10, 10], states[20, 10], states[30, 10]]
      tripleBytes = states[40, 20]
      tripleUnusedBits = 7 - states[60, 3]
      let rest = PackedFields(try input.unsigned64())
      let headerBytes = rest[0, 32]
      literalCountState = rest[32, 10]
      repeatCountState = rest[42, 10]
      distanceState = rest[52, 10]
      var codes = FrequencyCodes(try input.take(headerBytes - Self.packedSizeWithoutFrequencies))
      frequencies = []
      for alphabet in Self.alphabets {
        var group: [Int] = []
        for _ in 0..<alphabet.symbols { group.append(try codes.next()) }
        frequencies.append(group)
      }
      try check()
    }

    private func check() throws(ArchiveError) {
      guard literals <= 40_000, triples <= 10_000 else {
        throw damaged("a block announces \(literals) literals and \(triples) triples, more than blocks hold")
      }
      // Literals come in groups of four, the last of them filled up.
      guard literals <= size + 3 else {
        throw damaged("a block of \(size) bytes announces \(literals) literals")
      }
      guard literalStates.allSatisfy({ $0 < Alphabet.literal.states }),
        literalCountState < Alphabet.literalCount.states, repeatCountState < Alphabet.repeatCount.states,
        distanceState < Alphabet.distance.states
      else { throw damaged("a block begins in a state that doesn't exist") }
    }
  }

  /// Numbers that share 64 bits.
  private struct PackedFields {
    private let bits: UInt64

    init(_ bits: UInt64) { self.bits = bits }

    subscript(offset: UInt64, width: UInt64) -> Int {
      Int(truncatingIfNeeded: bits >> offset & (1 << width - 1))
    }
  }

  /// The frequencies in a `bvx2` header: a prefix code, low bits first, shorter for smaller numbers.
  ///
  /// | low bits | length | value |
  /// |---|---|---|
  /// | `x0` | 2 | x |
  /// | `x01` | 3 | 2 + x |
  /// | `xx011` | 5 | 4 + x |
  /// | `xxxx0111` | 8 | 8 + x |
  /// | `xxxxxxxxxx1111` | 14 | 24 + x |
  struct FrequencyCodes {
    private var input: Input
    private var buffer = 0
    private var buffered = 0

    init(_ bytes: ArraySlice<UInt8>) { input = Input(bytes) }

    mutating func next() throws(ArchiveError) -> Int {
      while buffered < 14, input.remaining > 0 {
        buffer |= Int(try input.unsigned8()) << buffered
        buffered += 8
      }
      let (prefix, length, lowest): (Int, Int, Int) =
        switch buffer & 15 {
        case 15: (4, 14, 24)
        case 7: (4, 8, 8)
        case 3, 11: (3, 5, 4)
        case 1, 5, 9, 13: (2, 3, 2)
        default: (1, 2, 0)
        }
      guard length <= buffered else { throw damaged("the frequencies of a block are cut off") }
      let value = lowest + buffer >> prefix & (1 << (length - prefix) - 1)
      buffer >>= length
      buffered -= length
      return value
    }
  }
}
