import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores that aren't whole, each of which looked healthy or was left out without a word.
struct DamagedStoreTests {
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
    let folder = try TemporaryFolder("damaged")
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
    let text = try Tool.run(["find", place == "place" ? "." : place], in: folder.path).output
    #expect(text.contains("\nDamaged\n\(found.addresses[0]): \(damage.says)"), "\(text)")
    // Who reads rows only is told on standard error.
    let rows = try Tool.run(
      ["find", place == "place" ? "." : place, "--format", "csv"], in: folder.path)
    #expect(rows.errors.contains(damage.says), "\(rows.errors)")
  }

  @Test func aWholeStoreHasNone() throws {
    let demo = try Demo()
    let found = try FindRun.find(DemoStore.fileName, in: demo.folder)
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["damage"] is NSNull, "\(store)")
    #expect(!(try Tool.run(["find", demo.path])).output.contains("Damaged"))
  }

  /// `find` left it out, and its address opened with the words that what follows its -wal is missing.
  @Test(
    "A store whose -wal is cut off with the archive is listed and opened without it",
    arguments: ["a.tar", "a.tar.gz", "a.zip"])
  func cutArchive(_ name: String) throws {
    let folder = try TemporaryFolder("damaged")
    let demo = try Demo()
    let main = try demo.folder.read(DemoStore.fileName)
    // So that compression leaves it about as long.
    let wal =
      try demo.folder.read(DemoStore.fileName + "-wal")
      + (0..<200_000).map { _ in UInt8.random(in: 0...255) }
    var (zip, tar) = (ZipForge(), TarArchive())
    for (name, bytes) in [("App.store", main), ("App.store-wal", wal)] {
      zip.add(name, bytes)
      tar.add(name, bytes)
    }
    let bytes =
      switch name {
      case "a.zip": zip.ended
      case "a.tar": tar.ended
      default: TarArchive.Compression.gzip.packed(tar.ended)
      }
    try folder.write(Array(bytes.dropLast(100_000)), to: name)
    let found = try FindRun.find(name, in: folder)
    #expect(found.addresses == ["\(name)!/App.store"] && found.skipped[name] != nil, "\(found.skipped)")
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["walMissing"] as? Bool == true, "\(store)")
    #expect(store["damage"] as? String == "its -wal is cut off or damaged in the archive", "\(store)")
    let opened = try Tool.run(["summary", "\(name)!/App.store"], in: folder.path)
    #expect(
      opened.status == 0 && opened.errors.contains("Its -wal wasn't read: newer commits are missing."),
      "\(opened.errors)")
    #expect(try Tool.run(["find", name, "--copy-to", "out"], in: folder.path).status == 2)
  }

  /// Half of a store's transaction is in it until the journal is rolled back.
  @Test func aStoreWhoseJournalIsCutOffIsRefused() throws {
    let folder = try TemporaryFolder("damaged")
    var tar = TarArchive()
    tar.add("App.store", try FindRun.store())
    tar.add("App.store-journal", [UInt8](repeating: 7, count: 100_000))
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "a.tar")
    let found = try FindRun.find("a.tar", in: folder)
    #expect(found.addresses.isEmpty && found.skipped["a.tar"]?.contains("App.store-journal") == true)
    let opened = try Tool.run(["summary", "a.tar!/App.store"], in: folder.path)
    #expect(opened.status == 2 && opened.errors.contains("cut off or damaged"), "\(opened.errors)")
  }

  /// The store was taken for copied, and its absence was reported as that of a file in a private folder.
  @Test func aStoreThatIsCutOffItselfIsRefused() throws {
    let folder = try TemporaryFolder("damaged")
    var tar = TarArchive()
    tar.add("App.store", try FindRun.store())
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "a.tar")
    let found = try FindRun.find("a.tar", in: folder)
    #expect(found.addresses.isEmpty && found.skipped["a.tar"]?.contains("cut off") == true)
    let opened = try Tool.run(["summary", "a.tar!/App.store"], in: folder.path)
    #expect(
      opened.status == 2 && opened.errors.contains("can't read 'a.tar': the archive is cut off or damaged"),
      "\(opened.errors)")
  }

  /// The tables of a new store are in its -wal alone: without it, nothing shows whose it is, and it was left out.
  @Test(arguments: ["place", "a.zip", "empty -wal"]) func aNewStoreWithoutItsWALIsNamed(_ place: String)
    throws
  {
    let folder = try TemporaryFolder("damaged")
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
    let opened = try Tool.run(["summary", address], in: folder.path)
    #expect(opened.status == 2 && opened.errors.contains("may be in a missing -wal"), "\(opened.errors)")
  }
}
