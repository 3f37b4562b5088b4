import Base
import Testing

@testable import Redaction

struct NumberMarksTests {
  private let numbers = NumberMarks(Marks(saltText: "test"))

  /// A store may have a unique index on it.
  @Test func noTwoNumbersGetTheSame() {
    let all = (Int64(Int16.min)...Int64(Int16.max)).map(numbers.integer)
    #expect(Set(all).count == all.count)
    #expect(all.allSatisfy { Int16(exactly: $0) != nil })
  }

  @Test(arguments: [
    32_768, -32_769, 100_000, Int64(Int32.max), Int64(Int32.min), Int64(Int32.max) + 1, .max, .min, 1 << 40,
  ])
  func aNumberKeepsItsSize(_ value: Int64) {
    let mark = numbers.integer(value)
    #expect(mark != value && mark == numbers.integer(value))
    #expect(Int16(exactly: mark) == nil)
    #expect((Int32(exactly: mark) == nil) == (Int32(exactly: value) == nil))
  }

  @Test(arguments: [0, -0.0, 1.5, 7e8, .infinity, -1e300]) func aRealNumberIsAMoment(_ value: Double) {
    #expect((0..<Double(1 << 30)).contains(numbers.real(value)))
    #expect(numbers.real(value) == numbers.real(value))
  }

  @Test func booleansOfAKindStayApart() {
    for kind in ["a", "b", "c", "d"] {
      #expect(numbers.bool(true, kind: kind) != numbers.bool(false, kind: kind))
    }
    #expect(Set((0..<64).map { numbers.bool(true, kind: "\($0)") }).count == 2)
  }
}
