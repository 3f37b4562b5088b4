import Containers
import Diagnostics
package import Discovery
import Evidence
import Lens
import Reports
import StoreModel
import SystemCalls
import Values

/// The lines that one store adds to each dataset, in the order of `Dataset.all`.
package struct StoreRows {
  /// More than any store's rows; a made-up store must not fill the process that collects them.
  static let mostBytes = 256 << 20

  package private(set) var lines: [[UInt8]] = Dataset.all.map { _ in [] }
  private let key: [DataValue]

  /// Of a store that couldn't be read.
  package init(_ failure: StoreFailure, address: String) {
    key = []
    add(failure.row(address: address), to: .failures)
  }

  /// - Parameters:
  ///   - storeId: see the dataset `stores`.
  ///   - isContained: whether its file is a copy of what a container holds.
  package init(
    _ store: StoreExamination, _ place: FoundPlace, storeId: String, isContained: Bool
  ) throws {
    key = [.text(storeId), .text(place.address)]
    try add(stores(store, place, isContained: isContained), to: .stores)
    for finding in store.diagnosis.findings { add(key + self.finding(finding), to: .findings) }
    addEntities(store)
    try addMirror(store)
    try addHistory(store)
  }

  private mutating func add(_ values: [DataValue], to dataset: Dataset) {
    guard let index = Dataset.all.firstIndex(where: { $0.name == dataset.name }) else { return }
    lines[index] += Array(dataset.line(values).utf8)
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

  private func texts(_ texts: [String]) -> DataValue { .array(texts.map(DataValue.text)) }

  // MARK: - The store

  private func stores(_ store: StoreExamination, _ place: FoundPlace, isContained: Bool) throws -> [DataValue]
  {
    let data = store.open.store
    let opened = try store.open.bytes()
    let (diagnosis, summary, history) = (store.diagnosis, store.summary, store.history)
    let newest = max(opened.files.main.modified, opened.files.wal?.modified ?? 0)
    let pending = store.summary?.pending
    let oldest = try pending.flatMap { count in
      1...StoreExamination.mostListed ~= count
        ? try StoreExamination.part { try store.pending?.oldest()?.since } ?? nil : nil
    }
    let version = data.metadata.frameworkVersion
    return key + [
      .text(place.container.rawValue), .optional(place.owner.app), .optional(place.owner.group),
      .optional(place.domain), .optional(place.devicePath), .optional(place.appVersion),
      isContained ? .null : .text(place.address), .optional(data.metadata.uuid), .optional(version),
      .optional(version.map(FrameworkRelease.text)), .text(data.framework), texts(data.versionIdentifiers),
      .optional(modelHash(data)), .integer(opened.files.main.size), .integer(opened.files.wal?.size ?? 0),
      .bool(opened.files.isWALMissing), .count(data.schema.entities.count),
      .optional(store.rows?.values.reduce(0, +)), .optional(store.mirror?.layout.rawValue),
      .optional(summary?.scope?.name), .optional(summary?.records), .optional(summary?.zones),
      .optional(pending), .optional(oldest), .text(store.verdict.state.rawValue),
      .optional(store.verdict.because.isEmpty ? nil : store.verdict.because.joined(separator: " ")),
      .text(store.conclusion.health.rawValue), .count(diagnosis.count(.error)),
      .count(diagnosis.count(.warning)), .count(diagnosis.count(.info)),
      .optional(store.forecast?.verdict.rawValue),
      .optional(store.forecast.map { forecast in forecast.steps.contains { $0.outcome == .wipes } }),
      .optional(history?.transactions), .optional(history?.changes), .optional(history?.first),
      .optional(history?.last), .optional(store.size?.bytes(of: .history)),
      .date(history?.last ?? CoreDataDate(unixSeconds: Double(newest) / 1e9)),
    ]
  }

  private func modelHash(_ store: CoreDataStore) -> String? {
    let hashes = store.metadata.versionHashes
    guard !hashes.isEmpty else { return nil }
    var hash = SHA256()
    for (name, bytes) in hashes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      (Array(name.utf8) + [0] + bytes).withUnsafeBytes { hash.update($0) }
    }
    return Hexadecimal.lowercase(hash.finish())
  }

  private func finding(_ finding: Finding) -> [DataValue] {
    [
      .text(finding.rule.id), .text(finding.rule.severity.rawValue), .text(finding.rule.title),
      .text(finding.message), .count(finding.count), texts(finding.objects),
    ]
  }

  private mutating func addEntities(_ store: StoreExamination) {
    let schema = store.open.store.schema
    var bytes: [String: Int64] = [:]
    for table in store.size?.tables ?? [] where table.kind == .entity { bytes[table.name] = table.all }
    for entity in schema.entities {
      add(
        key + [
          .text(entity.name), .optional(entity.parent.flatMap { schema[$0]?.name }),
          .optional(store.rows.map { $0[entity.number] ?? 0 }),
          .optional(entity.parent == nil ? bytes[entity.table] : nil),
        ], to: .entities)
    }
  }

  // MARK: - The mirror

  private mutating func addMirror(_ store: StoreExamination) throws {
    guard let mirror = store.mirror else { return }
    _ = try StoreExamination.part {
      try EventReader(mirror).forEach { event in
        add(
          key + [
            .text(event.typeName), .optional(event.started), .optional(event.ended),
            event.ended == nil ? .null : .bool(event.succeeded), .optional(event.errorDomain),
            .optional(event.errorCode), .optional(event.errorName), .optional(event.affected),
          ], to: .events)
        return true
      }
    }
    guard let pending = store.pending else { return }
    let groups = try StoreExamination.part { try PendingGroup.all(pending, store.privacy) } ?? []
    for group in groups { add(key + group.values, to: .pending) }
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
      add(
        key + [
          .optional(store.privacy.mask(group.key, .author)), texts(group.bundles.sorted()),
          texts(group.processes.sorted()), .count(group.transactions), .count(group.changes.inserts),
          .count(group.changes.updates), .count(group.changes.deletes), .optional(group.first),
          .optional(group.last),
        ], to: .authors)
    }
    for group in try groups(.day) {
      guard let day = group.key else { continue }
      let changes = group.changes
      add(
        key + [
          .text(day), .count(group.transactions),
          .count(changes.inserts + changes.updates + changes.deletes),
        ], to: .days)
    }
  }
}

/// What is pending for one reason.
private struct PendingGroup {
  private var key: Key
  private var count = 0
  private var oldest: CoreDataDate?
  private var newest: CoreDataDate?

  private struct Key: Hashable, Comparable {
    let kind: PendingItem.Kind
    let entity: String?
    let author: String?
    let reason: String

    private var texts: [String] { [kind.rawValue, entity ?? "", author ?? "", reason] }

    static func < (one: Self, other: Self) -> Bool { one.texts.lexicographicallyPrecedes(other.texts) }
  }

  var values: [DataValue] {
    [
      .text(key.kind.rawValue), .optional(key.entity), .optional(key.author), .text(key.reason),
      .count(count), .optional(oldest), .optional(newest),
    ]
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
