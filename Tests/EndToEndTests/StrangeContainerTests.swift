import Archives
import Containers
import Forge
import Foundation
import SQLite
import StoreModel
import SystemCalls
import TestSupport
import Testing
import Values

/// Archives, backups and folders that once ended a search, hid a store, or led out of the private folder.
struct StrangeContainerTests {
  /// A store as it stands in the file, without a -wal.
  private static func store() throws -> [UInt8] {
    try Demo(leaving: .nothing).folder.read(DemoStore.fileName)
  }

  private struct Found {
    var addresses: [String]
    /// By address.
    var skipped: [String: String]
    var result: Tool.Result
  }

  private static func find(_ place: String, in folder: TemporaryFolder, _ options: String...) throws -> Found
  {
    let temporary = folder.path("tmp")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let result = try Tool.run(
      ["find", place, "--json"] + options, environment: ["TMPDIR": temporary], in: folder.path)
    let json = try result.json()
    let stores = (json["stores"] as? [[String: Any]] ?? []).compactMap { $0["address"] as? String }
    let skipped = (json["skipped"] as? [[String: String]] ?? []).map {
      ($0["address"] ?? "", $0["because"] ?? "")
    }
    // Nothing stays.
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    #expect(result.status == 0, "\(result.errors)")
    return Found(
      addresses: stores.sorted(), skipped: Dictionary(skipped) { $0 + "\n" + $1 }, result: result)
  }

  private static func expectOpens(_ addresses: [String], in folder: TemporaryFolder) throws {
    for address in addresses {
      let result = try Tool.run(["summary", address], in: folder.path)
      #expect(result.status == 0, "\(address): \(result.errors)")
    }
  }

  // MARK: - Dates

  /// A timestamp has nanoseconds in 64 bits, which end in 2262: later ones ended the program, and with it each later one that
  /// looked at the copy it left.
  @Test("Dates that can't be counted to are the last one that can")
  func farDates() throws {
    let folder = try TemporaryFolder("strange")
    var tar = TarArchive()
    tar.add("App.store", try Self.store(), modified: 1 << 60)
    try folder.write(tar.ended, to: "a.tar")
    try folder.write(try Self.store(), to: "b.store")
    let date = Date(timeIntervalSince1970: 10_413_792_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("b.store"))
    let found = try Self.find(".", in: folder)
    #expect(found.addresses == ["./a.tar!/App.store", "./b.store"], "\(found.result.errors)")
    try Self.expectOpens(found.addresses, in: folder)
  }

