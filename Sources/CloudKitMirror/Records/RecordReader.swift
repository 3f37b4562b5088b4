import Archives
import SQLite
import StoreModel
import Values

/// Streams the records with their states, in the order of their rows.
package struct RecordReader {
  private let mirror: Mirror
  private let filter: RecordFilter
  /// Whether the archives are read too: types, fields and dates. Takes about a hundred times as long.
  private let decodes: Bool

  package init(_ mirror: Mirror, filter: RecordFilter = RecordFilter(), decodesArchives: Bool = false) {
    self.mirror = mirror
    self.filter = filter
    decodes = decodesArchives
  }

  /// How many there are; nil where only reading them tells, because a state is asked for.
  package func count() throws -> Int? {
    guard filter.states == nil else { return nil }
    guard mirror.tables.has(.records) else { return 0 }
    let clause = filter.clause(mirror.tables)
    return try mirror.store.connection.first(
      "SELECT COUNT(*) FROM main.ANSCKRECORDMETADATA m\(clause.sql)", clause.values
    ) { Int($0.integer(0)) }
  }

  /// Calls `body` for each record until it returns false.
  package func forEach(_ body: (MirrorRecord) throws -> Bool) throws {
    guard mirror.tables.has(.records) else { return }
    let clause = filter.clause(mirror.tables)
    let statement = try mirror.store.connection.prepare(sql(clause.sql))
    try statement.bind(clause.values)
    var names = EntityNames(mirror.store)
    while try statement.step() {
      let record = try record(statement, &names)
      if let states = filter.states, !states.contains(record.state) { continue }
      guard try body(record) else { return }
    }
  }

  private enum Column {
    static let archives = 12
    static let assets = 16
  }

  private func sql(_ clause: String) -> String {
    let tables = mirror.tables
    func column(_ name: String) -> String { tables.sql(.records, name, "m") }
    let proofs = ["ZENCODEDRECORD", "ZCKRECORDSYSTEMFIELDS", "ZENCODEDRECORDASSET", "ZSYSTEMFIELDSASSET"]
    let acknowledged = proofs.filter { tables.has(.records, $0) }.map { "m.\($0) IS NOT NULL" }
    let entity = column("ZENTITYID")
    let object = ObjectLookup.entityNumber(
      entity: entity, primaryKey: column("ZENTITYPK"), in: mirror.store)
    var columns = [
      "m.Z_PK", column("ZCKRECORDNAME"), column("ZRECORDZONE"), entity, column("ZENTITYPK"),
      tables.flag(.records, "ZNEEDSUPLOAD", "m"), tables.flag(.records, "ZNEEDSCLOUDDELETE", "m"),
      tables.flag(.records, "ZNEEDSLOCALDELETE", "m"),
      acknowledged.isEmpty ? "0" : "(\(acknowledged.joined(separator: " OR ")))",
      column("ZLASTEXPORTEDTRANSACTIONNUMBER"), column("ZPENDINGEXPORTTRANSACTIONNUMBER"), object,
    ]
    var joins = ""
    if decodes {
      func asset(_ table: FrameworkTable, _ foreignKey: String, _ alias: String) -> [String] {
        guard tables.has(table), tables.has(.records, foreignKey) else { return ["NULL", "NULL"] }
        joins += " LEFT JOIN main.\(table.rawValue) \(alias) ON \(alias).Z_PK = m.\(foreignKey)"
        return ["ZBINARYDATA", "ZEXTERNALBINARYDATA"].map { tables.sql(table, $0, alias) }
      }
      let encoded = asset(.encodedRecords, "ZENCODEDRECORDASSET", "a")
      let system = asset(.recordSystemFields, "ZSYSTEMFIELDSASSET", "s")
      // First what has no tag of external storage, then what has one.
      columns += [
        encoded[0], "COALESCE(\(encoded[1]), \(column("ZENCODEDRECORD")))",
        "COALESCE(\(system[0]), \(column("ZCKRECORDSYSTEMFIELDS")))", system[1],
        column("ZENCODEDRECORDASSET"), column("ZSYSTEMFIELDSASSET"),
      ]
    }
    return """
      SELECT \(columns.joined(separator: ", ")) FROM main.ANSCKRECORDMETADATA m\(joins)\(clause) ORDER BY m.Z_PK
      """
  }

  private func record(_ row: Statement, _ names: inout EntityNames) throws -> MirrorRecord {
    let entityNumber = row.optionalInteger(3)
    let objectKey = row.optionalInteger(4)
    let found = row.optionalInteger(11)
    let exists = found != nil && found == entityNumber
    let names = entityNumber.map { names[$0] }
    let zoneKey = row.optionalInteger(2)
    let needsUpload = row.integer(5) == 1
    let needsCloudDelete = row.integer(6) == 1
    let isAcknowledged = row.integer(8) == 1
    var isExpected = exists
    if !exists, !needsCloudDelete, let entityNumber, let objectKey {
      isExpected = try unanalyzed(ObjectKey(entity: entityNumber, primaryKey: objectKey)).outcome == .deleted
    }
    var record = MirrorRecord(
      primaryKey: row.integer(0), recordName: row.optionalText(1), zoneKey: zoneKey,
      zone: zoneKey.flatMap { mirror.zone($0)?.name }, entityNumber: entityNumber, entity: names?.entity,
      objectKey: objectKey, uri: objectKey.flatMap { names?.uri($0) },
      state: RecordState(
        needsUpload: needsUpload, needsCloudDelete: needsCloudDelete, isAcknowledged: isAcknowledged,
        objectIsExpected: isExpected),
      needsUpload: needsUpload, needsCloudDelete: needsCloudDelete, needsLocalDelete: row.integer(7) == 1,
      isAcknowledged: isAcknowledged, lastExported: row.optionalInteger(9),
      pendingExport: row.optionalInteger(10), objectExists: exists,
      recordType: names?.recordType)
    if decodes { decode(row, into: &record) }
    return record
  }

  /// Of one object alone all of history needn't be summed up.
  private func unanalyzed(_ key: ObjectKey) throws -> UnanalyzedObjects.Entry {
    guard filter.objectKey != nil || filter.recordName != nil else { return try mirror.unanalyzed()[key] }
    let object = ObjectScope(entities: key.entity...key.entity, primaryKey: key.primaryKey)
    return try UnanalyzedObjects.read(mirror, of: object)[key]
  }

  private func decode(_ row: Statement, into record: inout MirrorRecord) {
    do {
      if let bytes = try bytes(row, plain: 0, tagged: 1) {
        let encoded = try EncodedRecord(archive: bytes)
        record.fields = .object(encoded.fields)
        record.systemFields = encoded.systemFields
      } else if !row.isNull(Column.assets) {
        record.problem = "its copy is missing"
      }
      if record.systemFields == nil {
        if let bytes = try bytes(row, plain: 2, tagged: 3) {
          record.systemFields = try RecordSystemFields(archive: bytes)
        } else if !row.isNull(Column.assets + 1) {
          record.problem = record.problem ?? "its system fields are missing"
        }
      }
    } catch {
      record.problem = "its archive can't be read: \(error)"
    }
    record.recordType = record.systemFields?.recordType ?? record.recordType
  }

  private func bytes(_ row: Statement, plain: Int, tagged: Int) throws -> [UInt8]? {
    if let bytes = row.optionalBytes(Column.archives + plain) { return bytes }
    guard !row.isNull(Column.archives + tagged) else { return nil }
    return try row.withBytes(Column.archives + tagged) { bytes in
      try ExternalValue.content(of: bytes, mirror.store.externalFiles)
    }
  }
}
