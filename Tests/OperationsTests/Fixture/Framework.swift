import Base
import Forge
import Foundation
import SQLite
import TestSupport

/// What the framework does to a store at its next launch, by the tables alone: setup, import, export. It is written
/// from app authors' reports of the framework and knows nothing of the operations.
final class Framework {
  enum Outcome: Equatable {
    case done
    /// All that was mirrored is deleted and fetched again.
    case wiped
    /// The token is another store's.
    case stuck
  }

  private let connection: Connection
  private let server: Server
  private let uuid: String
  private let tables: [Int64: String]
  private let records = "ANSCKRECORDMETADATA"

  private init(_ path: String, _ server: Server) throws {
    connection = try Connection(
      path: path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
    self.server = server
    uuid = ForgeOptions().uuid
    tables = Dictionary(
      uniqueKeysWithValues: try connection.rows(
        """
        SELECT e.Z_ENT, 'Z' || UPPER(COALESCE(s.Z_NAME, e.Z_NAME)) FROM Z_PRIMARYKEY e
        LEFT JOIN Z_PRIMARYKEY s ON s.Z_ENT = e.Z_SUPER WHERE e.Z_ENT < 16000
        """
      ) { ($0.integer(0), $0.text(1)) })
  }

  /// One launch of the app, online. After a wipe the launch goes on with a full import.
  @discardableResult
  static func launch(_ fixture: Fixture, _ server: Server) throws -> Outcome {
    let framework = try Framework(fixture.path, server)
    defer { framework.connection.close() }
    return try framework.connection.inTransaction { try framework.launch() }
  }

  private func launch() throws -> Outcome {
    try setUp()
    try importAll()
    let outcome = try export()
    if outcome == .wiped {
      try setUp()
      try importAll()
      _ = try export()
    }
    return outcome
  }

  // MARK: Entries

  private func entry(_ key: String, _ column: String) throws -> SQLiteValue? {
    try connection.value("SELECT \(column) FROM ANSCKMETADATAENTRY WHERE ZKEY = ?", [.text(key)])
  }

  private func setEntry(_ key: String, _ column: String, _ value: SQLiteValue) throws {
    try removeEntry(key)
    try insert("ANSCKMETADATAENTRY", "NSCKMetadataEntry", ["ZKEY": .text(key), column: value])
  }

  private func removeEntry(_ key: String) throws {
    try connection.execute("DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = ?", [.text(key)])
  }

  private static let checked = "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey"
  private static let name = "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey"
  private static let scan = ChangesTests.scanKey

  /// A new row under the next key that Core Data hands out.
  @discardableResult
  private func insert(_ table: String, _ entity: String, _ values: [String: SQLiteValue]) throws -> Int64 {
    try connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = COALESCE(Z_MAX, 0) + 1 WHERE Z_NAME = ?", [.text(entity)])
    let found = try connection.first(
      "SELECT Z_MAX, Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", [.text(entity)]
    ) {
      ($0.integer(0), $0.integer(1))
    }
    guard let (key, number) = found else { throw StoreScopeError(.failed, "no entity \(entity)") }
    var row = values
    row["Z_PK"] = .integer(key)
    row["Z_ENT"] = row["Z_ENT"] ?? .integer(number)
    row["Z_OPT"] = 1
    let columns = row.keys.sorted()
    try connection.execute(
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))",
      columns.map { row[$0] ?? .null })
    return key
  }

  // MARK: Setup

  private func setUp() throws {
    let isChecked = try entry(Self.checked, "ZBOOLVALUENUM")?.number == 1
    let account = try entry(Self.name, "ZSTRINGVALUE")?.string
    if isChecked, account == nil {
      throw StoreScopeError(.failed, "the account is taken for another one: all is lost")
    }
    if !isChecked {
      if account != nil { throw StoreScopeError(.failed, "a second account name is inserted") }
      try setEntry(Self.checked, "ZBOOLVALUENUM", 1)
      try setEntry(Self.name, "ZSTRINGVALUE", .text(MirrorForge.someAccount))
    }
    if try connection.value("SELECT 1 FROM ANSCKDATABASEMETADATA") == nil {
      try insert(
        "ANSCKDATABASEMETADATA", "NSCKDatabaseMetadata",
        ["ZDATABASESCOPENUM": 2, "ZDATABASENAME": "Private", "ZHASSUBSCRIPTIONNUM": 1])
    }
    if try connection.value("SELECT 1 FROM ANSCKRECORDZONEMETADATA") == nil {
      try insert(
        "ANSCKRECORDZONEMETADATA", "NSCKRecordZoneMetadata",
        [
          "ZCKRECORDZONENAME": "com.apple.coredata.cloudkit.zone", "ZCKOWNERNAME": "__defaultOwner__",
          "ZHASRECORDZONENUM": 1,
          "ZDATABASE": try connection.value("SELECT Z_PK FROM ANSCKDATABASEMETADATA") ?? .null,
        ])
    }
  }

  private func zone() throws -> SQLiteValue {
    try connection.value("SELECT Z_PK FROM ANSCKRECORDZONEMETADATA ORDER BY Z_PK") ?? .null
  }

  // MARK: Import

  /// A zone without a token is fetched whole; what is there by name is updated, what isn't comes new.
  private func importAll() throws {
    guard
      try connection.value("SELECT 1 FROM ANSCKRECORDZONEMETADATA WHERE ZCURRENTCHANGETOKEN IS NULL") != nil
    else { return }
    for (name, record) in server.records.sorted(by: { $0.key < $1.key }) {
      let known = try connection.first(
        "SELECT ZENTITYID, ZENTITYPK, ZNEEDSUPLOAD FROM \(records) WHERE ZCKRECORDNAME = ?", [.text(name)]
      ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
      let value = record.value.map(SQLiteValue.text) ?? .null
      guard let table = tables[record.entity] else { continue }
      if let known {
        // What was edited here and not sent wins.
        guard known.2 != 1 else { continue }
        try connection.execute(
          "UPDATE \(table) SET ZNAME = ? WHERE Z_PK = ? AND Z_ENT = ?",
          [value, .integer(known.1), .integer(known.0)])
      } else {
        let root = table == "ZPERSON" ? "Person" : table == "ZTAG" ? "Tag" : "Note"
        let key = try insert(table, root, ["ZNAME": value, "Z_ENT": .integer(record.entity)])
        try register(record.entity, key, name, needsUpload: false)
      }
    }
    try connection.execute(
      "UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = x'01', ZNEEDSIMPORT = 0, ZLASTFETCHDATE = 1")
    try connection.execute("UPDATE ANSCKDATABASEMETADATA SET ZCURRENTCHANGETOKEN = x'01', ZLASTFETCHDATE = 1")
  }

  private func register(_ entity: Int64, _ key: Int64, _ name: String, needsUpload: Bool) throws {
    try insert(
      records, "NSCKRecordMetadata",
      [
        "ZENTITYID": .integer(entity), "ZENTITYPK": .integer(key), "ZCKRECORDNAME": .text(name),
        "ZRECORDZONE": try zone(), "ZNEEDSUPLOAD": needsUpload ? 1 : 0, "ZNEEDSCLOUDDELETE": 0,
      ])
  }

  // MARK: Export

  private func export() throws -> Outcome {
    var analyzed: Int64 = 0
    if case .blob(let bytes)? = try entry(TokenArchive.key, "ZTRANSFORMEDVALUE") {
      guard let number = try TokenArchive.transactions(bytes)[uuid] else { return .stuck }
      guard try connection.value("SELECT 1 FROM ATRANSACTION WHERE Z_PK = ?", [.integer(number)]) != nil
      else {
        try wipe()
        return .wiped
      }
      analyzed = number
    } else {
      try setEntry(Self.scan, "ZBOOLVALUENUM", 1)
    }
    try analyze(after: analyzed)
    if try entry(Self.scan, "ZBOOLVALUENUM")?.number == 1 { try scan() }
    try removeEntry(Self.scan)
    try send()
    return .done
  }

  private func wipe() throws {
    for (number, table) in tables {
      try connection.execute(
        "DELETE FROM \(table) WHERE Z_ENT = \(number) AND Z_PK IN (SELECT ZENTITYPK FROM \(records) WHERE ZENTITYID = \(number))"
      )
    }
    for table in [records, "ANSCKMIRROREDRELATIONSHIP", "ANSCKRECORDZONEMETADATA"] {
      try connection.execute("DELETE FROM \(table)")
    }
    try removeEntry(TokenArchive.key)
  }

  private func exists(_ entity: Int64, _ key: Int64) throws -> Bool {
    guard let table = tables[entity] else { return false }
    return try connection.value(
      "SELECT 1 FROM \(table) WHERE Z_PK = ? AND Z_ENT = ?", [.integer(key), .integer(entity)]) != nil
  }

  private func analyze(after token: Int64) throws {
    let changes = try connection.rows(
      """
      SELECT c.ZENTITY, c.ZENTITYPK, c.ZCHANGETYPE FROM ACHANGE c JOIN ATRANSACTION t ON t.Z_PK = c.ZTRANSACTIONID
      LEFT JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS
      WHERE t.Z_PK > ? AND COALESCE(a.ZNAME, '') NOT LIKE 'NSCloudKitMirroringDelegate.%' ORDER BY c.Z_PK
      """, [.integer(token)]
    ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
    for (entity, key, kind) in changes {
      let object: [SQLiteValue] = [.integer(entity), .integer(key)]
      let isKnown =
        try connection.value("SELECT 1 FROM \(records) WHERE ZENTITYID = ? AND ZENTITYPK = ?", object) != nil
      if isKnown {
        try connection.execute(
          "UPDATE \(records) SET ZNEEDSUPLOAD = 1, ZNEEDSCLOUDDELETE = \(kind == 2 ? 1 : 0) WHERE ZENTITYID = ? AND ZENTITYPK = ?",
          object)
      } else if kind != 2, try exists(entity, key) {
        try register(entity, key, UUID().uuidString, needsUpload: true)
      }
    }
    let newest = try connection.value("SELECT MAX(Z_PK) FROM ATRANSACTION")?.number ?? 0
    try setEntry(
      TokenArchive.key, "ZTRANSFORMEDVALUE", .blob(TokenArchive.bytes(max(newest, token), store: uuid)))
  }

  /// Rows without a record get one of a new name.
  private func scan() throws {
    for table in Set(tables.values).sorted() {
      let missing = try connection.rows(
        """
        SELECT r.Z_ENT, r.Z_PK FROM \(table) r LEFT JOIN \(records) m ON m.ZENTITYPK = r.Z_PK
        AND m.ZENTITYID = r.Z_ENT WHERE m.Z_PK IS NULL
        """
      ) { ($0.integer(0), $0.integer(1)) }
      for (entity, key) in missing { try register(entity, key, UUID().uuidString, needsUpload: true) }
    }
  }

  private func send() throws {
    let waiting = try connection.rows(
      "SELECT Z_PK, ZENTITYID, ZENTITYPK, ZCKRECORDNAME, ZNEEDSCLOUDDELETE FROM \(records) WHERE ZNEEDSUPLOAD = 1 ORDER BY Z_PK"
    ) { ($0.integer(0), $0.integer(1), $0.integer(2), $0.text(3), $0.integer(4)) }
    for (row, entity, key, name, isDeleted) in waiting {
      if isDeleted == 1 {
        server.records[name] = nil
        server.deleted.append(name)
      } else if let table = tables[entity], try exists(entity, key) {
        let value = try connection.value("SELECT ZNAME FROM \(table) WHERE Z_PK = ?", [.integer(key)])
        server.records[name] = Server.Record(entity: entity, value: value?.string)
        server.uploaded.append(name)
        try connection.execute(
          "UPDATE \(records) SET ZNEEDSUPLOAD = 0, ZLASTEXPORTEDTRANSACTIONNUMBER = ZPENDINGEXPORTTRANSACTIONNUMBER, ZPENDINGEXPORTTRANSACTIONNUMBER = NULL WHERE Z_PK = ?",
          [.integer(row)])
        continue
      } else {
        // The object is gone: so is the server's copy.
        server.records[name] = nil
        server.deleted.append(name)
      }
      try connection.execute("DELETE FROM \(records) WHERE Z_PK = ?", [.integer(row)])
    }
    let links = try connection.rows(
      "SELECT ZCKRECORDID, ZNEEDSDELETE FROM ANSCKMIRROREDRELATIONSHIP WHERE COALESCE(ZISUPLOADED, 0) = 0"
    ) { ($0.text(0), $0.integer(1)) }
    for (name, isDeleted) in links {
      if isDeleted == 1 { server.links.remove(name) } else { server.links.insert(name) }
      server.uploaded.append(name)
    }
    try connection.execute("DELETE FROM ANSCKMIRROREDRELATIONSHIP WHERE ZNEEDSDELETE = 1")
    try connection.execute("UPDATE ANSCKMIRROREDRELATIONSHIP SET ZISUPLOADED = 1")
  }
}
