import Testing
import Values

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
