import Archives
import Base
package import Forge
package import Lens
package import SQLite
package import StoreModel

/// A small forged store with the mirror's tables, into which a test writes what it needs.
package final class MirrorFixture {
  package static let uuid = "5C0E5C0E-0000-4000-8000-000000000001"
  package let folder: TemporaryFolder
  package let forge: StoreForge
  package let layout: MirrorSchema.Layout
  package var connection: Connection { forge.connection }
  private var keys: [String: Int64] = [:]

  package static let model = FixtureModels.people(hasNotes: false, hasDrafts: true)

  package init(_ layout: MirrorSchema.Layout = .v17, model: ManagedObjectModel = MirrorFixture.model) throws {
    self.layout = layout
    folder = TemporaryFolder("mirror")
    forge = try StoreForge(path: folder.path("App.store"), model: model)
    for table in MirrorSchema.tables(layout) {
      try forge.connection.execute(table.create)
      try table.indexes.forEach(forge.connection.execute)
      try forge.connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
        [.integer(table.number), .text(table.entity)])
    }
  }

  /// So many, saved by `app`.
  package func people(_ count: Int) throws -> [ForgedObject] {
    try forge.save(author: "app") { save in try (0..<count).map { _ in try save.insert("Person") } }
  }

  /// Writes one row of a mirror table and returns its key; columns that the layout lacks are left out.
  @discardableResult
  package func insert(_ table: FrameworkTable, _ values: [String: SQLiteValue]) throws -> Int64 {
    let key = (keys[table.rawValue] ?? 0) + 1
    keys[table.rawValue] = key
    let known = MirrorSchema.tables(layout).first { $0.name == table.rawValue }?.columns ?? []
    let columns = values.filter { known.contains($0.key) }.sorted { $0.key < $1.key }
    let names = (["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.key)).joined(separator: ", ")
    let marks = [String](repeating: "?", count: columns.count + 3).joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table.rawValue) (\(names)) VALUES (\(marks))",
      [.integer(key), 17_001, 1] + columns.map(\.value))
    return key
  }

  /// Database, zone and identity as after a first successful setup.
  package func setUp(scope: Int64 = 2) throws {
    try insert(.databases, ["ZDATABASESCOPENUM": .integer(scope), "ZDATABASENAME": "Private"])
    try insert(
      .zones,
      [
        "ZCKRECORDZONENAME": .text(MirrorZone.defaultName), "ZCKOWNERNAME": "__defaultOwner__",
        "ZDATABASE": 1, "ZHASRECORDZONENUM": 1, "ZCURRENTCHANGETOKEN": .blob(Archive.changeToken([1, 2, 3])),
      ])
    try insert(.metadataEntries, ["ZKEY": .text(MetadataKey.checkedIdentity), "ZBOOLVALUENUM": 1])
    try insert(.metadataEntries, ["ZKEY": .text(MetadataKey.identityRecordName), "ZSTRINGVALUE": "_user"])
    try event(.setup, at: 100)
  }

  package func setToken(_ number: Int64, store: String = MirrorFixture.uuid) throws {
    try insert(
      .metadataEntries,
      [
        "ZKEY": .text(MetadataKey.lastHistoryToken),
        "ZTRANSFORMEDVALUE": .blob(Archive.historyToken([store: number])),
      ])
  }

  @discardableResult
  package func event(
    _ kind: MirrorEvent.Kind, at seconds: Double, error: (String, Int64)? = nil, isOpen: Bool = false
  ) throws -> Int64 {
    try insert(
      .events,
      [
        "ZCLOUDKITEVENTTYPE": .integer(kind.rawValue), "ZSTARTEDAT": .real(seconds),
        "ZENDEDAT": isOpen ? .null : .real(seconds + 1), "ZSUCCEEDED": error == nil && !isOpen ? 1 : 0,
        "ZERRORDOMAIN": error.map { .text($0.0) } ?? .null,
        "ZERRORCODE": error.map { .integer($0.1) } ?? .null,
        "ZEVENTIDENTIFIER": .blob([UInt8](repeating: 7, count: 16)),
      ])
  }

  /// A record of that object; `acknowledged` gives it a copy from the server.
  @discardableResult
  package func record(
    _ object: ForgedObject, name: String? = nil, acknowledged: Bool = true,
    _ values: [String: SQLiteValue] = [:]
  ) throws -> Int64 {
    let name = name ?? "R-\(object.entity)-\(object.primaryKey)"
    var all: [String: SQLiteValue] = [
      "ZENTITYID": .integer(object.entityNumber), "ZENTITYPK": .integer(object.primaryKey),
      "ZCKRECORDNAME": .text(name), "ZRECORDZONE": 1, "ZNEEDSUPLOAD": 0, "ZNEEDSCLOUDDELETE": 0,
    ]
    if acknowledged {
      let bytes = Archive.encodedRecord(type: "CD_\(object.entity)", name: name)
      if layout.hasAssets {
        all["ZENCODEDRECORDASSET"] = .integer(try insert(.encodedRecords, ["ZBINARYDATA": .blob(bytes)]))
      } else {
        all["ZENCODEDRECORD"] = .blob([1] + bytes)
      }
    }
    return try insert(.records, all.merging(values) { $1 })
  }

  /// Reads the store over the forge's own connection.
  package func store() throws -> CoreDataStore { try CoreDataStore(connection: connection, path: forge.path) }

  /// The same with all that is read of it.
  package func open() throws -> OpenStore { try OpenStore(connection, path: forge.path) }

  package func mirror() throws -> Mirror? { try open().mirror() }
}

