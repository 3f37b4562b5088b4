import Bulk
import Forge
import SQLite
import StoreModel
import Values

/// Mirrors of a million records: `pending` with five million changes, against the shell's joins for the same
/// questions; `doctor` with twenty million, against the shell reading every column of the same tables.
enum MillionRecords {
  static let forgeOption = "--forge-mirror"
  private static let records = 1_000_000

  static func measure(_ storescope: String, in folder: String) throws {
    try measurePending(storescope, try forged(5_000_000, in: folder))
    try measureDoctor(storescope, try forged(20_000_000, in: folder))
  }

  private static func forged(_ changes: Int, in folder: String) throws -> String {
    let store = folder + "/mirror-\(changes).store"
    let forge = Process.run(CommandLine.arguments[0], [forgeOption, store, "\(changes)"])
    guard forge.status == 0 else { throw StoreScopeError(.failed, "The store \(store) could not be forged.") }
    return store
  }

  private static func measurePending(_ storescope: String, _ store: String) throws {
    let command = ["pending", store, "--format", "csv", "--quiet"]
    try Comparison(
      (storescope, command), against: ("sqlite3", ["-csv", store, causes + joins]), rounds: 3
    ).report("pending of 1,000,000 records and 5,000,000 changes, against sqlite3's joins")
    try Comparison(
      (storescope, command + ["--no-causes"]), against: ("sqlite3", ["-csv", store, joins]), rounds: 3
    ).report("the same without since when and because of whom")
    let full = Process.run(storescope, ["pending", store, "--json", "--quiet"])
    print("memory of pending as json: \(full.peakBytes / 1_000_000) MB")
  }

  private static func measureDoctor(_ storescope: String, _ store: String) throws {
    let connection = try Connection(path: store, options: .overlay())
    let everything = try ["ZITEM", "ANSCKRECORDMETADATA", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"].map
    { table in
      let columns = try connection.columns(of: table).map { "TOTAL(LENGTH(\($0.name)))" }
      return "SELECT \(columns.joined(separator: ", ")) FROM \(table);"
    }.joined(separator: "\n")
    connection.close()
    try Comparison(
      (storescope, ["doctor", store, "--json", "--quiet", "--fail-on", "never"]),
      against: ("sqlite3", ["-csv", store, everything]), rounds: 3
    ).report(
      "doctor of 1,000,000 objects and records and 20,000,000 changes, against sqlite3 reading it all once")
  }

  /// Since when each flagged record waits, and who caused it: the first change by the app after its last export.
  private static let causes = """
    SELECT m.Z_PK, MIN(t.Z_PK), t.ZTIMESTAMP, a.ZNAME FROM ACHANGE c
      JOIN ANSCKRECORDMETADATA m ON m.ZENTITYID = c.ZENTITY AND m.ZENTITYPK = c.ZENTITYPK
      JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS
      WHERE m.ZNEEDSUPLOAD = 1 AND c.ZTRANSACTIONID > COALESCE(m.ZLASTEXPORTEDTRANSACTIONNUMBER, 0)
        AND COALESCE(a.ZNAME, '') NOT LIKE 'NSCloudKitMirroringDelegate.%'
      GROUP BY m.Z_PK;

    """

  /// What is pending: flagged records, links, objects changed by the app after the token, objects without a record. The
  /// token's transaction is the newest that isn't the last thousand's author.
  private static let joins = """
    SELECT ZENTITYID, ZENTITYPK, ZCKRECORDNAME FROM ANSCKRECORDMETADATA WHERE ZNEEDSUPLOAD = 1;
    SELECT COUNT(*) FROM ANSCKMIRROREDRELATIONSHIP WHERE COALESCE(ZISUPLOADED, 0) = 0 OR ZNEEDSDELETE = 1;
    SELECT c.ZENTITY, c.ZENTITYPK, MIN(t.Z_PK), MIN(t.ZTIMESTAMP), a.ZNAME FROM ATRANSACTION t
      JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS
      LEFT JOIN ANSCKRECORDMETADATA m ON m.ZENTITYID = c.ZENTITY AND m.ZENTITYPK = c.ZENTITYPK
      WHERE t.Z_PK > (SELECT MAX(Z_PK) - 1000 FROM ATRANSACTION)
        AND COALESCE(a.ZNAME, '') NOT LIKE 'NSCloudKitMirroringDelegate.%' AND COALESCE(m.ZNEEDSUPLOAD, 0) = 0
      GROUP BY c.ZENTITY, c.ZENTITYPK;
    SELECT r.Z_ENT, r.Z_PK FROM ZITEM r LEFT JOIN ANSCKRECORDMETADATA m
      ON m.ZENTITYID = r.Z_ENT AND m.ZENTITYPK = r.Z_PK WHERE m.Z_PK IS NULL;
    SELECT COUNT(*) FROM ANSCKRECORDMETADATA m LEFT JOIN ZITEM r ON r.Z_PK = m.ZENTITYPK WHERE r.Z_PK IS NULL;
    """

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Item",
      attributes: [
        AttributeDescription(name: "title", type: .string), AttributeDescription(name: "at", type: .date),
      ])
  ])

  /// `benchmark --forge-mirror PATH CHANGES`
  static func forge() throws {
    guard CommandLine.arguments.count == 4, let changes = Int(CommandLine.arguments[3]) else {
      throw StoreScopeError(.failed, "'\(forgeOption)' takes a path and a number of changes.")
    }
    let forge = try StoreForge(path: CommandLine.arguments[2], model: model)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    var keys: ClosedRange<Int64> = 1...1
    try BulkForge.fill(forge) { bulk in
      keys = try bulk.insert("Item", count: records, ["title": "'Item ' || i", "at": "700000000.5 + i"])
      try bulk.record(BulkForge.Changes(.insert, of: "Item", keys: keys, count: records, perTransaction: 100))
      try bulk.record(updates(changes - records - 100_000, keys))
    }
    try BulkMirror.register(BulkMirror.Records(of: "Item", keys: keys), in: mirror)
    try forge.checkpoint()
    try BulkForge.fill(forge) { bulk in try bulk.record(updates(100_000, keys)) }
    try forge.close()
  }

  private static func updates(_ count: Int, _ keys: ClosedRange<Int64>) -> BulkForge.Changes {
    var updates = BulkForge.Changes(.update, of: "Item", keys: keys, count: count, perTransaction: 100)
    updates.properties = ["title"]
    updates.author = "app"
    return updates
  }
}
