import Lens
import SQLite
import StoreModel

/// Compares the records of two mirrors, by their names and, of records of one name, by their zones.
struct RecordComparison {
  typealias Move = MirrorComparison.Move
  typealias Transition = MirrorComparison.Transition

  private(set) var transitions: [Transition: Int] = [:]
  private(set) var moves: [Move] = []
  private(set) var states: [String: (store: Int, other: Int)] = [:]
  private var lookups: (store: Cursor?, other: Cursor?)

  private static let moveLimit = 10_000
  /// Records that only one state has, where they are compared by key.
  private static let leftoverLimit = 10_000

  private struct Record {
    var key: Int64
    var zone: String?
    var state: String
  }

  init(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    lookups = (try Self.lookup(store), try Self.lookup(other))
    let step = { progress("comparing records") }
    // The rows of one store's records have the same keys in all its states, and are read faster in that order.
    var byKey = self
    if let uuid = store.store.metadata.uuid, uuid == other.store.metadata.uuid,
      try byKey.compareByKey(Self.cursor(store, by: "row"), Self.cursor(other, by: "row"), step)
    {
      self = byKey
    } else {
      let order = "recordName COLLATE BINARY"
      try compareByName(Self.cursor(store, by: order), Self.cursor(other, by: order), step)
    }
  }

  /// Without records, a statement that has no rows.
  private static func cursor(_ store: ComparedStore, by order: String) throws -> Cursor {
    guard store.mirror?.tables.has(.records) == true else { return try store.cursor("SELECT 1 WHERE 0") }
    return try store.cursor(
      "SELECT recordName, records.row, zone, state FROM temp.records WHERE recordName IS NOT NULL ORDER BY \(order)"
    )
  }

  private static func lookup(_ store: ComparedStore) throws -> Cursor? {
    guard store.mirror?.tables.has(.records) == true else { return nil }
    return try store.cursor("SELECT recordName, uri FROM temp.records WHERE records.row = ?")
  }

  private mutating func read(_ row: Statement, isOther: Bool) -> Record {
    let record = Record(key: row.integer(1), zone: row.optionalText(2), state: row.text(3))
    states[record.state, default: (0, 0)].store += isOther ? 0 : 1
    states[record.state, default: (0, 0)].other += isOther ? 1 : 0
    return record
  }

  private mutating func add(_ one: Record?, _ two: Record?) throws {
    guard one?.state != two?.state else { return }
    transitions[Transition(from: one?.state, to: two?.state), default: 0] += 1
    guard moves.count < Self.moveLimit, let record = two ?? one,
      let lookup = two == nil ? lookups.store : lookups.other, try lookup.find(record.key)
    else { return }
    moves.append(
      Move(
        recordName: lookup.row.text(0), zone: record.zone, uri: lookup.row.optionalText(1),
        from: one?.state, to: two?.state))
  }

  // MARK: By key

  /// False where one key has different names, or too many keys are in one state only: then names must tell.
  private mutating func compareByKey(_ ours: Cursor, _ theirs: Cursor, _ step: () -> Void) throws -> Bool {
    var leftovers: (store: [String: [Record]], other: [String: [Record]]) = ([:], [:])
    var count = 0
    var hasOurs = try ours.next()
    var hasTheirs = try theirs.next()
    while hasOurs || hasTheirs {
      step()
      let (key, otherKey) = (ours.row.integer(1), theirs.row.integer(1))
      if hasOurs, hasTheirs, key == otherKey {
        guard ours.row.cell(0).holdsSame(as: theirs.row.cell(0)) else { return false }
        try add(read(ours.row, isOther: false), read(theirs.row, isOther: true))
        hasOurs = try ours.next()
        hasTheirs = try theirs.next()
      } else if hasOurs, !hasTheirs || key < otherKey {
        leftovers.store[ours.row.text(0), default: []].append(read(ours.row, isOther: false))
        hasOurs = try ours.next()
        count += 1
      } else {
        leftovers.other[theirs.row.text(0), default: []].append(read(theirs.row, isOther: true))
        hasTheirs = try theirs.next()
        count += 1
      }
      guard count <= Self.leftoverLimit else { return false }
    }
    for name in Set(leftovers.store.keys).union(leftovers.other.keys).sorted() {
      try pair(leftovers.store[name] ?? [], leftovers.other[name] ?? [])
    }
    return true
  }

  // MARK: By name

  private mutating func compareByName(_ ours: Cursor, _ theirs: Cursor, _ step: () -> Void) throws {
    var collector = self
    try NameMerge.forEach(
      ours, theirs,
      row: { row, isOther in
        step()
        return collector.read(row, isOther: isOther)
      }, { try collector.pair($0, $1) })
    self = collector
  }

  /// Records of one name in each.
  private mutating func pair(_ ours: [Record], _ theirs: [Record]) throws {
    var theirs = theirs
    // A made-up store could have all its records under one name, where no two belong together.
    let isUsual = ours.count < 1000 && theirs.count < 1000
    let isSingle = ours.count == 1 && theirs.count == 1
    for one in ours {
      let index = isSingle ? 0 : isUsual ? theirs.firstIndex { $0.zone == one.zone } : nil
      try add(one, index.map { theirs.remove(at: $0) })
    }
    for two in theirs { try add(nil, two) }
  }
}
