/// Primary keys in ascending order, each once. Keys come in rows, so runs of them are kept: a million new objects are
/// mostly one run.
package struct KeyList: Sendable, Equatable {
  package private(set) var runs: [ClosedRange<Int64>] = []
  package private(set) var count = 0

  package init() {}

  package var isEmpty: Bool { runs.isEmpty }

  /// Adds a key at the end; one that isn't greater than the last is left out, which only a table without a primary key
  /// brings.
  mutating func append(_ key: Int64) {
    guard let last = runs.last else {
      runs.append(key...key)
      count = 1
      return
    }
    guard key > last.upperBound else { return }
    if key == last.upperBound + 1 {
      runs[runs.count - 1] = last.lowerBound...key
    } else {
      runs.append(key...key)
    }
    count += 1
  }

  package func contains(_ key: Int64) -> Bool {
    var (low, high) = (0, runs.count)
    while low < high {
      let middle = (low + high) / 2
      if runs[middle].upperBound < key { low = middle + 1 } else { high = middle }
    }
    return low < runs.count && runs[low].contains(key)
  }

  /// Calls `body` for each key until it returns false; whether it never did.
  @discardableResult
  package func forEach(_ body: (Int64) throws -> Bool) rethrows -> Bool {
    for run in runs {
      for key in run where try !body(key) { return false }
    }
    return true
  }

  func filter(_ isKept: (Int64) throws -> Bool) rethrows -> KeyList {
    var kept = KeyList()
    try forEach {
      if try isKept($0) { kept.append($0) }
      return true
    }
    return kept
  }

  /// The keys of both.
  func union(_ other: KeyList) -> KeyList {
    guard !isEmpty else { return other }
    guard !other.isEmpty else { return self }
    var result = KeyList()
    for run in (runs + other.runs).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      result.add(run)
    }
    return result
  }

  /// Adds a run that begins no earlier than the last one does.
  private mutating func add(_ run: ClosedRange<Int64>) {
    guard let last = runs.last, last.upperBound == .max || last.upperBound + 1 >= run.lowerBound else {
      runs.append(run)
      count += run.count
      return
    }
    guard run.upperBound > last.upperBound else { return }
    count += Int(run.upperBound - last.upperBound)
    runs[runs.count - 1] = last.lowerBound...run.upperBound
  }
}
