import Archives
import Base
import Bulk
import Evidence
import Exports
import Forge
import Foundation
import Lens
import Rendering
import SQLite
import StoreModel
import TestSupport
import Testing

/// What an export writes, held against the forge's truth and SQL on the framework's tables.
struct ExporterTests {
  /// A forged store and what was exported of it.
  private struct Exported {
    let folder: TemporaryFolder
    let path: String
    var dump: String { folder.path("dump") }

    /// - Parameter edit: changes the store after the saves.
    init(_ model: ManagedObjectModel, _ edit: (StoreForge) throws -> Void) throws {
      folder = TemporaryFolder("exports")
      let forge = try StoreForge(path: folder.path("App.store"), model: model)
      try edit(forge)
      try forge.close()
      path = forge.path
    }

    @discardableResult
    func export(
      _ format: Format, entities: [String]? = nil, tables: [String]? = nil, keepsBlobs: Bool = false,
      to name: String = "dump", threads: Int = 2, compression: ExportCompression? = nil
    ) throws -> ExportManifest {
      let open = try OpenStore(at: path)
      let store = open.store
      let identity = StoreIdentity(
        path: path, uuid: store.metadata.uuid, frameworkVersion: store.metadata.frameworkVersion)
      let exporter = Exporter(
        open, identity, plan: try ExportPlan(store, entities: entities, tables: tables), version: "test",
        format: format, keepsBlobs: keepsBlobs, compression: compression)
      return try exporter.export(to: folder.path(name), threads: threads) { _ in }.manifest
    }

    /// The column's values in the order of the keys, past all of our own code but the connection.
    func column(_ sql: String) throws -> [SQLiteValue] {
      let connection = try Connection(path: path, options: .readWrite(create: false))
      defer { connection.close() }
      return try connection.rows(sql) { $0.value(0) }
    }

    func text(_ file: String) throws -> String {
      try String(contentsOfFile: "\(dump)/\(file)", encoding: .utf8)
    }

    func objects(_ file: String) throws -> [[String: Any]] {
      try text(file).split(separator: "\n").map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
    }
  }

  private static let names = [
    "plain", "with \"quotes\"", "a,b;c", "two\nlines", "", "=1+1", "日本 🗻", "\u{1B}[31mred", "back\\slash",
  ]

  private static func authors() throws -> Exported {
    try Exported(FixtureModels.library) { forge in
      try forge.save(author: "app") { save in
        for name in names { _ = try save.insert("Author", ["name": .text(name)]) }
        // Without a name.
        _ = try save.insert("Author")
      }
    }
  }

  /// A large entity and a large history are read in ranges by several threads. Objects and transactions that are gone, and
  /// a range without any, must not show.
  @Test(arguments: [Format.csv, .ndjson])
  func largeTablesAreTheSameWithThreads(_ format: Format) throws {
    let exported = try Exported(FixtureModels.library) { forge in
      try BulkForge.fill(forge) { bulk in
        let books = try bulk.insert("Book", count: 60_000, ["title": "'Book ' || i"])
        var changes = BulkForge.Changes(.update, of: "Book", keys: books, count: 70_000, perTransaction: 7)
        changes.properties = ["title"]
        try bulk.record(changes)
      }
      try forge.connection.execute(
        "DELETE FROM ZBOOK WHERE Z_PK BETWEEN 9000 AND 30000 OR Z_PK % 11 = 0")
      try forge.connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK % 13 = 0")
    }
    let manifests = try [1, 3].map { try exported.export(format, to: "dump\($0)", threads: $0) }
    #expect(manifests[0].parts.map(\.exported) == manifests[1].parts.map(\.exported))
    #expect(manifests[0].parts.contains { $0.exported.rows > 30_000 })
  }

