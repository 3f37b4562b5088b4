import SQLite
import StoreModel

/// The mirror's views, for the tables and columns that a store has. Each lies in a file of its own.
package struct MirrorViews {
  let tables: FrameworkTables
  let objects: ObjectLookup
  /// Whether an index leads from an object, or from a name, to its record. Without one each look reads all records.
  let findsRecordsByObject: Bool
  let findsRecordsByName: Bool
  /// `recordsView`, made once: most of what is read of a mirror asks it.
  package private(set) var records: View?

  init(_ store: CoreDataStore, _ tables: FrameworkTables) throws {
    self.tables = tables
    objects = ObjectLookup(store)
    let hasKeys = ["ZENTITYID", "ZENTITYPK", "ZCKRECORDNAME"].allSatisfy { tables.has(.records, $0) }
    let indexed = hasKeys ? try store.connection.indexedColumns(of: FrameworkTable.records.rawValue) : []
    findsRecordsByObject = indexed.contains("ZENTITYID")
    findsRecordsByName = indexed.contains("ZCKRECORDNAME")
    records = recordsView
  }

  /// Of a store that has everything: for help and documentation.
  private init() {
    tables = .complete
    objects = ObjectLookup()
    findsRecordsByObject = true
    findsRecordsByName = true
    records = recordsView
  }

  /// Every view that is the same in all stores, with its columns.
  package static let documented: [View] =
    [.transactions(.complete), .changes(.complete)] + MirrorViews().all + [.entities, .properties, .views]

  /// Those whose tables the store has.
  package var all: [View] {
    [records, links, zones, databases, events, failures, metadataEntries, shares, moveReceipts, pending]
      .compactMap(\.self)
  }

  /// The name of the zone with that key.
  func zone(_ reference: String) -> String {
    guard tables.has(.zones) else { return "NULL" }
    let name = tables.sql(.zones, "ZCKRECORDZONENAME", "z")
    return "(SELECT \(name) FROM main.ANSCKRECORDZONEMETADATA z WHERE z.Z_PK = \(reference))"
  }

  /// The scope of the database with that key.
  func scope(_ reference: String) -> String {
    guard tables.has(.databases) else { return "NULL" }
    let number = tables.sql(.databases, "ZDATABASESCOPENUM", "d")
    return "(SELECT \(Self.scopeName(number)) FROM main.ANSCKDATABASEMETADATA d WHERE d.Z_PK = \(reference))"
  }

  static func scopeName(_ number: String) -> String {
    let names = DatabaseScope.allCases.map { "WHEN \($0.rawValue) THEN '\($0.name)'" }
    return "CASE \(number) \(names.joined(separator: " ")) END"
  }
}

extension MirrorViews {
  /// One row per many-to-many link that the mirror knows.
  package var links: View? {
    guard tables.has(.links) else { return nil }
    func column(_ name: String) -> String { tables.sql(.links, name, "l") }
    func flag(_ name: String) -> String { tables.flag(.links, name, "l") }
    return View(
      "links", rows: "link of a many-to-many relationship, a record of its own on the server",
      [
        .init("recordName", .text, "the link's own record", column("ZCKRECORDID")),
        .init("zone", .text, "the zone's name", zone(column("ZRECORDZONE"))).named(.zone),
        .init("entity", .text, "the entity at one end", column("ZCDENTITYNAME")).named(.structure),
        .init("objectRecord", .text, "the record of the object there", column("ZRECORDNAME")),
        .init("relationship", .text, "the relationship", column("ZRELATIONSHIPNAME")).named(.structure),
        .init("relatedEntity", .text, "the entity at the other end", column("ZRELATEDENTITYNAME")).named(
          .structure),
        .init("relatedRecord", .text, "the record of the object there", column("ZRELATEDRECORDNAME")),
        .init("isUploaded", .bool, "the server has the same version", flag("ZISUPLOADED")).open,
        .init("isPending", .bool, "an object at one of its ends isn't here yet", flag("ZISPENDING")).open,
        .init("needsDelete", .bool, "it was removed here", flag("ZNEEDSDELETE")).open,
        .init(
          "objectKnown", .bool, "a record with that name exists, in any zone",
          hasRecord(column("ZRECORDNAME"))
        ).open,
        .init("relatedKnown", .bool, "the same at the other end", hasRecord(column("ZRELATEDRECORDNAME")))
          .open,
        .init("row", .integer, "the key of the mirror's row", "l.Z_PK").open,
        .init("zoneRow", .integer, "the key of the zone's row", column("ZRECORDZONE")).open,
      ], from: "main.ANSCKMIRROREDRELATIONSHIP l")
  }

