import SQLite
import StoreModel

/// The mirror's views, for the tables and columns that a store has. Each lies in a file of its own.
package struct MirrorViews {
  let tables: MirrorTables
  let objects: ObjectLookup
  /// Nil where the store keeps no transactions, or transactions without keys.
  let history: HistoryTables?
  /// Whether an index leads from an object, or from a name, to its record. Without one each look reads all records.
  let findsRecordsByObject: Bool
  let findsRecordsByName: Bool

  init(_ store: CoreDataStore, _ tables: MirrorTables) throws {
    self.tables = tables
    objects = ObjectLookup(store)
    let history = try HistoryTables(transactionsIn: store.connection)
    self.history = history.flatMap { $0.transactionColumns.contains("Z_PK") ? $0 : nil }
    let leading = try store.connection.rows(
      """
      SELECT UPPER(c.name) FROM pragma_index_list('ANSCKRECORDMETADATA', 'main') i, pragma_index_info(i.name, 'main') c
      WHERE c.seqno = 0 AND c.name IS NOT NULL
      """
    ) { $0.text(0) }
    let hasKeys = ["ZENTITYID", "ZENTITYPK", "ZCKRECORDNAME"].allSatisfy { tables.has(.records, $0) }
    findsRecordsByObject = hasKeys && leading.contains("ZENTITYID")
    findsRecordsByName = hasKeys && leading.contains("ZCKRECORDNAME")
  }

  /// Of a store that has everything: for help and documentation.
  private init() {
    tables = .complete
    objects = ObjectLookup()
    history = .complete
    findsRecordsByObject = true
    findsRecordsByName = true
  }

  /// Every view that is the same in all stores, with its columns.
  package static let documented: [View] =
    [.transactions(.complete), .changes(.complete)] + MirrorViews().all + [.entities, .properties, .views]

  /// Those whose tables the store has.
  package var all: [View] {
    [records, links, zones, databases, events, metadataEntries, shares, moveReceipts, pending].compactMap(
      \.self)
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
