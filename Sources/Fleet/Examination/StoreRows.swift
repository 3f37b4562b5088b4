import Archives
import Base
import Diagnostics
package import Discovery
import Evidence
import Lens
import Reports
import StoreModel

/// The lines that one store adds to each dataset, in the order of `Dataset.all`.
package struct StoreRows {
  /// More than any store's rows; a made-up store must not fill the process that collects them.
  static let mostBytes = 256 << 20

  package private(set) var lines: [[UInt8]] = Dataset.all.map { _ in [] }
  private let key: [DataValue.Member]

  /// Of a store that couldn't be read.
  package init(_ failure: StoreFailure, address: String) {
    key = []
    add((address, failure), Dataset.failuresFields, to: .failures)
  }

  /// - Parameters:
  ///   - storeId: see the dataset `stores`.
  ///   - isContained: whether its file is a copy of what a container holds.
  package init(
    _ store: StoreExamination, _ place: FoundPlace, storeId: String, isContained: Bool
  ) throws {
    key = Dataset.key.members(of: (storeId, place.address))
    try add(ExaminedRow(store, place, isContained: isContained), Dataset.storesFields, to: .stores)
    for finding in store.diagnosis.findings { add(finding, Dataset.findingsFields, to: .findings) }
    addEntities(store)
    try addMirror(store)
    try addHistory(store)
  }

  private mutating func add<Row>(_ row: Row, _ fields: [Field<Row>], to dataset: Dataset) {
    guard let index = Dataset.all.firstIndex(where: { $0.name == dataset.name }) else { return }
    lines[index] += Array(dataset.line(key + fields.members(of: row)).utf8)
  }

  /// All lines in one, each with the name of its dataset as the first member.
  package var namedLines: [UInt8] {
    var all: [UInt8] = []
    for (dataset, lines) in zip(Dataset.all, lines) {
      for line in lines.split(separator: 0x0A) {
        all += Array("{\"dataset\":\"\(dataset.name)\",".utf8) + line.dropFirst() + [0x0A]
      }
    }
    return all
  }

  private mutating func addEntities(_ store: StoreExamination) {
    let schema = store.open.store.schema
    var bytes: [String: Int64] = [:]
    for table in store.size?.tables ?? [] where table.kind == .entity { bytes[table.name] = table.all }
    for entity in schema.entities {
      let parent = entity.parent.flatMap { schema[$0]?.name }
      add(
        (
          entity.name, parent, store.rows.map { $0[entity.number] ?? 0 },
          entity.parent == nil ? bytes[entity.table] : nil
        ), Dataset.entitiesFields, to: .entities)
    }
  }

  // MARK: - The mirror

  private mutating func addMirror(_ store: StoreExamination) throws {
    guard let mirror = store.mirror else { return }
    _ = try StoreExamination.part {
      try EventReader(mirror).forEach { event in
        add(event, Dataset.eventsFields, to: .events)
        return true
      }
    }
    guard let pending = store.pending else { return }
    let groups = try StoreExamination.part { try PendingGroup.all(pending, store.privacy) } ?? []
    for group in groups { add(group, Dataset.pendingFields, to: .pending) }
  }

  // MARK: - History

  private mutating func addHistory(_ store: StoreExamination) throws {
    let data = store.open.store
    guard let reader = try StoreExamination.part({ try HistoryReader(data, store.open.tables) }) ?? nil else {
      return
    }
    func groups(_ dimension: HistoryGroup.Dimension) throws -> [HistoryGroup] {
      try StoreExamination.part {
        try reader.groups(by: dimension, entityName: data.entityName(ofNumber:))
      } ?? []
    }
    for group in try groups(.author) {
      add((group, store.privacy.mask(group.key, .author)), Dataset.authorsFields, to: .authors)
    }
    for group in try groups(.day) where group.key != nil { add(group, Dataset.daysFields, to: .days) }
  }
}

/// A store that was read, as a row.
struct ExaminedRow {
  let store: StoreExamination
  let place: FoundPlace
  let isContained: Bool
  let opened: OpenedStore
  /// Since when the oldest pending change is pending.
  let oldest: CoreDataDate?
  var data: CoreDataStore { store.open.store }

  fileprivate init(_ store: StoreExamination, _ place: FoundPlace, isContained: Bool) throws {
    self.store = store
    self.place = place
    self.isContained = isContained
    opened = try store.open.bytes()
    oldest = try store.summary?.pending.flatMap { count in
      1...StoreExamination.mostListed ~= count
        ? try StoreExamination.part { try store.pending?.oldest()?.since } ?? nil : nil
    }
  }

  var because: String? {
    store.verdict.because.isEmpty ? nil : store.verdict.because.joined(separator: " ")
  }

  var launchWipes: Bool? { store.forecast.map { $0.steps.contains { $0.outcome == .wipes } } }

