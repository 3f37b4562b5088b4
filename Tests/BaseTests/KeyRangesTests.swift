import Base
import Testing

/// A range is a statement of its own, computed from a number alone: a wrong end would read a row twice, or not at all.
struct KeyRangesTests {
  private static let keys: [(ClosedRange<Int64>, Int64)] = [
    (.min ... .max, 1), (.min ... .max, 1 << 62), (0...30, 10), (0...31, 10), (-5...1_000_003, 1024),
    (1 ... .max, 8192),
  ]

  @Test(arguments: keys) func followEachOther(_ keys: ClosedRange<Int64>, _ length: Int64) throws {
    let ranges = Array(try #require(KeyRanges(of: keys, each: length)))
    #expect(ranges.count <= 1 << 16)
    #expect(ranges.first?.from == nil && ranges.last?.upTo == nil)
    for (range, next) in zip(ranges, ranges.dropFirst()) {
      let end = try #require(range.upTo)
      #expect(next.from == end && keys.contains(end) && range.from ?? .min < end)
    }
  }

  @Test(arguments: [0...29, 7...7, -1...1] as [ClosedRange<Int64>]) func areNoneForFewKeys(
    _ keys: ClosedRange<Int64>
  ) {
    #expect(KeyRanges(of: keys, each: 10) == nil)
  }
}

struct Int64ClampingTests {
  @Test(
    arguments: [
      (0.0, 0), (1.9, 1), (-1.9, -1), (1e300, Int64.max), (-1e300, .min), (.infinity, .max),
      (-.infinity, .min),
      (.nan, 0), (0x1p63, .max), (-0x1p63, .min),
    ] as [(Double, Int64)])
  func clamps(_ number: Double, _ expected: Int64) { #expect(Int64(clamping: number) == expected) }

  @Test(
    arguments: [(1, 2, 3), (.max, 1, .max), (.max, .max, .max), (.min, -1, .min), (.min, .max, -1)]
      as [(Int64, Int64, Int64)])
  func addsUpToTheNearest(_ one: Int64, _ other: Int64, _ sum: Int64) {
    #expect(one.addingClamped(other) == sum)
  }
}
