import Archives
import Base
package import Forge
import SQLite
import StoreModel

/// Registers objects with a forged mirror by the million: giants for the benchmark. Like `BulkForge`'s rows, the
/// truth does not keep them.
package struct BulkMirror {
  /// Of which objects records are made, and how they stand; counted by the objects' primary keys.
  package struct Records: Sendable {
    package var entity: String
    package var keys: ClosedRange<Int64>
    /// Every so manieth record waits to be uploaded.
    package var flaggedEvery: Int64 = 50
    /// Every so manieth object has no record.
    package var missingEvery: Int64 = 1000

    package init(of entity: String, keys: ClosedRange<Int64>) {
      self.entity = entity
      self.keys = keys
    }
  }

  /// Makes the records, each with a copy from the server, and sets the token to the newest transaction: what is saved
  /// from now on isn't analyzed. `mirror` must be set up.
  package static func register(_ records: Records, in mirror: MirrorForge) throws {
    guard let entity = mirror.forge.schema[records.entity], let zone = mirror.homeZone else {
      throw StoreScopeError(
        .failed, "Cannot register '\(records.entity)': there is no such entity, or the mirror isn't set up.")
    }
    let connection = mirror.forge.connection
    let token = mirror.forge.lastTransaction
    let recordEntity = MirrorLedger.Record.entity
    let assetEntity = MirrorLedger.Record.encodedRecordAsset
    let rows = """
      FROM \(quotedIdentifier(entity.table)) r WHERE r.Z_ENT = \(entity.number)
        AND r.Z_PK BETWEEN \(records.keys.lowerBound) AND \(records.keys.upperBound)
        AND r.Z_PK % \(records.missingEvery) <> 0
      """
    guard case .integer(let count)? = try connection.value("SELECT COUNT(*) \(rows)") else { return }
    // Without gaps: a key that is gone would stand for a record that was deleted.
    func key(from first: Int64) -> String { "\(first - 1) + ROW_NUMBER() OVER (ORDER BY r.Z_PK)" }
    let record = key(from: mirror.ledger.reserve(count, recordEntity))
    // Nobody asks it in V16, where it lies in the record.
    let asset = key(from: mirror.ledger.reserve(count, assetEntity))
    let isFlagged = "r.Z_PK % \(records.flaggedEvery) = 0"
    // Neighbours get names far apart, as random ones are.
    let name = "printf('%08X-0000-4000-8000-%012X', r.Z_PK * 2654435761 % 4294967296, r.Z_PK)"
    let archive = "x'\(Hexadecimal.uppercase(smallArchive(entity, mirror)))'"
    let tables = Dictionary(
      uniqueKeysWithValues: MirrorSchema.tables(mirror.layout).map { ($0.entity, $0) })
    guard let recordTable = tables[recordEntity] else { return }
    try connection.inTransaction {
      try connection.execute(
        """
        INSERT INTO \(recordTable.name) (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZNEEDSUPLOAD, ZNEEDSCLOUDDELETE,
          ZNEEDSLOCALDELETE, ZLASTEXPORTEDTRANSACTIONNUMBER, ZPENDINGEXPORTTRANSACTIONNUMBER, ZRECORDZONE, ZCKRECORDNAME,
          \(mirror.layout.hasAssets ? "ZENCODEDRECORDASSET" : "ZENCODEDRECORD"))
        SELECT \(record), \(recordTable.number), 1, r.Z_ENT, r.Z_PK, \(isFlagged), 0, 0, 1,
          CASE WHEN \(isFlagged) THEN \(token) END, \(zone), \(name),
          \(mirror.layout.hasAssets ? asset : "x'01' || \(archive)") \(rows)
        """)
      if let assetTable = tables[assetEntity] {
        try connection.execute(
          """
          INSERT INTO \(assetTable.name) (Z_PK, Z_ENT, Z_OPT, ZRECORD, ZBINARYDATA)
          SELECT \(asset), \(assetTable.number), 1, \(record), \(archive) \(rows)
          """)
      }
    }
    mirror.lastBulkTransaction = token
    mirror.setToken(.transaction(token))
    try mirror.commit()
  }

  /// The least that is a record: a million of the usual size would make the store a gigabyte larger.
  private static func smallArchive(_ entity: SchemaEntity, _ mirror: MirrorForge) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let root = mirror.forge.schema[entity.root]?.name ?? entity.name
    return LZFSE.stored(
      BinaryPropertyList.write(
        writer.propertyList(top: [("RecordType", .reference(writer.string("CD_" + root)))])))
  }
}
