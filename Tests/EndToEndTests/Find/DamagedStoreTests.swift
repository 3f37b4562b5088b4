import Discovery
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores that aren't whole, each of which looked healthy or was left out without a word.
struct DamagedStoreTests {
  private let folder = TemporaryFolder("damaged")

  enum Damage: String, CaseIterable {
    case page, cutOff, tornWAL, wrongWAL

    func apply(to main: inout [UInt8], _ wal: inout [UInt8]) {
      switch self {
      case .page:
        wal = []
        // The header of a page behind those of the schema.
        for index in main.count / 2..<main.count / 2 + 8192 { main[index] = 0x55 }
      case .cutOff:
        wal = []
        main.removeLast(8192)
      case .tornWAL: wal.removeLast(1000)
      case .wrongWAL: wal = [UInt8](repeating: 7, count: wal.count)
      }
    }

    var says: String {
      switch self {
      case .page: "SQLite's check finds damage: "
      case .cutOff: "it is cut off: 2 of its "
      case .tornWAL: "its -wal is torn: "
      case .wrongWAL: "its -wal is damaged: its header is invalid"
      }
    }
  }

  @Test("What is listed shows its damage", arguments: Damage.allCases, ["place", "a.zip"])
  func shown(_ damage: Damage, _ place: String) throws {
    let demo = try Demo(leaving: damage == .page || damage == .cutOff ? .nothing : .wal)
    var main = try demo.folder.read(DemoStore.fileName)
    var wal = (try? demo.folder.read(DemoStore.fileName + "-wal")) ?? []
    damage.apply(to: &main, &wal)
    var zip = ZipForge()
    for (name, bytes) in [("App.store", main), ("App.store-wal", wal)] where !bytes.isEmpty {
      zip.add(name, bytes)
      if place == "place" { try folder.write(bytes, to: name) }
    }
    if place == "a.zip" { try folder.write(zip.ended, to: place) }
    let found = try FindRun.find(place == "place" ? "." : place, in: folder)
    let store = try #require(
      (try found.result.json()["stores"] as? [[String: Any]])?.first, "\(found.skipped)")
    #expect((store["damage"] as? String)?.hasPrefix(damage.says) == true, "\(store)")
    try folder.run("find", place == "place" ? "." : place).expectOutput(
      "\nDamaged\n\(found.addresses[0]): \(damage.says)")
    // Who reads rows only is told on standard error.
    try folder.run("find", place == "place" ? "." : place, "--format", "csv").expectErrors(damage.says)
  }

  @Test func aWholeStoreHasNone() throws {
    let demo = try Demo()
    let found = try FindRun.find(DemoStore.fileName, in: demo.folder)
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["damage"] is NSNull, "\(store)")
    #expect(!(try demo.run("find")).output.contains("Damaged"))
  }

  /// `find` left it out, and its address opened with the words that what follows its -wal is missing.
  @Test(
    "A store whose -wal is cut off with the archive is listed and opened without it",
    arguments: ["a.tar", "a.tar.gz", "a.zip"])
  func cutArchive(_ name: String) throws {
    let demo = try Demo()
    let main = try demo.folder.read(DemoStore.fileName)
    // So that compression leaves it about as long.
    let wal =
      try demo.folder.read(DemoStore.fileName + "-wal")
      + (0..<200_000).map { _ in UInt8.random(in: 0...255) }
    try folder.pack([("App.store", main), ("App.store-wal", wal)], as: name)
    try folder.write(try folder.read(name).dropLast(100_000), to: name)
    let found = try FindRun.find(name, in: folder)
    #expect(found.addresses == ["\(name)!/App.store"] && found.skipped[name] != nil, "\(found.skipped)")
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    expectMembers(store, ["walMissing": true, "damage": "its -wal is cut off or damaged in the archive"])
    try folder.run("summary", "\(name)!/App.store").expectErrors(
      status: 0, "Its -wal wasn't read: newer commits are missing.")
    #expect(try folder.run("find", name, "--copy-to", "out").status == 2)
  }

  /// Half of a store's transaction is in it until the journal is rolled back.
  @Test func aStoreWhoseJournalIsCutOffIsRefused() throws {
    var tar = TarArchive()
    tar.add("App.store", try FindRun.store())
    tar.add("App.store-journal", [UInt8](repeating: 7, count: 100_000))
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "a.tar")
    let found = try FindRun.find("a.tar", in: folder)
    #expect(found.addresses.isEmpty && found.skipped["a.tar"]?.contains("App.store-journal") == true)
    try folder.run("summary", "a.tar!/App.store").expectErrors(status: 2, "cut off or damaged")
  }

  /// The store was taken for copied, and its absence was reported as that of a file in a private folder.
  @Test func aStoreThatIsCutOffItselfIsRefused() throws {
    var tar = TarArchive()
    tar.add("App.store", try FindRun.store())
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "a.tar")
    let found = try FindRun.find("a.tar", in: folder)
    #expect(found.addresses.isEmpty && found.skipped["a.tar"]?.contains("cut off") == true)
    try folder.run("summary", "a.tar!/App.store").expectErrors(
      status: 2, "can't read 'a.tar': the archive is cut off or damaged")
  }

  /// The tables of a new store are in its -wal alone: without it, nothing shows whose it is, and it was left out.
  @Test(arguments: ["place", "a.zip", "empty -wal"]) func aNewStoreWithoutItsWALIsNamed(_ place: String)
    throws
  {
    let path = folder.path("new")
    let database = try Connection(path: path, options: .readWrite(create: true))
    try database.execute("PRAGMA journal_mode = WAL; CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY)")
    let bytes = try folder.read("new")
    _ = consume database
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    if place == "a.zip" {
      var zip = ZipForge()
      zip.add("default.store", bytes)
      try folder.write(zip.ended, to: place)
    } else {
      try folder.write(bytes, to: "default.store")
      // What a copy that was broken off leaves.
      if place != "place" { try folder.write([7], to: "default.store-wal") }
    }
    let found = try FindRun.find(".", in: folder)
    let address = place == "a.zip" ? "./a.zip!/default.store" : "./default.store"
    #expect(
      found.skipped[address]?.contains("has no tables: they may be in its -wal") == true, "\(found.skipped)")
    try folder.run("summary", address).expectErrors(status: 2, "may be in a missing -wal")
  }
}

