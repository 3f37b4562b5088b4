import Discovery
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores in all that people send and keep: found once, with the right app, and answering through their address as they do
/// as loose files.
struct FindTests {
  private let folder = TemporaryFolder("find")

  @Test("Found once, with its app, and answering as the loose file", arguments: FindPlace.all)
  func found(_ place: FindPlace) throws {
    let loose = try DemoStore.copy(in: folder.path("loose"))
    if !place.hasWAL {
      try ["-wal", "-shm"].forEach { try FileManager.default.removeItem(atPath: loose + $0) }
    }
    try folder.makeFolder("tmp")
    let path = try place.make(folder, folder.path("loose"))
    let before = (try FileTree.hashes(folder.path), try FolderSnapshot(folder.path))
    func run(_ words: [String]) throws -> Tool.Result {
      try folder.run(words, environment: ["TMPDIR": folder.path("tmp")])
    }
    let result = try run(["find", path, "--json"] + place.options).expectStatus()
    let stores = try result.json()["stores"] as? [[String: Any]] ?? []
    try #require(stores.count == 1, "\(result.output)")
    #expect(stores[0]["container"] as? String == place.container)
    #expect(stores[0]["app"] as? String == place.app)
    #expect(stores[0]["group"] as? String == place.group)
    #expect(stores[0]["domain"] as? String == place.domain)
    #expect(stores[0]["devicePath"] as? String == place.devicePath)
    let address = try #require(stores[0]["address"] as? String)
    let isBackup = place.container == "backup"
    for words in [
      ["summary"], ["doctor", "--fail-on", "never"], ["rows", "Attachment"], ["pending"],
      ["show", "Trip/p1"],
    ] {
      func answer(_ store: String, _ options: [String]) throws -> String {
        let words = [words[0], store] + words.dropFirst() + options + ["--json"]
        return try FindPlace.withoutOwner(run(words).output).replacing(store, with: "STORE")
      }
      #expect(try answer(address, place.options) == answer(loose, []), "\(words)")
      // A container with one store stands for it.
      if words[0] == "rows" {
        let whole = try run(["rows", path, "Attachment", "--json"] + place.options).output
        #expect(try FindPlace.withoutOwner(whole).replacing(address, with: "STORE") == answer(loose, []))
      }
    }
    #expect(
      try run(["summary", address] + place.options).output.contains("No -wal file")
        == (!place.hasWAL && !isBackup))
    // Nothing but what is asked for is printed, and nothing is left.
    #expect(try folder.names(in: "tmp").isEmpty)
    #expect(try FileTree.hashes(folder.path) == before.0)
    #expect(
      try FolderSnapshot(folder.path).entries.filter { $0.key != "tmp" }
        == before.1.entries.filter { $0.key != "tmp" })
  }

  @Test("A backup has all files of a store: no -wal means that there was none")
  func backupWithoutWAL() throws {
    let demo = try Demo(leaving: .nothing)
    try FindPlace.backup(of: demo.folder.path).make(at: folder.path("backup"))
    let result = try Tool.run(["doctor", folder.path("backup"), "--rule", "wal-missing", "--json"])
    #expect((try result.json()["findings"] as? [Any])?.isEmpty == true, "\(result.output)\(result.errors)")
    #expect(!(try Tool.run(["summary", folder.path("backup")])).output.contains("No -wal"))
  }

  @Test("After a reinstall two containers have one app's identifier")
  func reinstalled() throws {
    let device = folder.path("Devices/0A1B")
    for (number, store) in [
      try Demo(), try Demo { try $0.connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK > 10") },
    ]
    .enumerated() {
      let container = device + "/data/Containers/Data/Application/9C8\(number)"
      try FindPlace.copy(store.folder.path, to: container + "/Library/Application Support")
      try FindPlace.noteOwner(FindPlace.app, in: container)
    }
    try Data().write(to: URL(filePath: device + "/device.plist"))
    func find(_ options: String...) throws -> [String] {
      let result = try Tool.run(["find", device, "--json"] + options)
      return (try result.json()["stores"] as? [[String: Any]] ?? []).compactMap { $0["address"] as? String }
    }
    #expect(try find().count == 2)
    #expect(try find("--app", "example.journeys", "--mirrored").count == 2)
    #expect(try find("--app", "other").isEmpty)
    #expect(try find("--newest").map { $0.contains("9C80") } == [true])
    let result = try Tool.run(["summary", device]).expectStatus(2)
    let lines = result.errors.split(separator: "\n")
    #expect(
      lines.count == 3 && lines[0].hasSuffix("holds 2 stores; pass those that you mean by name:"),
      "\(result.errors)")
    #expect(lines[1...].allSatisfy { $0.hasPrefix("  '\(device)") })
  }

  /// Only what was above the store told that, and the search began below it.
  @Test(
    "Whose a store is doesn't depend on where the search begins", arguments: ["", "/Library", "/Library/App"])
  func searchBelow(_ start: String) throws {
    let container = folder.path("Devices/0A1B/data/Containers/Data/Application/9C80")
    let place = container + "/Library/App"
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    _ = try DemoStore.copy(in: place)
    try FindPlace.noteOwner(FindPlace.app, in: container)
    try Data().write(to: URL(filePath: folder.path("Devices/0A1B/device.plist")))
    for path in [container + start, place + "/" + DemoStore.fileName] {
      let json = try Tool.json(["find", path])
      let stores = json["stores"] as? [[String: Any]] ?? []
      #expect(stores.map { $0["app"] as? String } == [FindPlace.app])
      #expect(stores.map { $0["container"] as? String } == ["simulator"])
    }
    // A backup of ours isn't meant in a simulator either.
    let name = DemoStore.fileName
    try Tool.run(["resync", "\(place)/\(name)", "--pull", "--apply", "--confirm", name]).expectStatus()
    #expect(try Tool.run(["summary", container + start]).status == 0)
  }

  /// Folders were told apart by too few letters.
  @Test("Stores of one name in an archive don't get in each other's way, whatever their letters")
  func namesake() throws {
    let store = try Demo(leaving: .nothing).folder.read(DemoStore.fileName)
    try folder.pack(["dir", "dix"].map { ("\($0)/Größe.store", store) }, as: "a.zip")
    let result = try folder.run("find", "a.zip", "--json")
    #expect((try result.json()["stores"] as? [Any])?.count == 2, "\(result.output)")
  }

  @Test("Without a path, a Mac's running simulators and the user's own containers are searched")
  func usualPlaces() throws {
    let home = TemporaryFolder("home")
    let devices = home.path("Library/Developer/CoreSimulator/Devices")
    for (name, state) in [("ON", 3), ("OFF", 1)] {
      try FileManager.default.createDirectory(atPath: "\(devices)/\(name)", withIntermediateDirectories: true)
      try PropertyListSerialization.data(fromPropertyList: ["state": state], format: .binary, options: 0)
        .write(to: URL(filePath: "\(devices)/\(name)/device.plist"))
    }
    try home.makeFolder("Library/Group Containers")
    #expect(
      UsualPlaces.folders(inHome: home.path) == ["\(devices)/ON", home.path("Library/Group Containers")])
  }

  /// A store whose app isn't known was never one of the app's, although its path shows it.
  @Test(
    "An app is found by its identifier or the path, in any case",
    arguments: [("journeys", 3), ("COM.example", 2), ("Holidays", 1), ("other", 0)])
  func apps(_ app: String, _ count: Int) throws {
    let demo = try Demo(leaving: .nothing)
    for place in ["Journeys/Library", "old/data", "Holidays 2.xcappdata/AppData", "Unknown"] {
      try FindPlace.copy(demo.folder.path, to: folder.path(place))
    }
    try FindPlace.noteOwner("com.example.Journeys", in: folder.path("old"))
    try FindPlace.noteOwner("com.example2.x", in: folder.path("Holidays 2.xcappdata"))
    try FileManager.default.moveItem(
      atPath: folder.path("Unknown/\(DemoStore.fileName)"), toPath: folder.path("Unknown/JOURNEYS.db"))
    let found = try FindRun.find(".", in: folder, "--app", app)
    #expect(found.addresses.count == count, "\(found.result.output)")
  }

  /// A value to look for was taken for a file.
  @Test(
    "A word that names no place is answered with the command for it",
    arguments: [
      (["Lisbon"], "search STORE Lisbon"),
      ([DemoStore.fileName, "Jonas"], "search \(DemoStore.fileName) Jonas"),
      ([".", "Journeys"], "find . --app Journeys"), (["a.zip", "Journeys"], "find a.zip --app Journeys"),
    ])
  func words(_ words: [String], _ command: String) throws {
    let demo = try Demo()
    try demo.folder.pack([("App.store", try FindRun.store())], as: "a.zip")
    let result = try demo.folder.run(["find"] + words)
    #expect(result.status == (words.count == 1 ? 2 : 0), "\(result.errors)")
    #expect((result.output + result.errors).contains("type:"), "\(result.output)")
    #expect((result.output + result.errors).contains("storescope \(command)\n"), "\(result.output)")
  }

  @Test("What looks like a store and can't be read is listed with its reason")
  func skipped() throws {
    let noise = (0..<8192).map { _ in UInt8.random(in: 128...255) }
    try folder.write(noise, to: "Secret.sqlite")
    try folder.write([UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + noise, to: "Bar.realm")
    try folder.write([], to: "Empty.store")
    try folder.write(Array("SQLite format 3\0".utf8) + noise, to: "Damaged.db")
    try folder.write(Array("text".utf8), to: "notes.db")
    try folder.makeFolder("old")
    try folder.write([], to: "old/Manifest.mbdb")
    try folder.write([], to: "old/Manifest.plist")
    let result = try Tool.run(["find", folder.path, "--json"])
    let skipped = try result.json()["skipped"] as? [[String: String]] ?? []
    let reasons = Dictionary(
      uniqueKeysWithValues: skipped.map {
        (($0["address"] ?? "").split(separator: "/").last ?? "", $0["because"] ?? "")
      })
    #expect(
      Set(reasons.keys) == ["Secret.sqlite", "Bar.realm", "Empty.store", "Damaged.db", "old"],
      "\(result.output)")
    #expect(reasons["Bar.realm"] == "it is a Realm database, not a Core Data store")
    #expect(reasons["Secret.sqlite"]?.contains("encrypted") == true)
    try Tool.run(["find", folder.path]).expectOutput(
      "No store was found that can be read.", "Bar.realm: it is a Realm database")
  }

  @Test("All real stores of an archive are found, and no others", .enabled(if: RealStores.arePresent))
  func realStores() throws {
    var archive = TarArchive()
    for name in RealStores.all {
      for suffix in ["", "-wal"] {
        guard let bytes = FileManager.default.contents(atPath: "\(RealStores.folder)/\(name)\(suffix)") else {
          continue
        }
        archive.add("stores/\(name)\(suffix)", [UInt8](bytes))
        try FileManager.default.createDirectory(
          atPath: (folder.path("loose/\(name)") as NSString).deletingLastPathComponent,
          withIntermediateDirectories: true)
        try bytes.write(to: URL(filePath: folder.path("loose/\(name)\(suffix)")))
      }
    }
    try folder.write(archive.ended, to: "a.tar")
    func find(_ place: String, _ prefix: String) throws -> [String] {
      let result = try Tool.run(["find", place, "--json"], in: folder.path, seconds: 300)
      let stores = try result.json()["stores"] as? [[String: Any]] ?? []
      return stores.map { store in
        let path = (store["address"] as? String ?? "").replacing(prefix, with: "")
        return
          "\(path) \(store["uuid"] ?? "") \(store["entities"] ?? "") \(store["objects"] ?? "") \(store["mirror"] ?? "") \(store["pending"] ?? "")"
      }.sorted()
    }
    let loose = try find("loose", "loose/")
    #expect(loose.count > RealStores.all.count / 2)
    #expect(try find("a.tar", "a.tar!/stores/") == loose)
  }

  /// The second of two hard links vanished, though with a -wal next to it it is a store in another state.
  @Test("Hard links are a store each, and links to one place are one store")
  func links() throws {
    let manager = FileManager.default
    _ = try DemoStore.copy(in: folder.path("b"))
    try folder.makeFolder("a")
    try manager.linkItem(atPath: folder.path("b/\(DemoStore.fileName)"), toPath: folder.path("a/Other.store"))
    try folder.link("c", to: "a")
    let result = try folder.run("find", "a", "b", "c/Other.store", "--json")
    let stores = try result.json()["stores"] as? [[String: Any]] ?? []
    #expect(
      stores.compactMap { $0["address"] as? String } == ["a/Other.store", "b/\(DemoStore.fileName)"],
      "\(result.output)")
  }

  /// Whether a kind of file has advice of its own was guessed from a semicolon.
  @Test(
    "A file that is no store is answered with one piece of advice",
    arguments: [
      ([0x37, 0x7f, 0x06, 0x82], "it is the -wal of a store; pass the store's main file."),
      (Array("bplist00".utf8), "not an SQLite store; pass a folder, an archive or a store."),
    ] as [([UInt8], String)])
  func otherFile(_ bytes: [UInt8], _ says: String) throws {
    try folder.write(bytes, to: "file")
    try folder.run("find", "file").expectRefused(says)
  }
}
