extension LZFSE {
  /// The decoder of one alphabet: for each state of a finite-state coder the symbol it stands for and the way to
  /// the next state. (Tabled asymmetric numeral systems: https://arxiv.org/abs/1311.2540.)
  ///
  /// A symbol owns as many states, one behind the other, as its frequency says.
  struct StateTable {
    private struct Entry {
      var lowestValue: Int32
      var extraBits: UInt8
      var stateBits: UInt8
      var lowestNext: Int16
    }

    private var entries: [Entry] = []

    /// `frequencies`: one for each symbol; together exactly the number of states.
    init(_ alphabet: Alphabet, frequencies: [Int]) throws(ArchiveError) {
      guard frequencies.count == alphabet.symbols,
        frequencies.allSatisfy({ $0 >= 0 && $0 <= alphabet.states }),
        frequencies.reduce(0, +) == alphabet.states
      else { throw damaged("the frequencies of a block don't fill its \(alphabet.states) states") }
      entries.reserveCapacity(alphabet.states)
      for (symbol, frequency) in frequencies.enumerated() where frequency > 0 {
        // The state's index within the symbol, plus the frequency, is brought back to `states` and above by
        // shifting new bits in: `bits` of them for the first few indices and one less for the others.
        let bits = frequency.leadingZeroBitCount - alphabet.states.leadingZeroBitCount
        for index in 0..<frequency {
          let shift = (frequency + index) << bits < 2 * alphabet.states ? bits : bits - 1
          entries.append(
            Entry(
              lowestValue: Int32(alphabet.lowestValues[symbol]), extraBits: UInt8(alphabet.extraBits[symbol]),
              stateBits: UInt8(shift), lowestNext: Int16((frequency + index) << shift - alphabet.states)))
        }
      }
    }

    /// The value of the state, which then becomes the next one. The state has to be one of the table's.
    func value(of state: inout Int, _ bits: inout BackwardBits) throws(ArchiveError) -> Int {
      let entry = entries[state]
      let read = try bits.read(Int(entry.stateBits) + Int(entry.extraBits))
      state = Int(entry.lowestNext) + read >> Int(entry.extraBits)
      return Int(entry.lowestValue) + read & (1 << Int(entry.extraBits) - 1)
    }
  }

  /// What a kind of symbol stands for, and how many states its coder has.
  ///
  /// A symbol of the lengths and distances is a range of values: its lowest value, plus as many extra bits as
  /// the range needs. The ranges adjoin, so the lowest values follow from the numbers of extra bits.
  struct Alphabet: Sendable {
    let states: Int
    let lowestValues: [Int]
    let extraBits: [Int]

    var symbols: Int { extraBits.count }

    private init(states: Int, extraBits: [Int]) {
      self.states = states
      self.extraBits = extraBits
      var lowest = 0
      lowestValues = extraBits.map { bits in
        defer { lowest += 1 << bits }
        return lowest
      }
    }

    static let literal = Alphabet(states: 1024, extraBits: Array(repeating: 0, count: 256))
    static let literalCount = Alphabet(states: 64, extraBits: Array(repeating: 0, count: 16) + [2, 3, 5, 8])
    static let repeatCount = Alphabet(states: 64, extraBits: Array(repeating: 0, count: 16) + [3, 5, 8, 11])
    static let distance = Alphabet(states: 256, extraBits: (0..<64).map { $0 / 4 })
  }

  /// The bits of an entropy-coded payload. They were written first to last and are read last to first, so that
  /// the decoder meets the symbols in the order of the text.
  struct BackwardBits {
    private let bytes: ArraySlice<UInt8>
    /// Everything from here on has been moved to `buffer`.
    private var position: Int
    private var buffer: UInt64 = 0
    /// How many low bits of `buffer` are still to be read.
    private var buffered = 0

    /// `unused`: how many high bits (0...7) of the last byte carry nothing; they have to be zero.
    init(_ bytes: ArraySlice<UInt8>, unused: Int) throws(ArchiveError) {
      self.bytes = bytes
      position = bytes.endIndex
      guard (0...7).contains(unused), unused == 0 || !bytes.isEmpty else {
        throw damaged("\(unused) bits of a payload of \(bytes.count) bytes are marked as unused")
      }
      guard try read(unused) == 0 else { throw damaged("unused bits of a payload aren't zero") }
    }

    /// The next bits, the first of them the highest of the result. No more than 56 at once.
    mutating func read(_ count: Int) throws(ArchiveError) -> Int {
      if buffered < count {
        while buffered <= 56, position > bytes.startIndex {
          position -= 1
          buffer = buffer << 8 | UInt64(bytes[position])
          buffered += 8
        }
        guard buffered >= count else { throw damaged("a payload ends before its last symbol") }
      }
      buffered -= count
      return Int(truncatingIfNeeded: (buffer >> UInt64(buffered)) & (1 << UInt64(count) - 1))
    }
  }
}
