extension LZFSE {
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
