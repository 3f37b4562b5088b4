import Archives
package import Base

/// A folder that `storescope fleet --to` wrote, for those who read it. Its datasets are in the order of addresses, so that
/// what belongs to one store is found without holding the others.
package struct DatasetFolder: Sendable {
  package let path: String
  private let names: [String]

  /// - Throws: if it isn't such a folder, or an unfinished one.
  package init(_ path: String) throws {
    self.path = path
    guard FileReader.kind(of: path) == .folder else {
      throw StoreScopeError(
        .notFound, path, "isn't a folder of fleet datasets",
        advice: "write one with 'storescope fleet PATH… --to FOLDER'")
    }
    names = try FileReader.names(in: path)
    let isFinished = names.contains(FleetFolder.manifestName)
    guard isFinished || !names.contains(FleetFolder.journalName) else {
      throw StoreScopeError(
        .lacking, path, "has an unfinished run",
        advice: "run the same 'storescope fleet PATH… --to FOLDER' again; it resumes the run")
    }
    let stores = Dataset.stores.fileName()
    guard names.contains(stores) else {
      throw StoreScopeError(
        .foreign, path, "has no \(stores)", advice: "write it with 'storescope fleet PATH… --to FOLDER'")
    }
    guard isFinished else {
      throw StoreScopeError(
        .lacking, path, "isn't finished: it has no \(FleetFolder.manifestName)",
        advice: "run the same 'storescope fleet PATH… --to FOLDER' again; it continues where it stopped")
    }
  }

  /// The rows of a dataset, which may lie in several files: `stores.ndjson`, `stores-2.ndjson`, …
  package func rows(_ dataset: Dataset) throws -> DatasetRows {
    let parts = names.compactMap { name in dataset.part(ofFile: name).map { (number: $0, name: name) } }
    return try DatasetRows(
      NDJSONReader(parts.sorted { $0.number < $1.number }.map { ContainedFile([$0.name], below: path) }),
      name: "\(path)/\(dataset.fileName())")
  }

  package func forEach(_ dataset: Dataset, _ body: (DatasetRow) throws -> Void) throws {
    var rows = try rows(dataset)
    while let row = rows.current {
      try body(row)
      try rows.advance()
    }
  }
}

/// One row of a dataset.
package struct DatasetRow: Sendable {
  package let address: Address
  private let value: DataValue

  /// Names, titles and sentences are short; what is longer was made to be.
  private static let longestText = 1000

  init(_ value: DataValue, _ address: String) {
    self.value = value
    self.address = Address(address)
  }

  package func text(_ name: String) -> String? {
    guard let text = value[name]?.text else { return nil }
    return text.utf8.count > Self.longestText ? String(text.prefix(Self.longestText / 4)) + "…" : text
  }

  package func texts(_ name: String) -> [String] {
    guard case .array(let elements)? = value[name] else { return [] }
    return elements.prefix(10).compactMap(\.text).map { String($0.prefix(100)) }
  }

  package func integer(_ name: String) -> Int? {
    guard case .integer(let number)? = value[name] else { return nil }
    return Int(exactly: number)
  }

  /// A count: at least 0, and not so large that sums of a fleet overflow.
  package func count(_ name: String) -> Int { min(max(integer(name) ?? 0, 0), 1 << 40) }

  package func bool(_ name: String) -> Bool? {
    guard case .bool(let bool)? = value[name] else { return nil }
    return bool
  }

  package func date(_ name: String) -> CoreDataDate? { text(name).flatMap(ISO8601.parse) }
}

/// Rows of a dataset, one after the other. `current` is the next that nobody took.
package struct DatasetRows {
  package private(set) var current: DatasetRow?
  private var reader: NDJSONReader
  private let name: String

  init(_ reader: NDJSONReader, name: String) throws {
    self.reader = reader
    self.name = name
    try advance()
  }

  /// - Throws: if the row behind the current one belongs before it: then nothing would be found by its address.
  package mutating func advance() throws {
    guard let value = try reader.next() else {
      current = nil
      return
    }
    guard let address = value["address"]?.text else {
      throw StoreScopeError(.damaged, name, "has a row without an address")
    }
    let next = DatasetRow(value, address)
    if let current, next.address < current.address {
      throw StoreScopeError(
        .damaged, name, "isn't in the order of addresses",
        advice: "give the folder as 'storescope fleet PATH… --to FOLDER' wrote it")
    }
    current = next
  }

  /// The rows of that address. Those of addresses before it are skipped.
  package mutating func forEach(of address: Address, _ body: (DatasetRow) throws -> Void) throws {
    while let row = current, row.address < address || row.address == address {
      if row.address == address { try body(row) }
      try advance()
    }
  }
}

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