  /// `IN` uses the index of the names, and makes one where it is missing.
  private func hasRecord(_ name: String) -> String {
    guard tables.has(.records, "ZCKRECORDNAME") else { return "0" }
    return "COALESCE(\(name) IN (SELECT m.ZCKRECORDNAME FROM main.ANSCKRECORDMETADATA m), 0)"
  }
}

extension MirrorViews {
  /// One row per record that moved to another zone.
  package var moveReceipts: View? {
    guard tables.has(.moveReceipts) else { return nil }
    func column(_ name: String) -> String { tables.sql(.moveReceipts, name, "r") }
    let record = column("ZRECORDMETADATA")
    func object(_ name: String) -> String {
      guard tables.has(.records, name) else { return "NULL" }
      return "(SELECT m.\(name) FROM main.ANSCKRECORDMETADATA m WHERE m.Z_PK = \(record))"
    }
    let entity = object("ZENTITYID")
    let key = object("ZENTITYPK")
    return View(
      "moveReceipts", rows: "record that moved to another zone",
      [
        .init("recordName", .text, "its name in the zone it left", column("ZRECORDNAME")),
        .init("zone", .text, "the zone it left", column("ZZONENAME")).named(.zone),
        .init("owner", .text, "whose zone that is", column("ZOWNERNAME")).named(.owner),
        .init(
          "needsCloudDelete", .bool, "it must still be deleted there",
          tables.flag(.moveReceipts, "ZNEEDSCLOUDDELETE", "r")
        ).open,
        .init("movedAt", .date, "when it moved", column("ZMOVEDAT")).open,
        .init("entity", .text, "the object's entity", "model_entity(\(entity))").open,
        .init("pk", .integer, "the object's primary key", key).open,
        .init("uri", .uri, "the object's URI", "model_uri(\(entity), \(key))").open,
        .init("row", .integer, "the key of the mirror's row", "r.Z_PK").open,
        .init("recordRow", .integer, "the row of the object's record", record).open,
        .init("entityNumber", .integer, "the number of the object's entity", entity).open,
      ], from: "main.ANSCKRECORDZONEMOVERECEIPT r")
  }
}

extension MirrorViews {
  /// One row per relationship that an import couldn't set yet, as its target wasn't here. For a rule; no view for SQL.
  package var importedRelationships: View? {
    guard tables.has(.pendingRelationships) else { return nil }
    func column(_ name: String) -> String { tables.sql(.pendingRelationships, name, "p") }
    let imported =
      tables.has(.importOperations, "ZIMPORTDATE")
      ? "(SELECT o.ZIMPORTDATE FROM main.ANSCKIMPORTOPERATION o WHERE o.Z_PK = \(column("ZOPERATION")))"
      : "NULL"
    return View(
      "importedRelationships", rows: "imported relationship whose target isn't here yet",
      [
        .init("row", .integer, "the key of the mirror's row", "p.Z_PK"),
        .init("imported", .date, "when the import ran", imported),
        .init("entity", .text, "the entity at one end", column("ZCDENTITYNAME")),
        .init("recordName", .text, "the record of the object there", column("ZRECORDNAME")),
        .init("zone", .text, "that record's zone", column("ZRECORDZONENAME")),
        .init("relationship", .text, "the relationship", column("ZRELATIONSHIPNAME")),
        .init("relatedEntity", .text, "the entity at the other end", column("ZRELATEDENTITYNAME")),
        .init("relatedRecord", .text, "the record of the object there", column("ZRELATEDRECORDNAME")),
      ], from: "main.ANSCKIMPORTPENDINGRELATIONSHIP p")
  }
}
