import CloudKitMirror
import SQLite
import StoreModel
package import Values

/// How two mirrors differ: records by their names, zones by name and owner, entries by key.
package struct MirrorComparison: Sendable {
  /// A record that has another state, or is in one store only.
  package struct Move: Sendable, Equatable {
    package var recordName: String
    package var zone: String?
    /// In the other store where that has the record.
    package var uri: String?
    /// Raw values of `RecordState`; nil where a store hasn't the record.
    package var from: String?
    package var to: String?
  }

  /// How many records went from one state to another.
  package struct Transition: Sendable, Hashable {
    package var from: String?
    package var to: String?
  }

  /// Two values of one thing: an entry, or a zone's or database's property.
  package struct Change: Sendable, Equatable {
    package var subject: String
    package var property: String
    package var from: DataValue
    package var to: DataValue
  }

  package var transitions: [Transition: Int] = [:]
  /// The first of them, by name.
  package var moves: [Move] = []
  package static let moveLimit = 10_000
  /// Records by state in each store.
  package var states: [String: (store: Int, other: Int)] = [:]
  package var zones: [Change] = []
  package var databases: [Change] = []
  package var entries: [Change] = []
  /// Events that only the other store has, by type, and how many of them failed; nil for different stores.
  package var newEvents: [String: (count: Int, failures: Int)]?

  /// Nil where neither store is mirrored.
  package init?(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    guard store.mirror != nil || other.mirror != nil else { return nil }
    try compareRecords(store, other, progress)
    zones = Self.changes(Self.zones(store), Self.zones(other))
    databases = Self.changes(Self.databases(store), Self.databases(other))
    entries = Self.changes(Self.entries(store), Self.entries(other))
    if let uuid = store.store.metadata.uuid, uuid == other.store.metadata.uuid {
      newEvents = try Self.newEvents(store, other)
    }
  }

  package var isEmpty: Bool {
    transitions.isEmpty && zones.isEmpty && databases.isEmpty && entries.isEmpty
      && newEvents?.isEmpty ?? true
  }

  // MARK: Records

  private struct Record {
    var key: Int64
    var zone: String?
    var state: String
  }

  private mutating func compareRecords(
    _ store: ComparedStore, _ other: ComparedStore, _ progress: (String) -> Void
  ) throws {
    var collector = self
    let lookups = (try Self.lookup(store), try Self.lookup(other))
    try NameMerge.forEach(
      Self.cursor(store), Self.cursor(other),
      row: { row, isOther in
        progress("comparing records")
        let record = Record(key: row.integer(1), zone: row.optionalText(2), state: row.text(3))
        var count = collector.states[record.state] ?? (0, 0)
        if isOther { count.other += 1 } else { count.store += 1 }
        collector.states[record.state] = count
        return record
      }
    ) { ours, theirs in
      var theirs = theirs
      func add(_ one: Record?, _ two: Record?) throws {
        guard one?.state != two?.state else { return }
        collector.transitions[Transition(from: one?.state, to: two?.state), default: 0] += 1
        guard collector.moves.count < Self.moveLimit, let record = two ?? one,
          let lookup = two == nil ? lookups.0 : lookups.1, try lookup.find(record.key)
        else { return }
        collector.moves.append(
          Move(
            recordName: lookup.row.text(0), zone: record.zone, uri: lookup.row.optionalText(1),
            from: one?.state, to: two?.state))
      }
      // A made-up store could have all its records under one name, where no two belong together.
      let isUsual = ours.count < 1000 && theirs.count < 1000
      let isSingle = ours.count == 1 && theirs.count == 1
      for one in ours {
        let index = isSingle ? 0 : isUsual ? theirs.firstIndex { $0.zone == one.zone } : nil
        try add(one, index.map { theirs.remove(at: $0) })
      }
      for two in theirs { try add(nil, two) }
    }
    self = collector
  }

  /// Without records, a statement that has no rows.
  private static func cursor(_ store: ComparedStore) throws -> Cursor {
    guard store.mirror?.tables.has(.records) == true else { return try store.cursor("SELECT 1 WHERE 0") }
    return try store.cursor(
      """
      SELECT record_name, pk, zone, state FROM temp.records WHERE record_name IS NOT NULL
      ORDER BY record_name COLLATE BINARY
      """)
  }

  private static func lookup(_ store: ComparedStore) throws -> Cursor? {
    guard store.mirror?.tables.has(.records) == true else { return nil }
    return try store.cursor("SELECT record_name, uri FROM temp.records WHERE pk = ?")
  }

  // MARK: Small tables

  private typealias Subjects = [String: [(String, DataValue)]]

  /// What differs, by subject and then in the order of the properties. A subject that one store lacks has one change,
  /// `present`.
  private static func changes(_ ours: Subjects, _ theirs: Subjects) -> [Change] {
    Set(ours.keys).union(theirs.keys).sorted().flatMap { subject -> [Change] in
      guard let one = ours[subject], let two = theirs[subject] else {
        return [
          Change(
            subject: subject, property: "present", from: .bool(ours[subject] != nil),
            to: .bool(theirs[subject] != nil))
        ]
      }
      return zip(one, two).compactMap { one, two in
        one.1 == two.1 ? nil : Change(subject: subject, property: one.0, from: one.1, to: two.1)
      }
    }
  }

  private static func zones(_ store: ComparedStore) -> Subjects {
    let zones = (store.mirror?.zones ?? []).map { zone -> (String, [(String, DataValue)]) in
      var properties: [(String, DataValue)] = [
        ("records", .count(zone.records)), ("token", token(zone.changeToken)),
        ("lastFetch", .optional(zone.lastFetch)), ("shareBytes", .optional(zone.shareBytes)),
      ]
      for (bit, name) in MirrorZone.Flags.names.enumerated() {
        properties.append((name, .bool(zone.flags.contains(.init(rawValue: 1 << UInt16(bit))))))
      }
      return ([zone.name, zone.owner].compactMap(\.self).joined(separator: " of "), properties)
    }
    return Dictionary(zones, uniquingKeysWith: { $1 })
  }

  private static func databases(_ store: ComparedStore) -> Subjects {
    let databases = (store.mirror?.databases ?? []).map { database -> (String, [(String, DataValue)]) in
      (
        database.scope?.name ?? database.name ?? "unknown",
        [
          ("hasSubscription", .bool(database.hasSubscription)), ("token", token(database.changeToken)),
          ("lastFetch", .optional(database.lastFetch)),
        ]
      )
    }
    return Dictionary(databases, uniquingKeysWith: { $1 })
  }

  private static func entries(_ store: ComparedStore) -> Subjects {
    let entries = (store.mirror?.entries.all ?? []).map { ($0.key, [("value", $0.value)]) }
    return Dictionary(entries, uniquingKeysWith: { $1 })
  }

  /// A token says nothing to anybody but the server; a mark of it tells whether it moved.
  private static func token(_ token: ChangeTokenState) -> DataValue {
    switch token {
    case .none: .null
    case .token(let token):
      .text(String(token.bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) }.prefix(16)))
    case .unreadable(let bytes, _): .text("unreadable: \(bytes) bytes")
    }
  }

  private static func newEvents(
    _ store: ComparedStore, _ other: ComparedStore
  ) throws -> [String: (count: Int, failures: Int)] {
    var last = Int64.min
    if let mirror = store.mirror {
      try store.naming {
        try EventReader(mirror).forEach(reversed: true) { event in
          last = event.primaryKey
          return false
        }
      }
    }
    var events: [String: (count: Int, failures: Int)] = [:]
    guard let mirror = other.mirror else { return events }
    try other.naming {
      try EventReader(mirror).forEach(reversed: true) { event in
        guard event.primaryKey > last else { return false }
        events[event.typeName, default: (0, 0)].count += 1
        if event.hasFailed { events[event.typeName, default: (0, 0)].failures += 1 }
        return true
      }
    }
    return events
  }
}