  @Test func ndjsonHoldsTheTexts() throws {
    let exported = try Self.authors()
    try exported.export(.ndjson)
    let objects = try exported.objects("entities/Author.ndjson")
    #expect(objects.map { $0["name"] as? String } == Self.names + [nil])
    #expect(objects.last?["name"] is NSNull)
    let stored = try exported.column("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK")
    #expect(objects.map { ($0["name"] as? String).map(SQLiteValue.text) ?? .null } == stored)
    #expect(
      objects.map { ($0["pk"] as? Int).map { SQLiteValue.integer(Int64($0)) } }
        == (try exported.column("SELECT Z_PK FROM ZAUTHOR ORDER BY Z_PK")))
  }

  @Test func csvHoldsTheTexts() throws {
    let exported = try Self.authors()
    let manifest = try exported.export(.csv)
    let rows = Self.fields(try exported.text("entities/Author.csv"))
    let part = try #require(manifest.parts.first { $0.part.name == "Author" })
    #expect(rows[0] == part.part.columns.map(\.name))
    let index = try #require(rows[0].firstIndex(of: "name"))
    // CSV doesn't tell a missing text from an empty one.
    #expect(rows.dropFirst().map { $0[index] } == Self.names + [""])
  }

  /// https://www.rfc-editor.org/rfc/rfc4180
  private static func fields(_ text: String) -> [[String]] {
    var rows: [[String]] = [[""]]
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      let end = (rows.count - 1, rows[rows.count - 1].count - 1)
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"":
        scalars.removeFirst()
        rows[end.0][end.1].unicodeScalars.append("\"")
      case "\"": isQuoted.toggle()
      case "," where !isQuoted: rows[end.0].append("")
      case "\r" where !isQuoted: break
      case "\n" where !isQuoted: rows.append([""])
      default: rows[end.0][end.1].unicodeScalars.append(scalar)
      }
    }
    return rows.dropLast(rows.last == [""] ? 1 : 0)
  }

  @Test func everyTypeIsWrittenAsTheManifestSays() throws {
    let date = CoreDataDate(unixSeconds: 1_772_355_600)
    let exported = try Exported(FixtureModels.attributes) { forge in
      try forge.save { save in
        _ = try save.insert(
          "Sample",
          [
            "created": .date(date), "flag": .boolean(true), "int64": .integer(.max), "double": .real(0.25),
            "bytes": .bytes([0, 255, 7]), "id": .text("11111111-2222-3333-4444-555555555555"),
          ])
      }
    }
    let manifest = try exported.export(.ndjson, keepsBlobs: true)
    let sample = try #require(try exported.objects("entities/Sample.ndjson").first)
    #expect((sample["created"] as? String).flatMap(ISO8601.parse) == date)
    #expect((sample["created"] as? String)?.hasSuffix("Z") == true)
    #expect(sample["flag"] as? Bool == true)
    #expect((sample["int64"] as? NSNumber)?.int64Value == .max)
    #expect(sample["double"] as? Double == 0.25)
    #expect(sample["link"] is NSNull)
    let types = Dictionary(
      manifest.parts.filter { $0.part.name == "Sample" }.flatMap(\.part.columns).map { ($0.name, $0.type) }
    ) { $1 }
    #expect(types["created"] == "Date" && types["int64"] == "Integer 64" && types["bytes"] == "Binary")
    let blob = try #require((sample["bytes"] as? [String: Any])?["blob"] as? [String: Any])
    let hash = try #require(blob["sha256"] as? String)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: "\(exported.dump)/blobs/\(hash)"))) == [0, 255, 7])
  }

  /// Each file is as the manifest says, also one without a row.
  @Test(arguments: [Format.ndjson, .csv]) func theManifestTellsTheFiles(_ format: Format) throws {
    let exported = try Self.authors()
    let manifest = try exported.export(format)
    let hashes = try FileTree.hashes(exported.dump)
    #expect(
      Set(hashes.keys)
        == Set(manifest.parts.map(\.exported.file)).union(["manifest.json", "load.sql", "spark-schemas.json"])
    )
    for (part, file) in manifest.parts {
      #expect(hashes[file.file] == file.sha256)
      let text = try exported.text(file.file)
      #expect(Int64(text.utf8.count) == file.bytes)
      let rows =
        format == .csv ? Self.fields(text).count - 1 : text.split(separator: "\n").count
      #expect(rows == file.rows, "\(part.name)")
    }
    let rows = Dictionary(manifest.parts.map { ($0.part.name, $0.exported.rows) }) { $1 }
    #expect(rows["Author"] == Self.names.count + 1 && rows["Book"] == 0)
    #expect(rows["history"] == Self.names.count + 1)
    let printed = try JSONSerialization.jsonObject(with: Data(exported.text("manifest.json").utf8))
    let counts = try #require((printed as? [String: Any])?["files"] as? [[String: Any]])
    #expect(counts.map { $0["rows"] as? Int } == manifest.parts.map(\.exported.rows))
  }

  // MARK: - For other programs

  /// DuckDB's statement for one file.
  private static func statement(_ exported: Exported, _ table: String) throws -> String {
    let script = try exported.text("load.sql")
    let start = try #require(script.range(of: "CREATE TABLE \"\(table)\""))
    let end = try #require(script[start.lowerBound...].range(of: ";\n"))
    return String(script[start.lowerBound..<end.lowerBound])
  }

  private static func schema(_ exported: Exported, _ file: String) throws -> [String: String] {
    let text = try exported.text("spark-schemas.json")
    let schemas = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let fields = try #require((schemas[file] as? [String: Any])?["fields"] as? [[String: Any]])
    return Dictionary(fields.map { ("\($0["name"] ?? "")", "\($0["type"] ?? "")") }) { $1 }
  }

  /// An impossible date once made a column of dates texts, and an empty file has no columns at all.
  @Test func typesAreThoseOfTheValues() throws {
    let exported = try Exported(FixtureModels.attributes) { forge in
      try forge.save { save in
        _ = try save.insert("Sample", ["created": .date(CoreDataDate(seconds: 0)), "double": .real(1)])
        _ = try save.insert("Sample", ["created": .date(CoreDataDate(seconds: 123_456_789_012_345))])
      }
      // SQLite keeps any value in any column.
      try forge.connection.execute("UPDATE ZSAMPLE SET ZINT64 = 'many' WHERE Z_PK = 1")
      try forge.connection.execute("UPDATE ZSAMPLE SET ZINT64 = 5, ZFLAG = 1 WHERE Z_PK = 2")
    }
    let manifest = try exported.export(.ndjson)
    let sql = try Self.statement(exported, "Sample")
    for type in [
      "'created': 'TIMESTAMPTZ'", "'created.raw': 'DOUBLE'", "'double': 'DOUBLE'", "'int64': 'JSON'",
      "'flag': 'BOOLEAN'", "'id': 'UUID'", "'pk': 'BIGINT'",
    ] {
      #expect(sql.contains(type), "\(type): \(sql)")
    }
    let second = try exported.objects("entities/Sample.ndjson")[1]
    #expect(second["created"] is NSNull && second["created.raw"] as? Double == 123_456_789_012_345)
    let types = try Self.schema(exported, "entities/Sample.ndjson")
    #expect(types["created"] == "timestamp" && types["created.raw"] == "double" && types["int64"] == "string")
    // Each file is loaded.
    let script = try exported.text("load.sql")
    #expect(manifest.parts.allSatisfy { script.contains("'\($0.exported.file)'") })
    try exported.export(.csv, to: "csv")
    let csv = try String(contentsOfFile: exported.folder.path("csv/load.sql"), encoding: .utf8)
    #expect(csv.contains("'int64': 'VARCHAR'") && csv.contains("header = true"))
    // CSV lost the number; what loads the file has the columns of its first line.
    #expect(csv.contains("'created': 'TIMESTAMPTZ',\n  'created.raw': 'DOUBLE'"), "\(csv)")
    let rows = String(decoding: try exported.folder.read("csv/entities/Sample.csv"), as: UTF8.self)
      .split(separator: "\n").map { $0.split(separator: ",", omittingEmptySubsequences: false) }
    let place = try #require(rows[0].firstIndex(of: "created"))
    #expect(rows[0][place + 1] == "created.raw" && rows[0].filter { $0.hasSuffix(".raw") }.count == 1)
    #expect(rows[1][place...place + 1] == ["2001-01-01T00:00:00.000000Z", ""])
    #expect(rows[2][place...place + 1] == ["", "123456789012345.0"] && Set(rows.map(\.count)).count == 1)
  }

  @Test func emptyFilesHaveColumns() throws {
    let exported = try Self.authors()
    try exported.export(.ndjson)
    let sql = try Self.statement(exported, "Book")
    #expect(sql.contains("'year': 'BIGINT'") && sql.contains("'title': 'VARCHAR'"), "\(sql)")
    #expect(try Self.schema(exported, "entities/Book.ndjson")["author_pk"] == "long")
  }

  /// Names out of a store end no literal, and DuckDB doesn't tell them apart by case.
  @Test func hostileNamesAreQuoted() throws {
    let attributes = ["it's", "na\"me", "Same", "same"].map { AttributeDescription(name: $0, type: .string) }
    let exported = try Exported(
      ManagedObjectModel(entities: [
        EntityDescription(name: "A", attributes: Array(attributes.prefix(2))),
        EntityDescription(name: "B", attributes: Array(attributes.suffix(2))),
        EntityDescription(name: "ATRANSACTION"),
      ])
    ) { _ in }
    try exported.export(.ndjson)
    #expect(try Self.statement(exported, "A").contains("'it''s': 'VARCHAR'"))
    #expect(try Self.statement(exported, "B").contains("read_ndjson_objects('entities/B.ndjson')"))
    let script = try exported.text("load.sql")
    #expect(
      script.contains("CREATE TABLE \"ATRANSACTION\"") && script.contains("CREATE TABLE \"ATRANSACTION_\""))
  }

  /// Other programs join by numbers, and a property may be called as the column is.
  @Test func referencesHaveKeys() throws {
    let exported = try Exported(FixtureModels.library) { forge in
      try forge.save { save in
        let author = try save.insert("Author", ["name": "Ann"])
        _ = try save.insert("Book", links: ["author": [author]])
        _ = try save.insert("Book")
      }
    }
    let manifest = try exported.export(.ndjson)
    let books = try exported.objects("entities/Book.ndjson")
    #expect(books.map { $0["author_pk"] as? Int } == [1, nil])
    let columns = manifest.parts.first { $0.part.name == "Book" }?.part.columns ?? []
    #expect(columns.contains { $0.name == "author_pk" && $0.type == "key" && $0.destination == "Author" })
  }

  @Test func compressedFilesHoldTheSame() throws {
    let exported = try Self.authors()
    try exported.export(.ndjson)
    try exported.export(.ndjson, to: "small", compression: .gzip)
    let bytes = try exported.folder.read("small/entities/Author.ndjson.gz")
    #expect(
      try Inflate.decode(bytes, wrapper: .gzip, limit: 1 << 20)
        == exported.folder.read("dump/entities/Author.ndjson"))
    #expect(try exported.folder.read("small/load.sql").count > 0)
  }

  /// https://www.rfc-editor.org/rfc/rfc8878#section-3.1.1
  @Test(.enabled(if: ZstandardWriter.isAvailable)) func theSystemsZstandardIsUsed() throws {
    let exported = try Self.authors()
    let manifest = try exported.export(.ndjson, to: "small", compression: .zstd)
    for (_, file) in manifest.parts {
      #expect(file.file.hasSuffix(".ndjson.zst"))
      #expect(try exported.folder.read("small/\(file.file)").prefix(4) == [0x28, 0xB5, 0x2F, 0xFD])
    }
  }

  @Test func onlyWhatWasAskedFor() throws {
    let exported = try Self.authors()
    let manifest = try exported.export(.ndjson, entities: ["Book"], tables: ["ATRANSACTION"])
    #expect(manifest.parts.map(\.part.name) == ["Book", "ATRANSACTION"])
    #expect(try Set(FileTree.hashes(exported.dump).keys).count == 5)
    #expect(throws: (any Error).self) { try exported.export(.ndjson, entities: ["Nobody"], to: "other") }
    #expect(!FileManager.default.fileExists(atPath: exported.folder.path("other")))
  }

  @Test func rowsOfUnknownEntitiesAreLeftOutAndSaid() throws {
    let exported = try Self.authors()
    let connection = try Connection(path: exported.path, options: .readWrite(create: false))
    try connection.execute("UPDATE ZAUTHOR SET Z_ENT = 99 WHERE Z_PK <= 2")
    connection.close()
    let manifest = try exported.export(.ndjson)
    #expect(manifest.leftOut.count == 1)
    #expect(manifest.leftOut.first?.hasPrefix("2 rows of ZAUTHOR have") == true, "\(manifest.leftOut)")
    #expect(try exported.objects("entities/Author.ndjson").count == Self.names.count - 1)
  }

  @Test func foldersOfOthersStay() throws {
    let exported = try Self.authors()
    try exported.export(.ndjson)
    let before = try FileTree.hashes(exported.dump)
    #expect(throws: (any Error).self) { try exported.export(.ndjson) }
    #expect(try FileTree.hashes(exported.dump) == before)
    try exported.folder.write([1], to: "file")
    #expect(throws: (any Error).self) { try exported.export(.ndjson, to: "file") }
    #expect(try exported.folder.read("file") == [1])
  }

  /// One thread or four, and once more: the same files.
  @Test func everyExportIsTheSame() throws {
    let exported = try Exported(FixtureModels.manyToMany) { try RandomLife.live($0, saves: 6) }
    try exported.export(.ndjson, to: "one", threads: 1)
    try exported.export(.ndjson, to: "four", threads: 4)
    let one = try FileTree.hashes(exported.folder.path("one"))
    #expect(one.count > 3)
    #expect(try FileTree.hashes(exported.folder.path("four")) == one)
  }

  /// A name out of a store must not lead out of the folder, nor two entities to one file.
  @Test func hostileNamesStayInTheFolder() throws {
    let names = ["../../evil", "a/b", "a b", "Tag", "TAG", "."]
    let exported = try Exported(
      ManagedObjectModel(entities: names.map { EntityDescription(name: $0) })
    ) { _ in }
    let manifest = try exported.export(.csv)
    let files = try FileTree.hashes(exported.dump).keys.filter { $0.hasPrefix("entities/") }
    #expect(files.count == names.count && Set(files.map { $0.lowercased() }).count == names.count)
    #expect(manifest.parts.filter { $0.part.kind == "entity" }.map(\.part.name).sorted() == names.sorted())
    #expect(try exported.folder.names() == ["App.store", "dump"])
  }
}
