import TestSupport
import Testing

@testable import Comparison

struct KeyListTests {
  private static func list(_ keys: some Sequence<Int64>) -> KeyList {
    var list = KeyList()
    for key in keys { list.append(key) }
    return list
  }

  @Test func keysInARowAreOneRun() {
    let list = Self.list([1, 2, 3, 7, 9, 10])
    #expect(list.runs == [1...3, 7...7, 9...10])
    #expect(list.count == 6)
    #expect(list.keys == [1, 2, 3, 7, 9, 10])
    for key in Int64(0)...11 { #expect(list.contains(key) == list.keys.contains(key)) }
  }

  @Test func keysOutOfOrderAreLeftOut() {
    #expect(Self.list([5, 5, 3, 6]).keys == [5, 6])
    #expect(Self.list([.min, .max]).keys == [.min, .max])
  }

  @Test(arguments: 1...50) func unionHasAllKeys(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var sets: [Set<Int64>] = []
    for _ in 0..<2 {
      sets.append(
        Set(
          (0..<Int.random(in: 0..<40, using: &random)).map { _ in Int64.random(in: 0..<60, using: &random) }))
    }
    let union = Self.list(sets[0].sorted()).union(Self.list(sets[1].sorted()))
    #expect(union.keys == sets[0].union(sets[1]).sorted())
    #expect(union.count == union.keys.count)
    #expect(union == Self.list(union.keys))
  }
}
