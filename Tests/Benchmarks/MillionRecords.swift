import Forge
import SQLite
import StoreModel
import Values

/// `pending` on a mirror of a million records with five million changes, against the shell's joins for the same
/// questions.
enum MillionRecords {
  static let forgeOption = "--forge-mirror"
  private static let records = 1_000_000

  static func measure(_ storescope: String, in folder: String) throws {
    let store = folder + "/mirror.store"
    let forge = Process.run(CommandLine.arguments[0], [forgeOption, store])
    guard forge.status == 0 else { throw StoreScopeError("The store \(store) could not be forged.") }
    try Comparison(
      (storescope, ["pending", store, "--format", "csv", "--quiet", "--no-causes"]),
      against: ("sqlite3", ["-csv", store, joins]), rounds: 3
    ).report("pending of 1,000,000 records and 5,000,000 changes, against sqlite3's joins")
    let full = Process.run(storescope, ["pending", store, "--json", "--quiet"])
    print("memory of pending with causes as json: \(full.peakBytes / 1_000_000) MB")
  }

  /// What waits: flagged records, links, objects changed by the app after the token, objects without a record. The
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

  /// `benchmark --forge-mirror PATH`
  static func forge() throws {
    guard CommandLine.arguments.count == 3 else { throw StoreScopeError("'\(forgeOption)' takes a path.") }
    let forge = try StoreForge(path: CommandLine.arguments[2], model: model)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    var keys: ClosedRange<Int64> = 1...1
    try BulkForge.fill(forge) { bulk in
      keys = try bulk.insert("Item", count: records, ["title": "'Item ' || i", "at": "700000000.5 + i"])
      try bulk.record(BulkForge.Changes(.insert, of: "Item", keys: keys, count: records, perTransaction: 100))
      try bulk.record(updates(4 * records - 100_000, keys))
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
