import Base
import Testing

@testable import Lens

/// Values of objects that lie far from each other, or that come in any order, are those that were set: in memory, and
/// where memory has room for few of them.
struct ObjectMapTests {
  /// Numbers that repeat in each run.
  private struct Random {
    var state: UInt64

    mutating func next(below count: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % count
    }
  }

  private struct Value: Equatable, BitwiseCopyable {
    var number: Int64 = -1
    var isSet = false
  }

  private static let bytes = [1, 20_000, 1 << 20]
  private static let distances: [Int64] = [1, 1_000_003]

  @Test(arguments: bytes, distances) func aMapIsADictionary(_ bytes: Int, _ distance: Int64) throws {
    let map = ObjectMap(empty: Value(), bytes: bytes)
    try check(distance, set: { try map.set($0, Value(number: $1, isSet: true)) }, get: { try map[$0].number })
    { body in
      try map.forEach { key, value in
        #expect(value.isSet || value == Value())
        if value.isSet { body(key, value.number) }
      }
    }
  }

  @Test(arguments: bytes, distances) func aSparseMapIsADictionary(_ bytes: Int, _ distance: Int64) throws {
    let map = SparseObjectMap(empty: Value(), bytes: bytes)
    try check(
      distance, set: { key, number in try map.update(key) { $0 = Value(number: number, isSet: true) } },
      get: { try map[$0].number }
    ) { body in
      try map.forEach { body($0, $1.number) }
    }
  }

  /// Sets and asks in any order, lists all, and goes on: what was in the file once is asked for, changed and listed again.
  private func check(
    _ distance: Int64, set: (ObjectKey, Int64) throws -> Void, get: (ObjectKey) throws -> Int64,
    list: ((ObjectKey, Int64) -> Void) throws -> Void
  ) throws {
    var random = Random(state: UInt64(distance))
    var known: [ObjectKey: Int64] = [:]
    for round in 0..<3 {
      for number in 0..<Int64(3000) {
        let key = ObjectKey(entity: random.next(below: 3), primaryKey: random.next(below: 4000) * distance)
        try set(key, number)
        known[key] = number
        let other = ObjectKey(entity: random.next(below: 4), primaryKey: random.next(below: 4000) * distance)
        #expect(try get(other) == known[other, default: -1], "round \(round)")
      }
      for (key, value) in known { #expect(try get(key) == value) }
      var all: [(key: ObjectKey, number: Int64)] = []
      try list { all.append(($0, $1)) }
      #expect(all.map(\.key) == known.keys.sorted())
      #expect(all.allSatisfy { known[$0.key] == $0.number })
    }
  }

  /// Keys that no framework hands out.
  @Test func anyKeyHasItsPlace() throws {
    let map = ObjectMap(empty: Int64(0), bytes: 1)
    let keys = [Int64.min, -257, -256, -1, 0, 255, 256, .max].flatMap { key in
      [Int64.min, 0, .max].map { ObjectKey(entity: $0, primaryKey: key) }
    }
    for (index, key) in keys.enumerated() { try map.set(key, Int64(index)) }
    for (index, key) in keys.enumerated() { #expect(try map[key] == Int64(index)) }
    var found: [ObjectKey] = []
    try map.forEach { key, value in
      if value != 0 { found.append(key) }
    }
    #expect(found == keys.dropFirst().sorted())
  }

  /// Memory of a large store isn't larger: what was measured to be flat must not begin to grow unnoticed.
  @Test func whatIsInMemoryDoesNotGrow() throws {
    let map = SparseObjectMap(empty: Int64(0), bytes: 10_000)
    for key in Int64(0)..<20_000 { try map.update(ObjectKey(entity: 1, primaryKey: key)) { $0 = key } }
    #expect(map.used <= 10_000)
  }
}
