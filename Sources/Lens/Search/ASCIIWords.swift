/// The words of ASCII texts that have some length: letters and digits with none before and behind them. The same as a look
/// at each character finds, which takes twenty times as long.
package enum ASCIIWords {
  /// Calls `body` for each word of such a length, the first one first.
  package static func forEach(
    in text: UnsafeRawBufferPointer, _ lengths: ClosedRange<Int>, _ body: (Range<Int>) -> Void
  ) {
    // Of blocks side by side, a word fills at least one if it is as long as two of them but for one byte.
    if lengths.lowerBound >= 2 * MemoryLayout<UInt64>.size - 1 {
      forEachLong(in: text, lengths, UInt64.self, body)
    } else if lengths.lowerBound >= 2 * MemoryLayout<UInt32>.size - 1 {
      forEachLong(in: text, lengths, UInt32.self, body)
    } else {
      forEachShort(in: text, lengths, body)
    }
  }

  private static func isInWord(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
  }

  /// No word has a gap within its shortest length, so that most letters aren't looked at.
  private static func forEachShort(
    in text: UnsafeRawBufferPointer, _ lengths: ClosedRange<Int>, _ body: (Range<Int>) -> Void
  ) {
    // Always where a word may begin.
    var start = 0
    while start + lengths.lowerBound <= text.count {
      var end = start + lengths.lowerBound
      if let gap = (start..<end).last(where: { !isInWord(text[$0]) }) {
        start = gap + 1
        continue
      }
      while end < text.count, isInWord(text[end]) { end += 1 }
      if end - start <= lengths.upperBound { body(start..<end) }
      start = end + 1
    }
  }

  /// Looks for blocks without a gap. All bytes of a block are looked at together: where words are short, guessing where the
  /// next one ends costs more than looking at all of it.
  private static func forEachLong<Block: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    in text: UnsafeRawBufferPointer, _ lengths: ClosedRange<Int>, _ type: Block.Type,
    _ body: (Range<Int>) -> Void
  ) {
    let size = MemoryLayout<Block>.size
    var block = 0
    // No word that begins before has been missed.
    var start = 0
    while block + size <= text.count {
      guard isInWord(text.loadUnaligned(fromByteOffset: block, as: Block.self)) else {
        block += size
        continue
      }
      var (first, end) = (block, block + size)
      while first > start, isInWord(text[first - 1]) { first -= 1 }
      while end + size <= text.count, isInWord(text.loadUnaligned(fromByteOffset: end, as: Block.self)) {
        end += size
      }
      while end < text.count, isInWord(text[end]) { end += 1 }
      if lengths.contains(end - first) { body(first..<end) }
      (start, block) = (end, end)
    }
  }

  /// Whether all of its bytes, which are ASCII, are letters or digits.
  private static func isInWord<Block: FixedWidthInteger & UnsignedInteger>(_ block: Block) -> Bool {
    let ones = Block.max / 0xFF
    // The highest bit of each byte that isn't below a limit. As no byte has it already, none carries into the next one.
    func from(_ limit: Block, _ block: Block) -> Block { block &+ ones &* (0x80 - limit) }
    let small = block | ones &* 0x20
    let digits = from(0x30, block) & ~from(0x3A, block)
    let letters = from(0x61, small) & ~from(0x7B, small)
    return (digits | letters) & (ones &* 0x80) == ones &* 0x80
  }
}
