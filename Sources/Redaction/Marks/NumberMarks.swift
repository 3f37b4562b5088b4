import Base

/// Numbers in place of numbers: each number gets one of its own, so that what is unique stays unique.
struct NumberMarks {
  private let marks: Marks

  init(_ marks: Marks) { self.marks = marks }

  /// Another number that fits into as many bits, of 16, 32 and 64.
  func integer(_ value: Int64) -> Int64 {
    let bits = Self.bits(of: value)
    var result = value
    // The permutation of the wider numbers leads into the narrower ones now and then; going on from there comes out again.
    repeat { result = permuted(result, bits: bits) } while Self.bits(of: result) != bits
    return result
  }

  private static func bits(of value: Int64) -> UInt64 {
    Int16(exactly: value) != nil ? 16 : Int32(exactly: value) != nil ? 32 : 64
  }

  /// A Feistel network: whatever the rounds mix in, no two numbers get the same result.
  private func permuted(_ value: Int64, bits: UInt64) -> Int64 {
    let half = bits / 2
    let mask: UInt64 = (1 << half) - 1
    let pattern = UInt64(bitPattern: value)
    var (left, right) = (pattern >> half & mask, pattern & mask)
    for round in 0..<4 as Range<UInt64> { (left, right) = (right, left ^ mixed(right, round, bits) & mask) }
    let result = left << half | right
    // The highest of the bits is the sign.
    return Int64(bitPattern: result << (64 - bits)) >> Int64(64 - bits)
  }

  private func mixed(_ value: UInt64, _ round: UInt64, _ bits: UInt64) -> UInt64 {
    withUnsafeBytes(of: (value.littleEndian, round.littleEndian, bits.littleEndian)) {
      Self.number(marks.digest($0, kind: "number"))
    }
  }

  /// A number without a meaning; as seconds since 2001 it is a moment before 2035.
  func real(_ value: Double) -> Double {
    let digest = withUnsafeBytes(of: value.bitPattern.littleEndian) { marks.digest($0, kind: "real") }
    return Double(Self.number(digest) >> 12) / Double(1 << 22 as UInt64)
  }

  /// The same or the other, as the salt has it for all Booleans of that kind.
  func bool(_ value: Bool, kind: String) -> Bool {
    var kind = kind
    let digest = kind.withUTF8 { marks.digest(UnsafeRawBufferPointer($0), kind: "bool") }
    return value != (digest[0] & 1 == 1)
  }

  private static func number(_ digest: [UInt8]) -> UInt64 {
    digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}
