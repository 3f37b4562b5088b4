/// Bytes on their way out: collected in one buffer and handed over 256 KiB at a time, because a `String` a cell
/// and a `write` a line each cost more than the formatting.
package final class OutputBuffer {
  /// Takes the bytes; false when nobody wants more of them.
  package typealias Writer = (UnsafeRawBufferPointer) -> Bool

  private let storage: UnsafeMutableRawBufferPointer
  private var used = 0
  private let write: Writer
  /// True once the reader went away (a closed pipe, `| head`): what follows is dropped.
  package private(set) var isClosed = false

  package init(capacity: Int = 256 * 1024, write: @escaping Writer) {
    storage = .allocate(byteCount: capacity, alignment: 16)
    self.write = write
  }

  deinit { storage.deallocate() }

  package func flush() {
    guard used > 0 else { return }
    if !isClosed, !write(UnsafeRawBufferPointer(rebasing: storage[..<used])) { isClosed = true }
    used = 0
  }

  @inline(__always)
  private func reserve(_ count: Int) {
    if used + count > storage.count { flush() }
  }

  @inline(__always)
  package func byte(_ byte: UInt8) {
    reserve(1)
    storage[used] = byte
    used += 1
  }

  @inline(__always)
  package func bytes(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress else { return }
    if bytes.count > storage.count - used {
      flush()
      if bytes.count > storage.count {
        if !isClosed, !write(bytes) { isClosed = true }
        return
      }
    }
    (storage.baseAddress.unsafelyUnwrapped + used).copyMemory(from: start, byteCount: bytes.count)
    used += bytes.count
  }

  package func bytes(_ array: [UInt8]) { array.withUnsafeBytes { bytes($0) } }

  package func literal(_ text: StaticString) {
    bytes(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package func text(_ text: String) {
    var text = text
    text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
  }

  package func integer(_ value: Int64) {
    reserve(20)
    var rest = value.magnitude
    var digits = 1
    var bound: UInt64 = 10
    while rest >= bound {
      digits += 1
      let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
      if overflow { break }
      bound = next
    }
    if value < 0 { byte(UInt8(ascii: "-")) }
    for position in stride(from: used + digits - 1, through: used, by: -1) {
      storage[position] = UInt8(truncatingIfNeeded: 48 + rest % 10)
      rest /= 10
    }
    used += digits
  }

  /// The shortest text that reads back as the same number.
  package func real(_ value: Double) { text(value.description) }

  /// The date, between two of `quote` if one is given. False if it has no year of 1 to 9999; then nothing was written.
  package func date(_ date: CoreDataDate, in quote: UInt8? = nil) -> Bool {
    reserve(ISO8601.capacity + 2)
    let start = used + (quote == nil ? 0 : 1)
    let length = ISO8601.write(
      coreDataSeconds: date.seconds, to: UnsafeMutableRawBufferPointer(rebasing: storage[start...]))
    guard length > 0 else { return false }
    if let quote { (storage[used], storage[start + length]) = (quote, quote) }
    used = start + length + (quote == nil ? 0 : 1)
    return true
  }

  /// Sixteen bytes as an upper-case UUID. Eight digits are made at once: one by one they took an eighth of the time of a
  /// table of objects.
  package func uuid(_ bytes: UnsafeRawBufferPointer) {
    reserve(36)
    let place = storage.baseAddress.unsafelyUnwrapped + used
    func digits(_ word: Int) -> UInt64 {
      Self.digits(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 4 * word, as: UInt32.self)))
    }
    func store(_ digits: UInt32, at offset: Int) {
      place.storeBytes(of: digits.bigEndian, toByteOffset: offset, as: UInt32.self)
    }
    let (second, third) = (digits(1), digits(2))
    place.storeBytes(of: digits(0).bigEndian, as: UInt64.self)
    store(UInt32(truncatingIfNeeded: second >> 32), at: 9)
    store(UInt32(truncatingIfNeeded: second), at: 14)
    store(UInt32(truncatingIfNeeded: third >> 32), at: 19)
    store(UInt32(truncatingIfNeeded: third), at: 24)
    place.storeBytes(of: digits(3).bigEndian, toByteOffset: 28, as: UInt64.self)
    for offset in stride(from: 8, through: 23, by: 5) {
      place.storeBytes(of: UInt8(ascii: "-"), toByteOffset: offset, as: UInt8.self)
    }
    used += 36
  }

  /// The eight digits of a number, each in a byte of its own, the first one in the highest.
  @inline(__always)
  private static func digits(_ number: UInt32) -> UInt64 {
    var nibbles = UInt64(number)
    nibbles = (nibbles | nibbles << 16) & 0x0000_FFFF_0000_FFFF
    nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
    nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
    // 1 in each byte that needs a letter, which stands seven places behind the character after 9.
    let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
    return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 7
  }
}
