extension LZFSE {
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
