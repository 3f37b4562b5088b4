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
}
