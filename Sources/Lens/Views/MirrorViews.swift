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
