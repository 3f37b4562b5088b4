import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// A -wal that isn't the main file's own: SQLite mixes the pages of both, and storescope showed the mix, and called the
/// sound main file damaged.
struct MismatchedWALTests {
  private let folder = TemporaryFolder("own")

  enum Pair: CaseIterable {
    /// Another store's, larger than this one.
    case larger
    /// Another store's, with as many pages.
    case alike
    /// That of a later state of the same store.
    case later
  }

  private struct Made {
    let folder: TemporaryFolder
    /// What the main file alone has.
    let alone: TemporaryFolder
  }

  private static func grow(_ forge: StoreForge, _ count: Int) throws {
    try forge.save(author: "app") { save in
      for _ in 0..<count { _ = try save.insert("Note", ["text": .text(String(repeating: "x", count: 800))]) }
    }
  }

  private static func forge(_ folder: TemporaryFolder, _ name: String, _ count: Int) throws -> StoreForge {
    let forge = try StoreForge(path: folder.path(name), model: FixtureModels.people())
    try grow(forge, count)
    try forge.checkpoint()
    return forge
  }

  private static func make(_ pair: Pair) throws -> Made {
    let place = TemporaryFolder("pairs")
    let own = try forge(place, "App.store", 20)
    let main = try place.read("App.store")
    let wal: [UInt8]
    switch pair {
    case .later:
      try grow(own, 100)
      try own.checkpoint()
      try grow(own, 20)
      wal = try place.read("App.store-wal")
    case .larger, .alike:
      let other = try forge(place, "Other.store", pair == .larger ? 200 : 20)
      if pair == .alike {
        // Tables of the same names elsewhere, in a file of about the same size.
        try other.connection.execute("VACUUM")
        try other.connection.execute("CREATE TABLE filler AS SELECT ZTEXT FROM ZNOTE; DROP TABLE filler")
        try other.checkpoint()
      }
      try grow(other, 3)
      wal = try place.read("Other.store-wal")
    }
    let made = Made(folder: TemporaryFolder("pair"), alone: TemporaryFolder("alone"))
    try made.folder.write(main, to: "App.store")
    try made.folder.write(wal, to: "App.store-wal")
    try made.alone.write(main, to: "App.store")
    return made
  }

  @Test(arguments: Pair.allCases) func isCalledThat(_ pair: Pair) throws {
    let made = try Self.make(pair)
    let before = try FolderSnapshot(made.folder.path)
    try made.folder.run("doctor", "App.store").expectOutput(
      status: 1, begins: "The -wal next to the store belongs to another store",
      lacks: "integrity-check-failed", "is damaged")
    try made.folder.run("summary", "App.store").expectOutput(
      "\nMismatched files: the -wal next to it belongs to another store")
    let preflight = try made.folder.run("preflight", "App.store", "--json").json()
    #expect(preflight["verdict"] as? String == "fails", "\(preflight)")
    try made.folder.run("find", ".").expectOutput("belongs to another store")
    // Not a page of the other store is shown.
    let rows = ["rows", "App.store", "Note", "--format", "csv"]
    let shown = try made.folder.run(rows)
    #expect(shown.output == (try made.alone.run(rows)).output && shown.status == 0, "\(shown.errors)")
    #expect(shown.errors.contains("isn't read: it belongs to another store"), "\(shown.errors)")
    #expect(try FolderSnapshot(made.folder.path) == before)
  }

  @Test func nothingIsWrittenToIt() throws {
    let made = try Self.make(.larger)
    let before = try FolderSnapshot(made.folder.path)
    let result = try made.folder.run("repair", "App.store", "raise-max", "--apply", "--confirm", "App.store")
    #expect(
      result.status == 2 && (result.output + result.errors).contains("another store"), "\(result.errors)")
    #expect(try FolderSnapshot(made.folder.path) == before)
  }

  /// A store was refused, or shown without its newest saves, for what only the app or a newer SQLite understands.
  @Test(arguments: [true, false]) func itsOwnIsNotCalledForeign(_ hasCollation: Bool) throws {
    let forge = try Self.forge(folder, "App.store", 20)
    if hasCollation {
      try forge.connection.addCollation(name: "finder") { $0.count - $1.count }
      try forge.connection.execute("CREATE INDEX sorted ON ZNOTE(ZTEXT COLLATE finder)")
    } else {
      try forge.connection.execute(
        """
        PRAGMA writable_schema = ON;
        INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql)
        VALUES ('view', 'later', 'later', 0, 'CREATE VIEW later AS SELECT SYNTAX OF LATER');
        PRAGMA writable_schema = OFF
        """)
    }
    try Self.grow(forge, 1)
    try forge.close(leaving: .walWithoutIndex)
    let doctor = try folder.run("doctor", "App.store")
    #expect(!(doctor.output + doctor.errors).contains("another store"), "\(doctor.output)")
    let rows = try folder.run("rows", "App.store", "Note", "--format", "csv")
    guard hasCollation else { return #expect(rows.status == 2, "\(rows.output)") }
    #expect(rows.status == 0 && rows.output.split(separator: "\n").count == 22, "\(rows.errors)")
    try folder.run("doctor", "App.store", "--verbose").expectOutput(
      "ZNOTE wasn't checked: that needs a collation")
  }

  /// SQLite deletes the -wal of an empty file, and it was said that no app has saved to it yet.
  @Test("An empty file with a -wal that has everything") func emptyFile() throws {
    let forge = try StoreForge(path: folder.path("App.store"), model: FixtureModels.people())
    try Self.grow(forge, 5)
    // It writes every page.
    try forge.connection.execute("VACUUM")
    try forge.close(leaving: .walWithoutIndex)
    try folder.write([], to: "App.store")
    let before = try FolderSnapshot(folder.path)
    try folder.run("summary", "App.store").expectOutput(
      "\nDamaged: it is empty (0 bytes), and what is shown is in its -wal alone", "Note  5")
    try folder.run("find", ".").expectOutput("is in its -wal alone")
    try folder.run("doctor", "App.store").expectOutput(status: 1, begins: "The file is empty (0 bytes)")
    let preflight = try folder.run("preflight", "App.store", "--json").json()
    #expect(preflight["verdict"] as? String == "losesData", "\(preflight)")
    try folder.run("repair", "App.store", "raise-max", "--apply", "--confirm", "App.store")
      .expectStatus(2)
    #expect(try FolderSnapshot(folder.path) == before)
  }

  /// What the -wal needs is gone with the file.
  @Test("An empty file with a -wal that has a part of the store") func emptyFileWithPart() throws {
    let forge = try Self.forge(folder, "App.store", 20)
    try Self.grow(forge, 1)
    try forge.close(leaving: .walWithoutIndex)
    try folder.write([], to: "App.store")
    let before = try FolderSnapshot(folder.path)
    for command in ["summary", "doctor"] {
      try folder.run(command, "App.store").expectRefused("the -wal next to it has 1 commit")
    }
    try folder.run("find", ".").expectOutput("the -wal next to it has 1 commit")
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test("An empty file with a -wal that has no page of it is empty") func nothingAtAll() throws {
    try folder.write([], to: "App.store")
    try folder.write([UInt8](repeating: 7, count: 5000), to: "App.store-wal")
    try folder.run("summary", "App.store").expectRefused("empty (0 bytes)")
  }
}