/// Archives as the framework keeps them in the mirror's tables.
package enum Archive {
  package static func historyToken(
    _ transactions: [String: Int64], className: String = "_NSPersistentHistoryToken"
  )
    -> [UInt8]
  {
    let writer = KeyedArchiveWriter()
    let entries = transactions.sorted { $0.key < $1.key }.map {
      (writer.string($0.key), writer.integer($0.value))
    }
    return writer.bytes(
      root: writer.object(
        className, superclasses: ["NSPersistentHistoryToken", "NSObject"],
        fields: [("NSPersistentHistoryTokenDictionary", .reference(writer.dictionary(entries)))]))
  }

  package static func changeToken(_ bytes: [UInt8]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    return writer.bytes(
      root: writer.object(
        "CKServerChangeToken", fields: [("ChangeTokenData", .reference(writer.data(bytes)))]))
  }

  /// The fields at the archive's top, as `encodeSystemFields(with:)` leaves them.
  package static func systemFields(type: String, name: String, values: [String: String] = [:]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let zone = writer.object(
      "CKRecordZoneID",
      fields: [
        ("ZoneName", .reference(writer.string("com.apple.coredata.cloudkit.zone"))),
        ("ownerName", .reference(writer.string("__defaultOwner__"))),
      ])
    let identifier = writer.object(
      "CKRecordID", fields: [("RecordName", .reference(writer.string(name))), ("ZoneID", .reference(zone))])
    var top: [(String, KeyedArchiveWriter.Field)] = [
      ("RecordType", .reference(writer.string(type))), ("RecordID", .reference(identifier)),
      ("ETag", .reference(writer.string("k1"))),
      ("RecordCtime", .reference(writer.date(CoreDataDate(seconds: 1000)))),
      ("RecordMtime", .reference(writer.date(CoreDataDate(seconds: 2000)))),
    ]
    if !values.isEmpty {
      let entries = values.sorted { $0.key < $1.key }.map { (writer.string($0.key), writer.string($0.value)) }
      let store = writer.object(
        "CKRecordValueStore", fields: [("Values", .reference(writer.dictionary(entries)))])
      top.append(("ValueStore", .reference(store)))
    }
    return BinaryPropertyList.write(writer.propertyList(top: top))
  }

  package static func encodedRecord(type: String, name: String) -> [UInt8] {
    compressed(
      systemFields(
        type: type, name: name, values: ["CD_entityName": String(type.dropFirst(3)), "CD_name": "Ann"]))
  }

  /// LZFSE with one raw block, which every reader of it takes.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return Array("bvx-".utf8) + size + bytes + Array("bvx$".utf8)
  }
}
