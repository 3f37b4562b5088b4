import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores whose -wal is packed apart from them, or can't be had.
struct PackedPartsTests {
  private let folder = TemporaryFolder("strange")

  /// Without its -wal a store would be shown as it never was.
  @Test(
    "A store whose -wal can't be taken is skipped", arguments: ["link", "hard link", "encrypted", "damaged"])
  func lostWAL(_ kind: String) throws {
    let demo = try Demo()
    let (main, wal) = (
      try demo.folder.read(DemoStore.fileName), try demo.folder.read(DemoStore.fileName + "-wal")
    )
    var (zip, tar) = (ZipForge(), TarArchive())
    zip.add("App.store", main)
    tar.add("App.store", main)
    switch kind {
    case "link", "hard link":
      tar.add("App.store-wal", kind: kind == "link" ? "2" : "1", target: "other")
      zip.add("App.store-wal", Array("other".utf8), mode: 0o120777)
    default: zip.add("App.store-wal", wal, isEncrypted: kind == "encrypted", isDamaged: kind == "damaged")
    }
    try folder.write(zip.ended, to: "a.zip")
    if kind.hasSuffix("link") { try folder.write(tar.ended, to: "a.tar") }
    let found = try FindRun.find(".", in: folder)
    #expect(found.addresses.isEmpty)
    #expect(found.skipped["./a.zip!/App.store"]?.contains("-wal") == true, "\(found.skipped)")
    #expect(!kind.hasSuffix("link") || found.skipped["./a.tar!/App.store"]?.contains("-wal") == true)
    // It once had Swift's description of a view of a string.
    if kind == "damaged" {
      let reason = found.skipped["./a.zip!/App.store"] ?? ""
      #expect(reason.hasPrefix("its -wal can't be read: its data isn't what the archive lists"), "\(reason)")
    }
  }

  /// An older state was listed without a word. A backup lists all files: if it has no -wal, there was none.
  @Test(
    "A store that uses a -wal and has none is listed so",
    arguments: [("a.zip", true), ("a.tar", true), (".", true), ("backup", false)])
  func missingWAL(_ container: String, _ isMissing: Bool) throws {
    let demo = try Demo()
    let files = try ["", "-shm"].map { ("App.store\($0)", try demo.folder.read(DemoStore.fileName + $0)) }
    try folder.pack(files, as: container)
    let found = try FindRun.find(container, in: folder)
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["walMissing"] as? Bool == isMissing, "\(store)")
    let text = try folder.run("find", container).output
    #expect(text.contains("1 store has no -wal file next to it") == isMissing, "\(text)")
    #expect(text.contains(" missing  ") == isMissing, "\(text)")
  }

  /// Names that are equal as text were taken for the same, and written by bytes: SQLite didn't find the -wal, and an
  /// address that was typed led to a copy of another name.
  @Test(
    "A store and its -wal are one, in whichever of Unicode's forms each has its name",
    arguments: ["a.zip", "a.tar", "backup"], [[false, true], [true, false], [false, false]])
  func unicodeForms(_ container: String, _ areComposed: [Bool]) throws {
    let letters = areComposed.map { $0 ? "\u{E9}" : "e\u{301}" }
    let demo = try Demo()
    // In a stream, the -wal may come first.
    let files = [
      ("Caf\(letters[1]).store-wal", try demo.folder.read(DemoStore.fileName + "-wal")),
      ("Caf\(letters[0]).store", try demo.folder.read(DemoStore.fileName)),
    ]
    try folder.pack(files, as: container)
    let found = try FindRun.find(container, in: folder)
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.compactMap { $0["walBytes"] as? Int } == [files[0].1.count], "\(found.result.output)")
    let typed = "\(container)!/\(container == "backup" ? "AppDomain-a.b/" : "")Caf\u{E9}.store"
    let copied = try folder.run("find", typed, "--copy-to", "out")
    try FindRun.expectOpens(found.addresses + [typed], in: folder)
    #expect(copied.status == 0, "\(copied.errors)")
    let copies = try folder.names(in: "out")
    #expect(copies.count { $0.hasSuffix("-wal") } == 1, "\(copies)")
  }

  /// Page 1 then has other tables only.
  @Test(
    "A store whose tables are all in its -wal is found", arguments: ["a.zip", "a.tar", "backup", "loose"])
  func tablesInWAL(_ container: String) throws {
    let demo = try Demo(leaving: .nothing)
    let (main, wal) = try Self.lateStore(demo.path, in: folder)
    // The -wal comes first here, as names in an archive have any order.
    let files = [("App.store-wal", wal), ("App.store", main)]
    try folder.pack(files, as: container)
    let found = try FindRun.find(container, in: folder)
    #expect(found.addresses.count == 1, "\(found.result.output)")
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  /// A copy of the store that has another table in its main file, and everything else in its -wal.
  private static func lateStore(_ source: String, in folder: TemporaryFolder) throws -> ([UInt8], [UInt8]) {
    let path = folder.path("late")
    let database = try Connection(path: path, options: .readWrite(create: true))
    try database.execute(
      """
      PRAGMA journal_mode = WAL; CREATE TABLE other(a); PRAGMA wal_checkpoint(TRUNCATE);
      PRAGMA wal_autocheckpoint = 0; ATTACH '\(source)' AS source; BEGIN
      """)
    var statements: [String] = []
    var tables: [String] = []
    try database.forEachRow(
      "SELECT type, name, sql FROM source.sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite%'", []
    ) { row in
      statements.append(row.text(2))
      if row.text(0) == "table" { tables.append(row.text(1)) }
    }
    for statement in statements { try database.execute(statement) }
    for table in tables {
      try database.execute("INSERT INTO main.\"\(table)\" SELECT * FROM source.\"\(table)\"")
    }
    try database.execute("COMMIT")
    let files = (try folder.read("late"), try folder.read("late-wal"))
    _ = consume database
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    return files
  }
}
