/// Counts by a key. There are at most so many keys, as datasets may be made up; what is beyond them is only counted.
package struct Tallies<Key: Hashable, Value> {
  private let limit: Int
  package private(set) var values: [Key: Value] = [:]
  package private(set) var leftOut = 0

  package init(limit: Int = 2000) { self.limit = limit }

  package mutating func update(
    _ key: Key, default value: @autoclosure () -> Value, _ body: (inout Value) -> Void
  ) {
    guard values[key] != nil || values.count < limit else {
      leftOut += 1
      return
    }
    body(&values[key, default: value()])
  }
}

extension Tallies: Sendable where Key: Sendable, Value: Sendable {}

extension Tallies where Value == Int {
  package var total: Int { values.values.reduce(0, +) }

  /// The most frequent first; of equals, by their names.
  package var sorted: [(key: Key, value: Int)] {
    values.sorted { ($1.value, "\($0.key)") < ($0.value, "\($1.key)") }
  }
}
