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
}
