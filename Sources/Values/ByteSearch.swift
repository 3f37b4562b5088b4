/// Finds bytes among many others, eight places at a time: whatever is searched, most of it isn't what is looked for.
/// https://graphics.stanford.edu/~seander/bithacks.html#ZeroInWord
struct ByteSearch {
  private let needle: [UInt8]
  /// For each byte of the needle, the bit in which a capital differs from a small letter; 0 where there is no such bit.
  private let caseBits: [UInt8]

  /// - Parameters:
  ///   - needle: with small letters, where case makes no difference.
  ///   - ignoresCase: of ASCII letters.
  init(_ needle: [UInt8], ignoresCase: Bool) {
    self.needle = needle
    caseBits = needle.map { ignoresCase && (0x61...0x7A).contains($0) ? 0x20 : 0 }
  }

  var count: Int { needle.count }

  /// Whether the bytes begin with the needle at that place, which has to have room for it.
  func matches(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    for index in needle.indices where bytes[start + index] | caseBits[index] != needle[index] { return false }
    return true
  }

  /// The first place, or nil. An empty needle is found nowhere.
  func firstPlace(in bytes: UnsafeRawBufferPointer) -> Int? {
    let last = bytes.count - needle.count
    guard last >= 0, let first = needle.first, let end = needle.last, let base = bytes.baseAddress else {
      return nil
    }
    let ones: UInt64 = 0x0101_0101_0101_0101
    let (firsts, firstCase) = (ones * UInt64(first), ones * UInt64(caseBits[0]))
    let (ends, endCase) = (ones * UInt64(end), ones * UInt64(caseBits[needle.count - 1]))
    let distance = needle.count - 1
    var start = 0
    while start + 7 <= last {
      let one = base.loadUnaligned(fromByteOffset: start, as: UInt64.self) | firstCase
      let other = base.loadUnaligned(fromByteOffset: start + distance, as: UInt64.self) | endCase
      // A byte is zero where the needle's first and last one fit.
      let rest = (one ^ firsts) | (other ^ ends)
      if (rest &- ones) & ~rest & (ones << 7) != 0 {
        for place in start..<start + 8 where matches(bytes, at: place) { return place }
      }
      start += 8
    }
    while start <= last {
      if matches(bytes, at: start) { return start }
      start += 1
    }
    return nil
  }
}

extension UnsafeRawBufferPointer {
  /// Whether no byte has its highest bit set.
  package var isASCII: Bool {
    guard let base = baseAddress else { return true }
    var start = 0
    // In steps, so that a long text that begins with another letter is known at once.
    while start + 64 <= count {
      var all: UInt64 = 0
      for offset in stride(from: 0, to: 64, by: 8) {
        all |= base.loadUnaligned(fromByteOffset: start + offset, as: UInt64.self)
      }
      guard all & 0x8080_8080_8080_8080 == 0 else { return false }
      start += 64
    }
    return self[start...].allSatisfy { $0 < 0x80 }
  }
}
