import Foundation
import Forge
import TestSupport
import Testing

/// Stores in all that people send and keep: found once, with the right app, and answering through their address as they do
/// as loose files.
struct FindTests {
  private static let app = "com.example.Journeys"
  private static let inApp = "Library/Application Support/Journeys.store"

  /// A place with one store, and what `find` says of it.
  struct Place: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var container: String
    var app: String?
    var domain: String?
    var options: [String] = []
    /// Makes it in the folder, from the store's folder, and returns what is given to `find`.
    var make: @Sendable (TemporaryFolder, String) throws -> String

    static let all: [Place] = [
      Place(testDescription: "folder", container: "folder") { folder, store in
        try copy(store, to: folder.path("place/Library/Application Support"))
        return folder.path("place")
      },
      Place(testDescription: "simulator", container: "simulator", app: FindTests.app) { folder, store in
        let device = folder.path("Devices/0A1B")
        let container = device + "/data/Containers/Data/Application/9C8D"
        try copy(store, to: container + "/Library/Application Support")
        try note(FindTests.app, in: container)
        try Data().write(to: URL(filePath: device + "/device.plist"))
        return folder.path("Devices")
      },
      Place(testDescription: "app group", container: "simulator", app: nil) { folder, store in
        let device = folder.path("Devices/0A1B")
        let container = device + "/data/Containers/Shared/AppGroup/9C8D"
        try copy(store, to: container + "/Library")
        try note("group.com.example", in: container)
        try Data().write(to: URL(filePath: device + "/device.plist"))
        return folder.path("Devices")
      },
      Place(testDescription: "xcappdata", container: "xcappdata", app: FindTests.app) { folder, store in
        let data = folder.path("App.xcappdata/AppData")
        try copy(store, to: data + "/Library/Application Support")
        try note(FindTests.app, in: data)
        return folder.path("App.xcappdata")
      },
      Place(
        testDescription: "backup", container: "backup", app: FindTests.app, domain: "AppDomain-com.example.Journeys"
      ) { folder, store in
        try backup(of: store).make(at: folder.path("backup"))
        return folder.path("backup")
      },
      Place(
        testDescription: "encrypted backup", container: "backup", app: FindTests.app,
        domain: "AppDomain-com.example.Journeys", options: ["--password-file", "password"]
      ) { folder, store in
        try folder.write(Array("correct horse\n".utf8), to: "password")
        try backup(of: store).make(at: folder.path("backup"), password: "correct horse")
        return folder.path("backup")
      },
      Place(testDescription: "tar with absolute paths", container: "tar", app: FindTests.app) { folder, store in
        try folder.write(try tar(of: store, root: "/private/var/mobile/Containers/Data/Application/9C8D/"), to: "a.tar")
        return folder.path("a.tar")
      },
    ]

    private static func copy(_ store: String, to folder: String) throws {
      try FileManager.default.createDirectory(
        atPath: (folder as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
      try FileManager.default.copyItem(atPath: store, toPath: folder)
    }

    private static func note(_ identifier: String, in folder: String) throws {
      let list = ["MCMMetadataIdentifier": identifier]
      try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
        .write(to: URL(filePath: folder + "/.com.apple.mobile_container_manager.metadata.plist"))
    }

    /// With a few thousand pictures that have to be passed by.
    private static func backup(of store: String) throws -> BackupForge {
      var backup = BackupForge()
      try backup.add(store + "/" + DemoStore.fileName, domain: "AppDomain-com.example.Journeys", path: FindTests.inApp)
      for number in 0..<200 {
        backup.files.append(("CameraRollDomain", "Media/DCIM/IMG_\(number).JPG", [UInt8](repeating: 7, count: 512)))
      }
      return backup
    }

    static func tar(of store: String, root: String) throws -> [UInt8] {
      var archive = TarArchive()
      for case let name as String in FileManager.default.enumerator(atPath: store) ?? .init() {
        guard let content = FileManager.default.contents(atPath: store + "/" + name) else { continue }
        archive.add(root + FindTests.inApp.replacing(DemoStore.fileName, with: "") + name, [UInt8](content))
      }
      let list = ["MCMMetadataIdentifier": FindTests.app]
      let note = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      archive.add(root + ".com.apple.mobile_container_manager.metadata.plist", [UInt8](note))
      return archive.ended
    }
  }

  @Test("Found once, with its app, and answering as the loose file", arguments: Place.all)
  func found(_ place: Place) throws {
    let folder = try TemporaryFolder("find")
    let loose = try DemoStore.copy(in: folder.path("loose"))
    let path = try place.make(folder, folder.path("loose"))
    let before = try FolderSnapshot(path.hasSuffix(".tar") ? folder.path : path)
    let result = try Tool.run(["find", path, "--json"] + place.options, in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    let stores = try result.json()["stores"] as? [[String: Any]] ?? []
    try #require(stores.count == 1, "\(result.output)")
    #expect(stores[0]["container"] as? String == place.container)
    #expect(stores[0]["app"] as? String == place.app)
    #expect(stores[0]["domain"] as? String == place.domain)
    let address = try #require(stores[0]["address"] as? String)
    for words in [["summary"], ["doctor", "--fail-on", "never"], ["rows", "Attachment"], ["pending"]] {
      func answer(_ store: String, _ options: [String]) throws -> String {
        let words = [words[0], store] + words.dropFirst() + options + ["--json"]
        return try Tool.run(words, in: folder.path).output.replacing(store, with: "STORE")
      }
      #expect(try answer(address, place.options) == answer(loose, []), "\(words)")
    }
    #expect(try FolderSnapshot(path.hasSuffix(".tar") ? folder.path : path) == before)
  }
}
