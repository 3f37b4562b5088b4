import Archives
import SQLite
import StoreModel
import Testing

struct ReadingMetadataTests {
  private func store(_ rows: [(Int64, SQLiteValue, SQLiteValue)]) throws -> Connection {
    let connection = try Connection(path: ":memory:", options: .readWrite(create: true))
    try connection.execute(
      "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)")
    for (version, uuid, list) in rows {
      try connection.execute("INSERT INTO Z_METADATA VALUES (?, ?, ?)", [.integer(version), uuid, list])
    }
    return connection
  }

  private func list(_ dictionary: PropertyListDictionary) -> SQLiteValue {
    .blob(BinaryPropertyList.write(.dictionary(dictionary)))
  }

  @Test func noTable() throws {
    let connection = try Connection(path: ":memory:", options: .readWrite(create: true))
    #expect(try StoreMetadata.read(from: connection) == nil)
    #expect(try PrimaryKeyTable.read(from: connection) == nil)
  }

  @Test(arguments: [([999, 1, 2], "1"), ([7, 3, 999], "3"), ([0, 1], "1"), ([999], nil), ([], nil)])
  func rowThatCounts(versions: [Int64], expected: String?) throws {
    let connection = try store(versions.map { ($0, .text("\($0)"), .null) })
    let metadata = try StoreMetadata.read(from: connection)
    #expect(metadata == StoreMetadata(uuid: expected, propertyList: .missing))
  }

  @Test func everyKey() throws {
    let hash = [UInt8](repeating: 7, count: 32)
    let connection = try store([
      (
        1, "U",
        list([
          "NSStoreModelVersionHashes": ["Person": .data(hash), "Odd": .integer(3)],
          "NSStoreModelVersionIdentifiers": .array([.string(""), .string("1.0.0"), .integer(1)]),
          "NSPersistenceFrameworkVersion": .integer(1526),
          "NSPersistenceMaximumFrameworkVersion": .integer(1527),
          "NSStoreModelVersionHashesDigest": .string("digest"),
          "NSStoreModelVersionChecksumKey": .string("checksum"), "mine": .bool(true), "again": .real(1),
          "PFCloudKitMetadataNeedsZoneFetchAfterClientMigrationKey": .bool(true),
        ])
      )
    ])
    let metadata = try #require(try StoreMetadata.read(from: connection))
    #expect(metadata.versionHashes == ["Person": hash])
    #expect(metadata.versionIdentifiers == ["1.0.0"])
    #expect(metadata.frameworkVersion == 1526)
    #expect(metadata.versionChecksum == "checksum")
    #expect(metadata.keys.contains("again") && metadata.keys.contains("mine"))
    #expect(metadata.keys.count == 9)
  }

  @Test func wrongTypes() throws {
    let keys = [
      "NSStoreModelVersionHashes", "NSStoreModelVersionIdentifiers", "NSPersistenceFrameworkVersion",
      "NSStoreModelVersionChecksumKey",
    ]
    let values: [PropertyList] = [.null, .bool(true), .real(.nan), .data([1]), .array([.null]), ["a": .null]]
    for value in values {
      let entries = keys.map { PropertyListDictionary.Entry($0, value) }
      let metadata = StoreMetadata(uuid: nil, propertyList: .decoded(PropertyListDictionary(entries)))
      #expect(metadata.versionHashes == [:])
      #expect(metadata.versionIdentifiers == [])
      #expect(metadata.frameworkVersion == nil)
      #expect(metadata.versionChecksum == nil)
    }
  }

  @Test(arguments: [
    SQLiteValue.blob([1, 2, 3]), .text("text"), .integer(1), .blob(BinaryPropertyList.write(.array([]))),
  ])
  func damaged(list: SQLiteValue) throws {
    let metadata = try #require(try StoreMetadata.read(from: store([(1, "U", list)])))
    guard case .damaged(let why) = metadata.propertyList else {
      Issue.record("it is \(metadata.propertyList)")
      return
    }
    #expect(!why.isEmpty)
    #expect(metadata.uuid == "U")
  }

  @Test func entityNumbers() throws {
    let connection = try store([])
    try connection.execute(
      """
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
      INSERT INTO Z_PRIMARYKEY VALUES (2, 'B', 1, 0), (1, 'A', 0, 9), (16001, 'CHANGE', 0, 5), (3, NULL, NULL, NULL)
      """)
    let table = try #require(try PrimaryKeyTable.read(from: connection))
    #expect(
      table.user == [
        .init(number: 1, name: "A", parent: nil, lastKey: 9),
        .init(number: 2, name: "B", parent: 1, lastKey: 0),
        .init(number: 3, name: "", parent: nil, lastKey: 0),
      ])
    #expect(table.framework == [.init(number: 16001, name: "CHANGE", parent: nil, lastKey: 5)])
  }
}
