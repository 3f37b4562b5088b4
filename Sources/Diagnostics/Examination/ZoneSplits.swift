import Lens
import SQLite
import StoreModel

/// Relationships between objects whose records are in different zones of one database. Exports can't refer from one zone
/// to another: https://developer.apple.com/documentation/cloudkit/ckrecord/reference
struct ZoneSplits {
  struct Split {
    /// `Note.folder`
    var relationship: String
    var object: ObjectKey
    var zone: MirrorZone
    var related: ObjectKey
    var relatedZone: MirrorZone
  }

  /// Enough to name the first and count the rest.
  static let limit = 1_000

  private let mirror: Mirror
  private let zones: [Int64: MirrorZone]
  private let names: EntityNames

  init(_ mirror: Mirror) throws {
    self.mirror = mirror
    zones = Dictionary(try mirror.zones.map { ($0.primaryKey, $0) }) { first, _ in first }
    names = EntityNames(mirror.store)
  }

  /// All of them, or those of one object.
  func all(of object: ObjectKey? = nil, limit: Int = limit) throws -> [Split] {
    var splits: [Split] = []
    guard zones.values.count(where: { $0.records > 0 }) > 1, let records = mirror.views.records else {
      return splits
    }
    // Looked up by the index of an object's end or the other's; one condition for both ends would use neither.
    let conditions =
      object.map { key in
        ["o", "d"].map { "AND \($0).Z_ENT = \(key.entity) AND \($0).Z_PK = \(key.primaryKey)" }
      } ?? [""]
    let record =
      "(\(records.select(["entityNumber", "pk", "zoneRow", "needsCloudDelete"], "WHERE NOT needsCloudDelete")))"
    func read(_ tables: String, _ relationship: String, _ owners: NumberRanges?) throws {
      for condition in conditions where splits.count < limit {
        let statement = try mirror.store.connection.prepare(
          """
          SELECT o.Z_ENT, o.Z_PK, a.zoneRow, d.Z_ENT, d.Z_PK, b.zoneRow FROM \(tables)
          JOIN \(record) a ON a.entityNumber = o.Z_ENT AND a.pk = o.Z_PK
          JOIN \(record) b ON b.entityNumber = d.Z_ENT AND b.pk = d.Z_PK
          WHERE a.zoneRow <> b.zoneRow \(condition)
          """)
        while splits.count < limit, try statement.step() {
          guard owners?.contains(statement.integer(0)) ?? true,
            let zone = zones[statement.integer(2)], let other = zones[statement.integer(5)],
            zone.isSplit(from: other)
          else { continue }
          splits.append(
            Split(
              relationship: relationship,
              object: ObjectKey(entity: statement.integer(0), primaryKey: statement.integer(1)), zone: zone,
              related: ObjectKey(entity: statement.integer(3), primaryKey: statement.integer(4)),
              relatedZone: other))
        }
      }
    }
    for key in KeyColumn.all(in: mirror.store) {
      let column = quotedIdentifier(key.column)
      try read(
        "main.\(quotedIdentifier(key.table)) o JOIN main.\(quotedIdentifier(key.target.table)) d ON d.Z_PK = o.\(column)",
        key.relationship, key.owners)
    }
    for table in JoinTable.all(in: mirror.store) {
      let (own, other) = (table.ends[0], table.ends[1])
      let columns = [own, other].map { "j.\(quotedIdentifier($0.column))" }
      // A relationship that is its own inverse has two rows per pair.
      let once = other.mayBeDead ? " AND \(columns[0]) < \(columns[1])" : ""
      try read(
        """
        main.\(quotedIdentifier(table.table)) j
        JOIN main.\(quotedIdentifier(own.target.table)) o ON o.Z_PK = \(columns[0])\(once)
        JOIN main.\(quotedIdentifier(other.target.table)) d ON d.Z_PK = \(columns[1])
        """, table.relationship, nil)
    }
    return splits
  }

  /// `Note/p1 in zone 'A' and Folder/p1 in zone 'B' (Note.folder)`
  func words(_ split: Split) -> String {
    "\(name(split.object)) in \(words(split.zone)) and \(name(split.related)) in \(words(split.relatedZone)) (\(split.relationship))"
  }

  func uri(_ key: ObjectKey) -> String? { names.uri(key.entity, key.primaryKey) }

  private func name(_ key: ObjectKey) -> String {
    "\(mirror.store.entityName(ofNumber: key.entity))/p\(key.primaryKey)"
  }

  private func words(_ zone: MirrorZone) -> String {
    zone.name.map { "zone '\($0)'" } ?? "a zone without a name"
  }

  /// What an export that fails with it is about; nil if no objects are split.
  func cause() throws -> String? {
    let splits = try all()
    guard let first = splits.first else { return nil }
    let more = splits.count - 1
    let count = splits.count == Self.limit ? "at least \(more)" : "\(more)"
    let rest = more > 0 ? ", and \(count) more \(more == 1 ? "pair" : "pairs")" : ""
    return "related objects are in different record zones: \(words(first))\(rest)"
  }

  static let fix = """
    In the app, bring related objects into one zone: share them together, as share(_:to:) does if it is given all of \
    them, or remove the relationship; then save. 'storescope doctor STORE --rule relationship-across-zones' lists them.
    """

  /// The errors that exports fail with then, and later setups.
  static let codes: Set<Int64> = [134040, 134060]
}

extension MirrorZone {
  /// Two rows of one zone aren't two zones, and nothing relates to what is in another database.
  fileprivate func isSplit(from other: MirrorZone) -> Bool {
    scope == other.scope
      && (name, owner ?? Self.currentOwner) != (other.name, other.owner ?? Self.currentOwner)
  }
}
