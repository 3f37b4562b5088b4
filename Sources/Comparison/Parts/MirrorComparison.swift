import Archives
package import Base
import Lens
import StoreModel

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
  /// The first ten thousand of them.
  package var moves: [Move] = []
  /// Records by state in each store.
  package var states: [String: (store: Int, other: Int)] = [:]
  package var zones: [Change] = []
  package var databases: [Change] = []
  package var entries: [Change] = []
  /// Rows of the mirror's other tables, by their names in SQL.
  package var tables: [Change] = []
  /// Nil for different stores, whose logs have nothing to do with each other.
  package var events: EventComparison?

  /// Nil where neither store is mirrored.
  package init?(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    guard store.mirror != nil || other.mirror != nil else { return nil }
    let records = try RecordComparison(store, other, progress: progress)
    transitions = records.transitions
    moves = records.moves
    states = records.states
    zones = try Self.changes(Self.zones(store), Self.zones(other))
    databases = try Self.changes(Self.databases(store), Self.databases(other))
    entries = try Self.changes(Self.entries(store), Self.entries(other))
    if let uuid = store.store.metadata.uuid, uuid == other.store.metadata.uuid {
      let rows = (try Self.rows(store), try Self.rows(other))
      tables = Set(rows.0.keys).union(rows.1.keys).sorted().compactMap { table in
        // Layouts have different tables: none is the same as an empty one.
        let (from, to) = (rows.0[table] ?? 0, rows.1[table] ?? 0)
        return from == to
          ? nil : Change(subject: table, property: "rows", from: .count(from), to: .count(to))
      }
      events = try EventComparison(store, other, progress: progress)
    }
  }

  /// Whether nothing differs.
  package var isEmpty: Bool {
    transitions.isEmpty && zones.isEmpty && databases.isEmpty && entries.isEmpty
      && tables.isEmpty && events?.isEmpty ?? true
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

  private static func zones(_ store: ComparedStore) throws -> Subjects {
    let zones = (try store.mirror?.zones ?? []).map { zone -> (String, [(String, DataValue)]) in
      var properties: [(String, DataValue)] = [
        ("records", .count(zone.records)), ("token", token(zone.changeToken)),
        ("lastFetch", .optional(zone.lastFetch)), ("shareBytes", .optional(zone.shareBytes)),
      ]
      properties += MirrorZone.Flag.allCases.map { ($0.rawValue, DataValue.bool(zone.flags.contains($0))) }
      return ([zone.name, zone.owner].compactMap(\.self).joined(separator: " of "), properties)
    }
    return Dictionary(zones, uniquingKeysWith: { $1 })
  }

  private static func databases(_ store: ComparedStore) throws -> Subjects {
    let databases = (try store.mirror?.databases ?? []).map { database -> (String, [(String, DataValue)]) in
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

  private static func entries(_ store: ComparedStore) throws -> Subjects {
    let entries = (try store.mirror?.entries.all ?? []).map { ($0.key, [("value", $0.value)]) }
    return Dictionary(entries, uniquingKeysWith: { $1 })
  }

  /// A token means nothing to anybody but the server; a mark of it shows whether it moved.
  private static func token(_ token: ChangeTokenState) -> DataValue {
    switch token {
    case .none: .null
    case .token(let token):
      .text(String(token.bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) }.prefix(16)))
    case .unreadable(let bytes, _): .text("unreadable: \(bytes) bytes")
    }
  }

  /// Of the tables that aren't compared in any other way.
  private static func rows(_ store: ComparedStore) throws -> [String: Int] {
    let compared: [FrameworkTable] = [.records, .zones, .databases, .metadataEntries, .events]
    return try store.naming {
      try FrameworkTableRows.names(in: store.store).reduce(into: [:]) { rows, name in
        let known = FrameworkTable(rawValue: name.uppercased())
        guard known.map({ !$0.isHistory && !compared.contains($0) }) ?? true else { return }
        rows[name.uppercased()] = try FrameworkTableRows(named: name, in: store.store).count()
      }
    }
  }
}

/// How the logs of two states of a store differ, by the events' keys and identifiers. The framework shortens the log now
/// and then, so that gone events needn't mean anything.
package struct EventComparison: Sendable {
  package struct Count: Sendable, Equatable {
    package var all = 0
    /// How many of them failed.
    package var failures = 0
  }

  package typealias Counts = [String: Count]

  /// By type: events that only the other store has, those that only the store has, and those that have ended since.
  package private(set) var new: Counts = [:]
  package private(set) var gone: Counts = [:]
  package private(set) var changed: Counts = [:]

  init(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    func reader(_ store: ComparedStore) throws -> () throws -> MirrorEvent? {
      let next = try store.naming { try store.mirror.map { try EventReader($0).events() } }
      return { try next.flatMap { next in try store.naming(next) } }
    }
    let (nextOfStore, nextOfOther) = (try reader(store), try reader(other))
    var (one, two) = (try nextOfStore(), try nextOfOther())
    while let key = [one, two].compactMap({ $0?.primaryKey }).min() {
      progress("comparing events")
      let (ours, theirs) = (one?.primaryKey == key ? one : nil, two?.primaryKey == key ? two : nil)
      add(ours, theirs)
      if ours != nil { one = try nextOfStore() }
      if theirs != nil { two = try nextOfOther() }
    }
  }

  /// Whether both logs hold the same.
  package var isEmpty: Bool { new.isEmpty && gone.isEmpty && changed.isEmpty }

  /// The events of one key.
  private mutating func add(_ ours: MirrorEvent?, _ theirs: MirrorEvent?) {
    if let ours, let theirs, ours.id == theirs.id {
      if ours != theirs { Self.count(theirs, in: &changed) }
      return
    }
    // Two copies of a store that both went on number their events alike.
    if let ours { Self.count(ours, in: &gone) }
    if let theirs { Self.count(theirs, in: &new) }
  }

  private static func count(_ event: MirrorEvent, in counts: inout Counts) {
    counts[event.typeName, default: Count()].all += 1
    if event.hasFailed { counts[event.typeName, default: Count()].failures += 1 }
  }
}
