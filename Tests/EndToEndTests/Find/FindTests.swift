import Discovery
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores in all that people send and keep: found once, with the right app, and answering through their address as they do
/// as loose files.
struct FindTests {
  private static let app = "com.example.Journeys"
  private static let group = "group.com.example.Journeys"
  private static let support = "Library/Application Support/"

  /// A place with one store, and what `find` says of it.
  struct Place: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var container: String
    var app: String?
    var group: String?
    var domain: String?
    var devicePath: String?
    var options: [String] = []
    var hasWAL = true
    /// Makes it in the folder, from the store's folder, and returns what is given to `find`.
    var make: @Sendable (TemporaryFolder, String) throws -> String
  }

  private static let container = "private/var/mobile/Containers/Data/Application/9C8D/"

  static let places: [Place] =
    [
      Place(testDescription: "folder", container: "folder") { folder, store in
        try copy(store, to: folder.path("place/Library/Application Support"))
        return folder.path("place")
      },
      Place(testDescription: "simulator", container: "simulator", app: app) { folder, store in
        let device = folder.path("Devices/0A1B")
        let container = device + "/data/Containers/Data/Application/9C8D"
        try copy(store, to: container + "/Library/Application Support")
        try noteOwner(app, in: container)
        try Data().write(to: URL(filePath: device + "/device.plist"))
        return folder.path("Devices")
      },
      Place(testDescription: "app group", container: "simulator", group: group) { folder, store in
        let device = folder.path("Devices/0A1B")
        let container = device + "/data/Containers/Shared/AppGroup/9C8D"
        try copy(store, to: container + "/Library")
        try noteOwner(group, in: container)
        try Data().write(to: URL(filePath: device + "/device.plist"))
        return folder.path("Devices")
      },
      Place(testDescription: "xcappdata", container: "xcappdata", app: app) { folder, store in
        let data = folder.path("App.xcappdata/AppData")
        try copy(store, to: data + "/Library/Application Support")
        try owner(app, "CFBundleIdentifier").write(
          to: URL(filePath: folder.path("App.xcappdata/AppDataInfo.plist")))
        return folder.path("App.xcappdata")
      },
      Place(testDescription: "backup", container: "backup", app: app, domain: "AppDomain-" + app) {
        folder, store in
        try backup(of: store).make(at: folder.path("backup"))
        return folder.path("backup")
      },
      Place(
        testDescription: "encrypted backup", container: "backup", app: app, domain: "AppDomain-" + app,
        options: ["--password-file", "password"]
      ) { folder, store in
        try folder.write(Array("correct horse\r\n".utf8), to: "password")
        try backup(of: store).make(at: folder.path("backup"), password: "correct horse")
        return folder.path("backup")
      },
      Place(
        testDescription: "UFED-shaped zip with an inner zip", container: "zip", app: app,
        devicePath: "/private/var/mobile/Containers/Data/Application/9C8D/\(support)\(DemoStore.fileName)"
      ) { folder, store in
        var inner = ZipForge()
        for (path, bytes) in try files(of: store) {
          inner.add("filesystem2/mobile/Containers/Data/Application/9C8D/" + path, bytes)
        }
        var outer = ZipForge()
        outer.add("Report.pdf", [UInt8](repeating: 7, count: 1024))
        outer.add("iPhone/EXTRACTION_FFS.zip", inner.ended)
        try folder.write(outer.ended, to: "case.zip")
        return folder.path("case.zip")
      },
      Place(testDescription: "customer's zip without the -wal", container: "zip", hasWAL: false) {
        folder, store in
        var zip = ZipForge()
        for (path, bytes) in try files(of: store) where !path.hasSuffix(".plist") {
          let name = path.replacing(support, with: "")
          zip.add("Töm's files/\(name)", bytes)
          zip.add("__MACOSX/Töm's files/._\(name)", [0, 5, 0x16, 7, 0, 2, 0, 0])
        }
        try folder.write(zip.ended, to: "Archive.zip")
        return folder.path("Archive.zip")
      },
    ]
    + TarArchive.Compression.available.map { compression in
      Place(
        testDescription: "\(compression.rawValue) with absolute paths", container: "tar", app: app,
        devicePath: "/\(container)\(support)\(DemoStore.fileName)"
      ) { folder, store in
        var archive = TarArchive()
        for (path, bytes) in try files(of: store) { archive.add("/" + container + path, bytes) }
        let name = "files.\(compression.rawValue)"
        try folder.write(compression.packed(archive.ended), to: name)
        return folder.path(name)
      }
    }

  // MARK: - Made from a store's folder

  private static func copy(_ store: String, to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: (folder as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: store, toPath: folder)
  }

  private static func owner(_ identifier: String, _ key: String = "MCMMetadataIdentifier") throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: [key: identifier], format: .xml, options: 0)
  }

  private static let ownerFile = ".com.apple.mobile_container_manager.metadata.plist"

  private static func noteOwner(_ identifier: String, in folder: String) throws {
    try owner(identifier).write(to: URL(filePath: "\(folder)/\(ownerFile)"))
  }

  /// The files of an app's container with the store in it.
  private static func files(of store: String) throws -> [(path: String, bytes: [UInt8])] {
    let names = FileManager.default.enumerator(atPath: store)?.compactMap { $0 as? String } ?? []
    var files: [(String, [UInt8])] = [(ownerFile, [UInt8](try owner(app)))]
    for name in names.sorted() {
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(store)/\(name)", isDirectory: &isFolder)
      guard !isFolder.boolValue, let bytes = FileManager.default.contents(atPath: "\(store)/\(name)") else {
        continue
      }
      files.append((support + name, [UInt8](bytes)))
    }
    return files
  }

  /// With thousands of pictures.
  private static func backup(of store: String) throws -> BackupForge {
    var backup = BackupForge()
    try backup.add(
      store + "/" + DemoStore.fileName, domain: "AppDomain-" + app, path: support + DemoStore.fileName)
    let picture = [UInt8](repeating: 7, count: 512)
    for number in 0..<3000 {
      backup.files.append(("CameraRollDomain", "Media/DCIM/IMG_\(number).JPG", picture))
    }
    return backup
  }

  // MARK: - Found

  @Test("Found once, with its app, and answering as the loose file", arguments: places)
  func found(_ place: Place) throws {
    let folder = try TemporaryFolder("find")
    let loose = try DemoStore.copy(in: folder.path("loose"))
    if !place.hasWAL {
      try ["-wal", "-shm"].forEach { try FileManager.default.removeItem(atPath: loose + $0) }
    }
    try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
    let path = try place.make(folder, folder.path("loose"))
    let before = (try FileTree.hashes(folder.path), try FolderSnapshot(folder.path))
    func run(_ words: [String]) throws -> Tool.Result {
      try Tool.run(words, environment: ["TMPDIR": folder.path("tmp")], in: folder.path)
    }
    let result = try run(["find", path, "--json"] + place.options)
    #expect(result.status == 0, "\(result.errors)")
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
        return try run(words).output.replacing(store, with: "STORE")
      }
      #expect(try answer(address, place.options) == answer(loose, []), "\(words)")
      // A container with one store stands for it.
      if words[0] == "rows" {
        let whole = try run(["rows", path, "Attachment", "--json"] + place.options).output
        #expect(try whole.replacing(address, with: "STORE") == answer(loose, []))
      }
    }
    #expect(
      try run(["summary", address] + place.options).output.contains("No -wal file")
        == (!place.hasWAL && !isBackup))
    // Nothing but what is asked for is printed, and nothing is left.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
    #expect(try FileTree.hashes(folder.path) == before.0)
    #expect(
      try FolderSnapshot(folder.path).entries.filter { $0.key != "tmp" }
        == before.1.entries.filter { $0.key != "tmp" })
  }

  @Test("A backup has all files of a store: no -wal means that there was none")
  func backupWithoutWAL() throws {
    let folder = try TemporaryFolder("find")
    let demo = try Demo(leaving: .nothing)
    try Self.backup(of: demo.folder.path).make(at: folder.path("backup"))
    let result = try Tool.run(["doctor", folder.path("backup"), "--rule", "wal-missing", "--json"])
    #expect((try result.json()["findings"] as? [Any])?.isEmpty == true, "\(result.output)\(result.errors)")
    #expect(!(try Tool.run(["summary", folder.path("backup")])).output.contains("No -wal"))
  }

  @Test("After a reinstall two containers have one app's identifier")
  func reinstalled() throws {
    let folder = try TemporaryFolder("find")
    let device = folder.path("Devices/0A1B")
    for (number, store) in [
      try Demo(), try Demo { try $0.connection.execute("DELETE FROM ATRANSACTION WHERE Z_PK > 10") },
    ]
    .enumerated() {
      let container = device + "/data/Containers/Data/Application/9C8\(number)"
      try Self.copy(store.folder.path, to: container + "/Library/Application Support")
      try Self.noteOwner(Self.app, in: container)
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
    let result = try Tool.run(["summary", device])
    #expect(result.status == 2)
    let lines = result.errors.split(separator: "\n")
    #expect(
      lines.count == 3 && lines[0].hasSuffix("holds 2 stores; pass those that you mean by name:"),
      "\(result.errors)")
    #expect(lines[1...].allSatisfy { $0.hasPrefix("  '\(device)") })
  }

  /// What is named can be pasted into a shell, whatever whoever packed the folder called it: a quote, a dollar or a grave
  /// accent with a combining mark on it is one to a shell all the same.
  @Test("A folder's one store is opened, several are named so that a shell can take them")
  func folders() throws {
    let folder = try TemporaryFolder("find")
    let empty = try Tool.run(["summary", folder.path])
    #expect(
      empty.status == 2 && empty.errors.contains("holds no store of Core Data or SwiftData"),
      "\(empty.errors)")
    let name = "a`\u{301};touch x;`\u{301}$(b)\n.store"
    let store = try DemoStore.copy(in: folder.path("place"))
    try FileManager.default.moveItem(atPath: store, toPath: folder.path("place/\(name)"))
    let one = try Tool.run(["summary", folder.path("place/")])
    #expect(one.status == 0, "\(one.errors)")
    _ = try DemoStore.copy(in: folder.path("place/other"))
    let two = try Tool.run(["summary", folder.path("place")])
    #expect(two.status == 2)
    #expect(two.errors.split(separator: "\n").count == 3, "\(two.errors)")
    #expect(
      two.errors.utf8.split(separator: 10)[1].starts(with: "  '\(folder.path)/place/a`".utf8), "\(two.errors)"
    )
  }

  /// Folders were told apart by too few letters.
  @Test("Stores of one name in an archive don't get in each other's way, whatever their letters")
  func namesake() throws {
    let folder = try TemporaryFolder("find")
    let store = try Demo(leaving: .nothing).folder.read(DemoStore.fileName)
    var zip = ZipForge()
    for place in ["dir", "dix"] { zip.add("\(place)/Größe.store", store) }
    try folder.write(zip.ended, to: "a.zip")
    let result = try Tool.run(["find", "a.zip", "--json"], in: folder.path)
    #expect((try result.json()["stores"] as? [Any])?.count == 2, "\(result.output)")
  }

  @Test("Without a path, a Mac's running simulators and the user's own containers are searched")
  func usualPlaces() throws {
    let home = try TemporaryFolder("home")
    let devices = home.path("Library/Developer/CoreSimulator/Devices")
    for (name, state) in [("ON", 3), ("OFF", 1)] {
      try FileManager.default.createDirectory(atPath: "\(devices)/\(name)", withIntermediateDirectories: true)
      try PropertyListSerialization.data(fromPropertyList: ["state": state], format: .binary, options: 0)
        .write(to: URL(filePath: "\(devices)/\(name)/device.plist"))
    }
    try FileManager.default.createDirectory(
      atPath: home.path("Library/Group Containers"), withIntermediateDirectories: true)
    #expect(
      UsualPlaces.folders(inHome: home.path) == ["\(devices)/ON", home.path("Library/Group Containers")])
  }

  @Test("URLs and models are understood")
  func urls() throws {
    let folder = try TemporaryFolder("find")
    let store = try DemoStore.copy(in: folder.path("a place"))
    let url = "file://" + store.replacing(" ", with: "%20")
    let answer = try Tool.run(["summary", store, "--json"]).output
    for spelling in [
      url, url.replacing("file://", with: "FILE://localhost"), url.replacing("file://", with: "file:"),
    ] {
      #expect(try Tool.run(["summary", spelling, "--json"]).output == answer, "\(spelling)")
    }
    let foreign = try Tool.run(["summary", "file://server/a.store"])
    #expect(foreign.status == 2 && foreign.errors.contains("isn't the URL of a file on this machine"))
    try FileManager.default.createDirectory(
      atPath: folder.path("App.momd"), withIntermediateDirectories: true)
    let model = try Tool.run(["summary", folder.path("App.momd/")])
    #expect(
      model.status == 2
        && model.errors.contains("it is a model, not a store; pass the store, and the model with --model"))
  }

  @Test("What looks like a store and can't be read is listed with its reason")
  func skipped() throws {
    let folder = try TemporaryFolder("find")
    let noise = (0..<8192).map { _ in UInt8.random(in: 128...255) }
    try folder.write(noise, to: "Secret.sqlite")
    try folder.write([UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + noise, to: "Bar.realm")
    try folder.write([], to: "Empty.store")
    try folder.write(Array("SQLite format 3\0".utf8) + noise, to: "Damaged.db")
    try folder.write(Array("text".utf8), to: "notes.db")
    try FileManager.default.createDirectory(atPath: folder.path("old"), withIntermediateDirectories: true)
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
    let text = try Tool.run(["find", folder.path]).output
    #expect(
      text.contains("No store was found that can be read.")
        && text.contains("Bar.realm: it is a Realm database"))
  }

  @Test("An encrypted backup says so, and a wrong password too")
  func encrypted() throws {
    let folder = try TemporaryFolder("find")
    let demo = try Demo(leaving: .nothing)
    var backup = BackupForge()
    try backup.add(demo.path, domain: "AppDomain-" + Self.app, path: Self.support + DemoStore.fileName)
    try backup.make(at: folder.path("backup"), password: "right")
    try folder.write(Array("wrong\n".utf8), to: "wrong")
    let address = folder.path("backup!/AppDomain-\(Self.app)/\(Self.support)\(DemoStore.fileName)")
    for (words, problem) in [
      ([], "is an encrypted backup; pass --password to be asked for its password"),
      (["--password-file", folder.path("wrong")], "is encrypted with another password"),
    ] {
      let found = try Tool.run(["find", folder.path("backup"), "--json"] + words)
      // A script took it for a place without stores.
      #expect(found.status == 2 && found.output.contains(problem.split(separator: ";")[0]), "\(found.output)")
      for store in [address, folder.path("backup")] {
        let result = try Tool.run(["summary", store] + words)
        #expect(
          result.status == 2 && result.errors.contains(problem.split(separator: ";")[0]), "\(result.errors)")
      }
    }
  }

  @Test("Operations refuse an address, and what they advise takes the store out")
  func copiesOut() throws {
    let folder = try TemporaryFolder("find")
    _ = try DemoStore.copy(in: folder.path("loose"))
    var zip = ZipForge()
    for (path, bytes) in try Self.files(of: folder.path("loose")) { zip.add("Data/" + path, bytes) }
    try folder.write(zip.ended, to: "case.zip")
    let address = "case.zip!/Data/\(Self.support)\(DemoStore.fileName)"
    let refused = try Tool.run(
      ["resync", address, "--pull", "--apply", "--confirm", DemoStore.fileName], in: folder.path)
    #expect(refused.status == 2)
    // It stood in quotes of its own, with a placeholder: nobody could paste it.
    let command = "storescope find '\(address)' --copy-to Journeys"
    #expect(refused.errors.hasSuffix("\n  \(command)\n"), "\(refused.errors)")
    let pasted = try Tool.run(
      "/bin/sh", ["-c", command.replacing("storescope", with: Tool.path, maxReplacements: 1)], in: folder.path
    )
    #expect(pasted.status == 0, "\(pasted.errors)")
    #expect(try folder.names().contains("Journeys"))
    // A plan is about a store that can be changed, too.
    for words in [["resync", address, "--pull"], ["reset", address, "--server-zone", "kept"]] {
      let plan = try Tool.run(words, in: folder.path)
      #expect(plan.status == 2 && plan.errors.hasSuffix(" --copy-to Journeys-2\n"), "\(plan.errors)")
    }
    let copied = try Tool.run(["find", address, "--copy-to", "out", "--json"], in: folder.path)
    #expect(copied.status == 0, "\(copied.errors)")
    let stores = try copied.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["copy"] as? String } == ["out/" + DemoStore.fileName])
    #expect(
      try FileTree.hashes(folder.path("out"))
        == FileTree.hashes(folder.path("loose")) { !$0.hasSuffix("-shm") })
    let again = try Tool.run(["find", address, "--copy-to", "out"], in: folder.path)
    #expect(again.status == 2 && again.errors.contains("never overwritten"), "\(again.errors)")
    let applied = try Tool.run(
      ["resync", "out/" + DemoStore.fileName, "--pull", "--apply", "--confirm", DemoStore.fileName],
      in: folder.path)
    #expect(applied.status == 0, "\(applied.errors)")
  }

  @Test("--verbose and a report have the hashes of container and members")
  func custody() throws {
    let folder = try TemporaryFolder("find")
    _ = try DemoStore.copy(in: folder.path("loose"))
    var zip = ZipForge()
    for (path, bytes) in try Self.files(of: folder.path("loose")) { zip.add(path, bytes) }
    try folder.write(zip.ended, to: "case.zip")
    let hashes = try FileTree.hashes(folder.path)
    let container = try #require(hashes["case.zip"])
    let notes = try Tool.run(["summary", "case.zip", "--verbose"], in: folder.path).errors
    let report = try Tool.run(["report", "case.zip", "-o", "-", "--format", "json"], in: folder.path)
    #expect(report.status == 0, "\(report.errors)")
    for suffix in ["", "-wal"] {
      let hash = try #require(hashes["loose/" + DemoStore.fileName + suffix])
      #expect(notes.contains("SHA-256 " + hash) && report.output.contains(hash))
    }
    #expect(notes.contains("SHA-256 " + container) && report.output.contains(container))
    // A result never replaces the container.
    let over = try Tool.run(
      ["report", "case.zip", "-o", "case.zip", "--format", "json", "--force"], in: folder.path)
    #expect(over.status == 2)
    #expect(try FileTree.hashes(folder.path) == hashes)
  }

  @Test("The shell opens addresses, and takes the copy away at its end")
  func shell() throws {
    let folder = try TemporaryFolder("find")
    _ = try DemoStore.copy(in: folder.path("loose"))
    var zip = ZipForge()
    for (path, bytes) in try Self.files(of: folder.path("loose")) { zip.add(path, bytes) }
    try folder.write(zip.ended, to: "case.zip")
    let result = try Tool.run(
      [
        "shell", "case.zip", "-c", "rows Attachment --json", "-c", "open loose", "-c",
        "rows Attachment --json",
      ],
      environment: ["TMPDIR": folder.path], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains("case.zip!/\(Self.support)")
        && result.output.contains("loose/\(DemoStore.fileName)"))
    #expect(try folder.names() == ["case.zip", "loose"])
  }

  @Test("All real stores of an archive are found, and no others", .enabled(if: RealStores.arePresent))
  func realStores() throws {
    let folder = try TemporaryFolder("find")
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
          "\(path) \(store["uuid"] ?? "") \(store["entities"] ?? "") \(store["mirror"] ?? "") \(store["pending"] ?? "")"
      }.sorted()
    }
    let loose = try find("loose", "loose/")
    #expect(loose.count > RealStores.all.count / 2)
    #expect(try find("a.tar", "a.tar!/stores/") == loose)
  }
}
