import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores of which one table can't be read, or isn't there: what can be read is shown, and `doctor` reports the rest.
struct UnreadableTablesTests {
  private let folder = TemporaryFolder("unreadable")

  /// The demo with its commits in one file, so that every page is there.
  private static func store(_ change: (inout [UInt8], Connection) throws -> Void) throws -> TemporaryFolder {
    let demo = try Demo(leaving: .nothing)
    var bytes = try demo.folder.read(DemoStore.fileName)
    try change(&bytes, Connection(path: demo.path, options: .overlay()))
    let folder = TemporaryFolder("unreadable")
    try folder.write(bytes, to: "App.store")
    return folder
  }

  private static func destroyed(_ page: Int, _ bytes: inout [UInt8]) {
    for index in (page - 1) * 4096..<page * 4096 { bytes[index] = 0x55 }
  }

  private static func rootPage(of table: String, _ connection: Connection) throws -> Int {
    let page = try connection.first("SELECT rootpage FROM sqlite_master WHERE name = ?", [.text(table)]) {
      Int($0.integer(0))
    }
    return try #require(page)
  }

  /// It refused for the pages of some twenty tables, and said that 'doctor' shows what is wrong. Of the first page and of the
  /// first with the list of tables, nothing can be read.
  @Test func doctorReportsDamageOnAnyPage() throws {
    let demo = try Demo(leaving: .nothing)
    let whole = try demo.folder.read(DemoStore.fileName)
    var refused: [Int] = []
    for page in 1...whole.count / 4096 {
      var bytes = whole
      Self.destroyed(page, &bytes)
      try folder.write(bytes, to: "App.store")
      let result = try folder.run("doctor", "App.store")
      if result.errors.contains("can't open 'App.store'") {
        refused.append(page)
        continue
      }
      #expect(result.status == 1, "page \(page): \(result.errors)")
      // Of free pages and of those that locate others, nothing is lost.
      #expect(
        result.output.hasPrefix("The file is damaged: ") || result.output.hasPrefix("Blocked: "),
        "page \(page): \(result.output)")
      #expect(!result.output.contains("SELECT"), "page \(page): \(result.output)")
    }
    #expect(refused.first == 1 && refused.count <= 2, "\(refused)")
  }

  /// SQLite counts rows by whatever index it likes, and the rows didn't come out.
  @Test(arguments: ["csv", "json", "ndjson", "table"]) func rowsNeedNoIndex(_ format: String) throws {
    let forge = try StoreForge(
      path: folder.path("App.store"), model: FixtureModels.library, options: ForgeOptions(journal: .rollback))
    try forge.save { save in
      for number in 0..<300 { _ = try save.insert("Book", ["year": .integer(Int64(number))]) }
    }
    let page = try Self.rootPage(of: "ZBOOK_ZAUTHOR_INDEX", forge.connection)
    try forge.close()
    let rows = ["rows", forge.path, "Book", "--columns", "pk,year", "--format", format, "--limit", "300"]
    let whole = try Tool.run(rows)
    let file = try FileHandle(forUpdating: URL(filePath: forge.path))
    try file.seek(toOffset: UInt64((page - 1) * 4096))
    try file.write(contentsOf: Data(repeating: 0x55, count: 4096))
    try file.close()
    let damaged = try Tool.run(rows)
    #expect(damaged.status == 0 && damaged.output == whole.output, "\(damaged.errors)")
  }

  @Test(
    "The app's rows are shown, whatever became of Core Data's own", arguments: ["Z_METADATA", "Z_PRIMARYKEY"])
  func rowsAreShown(_ table: String) throws {
    let demo = try Demo(leaving: .nothing)
    let whole = try demo.run("rows", "Tag", "--columns", "pk,name", "--format", "csv")
    let folder = try Self.store { bytes, connection in
      Self.destroyed(try Self.rootPage(of: table, connection), &bytes)
    }
    let rows = try folder.run("rows", "App.store", "Tag", "--columns", "pk,name", "--format", "csv")
    #expect(rows.status == 0 && rows.output == whole.output, "\(rows.output)\(rows.errors)")
    try folder.run("summary", "App.store").expectOutput(status: 0, "\(table) can't be read")
    try folder.run("doctor", "App.store").expectOutput("\(table) can't be read")
  }

  @Test(
    "Destroyed bookkeeping is an error, and never safe",
    arguments: [
      ("DELETE FROM Z_PRIMARYKEY", "counters-missing"), ("DROP TABLE Z_PRIMARYKEY", "counters-missing"),
      ("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'", "counters-missing"),
      ("DELETE FROM Z_METADATA", "metadata-unreadable"), ("DROP TABLE Z_METADATA", "metadata-unreadable"),
      ("UPDATE Z_METADATA SET Z_PLIST = x'0102030405'", "metadata-unreadable"),
    ])
  func bookkeeping(_ sql: String, _ rule: String) throws {
    let path = try SmallStores.healthy(in: folder, "a.store")
    try Connection(path: path, options: .readWrite()).execute(sql)
    try Tool.run(["doctor", path]).expectOutput(status: 1, "error    \(rule)")
    let preflight = try Tool.run(["preflight", path, "--json"])
    let json = try preflight.json()
    #expect(json["verdict"] as? String == "fails", "\(preflight.output)")
    let steps = try json.list("steps")
    #expect(steps.first?["outcome"] as? String == "fails" && steps.first?["fix"] is String, "\(steps)")
    let summary = try Tool.run(["summary", path])
    #expect(
      summary.status == 0
        && summary.output.contains(rule == "counters-missing" ? "Z_PRIMARYKEY" : "Z_METADATA"),
      "\(summary.output)")
  }

  /// A table whose rows can't be checked without computing them was left out, and the store called healthy.
  @Test func aDamagedPageOfComputedColumnsIsFound() throws {
    let path = try SmallStores.healthy(in: folder, "a.store")
    let store = try Connection(path: path, options: .readWrite())
    try store.execute("CREATE TABLE app(a INTEGER PRIMARY KEY, b AS (a + 1)); INSERT INTO app VALUES (1)")
    let page = try Self.rootPage(of: "app", store)
    try store.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store.close()
    var bytes = try folder.read("a.store")
    Self.destroyed(page, &bytes)
    try folder.write(bytes, to: "a.store")
    try Tool.run(["doctor", path]).expectOutput(status: 1, "error    integrity-check-failed")
    #expect(try Tool.json(["preflight", path])["verdict"] as? String == "fails")
  }

  /// The SQL of a finding makes an end of it.
  @Test(arguments: ["DELETE FROM Z_PRIMARYKEY", "DROP TABLE Z_PRIMARYKEY"]) func countersComeBack(
    _ sql: String
  ) throws {
    let demo = try Demo(leaving: .nothing)
    let store = try Connection(path: demo.path, options: .readWrite())
    func rows() throws -> [String] {
      try store.rows(
        "SELECT Z_ENT || ' ' || Z_NAME || ' ' || COALESCE(Z_SUPER, 0) FROM Z_PRIMARYKEY ORDER BY 1"
      ) { $0.text(0) }
    }
    let before = try rows()
    try store.execute(sql)
    let doctor = ["doctor", demo.path, "--rule", "counters-missing", "--json"]
    let finding = try #require((try Tool.run(doctor).json()["findings"] as? [[String: Any]])?.first)
    if sql.hasPrefix("DROP") {
      let remedy = try #require(finding["remedy"] as? String)
      let creation = try #require(remedy.firstMatch(of: /CREATE TABLE [^;]+;/))
      try store.execute(String(creation.output))
    }
    for evidence in try finding.list("evidence") {
      try store.execute(try #require(evidence["sql"] as? String))
    }
    // Those of the framework's entities that have no row aren't missed.
    let left = try rows()
    #expect(Set(left).isSubset(of: before) && !left.isEmpty)
    #expect((try Tool.run(doctor).json()["findings"] as? [Any])?.isEmpty == true)
    let above = try demo.json("doctor", "--rule", "object-id-above-max")
    #expect((above["findings"] as? [Any])?.isEmpty == true, "\(above)")
  }

  @Test("A store without Z_METADATA is found, and isn't taken for a foreign database") func withoutMetadata()
    throws
  {
    let path = try SmallStores.healthy(in: folder, "a.store")
    try Connection(path: path, options: .readWrite()).execute("DROP TABLE Z_METADATA")
    try Tool.run(["summary", path]).expectOutput(status: 0, "There is no table Z_METADATA")
    try Tool.run(["find", folder.path]).expectOutput("a.store")
  }

  /// The advice was to rebuild it with .recover, and `find` printed SQL.
  @Test(arguments: [8192, 30_000, 150_000]) func aCutFileIsCalledThat(_ lost: Int) throws {
    let folder = try Self.store { bytes, _ in bytes.removeLast(lost) }
    let doctor = try folder.run("doctor", "App.store")
    let preflight = try folder.run("preflight", "App.store")
    // With that many pages the list of tables is gone, so nothing can be examined.
    if lost == 150_000 {
      for result in [doctor, preflight] {
        #expect(result.status == 2 && result.output.isEmpty, "\(result.output)")
        expectText(result.errors, "cut off: 37 pages of it are missing; copy the store")
      }
    } else {
      #expect(doctor.status == 1 && doctor.output.hasPrefix("The file is cut off: "), "\(doctor.output)")
      let fix = try #require(doctor.output.firstRange(of: "Copy the store again from where it came"))
      if let recover = doctor.output.firstRange(of: ".recover") {
        #expect(fix.lowerBound < recover.lowerBound)
      }
      #expect(preflight.output.contains("The file is cut off"), "\(preflight.output)")
    }
    let found = try folder.run("find", ".")
    #expect((found.output + found.errors).contains("cut off: "), "\(found.output) \(found.errors)")
    #expect(!(found.output + found.errors).contains("SELECT"), "\(found.output)")
  }
}
