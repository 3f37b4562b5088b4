/// Finds bytes among many others, 64 places at a time: whatever is searched, most of it isn't what is looked for.
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
    guard last >= 15 else { return (0...last).first { matches(bytes, at: $0) } }
    let distance = needle.count - 1
    let (firsts, firstCase) = (Lane(repeating: first), Lane(repeating: caseBits[0]))
    let (ends, endCase) = (Lane(repeating: end), Lane(repeating: caseBits[distance]))
    /// Not all zeros if the needle's first and last byte fit any of the 16 places from there.
    @inline(__always) func fits(_ start: Int) -> SIMD2<UInt64> {
      let one = base.loadUnaligned(fromByteOffset: start, as: Lane.self) | firstCase
      let other = base.loadUnaligned(fromByteOffset: start + distance, as: Lane.self) | endCase
      // To ask a mask whether any of it is set takes longer than all the rest.
      return unsafeBitCast((one .== firsts) .& (other .== ends), to: SIMD2<UInt64>.self)
    }
    func place(among places: Range<Int>) -> Int? { places.first { matches(bytes, at: $0) } }
    var start = 0
    while start + 63 <= last {
      let any = fits(start) | fits(start + 16) | fits(start + 32) | fits(start + 48)
      if any[0] | any[1] != 0, let found = place(among: start..<start + 64) { return found }
      start += 64
    }
    while start <= last {
      // The last ones are looked at again rather than one by one.
      start = min(start, last - 15)
      let any = fits(start)
      if any[0] | any[1] != 0, let found = place(among: start..<start + 16) { return found }
      start += 16
    }
    return nil
  }

  private typealias Lane = SIMD16<UInt8>
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