  var lastChange: CoreDataDate {
    let newest = max(opened.files.main.modified, opened.files.wal?.modified ?? 0)
    return store.history?.last ?? CoreDataDate(unixSeconds: Double(newest) / 1e9)
  }

  var modelHash: String? {
    let hashes = data.metadata.versionHashes
    guard !hashes.isEmpty else { return nil }
    var hash = SHA256()
    for (name, bytes) in hashes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      (Array(name.utf8) + [0] + bytes).withUnsafeBytes { hash.update($0) }
    }
    return Hexadecimal.lowercase(hash.finish())
  }
}

/// What is pending for one reason.
struct PendingGroup {
  private(set) var key: Key
  private(set) var count = 0
  private(set) var oldest: CoreDataDate?
  private(set) var newest: CoreDataDate?

  struct Key: Hashable, Comparable {
    let kind: PendingItem.Kind
    let entity: String?
    let author: String?
    let reason: String

    private var texts: [String] { [kind.rawValue, entity ?? "", author ?? "", reason] }

    static func < (one: Self, other: Self) -> Bool { one.texts.lexicographicallyPrecedes(other.texts) }
  }

  /// A made-up store could have as many reasons as rows.
  private static let mostGroups = 1000

  static func all(_ reader: PendingReader, _ privacy: ReportPrivacy) throws -> [Self] {
    var groups: [Key: Self] = [:]
    if reader.counts.total > StoreExamination.mostListed {
      return PendingItem.Kind.allCases.compactMap { kind in
        guard let count = reader.counts[kind], count > 0 else { return nil }
        let reason = "Too many to be listed one by one."
        return Self(key: Key(kind: kind, entity: nil, author: nil, reason: reason), count: count)
      }
    }
    try reader.forEach { item in
      var key = Key(
        kind: item.kind, entity: privacy.mask(item.entity, .entity),
        author: privacy.mask(item.author, .author),
        reason: privacy.sentence(item.reasonWithoutNames))
      if groups[key] == nil, groups.count >= mostGroups {
        key = Key(kind: item.kind, entity: nil, author: nil, reason: "Other reasons.")
      }
      groups[key, default: Self(key: key)].add(item)
      return true
    }
    return groups.values.sorted { $0.key < $1.key }
  }

  private mutating func add(_ item: PendingItem) {
    count += 1
    oldest = [oldest, item.since].compactMap(\.self).min()
    newest = [newest, item.since].compactMap(\.self).max()
  }
}

/// What one store adds to all datasets, as it stands in the journal: a line with its address and how many bytes follow
/// for each dataset, and these bytes. Their hash shows whether a record that a run left is whole.
package struct StoreRecord {
  package let address: String
  package let bytes: [UInt8]

  package init(address: String, _ rows: StoreRows?) {
    self.address = address
    let lines = rows?.lines ?? Dataset.all.map { _ in [] }
    let content = Array(lines.joined())
    let heading: DataValue = [
      "address": .text(address), "bytes": .array(lines.map { .count($0.count) }),
      "sha256": .text(content.withUnsafeBytes(SHA256.hexadecimal)),
    ]
    bytes = Array((JSONText.compact(heading) + "\n").utf8) + content
  }

  /// Whether a process wrote that store's record to its end.
  package static func isWhole(_ bytes: [UInt8], of address: String) -> Bool {
    place(of: bytes, about: address, at: 0) != nil
  }

  /// Where the parts of a record are if it begins there; nil if it isn't that store's, or not whole.
  static func place(of bytes: [UInt8], about address: String, at start: Int64) -> Place? {
    guard let newline = bytes.firstIndex(of: 0x0A), let heading = Self.heading(bytes[..<newline]),
      Address(heading.address) == Address(address)
    else { return nil }
    let place = Place(start: start + Int64(newline) + 1, counts: heading.counts)
    return place.end == start + Int64(bytes.count) ? place : nil
  }

  /// Where the parts of a record are in the journal.
  struct Place {
    /// Of the first dataset's lines.
    let start: Int64
    let counts: [Int]

    var total: Int { counts.reduce(0, +) }
    var end: Int64 { start + Int64(total) }
  }

  /// Reads the first line.
  /// - Returns: nil if it is none.
  static func heading(_ line: ArraySlice<UInt8>) -> (address: String, counts: [Int], sha256: String)? {
    guard let value = try? line.withUnsafeBytes({ try JSONReader.read($0) }),
      let address = value["address"]?.text, let sha256 = value["sha256"]?.text,
      case .array(let counts)? = value["bytes"], counts.count == Dataset.all.count
    else { return nil }
    let numbers = counts.compactMap { count -> Int? in
      guard case .integer(let number) = count, 0...Int64(StoreRows.mostBytes) ~= number else { return nil }
      return Int(number)
    }
    guard numbers.count == counts.count, numbers.reduce(0, +) <= StoreRows.mostBytes else { return nil }
    return (address, numbers, sha256)
  }
}