/// Backups whose list or keys are damaged, or lead elsewhere.
struct DamagedBackupTests {
  private let folder = TemporaryFolder("strange")

  @Test(
    "A damaged list of a backup ends nothing, and its folder is searched",
    arguments: ["text", "other tables"])
  func badManifest(_ kind: String) throws {
    for place in ["a/bad", "b/good"] { try FindRun.makeBackup(at: place, in: folder) }
    let manifest = folder.path("a/bad/Manifest.db")
    try FileManager.default.removeItem(atPath: manifest)
    if kind == "text" {
      try folder.write([UInt8](repeating: 0x41, count: 4096), to: "a/bad/Manifest.db")
    } else {
      try Connection(path: manifest, options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    }
    let found = try FindRun.find(".", in: folder)
    #expect(found.addresses.count == 2 && found.addresses[1] == "./b/good!/AppDomain-a.b/Library/App.store")
    #expect((found.skipped["./a/bad"] != nil) == (kind == "text"), "\(found.skipped)")
  }

  /// The list was read with the -wal of another database, which a stranger's backup can have a link to.
  @Test("A link next to a backup's list isn't followed", arguments: ["-wal", "-shm", "-journal"])
  func linkedList(_ suffix: String) throws {
    try FindRun.makeBackup(in: folder)
    try folder.write([1, 2, 3], to: "mine")
    try folder.link("backup/Manifest.db\(suffix)", to: folder.path("mine"))
    let found = try FindRun.find("backup", in: folder)
    #expect(
      found.skipped["backup"]?.contains("Manifest.db\(suffix)' is a link, not a file") == true,
      "\(found.skipped)")
    #expect(!found.addresses.contains { $0.contains("!/") })
  }

  /// The stores were listed under their hashes, as of long ago, without a word about their -wal.
  @Test("A backup without Manifest.plist is read by its list; without both, a -wal may be missing")
  func incompleteBackup() throws {
    try FindRun.makeBackup(in: folder)
    try FileManager.default.removeItem(atPath: folder.path("backup/Manifest.plist"))
    #expect(try FindRun.find("backup", in: folder).addresses == ["backup!/AppDomain-a.b/Library/App.store"])
    try FileManager.default.removeItem(atPath: folder.path("backup/Manifest.db"))
    let loose = try FindRun.find("backup", in: folder).addresses
    let store = try #require(loose.first)
    let doctor = try folder.run("doctor", store, "--fail-on", "never")
    #expect(loose.count == 1 && doctor.output.contains("wal-missing"), "\(doctor.output)")
  }

  /// In a folder it was a backup, and in an archive none: its stores were listed under their hashes.
  @Test(arguments: ["a.zip", "a.tar"]) func incompleteBackupInAnArchive(_ name: String) throws {
    try FindRun.makeBackup(in: folder)
    let files = try FindRun.backupFiles("backup", in: folder).filter { $0.path != "Manifest.plist" }
    try folder.pack(files.map { ("0811/" + $0.path, $0.bytes) }, as: name)
    let address = "\(name)!/0811!/AppDomain-a.b/Library/App.store"
    #expect(try FindRun.find(name, in: folder).addresses == [address])
    try FindRun.expectOpens([address, name], in: folder)
    #expect(ContainerListing.paths(in: folder.path("\(name)!/")) { true } == ["0811!/"])
  }

  /// Who looks for a file with another tool knows it by that name.
  @Test func aBackupsNameOfTheFileIsInJSON() throws {
    try FindRun.makeBackup(in: folder)
    let found = try FindRun.find("backup", in: folder)
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    let fileID = try #require(store["fileID"] as? String)
    #expect(FileManager.default.fileExists(atPath: folder.path("backup/\(fileID.prefix(2))/\(fileID)")))
    try folder.write(try FindRun.store(), to: "App.store")
    let loose = try FindRun.find("App.store", in: folder).result.json()["stores"] as? [[String: Any]]
    #expect(loose?.first?["fileID"] is NSNull)
  }

  /// It may lead to any file of the user's.
  @Test("A backup's list that is a link isn't followed")
  func linkedManifest() throws {
    try FindRun.makeBackup(in: folder)
    try FileManager.default.moveItem(atPath: folder.path("backup/Manifest.db"), toPath: folder.path("mine"))
    try folder.link("backup/Manifest.db", to: folder.path("mine"))
    let found = try FindRun.find("backup", in: folder)
    #expect(found.addresses.allSatisfy { !$0.contains("!/") }, "\(found.addresses)")
  }

  @Test("One damaged class key loses its own files only")
  func damagedKey() throws {
    try FindRun.makeBackup(in: folder, password: "right", damagedClass: 3)
    try folder.write(Array("right".utf8), to: "password")
    let found = try FindRun.find("backup", in: folder, "--password-file", "password")
    #expect(
      found.skipped == ["backup!/AppDomain-a.b/Library/App.store": found.skipped.values.first ?? ""],
      "\(found.skipped)")
    #expect(found.skipped.values.first?.contains("has no key for it") == true, "\(found.skipped)")
  }
}
