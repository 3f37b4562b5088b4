extension LZFSE {
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
}