  /// Counting the time since then ended the program. File systems in memory keep such dates, and temporary folders are often
  /// in one.
  @Test("A date of centuries ago is only old")
  func ancientDates() throws {
    let folder = try TemporaryFolder("strange")
    var tar = TarArchive()
    // In the form that has dates of any size: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
    tar.add("header", Array("22 mtime=-10000000000\n".utf8), kind: "x")
    tar.add("App.store", try Self.store())
    try folder.write(tar.ended, to: "a.tar")
    try folder.write(try Self.store(), to: "b.store")
    let date = Date(timeIntervalSince1970: -14_831_769_600)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("b.store"))
    let found = try Self.find(".", in: folder)
    #expect(found.addresses == ["./a.tar!/App.store", "./b.store"], "\(found.result.errors)")
    try Self.expectOpens(found.addresses, in: folder)
  }

  // MARK: - Paths

  /// A slash with a combining mark behind it is one Character, and none that is a slash.
  @Test("No path leads out, whatever follows its slashes", arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
  func marks(_ mark: String) throws {
    let folder = try TemporaryFolder("strange")
    try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: true)
    let path = "Library/../\(mark)evil.store"
    var zip = ZipForge()
    zip.add("Data/" + path, try Self.store())
    try folder.write(zip.ended, to: "in/a.zip")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", path, try Self.store()))
    try backup.make(at: folder.path("in/backup"))
    for address in ["in/a.zip!/Data/" + path, "in/backup!/AppDomain-a.b/" + path] {
      let result = try Tool.run(["summary", address], in: folder.path)
      #expect(result.status == 2, "\(result.output)")
    }
    let found = try Self.find("in", in: folder, "--copy-to", "out")
    #expect(found.addresses.isEmpty)
    #expect(found.skipped.values.count { $0.contains("leads out of") } == 2, "\(found.skipped)")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    #expect(!names.contains { $0.utf8.contains("evil".utf8) }, "\(names)")
  }

  @Test("A folder whose name has such a slash in its path is one like any other")
  func markedFolders() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("dir/\u{301}App.store", try Self.store())
    try folder.write(zip.ended, to: "a.zip")
    let found = try Self.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/dir/\u{301}App.store"])
    try Self.expectOpens(found.addresses, in: folder)
  }

  // MARK: - Stores in parts

  /// Without its -wal a store would be shown as it never was.
  @Test(
    "A store whose -wal can't be taken is skipped", arguments: ["link", "hard link", "encrypted", "damaged"])
  func lostWAL(_ kind: String) throws {
    let folder = try TemporaryFolder("strange")
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
    let found = try Self.find(".", in: folder)
    #expect(found.addresses.isEmpty)
    #expect(found.skipped["./a.zip!/App.store"]?.contains("-wal") == true, "\(found.skipped)")
    #expect(!kind.hasSuffix("link") || found.skipped["./a.tar!/App.store"]?.contains("-wal") == true)
    // It once had Swift's description of a view of a string.
    if kind == "damaged" {
      let reason = found.skipped["./a.zip!/App.store"] ?? ""
      #expect(reason.hasPrefix("its -wal can't be read: its data isn't what the archive lists"), "\(reason)")
    }
  }

  /// Names that are equal as text were taken for the same, and written by bytes: SQLite didn't find the -wal, and an
  /// address that was typed led to a copy of another name.
  @Test(
    "A store and its -wal are one, in whichever of Unicode's forms each has its name",
    arguments: ["a.zip", "a.tar", "backup"], [[false, true], [true, false], [false, false]])
  func unicodeForms(_ container: String, _ areComposed: [Bool]) throws {
    let folder = try TemporaryFolder("strange")
    let letters = areComposed.map { $0 ? "\u{E9}" : "e\u{301}" }
    let demo = try Demo()
    // In a stream, the -wal may come first.
    let files = [
      ("Caf\(letters[1]).store-wal", try demo.folder.read(DemoStore.fileName + "-wal")),
      ("Caf\(letters[0]).store", try demo.folder.read(DemoStore.fileName)),
    ]
    var (zip, tar, backup) = (ZipForge(), TarArchive(), BackupForge())
    for (name, bytes) in files {
      zip.add(name, bytes)
      tar.add(name, bytes)
      backup.files.append(("AppDomain-a.b", name, bytes))
    }
    if container == "backup" {
      try backup.make(at: folder.path(container))
    } else {
      try folder.write(container == "a.zip" ? zip.ended : tar.ended, to: container)
    }
    let found = try Self.find(container, in: folder)
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.compactMap { $0["walBytes"] as? Int } == [files[0].1.count], "\(found.result.output)")
    let typed = "\(container)!/\(container == "backup" ? "AppDomain-a.b/" : "")Caf\u{E9}.store"
    let copied = try Tool.run(["find", typed, "--copy-to", "out"], in: folder.path)
    try Self.expectOpens(found.addresses + [typed], in: folder)
    #expect(copied.status == 0, "\(copied.errors)")
    let copies = try FileManager.default.contentsOfDirectory(atPath: folder.path("out"))
    #expect(copies.count { $0.hasSuffix("-wal") } == 1, "\(copies)")
  }

  /// Page 1 then has other tables only.
  @Test(
    "A store whose tables are all in its -wal is found", arguments: ["a.zip", "a.tar", "backup", "loose"])
  func tablesInWAL(_ container: String) throws {
    let folder = try TemporaryFolder("strange")
    let demo = try Demo(leaving: .nothing)
    let (main, wal) = try Self.lateStore(demo.path, in: folder)
    // The -wal comes first here, as names in an archive have any order.
    let files = [("App.store-wal", wal), ("App.store", main)]
    switch container {
    case "a.zip":
      var zip = ZipForge()
      for (name, bytes) in files { zip.add(name, bytes) }
      try folder.write(zip.ended, to: container)
    case "a.tar":
      var tar = TarArchive()
      for (name, bytes) in files { tar.add(name, bytes) }
      try folder.write(tar.ended, to: container)
    case "backup":
      var backup = BackupForge()
      for (name, bytes) in files { backup.files.append(("AppDomain-a.b", name, bytes)) }
      try backup.make(at: folder.path(container))
    default:
      try FileManager.default.createDirectory(
        atPath: folder.path(container), withIntermediateDirectories: true)
      for (name, bytes) in files { try folder.write(bytes, to: "\(container)/\(name)") }
    }
    let found = try Self.find(container, in: folder)
    #expect(found.addresses.count == 1, "\(found.result.output)")
    try Self.expectOpens(found.addresses, in: folder)
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

  // MARK: - Addresses

  @Test("Whatever find prints can be opened")
  func addresses() throws {
    let folder = try TemporaryFolder("strange")
    let store = try Self.store()
    // A folder in the archive that ends as an archive's name does in an address.
    var marked = ZipForge()
    marked.add("x!/App.store", store)
    try folder.write(marked.ended, to: "marked.zip")
    // The archive's folder, next to one that has its name without the mark.
    for name in ["a", "a!"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write(marked.ended, to: "a!/c.zip")
    // A store called as the copy of the archive was.
    var inner = ZipForge()
    inner.add("inner", store)
    inner.add("archive", store)
    var outer = ZipForge()
    outer.add("inner.zip", inner.ended)
    try folder.write(outer.ended, to: "outer.zip")
    // The end of the archive is missing.
    var tar = TarArchive()
    tar.add("App.store", store)
    tar.add("b.db", [UInt8](repeating: 7, count: 100_000))
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "cut.tar")
    let found = try Self.find(".", in: folder)
    #expect(
      found.addresses == [
        "./a!/c.zip!/x!/App.store", "./cut.tar!/App.store", "./marked.zip!/x!/App.store",
        "./outer.zip!/inner.zip!/archive", "./outer.zip!/inner.zip!/inner",
      ])
    try Self.expectOpens(found.addresses, in: folder)
    #expect(
      try Tool.run(["summary", "cut.tar!/App.store"], in: folder.path).errors.contains(
        "wasn't read, such as its -wal"))
  }

  @Test("Two files of one name are none", arguments: ["a.zip", "a.tar"])
  func twice(_ name: String) throws {
    let folder = try TemporaryFolder("strange")
    var (zip, tar) = (ZipForge(), TarArchive())
    for path in ["App.store", "./App.store"] {
      zip.add(path, try Self.store())
      tar.add(path, try Self.store())
    }
    try folder.write(name == "a.zip" ? zip.ended : tar.ended, to: name)
    let found = try Self.find(name, in: folder)
    #expect(found.addresses.isEmpty)
    #expect(found.skipped["\(name)!/App.store"]?.contains("is there twice") == true, "\(found.skipped)")
  }

  /// The address that was listed led to neither of them, and nothing behind it was copied.
  @Test("Two archives of one name in another are none", arguments: ["a.zip", "a.tar"])
  func archiveTwice(_ name: String) throws {
    let folder = try TemporaryFolder("strange")
    var inner = ZipForge()
    inner.add("App.store", try Self.store())
    var (zip, tar) = (ZipForge(), TarArchive())
    for path in ["in.zip", "in.zip", "other.zip"] {
      zip.add(path, inner.ended)
      tar.add(path, inner.ended)
    }
    try folder.write(name == "a.zip" ? zip.ended : tar.ended, to: name)
    let found = try Self.find(name, in: folder, "--copy-to", "out")
    #expect(found.addresses == ["\(name)!/other.zip!/App.store"])
    #expect(found.skipped.keys.sorted() == ["\(name)!/in.zip"], "\(found.skipped)")
    #expect(found.skipped["\(name)!/in.zip"]?.contains("is there twice") == true, "\(found.skipped)")
    let opened = try Tool.run(["summary", "\(name)!/in.zip!/App.store"], in: folder.path)
    #expect(opened.status == 2 && opened.errors.contains("has two files 'in.zip'"), "\(opened.errors)")
  }

  /// Its stores were listed as often as it was named.
  @Test("An archive or a backup that two paths lead to is searched once", arguments: ["a.zip", "backup"])
  func namedTwice(_ container: String) throws {
    let folder = try TemporaryFolder("strange")
    if container == "backup" {
      var backup = BackupForge()
      backup.files.append(("AppDomain-a.b", "App.store", try Self.store()))
      try backup.make(at: folder.path(container))
    } else {
      var zip = ZipForge()
      zip.add("App.store", try Self.store())
      try folder.write(zip.ended, to: container)
    }
    let address = "\(container)!/" + (container == "backup" ? "AppDomain-a.b/" : "") + "App.store"
    let found = try Self.find(container, in: folder, "./" + container, ".", address)
    #expect(found.addresses == [address])
    let twice = try Self.find(address, in: folder, "./" + address)
    #expect(twice.addresses == [address])
    // What leads into a container first was listed again with all of it, and copied twice.
    #expect(try Self.find(address, in: folder, container).addresses == [address])
  }

  @Test("Archives that aren't searched are named")
  func threeDeep() throws {
    let folder = try TemporaryFolder("strange")
    var bytes = try Self.store()
    for name in ["App.store", "c.zip", "b.zip"] {
      var zip = ZipForge()
      zip.add(name, bytes)
      bytes = zip.ended
    }
    try folder.write(bytes, to: "a.zip")
    let found = try Self.find("a.zip", in: folder)
    #expect(found.skipped["a.zip!/b.zip!/c.zip"]?.contains("three archives deep") == true, "\(found.skipped)")
  }

  // MARK: - Copies

  /// The run ended with the first problem and named no copy, and a link led out of the folder.
  @Test("What could be copied is listed if something couldn't, and only the folder itself may be a link")
  func someCopies() throws {
    let folder = try TemporaryFolder("strange")
    for name in ["place", "real", "elsewhere"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    for name in ["a", "b"] { try folder.write(try Self.store(), to: "place/\(name).store") }
    for (link, target) in [("out", "real"), ("real/a", "../elsewhere")] {
      try FileManager.default.createSymbolicLink(atPath: folder.path(link), withDestinationPath: target)
    }
    let result = try Tool.run(["find", "place", "--copy-to", "out", "--json"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors.contains("'out' lacks 1 of 2 stores"), "\(result.errors)")
    let stores = try result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["copy"] as? String } == [nil, "out/b/b.store"], "\(result.output)")
    let skipped = try result.json()["skipped"] as? [[String: String]] ?? []
    #expect(skipped.count == 1 && skipped[0]["because"]?.contains("is a link") == true, "\(skipped)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("elsewhere")).isEmpty)
    try Self.expectOpens(["real/b/b.store"], in: folder)
  }

  // MARK: - Screens

  /// It was wrapped inside of names, or cut, and nobody could paste it.
  @Test("An address that is wider than the terminal has a line of its own")
  func wideAddress() throws {
    let folder = try TemporaryFolder("strange")
    // Looks like a time, of which people see less.
    let name = String(repeating: "2026-03-22T15:00:00.500000Z ", count: 6) + ".store"
    for count in 1...2 {
      try folder.write(try Self.store(), to: "\(count)\(name)")
      let shown = try PseudoTerminal.run(["find", folder.path], columns: 80)
      let lines = shown.split(separator: "\n")
      for number in 1...count { #expect(lines.contains("  '\(folder.path)/\(number)\(name)'"), "\(shown)") }
      #expect(!shown.contains("Not shown"), "\(shown)")
    }
  }

  @Test("What find says of a store's last change depends on whether it has a history")
  func lastChange() throws {
    let folder = try TemporaryFolder("strange")
    try folder.write(try Self.store(), to: "a.store")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Person", attributes: [])])
    var options = ForgeOptions()
    options.history = .none
    try StoreForge(path: folder.path("b.store"), model: model, options: options).close()
    let found = try Self.find(".", in: folder)
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["lastChangeSource"] as? String } == ["history", "files"])
    let shown = try Tool.run(["find", "."], in: folder.path).output
    #expect(shown.contains("1 store without history has the date of its files"), "\(shown)")
  }

  /// It said that repairs can be planned, and listed commands that are refused.
  @Test("What repair says of an address is true")
  func repairs() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("App.store", try Self.store())
    try folder.write(zip.ended, to: "a.zip")
    let result = try Tool.run(["repair", "a.zip"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains("'storescope find 'a.zip!/App.store' --copy-to FOLDER'"), "\(result.output)")
    #expect(!result.output.contains("can be planned") && !result.output.contains("--apply"))
  }

  // MARK: - Zip

  @Test("A zip's names are read as they were written")
  func names() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("", try Self.store(), name: Array("Gr".utf8) + [0x94, 0xE1] + Array("e.store".utf8))
    zip.add("", try Self.store(), name: Array("Länge.store".utf8))
    try folder.write(zip.ended, to: "a.zip")
    let found = try Self.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/Größe.store", "a.zip!/Länge.store"])
    try Self.expectOpens(found.addresses, in: folder)
  }

  @Test(
    "An entry that isn't what the list says is skipped",
    arguments: [
      ("own name", "its header in the archive doesn't match the list of entries"),
      ("method", "uses compression method 12 (bzip2), which isn't supported"),
      ("checksum", "its data isn't what the archive lists"),
    ])
  func disagreeing(_ what: String, _ reason: String) throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add(
      "App.store", try Self.store(), ownName: what == "own name" ? Array("Apq.store".utf8) : nil,
      method: what == "method" ? 12 : 8, isDamaged: what == "checksum")
    zip.add("Other.store", try Self.store())
    try folder.write(zip.ended, to: "a.zip")
    let found = try Self.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/Other.store"])
    #expect(found.skipped["a.zip!/App.store"]?.contains(reason) == true, "\(found.skipped)")
  }

  /// What isn't UTF-8 looked like the letters of the first PCs although the archive has the name in both.
  @Test(
    "A name that is added in UTF-8 counts if it is for the one that stands there", arguments: [true, false])
  func unicodePath(_ isRight: Bool) throws {
    let folder = try TemporaryFolder("strange")
    let name = Array("Gr".utf8) + [0xF6, 0xDF] + Array("e.store".utf8)
    let other = isRight ? name : Array("Old.store".utf8)
    var zip = ZipForge()
    zip.add("", try Self.store(), name: name, fields: ZipForge.unicodePath("Größe.store", for: other))
    try folder.write(zip.ended, to: "a.zip")
    let found = try Self.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/\(isRight ? "Größe" : "Gr÷▀e").store"])
    try Self.expectOpens(found.addresses, in: folder)
  }

  /// Archive Utility and ditto wrote no larger numbers, and their files were refused as damaged: places were those of the
  /// four lower bytes. The order of the holes decides whether a place is lower than the one before it.
  @Test(
    "A zip of more than 4 GiB without large numbers is read by what fits",
    arguments: [[3 << 30, 2 << 30], [1 << 30, 1 << 32], [1 << 32, 1 << 30], [1 << 33, 1 << 30]])
  func overflowed(_ holes: [Int]) throws {
    let folder = try TemporaryFolder("strange")
    let demo = try Demo()
    let (main, wal) = (
      try demo.folder.read(DemoStore.fileName), try demo.folder.read(DemoStore.fileName + "-wal")
    )
    var zip = ZipForge()
    zip.add("First.store", try Self.store())
    zip.leaveHole(holes[0])
    zip.add("Second.store", main)
    zip.leaveHole(holes[1])
    zip.add("Second.store-wal", wal)
    zip.add("Third.store", try Self.store())
    try zip.write(to: folder.path("a.zip"))
    let found = try Self.find("a.zip", in: folder)
    #expect(
      found.addresses == ["a.zip!/First.store", "a.zip!/Second.store", "a.zip!/Third.store"],
      "\(found.result.output)")
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.compactMap { $0["walBytes"] as? Int }.sorted() == [0, 0, wal.count])
    try Self.expectOpens(found.addresses, in: folder)
  }

  /// Here numbers overflow at 64 KiB.
  @Test("A zip whose numbers have overflowed and whose list isn't there is read from its beginning")
  func lostList() throws {
    let folder = try TemporaryFolder("strange")
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255) }
    var zip = ZipForge()
    zip.add("a", noise)
    var bytes = zip.ended
    // The place in the last record.
    bytes[bytes.count - 6] ^= 1
    try folder.write(bytes, to: "a.zip")
    var found: [String] = []
    func read(_ modulus: Int64) throws {
      try Containers.Archive(folder.path("a.zip"), modulus: modulus).forEachMember {
        found.append($0.path)
        return .first
      } _: { _, content in
        let bytes = try content.beginning(noise.count)
        #expect(bytes == noise)
      }
    }
    try read(1 << 16)
    #expect(found == ["a"])
    // A small one isn't what it was.
    #expect(throws: StoreScopeError.self) { try read(1 << 32) }
  }

  private func read(_ path: String, in folder: TemporaryFolder, modulus: Int64, count: inout Int) throws {
    try Containers.Archive(folder.path("a.zip"), modulus: modulus).forEachMember {
      $0.path == path ? .first : .never
    } _: { _, content in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      while case let more = try buffer.withUnsafeMutableBytes(content.read), more > 0 { count += more }
    }
  }

  /// One wrong bit in a stored entry had all entries behind it copied, and those then taken for a bomb's.
  @Test("A damaged entry of a zip whose numbers have overflowed ends where the next one begins")
  func damagedStoredEntry() throws {
    let folder = try TemporaryFolder("strange")
    let modulus = 1 << 16
    let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255) }
    var zip = ZipForge(modulus: modulus)
    zip.add("a", noise, isStored: true, isDamaged: true)
    for name in ["b", "c", "d"] { zip.add(name, noise) }
    try folder.write(zip.ended, to: "a.zip")
    for path in ["a", "d"] {
      var count = 0
      if path == "d" {
        try read(path, in: folder, modulus: Int64(modulus), count: &count)
        #expect(count == noise.count)
      } else {
        #expect(throws: StoreScopeError.self) {
          try read(path, in: folder, modulus: Int64(modulus), count: &count)
        }
        #expect(count == noise.count)
      }
    }
  }

  /// It wrote up to a thousand times the archive's size before it was refused.
  @Test("What unpacks to more than its size is refused there")
  func falseSize() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("a", [UInt8](repeating: 7, count: 1_000_000), size: 8192)
    try folder.write(zip.ended, to: "a.zip")
    var count = 0
    #expect(throws: StoreScopeError.self) { try read("a", in: folder, modulus: 1 << 32, count: &count) }
    #expect(count <= 8192)
  }

  /// The list has the rest of a size that is larger than four bytes count; here that is a smaller number.
  @Test("An entry that is longer than its size can be is whole if its checksum says so", arguments: [0, 1])
  func longEntry(_ difference: Int) throws {
    let folder = try TemporaryFolder("strange")
    let modulus = 1 << 16
    let bytes = [UInt8](repeating: 7, count: 200_000)
    var zip = ZipForge()
    zip.add("a", bytes, size: (bytes.count + difference) % modulus)
    try folder.write(zip.ended, to: "a.zip")
    var count = 0
    func read() throws {
      try Containers.Archive(folder.path("a.zip"), modulus: Int64(modulus)).forEachMember { _ in
        .first
      } _: { _, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let more = try buffer.withUnsafeMutableBytes(content.read), more > 0 { count += more }
      }
    }
    if difference == 0 { try read() } else { #expect(throws: StoreScopeError.self) { try read() } }
    #expect(count == bytes.count)
  }

  @Test("Sizes of eight bytes are read")
  func large() throws {
    let folder = try TemporaryFolder("strange")
    let file = try #require(OpenFile(folder.path("a.zip"), for: .making))
    let writer = ZipWriter(OutputBuffer(descriptor: file.descriptor), modified: Platform.now())
    let store = try Self.store()
    try writer.add("App.store", size: 1 << 33) { write in store.withUnsafeBytes(write) }
    writer.finish()
    file.close()
    try Self.expectOpens(try Self.find("a.zip", in: folder).addresses, in: folder)
    #expect(try Self.find("a.zip", in: folder).addresses == ["a.zip!/App.store"])
  }

  /// Each byte of the list and of its end is changed once.
  @Test("A damaged list never ends the program", arguments: [1 << 32, 1 << 12])
  func damagedList(_ modulus: Int) throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge(modulus: modulus)
    zip.add("a", (0..<100).map { _ in UInt8.random(in: 0...255) })
    zip.add("App.store", try Self.store())
    let bytes = zip.ended
    for distance in 1...124 {
      var damaged = bytes
      damaged[bytes.count - distance] ^= 0xFF
      try folder.write(damaged, to: "a.zip")
      let archive = try? Containers.Archive(folder.path("a.zip"), modulus: Int64(modulus))
      try? archive?.forEachMember { _ in
        .first
      } _: { _, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while try buffer.withUnsafeMutableBytes(content.read) > 0 {}
      }
    }
  }

  /// Their sum once ended the program.
  @Test("Places that no file has are none")
  func farPlaces() throws {
    let folder = try TemporaryFolder("strange")
    let far: [UInt8] = [1, 0, 8, 0] + [UInt8](repeating: 0xFF, count: 7) + [0x7F]
    var zip = ZipForge(modulus: 1 << 12)
    zip.add("a", (0..<10_000).map { _ in UInt8.random(in: 0...255) })
    for fields in [far, []] { zip.add("App.store", [1], fields: fields) }
    // The field counts if the place says so.
    var bytes = zip.ended
    let first = try #require(bytes.firstRange(of: Array("App.store".utf8) + far)).lowerBound
    for index in 1...4 { bytes[first - index] = 0xFF }
    try folder.write(bytes, to: "a.zip")
    var (paths, problems) = (0, 0)
    try Containers.Archive(folder.path("a.zip"), modulus: 1 << 12).forEachMember { _ in
      .first
    } _: { _, content in
      paths += 1
      do { _ = try content.beginning(1) } catch { problems += 1 }
    }
    #expect(paths == 3 && problems == 1)
  }

  /// What deflate makes of zeros is a thousandth; a store may have free pages that are nothing else.
  @Test("What expands out of all proportion is refused", arguments: ["a.zip", "a.tar.gz"])
  func bomb(_ name: String) throws {
    let folder = try TemporaryFolder("strange")
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    var (zip, tar) = (ZipForge(), TarArchive())
    zip.add("a", zeros)
    tar.add("a", zeros)
    try folder.write(name == "a.zip" ? zip.ended : TarArchive.Compression.gzip.packed(tar.ended), to: name)
    func read(_ limit: ExpansionLimit, _ turn: Containers.Archive.Turn) throws {
      try Containers.Archive(folder.path(name), limit: limit).forEachMember { _ in
        turn
      } _: { _, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while try buffer.withUnsafeMutableBytes(content.read) > 0 {}
      }
    }
    try read(ExpansionLimit(freely: 8 << 20), .first)
    #expect(throws: StoreScopeError.self) { try read(ExpansionLimit(freely: 1 << 20), .first) }
    // A stream has to be decompressed also where nothing in it is wanted.
    guard name != "a.zip" else { return }
    #expect(throws: StoreScopeError.self) { try read(ExpansionLimit(freely: 1 << 20), .never) }
  }

  /// libarchive decompressed what is skipped in one call, which Ctrl-C didn't end and no limit was held against.
  @Test("A bomb that is skipped in a zip without a list is refused")
  func skippedBomb() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    for name in ["a", "b"] { zip.add(name, [UInt8](repeating: 0, count: 4 << 20)) }
    // Without the 22 bytes that show where the list is.
    try folder.write(Array(zip.ended.dropLast(22)), to: "a.zip")
    func skip(_ limit: ExpansionLimit) throws {
      let archive = try Containers.Archive(folder.path("a.zip"), limit: limit)
      #expect(!archive.isListed)
      try archive.forEachMember { _ in
        .never
      } _: { _, _ in
      }
    }
    try skip(ExpansionLimit(freely: 16 << 20))
    #expect(throws: StoreScopeError.self) { try skip(ExpansionLimit(freely: 1 << 20)) }
  }

  /// Each entry was measured alone, so that many small bombs filled the disk.
  @Test("Bombs in one zip add up, and what is no bomb stays readable")
  func severalBombs() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    for name in ["a", "b"] { zip.add(name, [UInt8](repeating: 0, count: 4 << 20)) }
    zip.add("c", (0..<1 << 20).map { _ in UInt8.random(in: 0...255) })
    try folder.write(zip.ended, to: "a.zip")
    func readable(_ limit: ExpansionLimit) throws -> [String] {
      var names: [String] = []
      try Containers.Archive(folder.path("a.zip"), limit: limit).forEachMember { _ in
        .first
      } _: { member, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do {
          while try buffer.withUnsafeMutableBytes(content.read) > 0 {}
          names.append(member.path)
        } catch let error as StoreScopeError where error.kind == .limit {}
      }
      return names
    }
    #expect(try readable(ExpansionLimit(freely: 16 << 20)) == ["a", "b", "c"])
    #expect(try readable(ExpansionLimit(freely: 6 << 20)) == ["a", "c"])
  }

  // MARK: - Copies

  /// It was reported under the link's name, which nothing has.
  @Test("A copy of what a link leads to is reported under the name that it has")
  func copiedLink() throws {
    let folder = try TemporaryFolder("strange")
    for name in ["place", "links"] {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
    }
    try folder.write(try Self.store(), to: "place/Journeys.store")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("links/App.store"), withDestinationPath: "../place/Journeys.store")
    let found = try Self.find("links/App.store", in: folder, "--copy-to", "out")
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.compactMap { $0["copy"] as? String } == ["out/Journeys.store"], "\(found.result.output)")
    try Self.expectOpens(["out/Journeys.store"], in: folder)
  }

  /// What came behind it was never copied, and nothing said which one had failed.
  @Test("A store that can't be copied doesn't keep the others from it")
  func failedCopy() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    for path in ["x/App.store", "y/App.store"] { zip.add(path, try Self.store()) }
    try folder.write(zip.ended, to: "a.zip")
    try FileManager.default.createDirectory(
      atPath: folder.path("out/App"), withIntermediateDirectories: true)
    try folder.write(Array("mine".utf8), to: "out/App/App.store")
    let result = try Tool.run(["find", "a.zip", "--copy-to", "out"], in: folder.path)
    #expect(result.status == 2)
    #expect(result.errors.contains("'out' lacks 1 of 2 stores"), "\(result.errors)")
    #expect(result.errors.contains("a.zip!/x/App.store: "), "\(result.errors)")
    #expect(result.errors.contains("choose another folder"), "\(result.errors)")
    // The row said nothing of which store it was.
    let shown = try PseudoTerminal.run(
      ["find", folder.path("a.zip"), "--copy-to", folder.path("out")], columns: 80)
    for path in ["x/App.store", "y/App.store"] {
      #expect(shown.contains("not copied: '\(folder.path("a.zip"))!/\(path)'"), "\(shown)")
    }
    try Self.expectOpens(["out/App-2/App.store"], in: folder)
    #expect(try folder.read("out/App/App.store") == Array("mine".utf8))
  }

  /// A slash with a combining mark behind it isn't found among Characters, and made a folder in a folder.
  @Test("Whoever a store belongs to, its folder is one")
  func strangeOwner() throws {
    let folder = try TemporaryFolder("strange")
    let note = try PropertyListSerialization.data(
      fromPropertyList: ["MCMMetadataIdentifier": "a/\u{301}b"], format: .binary, options: 0)
    var zip = ZipForge()
    zip.add("App/\(ContainerOwner.fileNames[0])", Array(note))
    for name in ["A.store", "B.store"] { zip.add("App/\(name)", try Self.store()) }
    try folder.write(zip.ended, to: "a.zip")
    let found = try Self.find("a.zip", in: folder, "--copy-to", "out")
    #expect(found.addresses.count == 2)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path("out")).sorted()
    #expect(names == ["a_\u{301}b", "a_\u{301}b-2"], "\(names)")
  }

  // MARK: - Backups

  @Test(
    "A damaged list of a backup ends nothing, and its folder is searched",
    arguments: ["text", "other tables"])
  func badManifest(_ kind: String) throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("a/bad"))
    try backup.make(at: folder.path("b/good"))
    let manifest = folder.path("a/bad/Manifest.db")
    try FileManager.default.removeItem(atPath: manifest)
    if kind == "text" {
      try folder.write([UInt8](repeating: 0x41, count: 4096), to: "a/bad/Manifest.db")
    } else {
      try Connection(path: manifest, options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    }
    let found = try Self.find(".", in: folder)
    #expect(found.addresses.count == 2 && found.addresses[1] == "./b/good!/AppDomain-a.b/Library/App.store")
    #expect((found.skipped["./a/bad"] != nil) == (kind == "text"), "\(found.skipped)")
  }

  /// It may lead to any file of the user's.
  @Test("A backup's list that is a link isn't followed")
  func linkedManifest() throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"))
    try FileManager.default.moveItem(atPath: folder.path("backup/Manifest.db"), toPath: folder.path("mine"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("backup/Manifest.db"), withDestinationPath: folder.path("mine"))
    let found = try Self.find("backup", in: folder)
    #expect(found.addresses.allSatisfy { !$0.contains("!/") }, "\(found.addresses)")
  }

  @Test("One damaged class key loses its own files only")
  func damagedKey() throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"), password: "right", damagedClass: 3)
    try folder.write(Array("right".utf8), to: "password")
    let found = try Self.find("backup", in: folder, "--password-file", "password")
    #expect(
      found.skipped == ["backup!/AppDomain-a.b/Library/App.store": found.skipped.values.first ?? ""],
      "\(found.skipped)")
    #expect(found.skipped.values.first?.contains("has no key for it") == true, "\(found.skipped)")
  }

  /// It was the moment at which it was copied out.
  @Test("A file without a date in the backup changed when it was backed up")
  func undated() throws {
    let folder = try TemporaryFolder("strange")
    let demo = try Demo(leaving: .nothing) {
      try $0.connection.execute("DELETE FROM ATRANSACTION; DELETE FROM ACHANGE")
    }
    var backup = BackupForge()
    try backup.add(demo.path, domain: "AppDomain-a.b", path: "Library/App.store")
    try backup.make(at: folder.path("backup"), notesTimes: false)
    let date = Date(timeIntervalSince1970: 1_600_000_000)
    for file in FileManager.default.enumerator(atPath: folder.path("backup")) ?? .init() {
      try FileManager.default.setAttributes(
        [.modificationDate: date], ofItemAtPath: folder.path("backup/\(file)"))
    }
    let found = try Self.find("backup", in: folder)
    #expect(found.result.output.contains("2020-09-13T12:26:40"), "\(found.result.output)")
  }

  // MARK: - Passwords

  @Test("A password's file may be a pipe, and plain stores need none")
  func passwords() throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"), password: "right")
    let program = Tool.path
    let piped = try Tool.run(
      "/bin/sh", ["-c", "printf 'right\\r\\nmore' | '\(program)' find backup --password-file /dev/stdin"],
      in: folder.path)
    #expect(piped.output.contains("(1 store)"), "\(piped.output)\(piped.errors)")
    try folder.write(try Self.store(), to: "b.store")
    let plain = try Tool.run(["summary", "b.store", "--password-file", "missing"], in: folder.path)
    #expect(plain.status == 0, "\(plain.errors)")
  }

  // MARK: - On a terminal

  /// The copy stayed: readline's completion kept it to the end of the process, and signals ended that at once.
  @Test("However a shell ends, its copy goes", arguments: ["quit", "SIGTERM", "SIGHUP"])
  func shellEnds(_ way: String) throws {
    let folder = try TemporaryFolder("strange")
    try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
    var zip = ZipForge()
    zip.add("App.store", try Self.store())
    try folder.write(zip.ended, to: "a.zip")
    let session = try TerminalSession(
      ["shell", folder.path("a.zip")], environment: ["TMPDIR": folder.path("tmp")])
    try session.waitForPrompt()
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
    switch way {
    case "quit": session.type("quit\r")
    case "SIGTERM": kill(session.processID, SIGTERM)
    default: kill(session.processID, SIGHUP)
    }
    #expect(try session.end() == (way == "quit" ? 0 : way == "SIGTERM" ? 143 : 129))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
  }

  /// It left a terminal that shows nothing of what is typed.
  @Test("Ctrl-C ends the question for a password")
  func interruptedPassword() throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"), password: "right")
    let session = try TerminalSession(["find", folder.path("backup"), "--password"])
    try session.wait(for: "Password of the backup: ")
    session.type("\u{3}")
    try session.wait(for: "interrupted")
    #expect(try session.end() == 2)
  }

  /// It said that there is no terminal.
  @Test("Ctrl-D at the question for a password enters none")
  func noPassword() throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"), password: "right")
    let session = try TerminalSession(["find", folder.path("backup"), "--password"])
    try session.wait(for: "Password of the backup: ")
    session.type("\u{4}")
    try session.wait(for: "No password was")
    #expect(try session.end() == 2)
  }

  /// Ctrl-Z and Ctrl-\ did nothing anymore.
  @Test("After Ctrl-C at the question for a password, a shell takes other signals as before")
  func signalsAfterPassword() throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"), password: "right")
    try folder.write(try Self.store(), to: "App.store")
    let session = try TerminalSession(
      ["shell", folder.path("App.store")], environment: ["SWIFT_BACKTRACE": "enable=no"])
    session.type("open '\(folder.path("backup"))' --password\r")
    try session.wait(for: "Password of the backup: ")
    session.type("\u{3}")
    try session.wait(for: "interrupted")
    kill(session.processID, SIGQUIT)
    #expect(try session.end() == 128 + SIGQUIT)
  }

  /// The terminal stayed as it was for the password, and showed nothing of what was typed into the user's shell.
  @Test(
    "Ctrl-\\ and Ctrl-Z at the question for a password leave the terminal as it was",
    arguments: [true, false])
  func stoppedPassword(_ quits: Bool) throws {
    let folder = try TemporaryFolder("strange")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try Self.store()))
    try backup.make(at: folder.path("backup"), password: "right")
    // Swift's own handler for Ctrl-\ would let the program go on.
    let session = try TerminalSession(
      ["find", folder.path("backup"), "--password"],
      environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no"]
    )
    try session.wait(for: "Password of the backup: ")
    #expect(!session.echoes)
    session.type("wro")
    session.type(quits ? "\u{1C}" : "\u{1A}")
    if quits {
      #expect(try session.end() == 128 + SIGQUIT)
    } else {
      // The kernel doesn't stop what no shell could have go on: it is as if it went on at once. A SIGCONT from here would
      // take a SIGTSTP back that hasn't arrived yet.
      try session.wait("the question again") {
        session.transcript.components(separatedBy: "Password of the backup: ").count == 3
      }
      session.type("right\r")
      try session.wait(for: "(1 store)")
      #expect(try session.end() == 0)
    }
    #expect(session.echoes)
  }

  // MARK: - Folders

  /// Where an operation was applied, the folder has a backup of ours.
  @Test("A folder with a store and a backup of it stands for the store")
  func ownBackups() throws {
    let folder = try TemporaryFolder("strange")
    _ = try DemoStore.copy(in: folder.path("place"))
    let applied = try Tool.run(
      ["resync", "place/" + DemoStore.fileName, "--pull", "--apply", "--confirm", DemoStore.fileName],
      in: folder.path)
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try Self.find("place", in: folder).addresses.count == 2)
    let result = try Tool.run(["summary", "place", "--json"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("place/\(DemoStore.fileName)"), "\(result.errors)")
  }
}
