import Forge
import Foundation
import TestSupport
import Testing

/// A place with one store, and what `find` says of it.
struct FindPlace: CustomTestStringConvertible, Sendable {
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

extension FindPlace {
  typealias File = (path: String, bytes: [UInt8])

  static let app = "com.example.Journeys"
  static let group = "group.com.example.Journeys"
  static let support = "Library/Application Support/"

  static let container = "private/var/mobile/Containers/Data/Application/9C8D/"

  static let all: [FindPlace] =
    [
      FindPlace(testDescription: "folder", container: "folder") { folder, store in
        try copy(store, to: folder.path("place/Library/Application Support"))
        return folder.path("place")
      },
      FindPlace(testDescription: "simulator", container: "simulator", app: app) { folder, store in
        let device = folder.path("Devices/0A1B")
        let container = device + "/data/Containers/Data/Application/9C8D"
        try copy(store, to: container + "/Library/Application Support")
        try noteOwner(app, in: container)
        try Data().write(to: URL(filePath: device + "/device.plist"))
        return folder.path("Devices")
      },
      FindPlace(testDescription: "app group", container: "simulator", group: group) { folder, store in
        let device = folder.path("Devices/0A1B")
        let container = device + "/data/Containers/Shared/AppGroup/9C8D"
        try copy(store, to: container + "/Library")
        try noteOwner(group, in: container)
        try Data().write(to: URL(filePath: device + "/device.plist"))
        return folder.path("Devices")
      },
      FindPlace(testDescription: "xcappdata", container: "xcappdata", app: app) { folder, store in
        let data = folder.path("App.xcappdata/AppData")
        try copy(store, to: data + "/Library/Application Support")
        try owner(app, "CFBundleIdentifier").write(
          to: URL(filePath: folder.path("App.xcappdata/AppDataInfo.plist")))
        return folder.path("App.xcappdata")
      },
      FindPlace(testDescription: "backup", container: "backup", app: app, domain: "AppDomain-" + app) {
        folder, store in
        try backup(of: store).make(at: folder.path("backup"))
        return folder.path("backup")
      },
      FindPlace(
        testDescription: "encrypted backup", container: "backup", app: app, domain: "AppDomain-" + app,
        options: ["--password-file", "password"]
      ) { folder, store in
        try folder.write(Array("correct horse\r\n".utf8), to: "password")
        try backup(of: store).make(at: folder.path("backup"), password: "correct horse")
        return folder.path("backup")
      },
      FindPlace(
        testDescription: "UFED-shaped zip with an inner zip", container: "zip", app: app,
        devicePath: "/private/var/mobile/Containers/Data/Application/9C8D/\(support)\(DemoStore.fileName)"
      ) { folder, store in
        var inner = ZipForge()
        for (path, bytes) in try files(of: store) {
          inner.add("filesystem2/mobile/Containers/Data/Application/9C8D/" + path, bytes)
        }
        try folder.pack(
          [("Report.pdf", [UInt8](repeating: 7, count: 1024)), ("iPhone/EXTRACTION_FFS.zip", inner.ended)],
          as: "case.zip")
        return folder.path("case.zip")
      },
      FindPlace(testDescription: "customer's zip without the -wal", container: "zip", hasWAL: false) {
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
      FindPlace(
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

  /// An answer without what a store's place alone shows: a loose file has no app.
  static func withoutOwner(_ json: String) -> String {
    json.replacing(/"(app|group|device)":("[^"]*"|null),?/, with: "")
  }

  // MARK: - Made from a store's folder

  static func copy(_ store: String, to folder: String) throws {
    try FileManager.default.createDirectory(
      atPath: (folder as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: store, toPath: folder)
  }

  static func owner(_ identifier: String, _ key: String = "MCMMetadataIdentifier") throws -> Data {
    try PropertyListSerialization.data(fromPropertyList: [key: identifier], format: .xml, options: 0)
  }

  static let ownerFile = ".com.apple.mobile_container_manager.metadata.plist"

  static func noteOwner(_ identifier: String, in folder: String) throws {
    try owner(identifier).write(to: URL(filePath: "\(folder)/\(ownerFile)"))
  }

  /// The files of an app's container with the store in it.
  static func files(of store: String) throws -> [File] {
    let names = FileManager.default.enumerator(atPath: store)?.compactMap { $0 as? String } ?? []
    var files: [File] = [(ownerFile, [UInt8](try owner(app)))]
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
  static func backup(of store: String) throws -> BackupForge {
    var backup = BackupForge()
    try backup.add(
      store + "/" + DemoStore.fileName, domain: "AppDomain-" + app, path: support + DemoStore.fileName)
    let picture = [UInt8](repeating: 7, count: 512)
    for number in 0..<3000 {
      backup.files.append(("CameraRollDomain", "Media/DCIM/IMG_\(number).JPG", picture))
    }
    return backup
  }
}

/// `find` as a program, in a folder of its own.
enum FindRun {
  /// A store as it stands in the file, without a -wal.
  static func store() throws -> [UInt8] {
    try Demo(leaving: .nothing).folder.read(DemoStore.fileName)
  }

  struct Found {
    var addresses: [String]
    /// By address.
    var skipped: [String: String]
    var result: Tool.Result
  }

  static func find(_ place: String, in folder: TemporaryFolder, _ options: String...) throws -> Found {
    let temporary = folder.path("tmp")
    try FileManager.default.createDirectory(atPath: temporary, withIntermediateDirectories: true)
    let result = try folder.run(["find", place, "--json"] + options, environment: ["TMPDIR": temporary])
    let json = try result.json()
    let stores = (json["stores"] as? [[String: Any]] ?? []).compactMap { $0["address"] as? String }
    let skipped = (json["skipped"] as? [[String: String]] ?? []).map {
      ($0["address"] ?? "", $0["because"] ?? "")
    }
    // Nothing stays.
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary).isEmpty)
    // A script must not take a part of the copies for all of them.
    let isEnough = options.contains("--copy-to") ? skipped.isEmpty : !stores.isEmpty || skipped.isEmpty
    #expect(result.status == (isEnough ? 0 : 2), "\(result.errors)")
    return Found(addresses: stores.sorted(), skipped: Dictionary(skipped) { $0 + "\n" + $1 }, result: result)
  }

  static func expectOpens(_ addresses: [String], in folder: TemporaryFolder) throws {
    for address in addresses {
      try folder.run("summary", address).expectStatus(comment: "\(address)")
    }
  }

  /// What a backup is made of, its list behind its files.
  static func backupFiles(_ place: String, in folder: TemporaryFolder) throws -> [FindPlace.File] {
    var files: [FindPlace.File] = []
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path(place)).sorted(by: >) {
      if let bytes = try? folder.read("\(place)/\(path)") { files.append((path, bytes)) }
    }
    return files
  }

  /// A backup with one store.
  static func makeBackup(
    at place: String = "backup", in folder: TemporaryFolder, password: String? = nil,
    damagedClass: UInt32? = nil
  ) throws {
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", "Library/App.store", try store()))
    try backup.make(at: folder.path(place), password: password, damagedClass: damagedClass)
  }
}
