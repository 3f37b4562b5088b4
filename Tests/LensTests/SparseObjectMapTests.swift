import Testing
import Values

@testable import Lens

/// Objects that lie far from each other, or that come in any order, have the values that were set.
struct SparseObjectMapTests {
  @Test(arguments: [UInt64(1), 2, 3]) func itIsADictionary(_ seed: UInt64) throws {
    var state = seed
    func random(_ count: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % count
    }
    var map = SparseObjectMap(empty: Int64(-1))
    var known: [ObjectKey: Int64] = [:]
    for number in 0..<Int64(5000) {
      let key = ObjectKey(entity: random(3), primaryKey: random(4000) * (seed == 3 ? 1_000_003 : 1))
      try map.update(key) { $0 = number }
      known[key] = number
    }
    for (key, value) in known { #expect(map[key] == value) }
    #expect(map[ObjectKey(entity: 9, primaryKey: 1)] == -1)
    var all: [(ObjectKey, Int64)] = []
    map.forEach { key, value in
      all.append((key, value))
      return true
    }
    #expect(all.map(\.0) == known.keys.sorted())
    #expect(all.allSatisfy { known[$0.0] == $0.1 })
  }

  /// Without a limit, a forged store could ask for any amount of memory.
  @Test func bytesAreLimited() throws {
    var map = SparseObjectMap(empty: Int64(0), bytes: 160)
    for key in Int64(0)..<10 { try map.update(ObjectKey(entity: 1, primaryKey: key)) { $0 = key } }
    try map.update(ObjectKey(entity: 1, primaryKey: 3)) { $0 = 4 }
    #expect(throws: StoreScopeError.self) { try map.update(ObjectKey(entity: 1, primaryKey: 10)) { $0 = 1 } }
  }
}
