import Forge
import Foundation
import TestSupport
import Testing

/// Stores that Apple's frameworks wrote, in all that people send and keep.
struct RealPlaceTests {
  /// The demo alone could be read the same way for what it lacks.
  @Test(
    "A real store answers through its address as the loose file does", .enabled(if: RealStores.arePresent),
    arguments: FindPlace.all,
    ["BrowserServicesKit/Bookmarks_V5.sqlite", "osxphotos/Photos-14.6.0.sqlite"])
  func answers(_ place: FindPlace, _ name: String) throws {
    let (real, path) = try RealStores.copy(name)
    let folder = try TemporaryFolder("real")
    try FileManager.default.createDirectory(atPath: folder.path("loose"), withIntermediateDirectories: true)
    let loose = folder.path("loose/" + DemoStore.fileName)
    for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || place.hasWAL {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: loose + suffix)
    }
    withExtendedLifetime(real) {}
    let made = try place.make(folder, folder.path("loose"))
    let before = try FileTree.hashes(folder.path)
    let found = try Tool.run(["find", made, "--json"] + place.options, in: folder.path)
    let stores = try found.json()["stores"] as? [[String: Any]] ?? []
    try #require(found.status == 0 && stores.count == 1, "\(found.output)\(found.errors)")
    #expect(stores[0]["app"] as? String == place.app && stores[0]["group"] as? String == place.group)
    #expect(stores[0]["damage"] is NSNull, "\(stores[0])")
    let address = try #require(stores[0]["address"] as? String)
    let summary = try Tool.run(["summary", loose, "--json"], in: folder.path).json()
    let entities = summary["entities"] as? [[String: Any]] ?? []
    let entity = entities.first { $0["rows"] as? Int ?? 0 > 0 } ?? entities.first
    for words in [
      ["summary"], ["doctor", "--fail-on", "never"],
      ["rows", try #require(entity?["name"] as? String), "--limit", "50"],
    ] {
      func answer(_ store: String, _ options: [String]) throws -> String {
        let words = [words[0], store] + words.dropFirst() + options + ["--json"]
        return try FindPlace.withoutOwner(Tool.run(words, in: folder.path).output)
          .replacing(store, with: "STORE")
      }
      let expected = try answer(loose, [])
      #expect(!expected.isEmpty, "\(words)")
      #expect(try answer(address, place.options) == expected, "\(words)")
    }
    #expect(try FileTree.hashes(folder.path) == before)
  }

  #if os(Linux)
    /// That no byte changes shows nothing of what was read. The kernel notes what is opened next to the container.
    @Test("Nothing but the container is read", arguments: ["case.zip", "case.tar", "backup"])
    func onlyTheContainer(_ container: String) throws {
      let folder = try TemporaryFolder("only")
      let store = try FindRun.store()
      for name in ["place", "tmp"] {
        try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      }
      var (zip, tar) = (ZipForge(), TarArchive())
      zip.add("App.store", store)
      tar.add("App.store", store)
      switch container {
      case "case.zip": try folder.write(zip.ended, to: "place/case.zip")
      case "case.tar": try folder.write(tar.ended, to: "place/case.tar")
      default: try FindRun.makeBackup(at: "place/backup", in: folder)
      }
      // What SQLite or a search could take for a part of it.
      for name in [
        "App.store", "App.store-wal", "\(container)-wal", "other.zip", "Manifest.db", "secret.txt",
      ] {
        try folder.write(store, to: "place/" + name)
      }
      let watch = inotify_init1(Int32(IN_NONBLOCK))
      defer { close(watch) }
      let all = UInt32(IN_OPEN | IN_ACCESS | IN_MODIFY | IN_ATTRIB | IN_CREATE | IN_DELETE)
      try #require(inotify_add_watch(watch, folder.path("place"), all) >= 0)
      let address =
        "place/\(container)!/" + (container == "backup" ? "AppDomain-a.b/Library/App.store" : "App.store")
      for words in [
        ["find", "place/" + container], ["summary", address], ["rows", address, "Entry"],
        ["doctor", address, "--fail-on", "never"], ["find", address, "--copy-to", "out"],
      ] {
        let result = try Tool.run(words, environment: ["TMPDIR": folder.path("tmp")], in: folder.path)
        #expect(result.status == 0, "\(words): \(result.errors)")
      }
      #expect(Self.names(in: watch).subtracting([""]) == [container])
    }

    /// Of what was touched; empty for the folder itself. https://man7.org/linux/man-pages/man7/inotify.7.html
    private static func names(in watch: Int32) -> Set<String> {
      var names: Set<String> = []
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(watch, &buffer, buffer.count), count > 0 {
        var start = 0
        while start < count {
          let length = buffer.withUnsafeBytes {
            $0.loadUnaligned(fromByteOffset: start + 12, as: UInt32.self)
          }
          let name = buffer[(start + 16)..<(start + 16 + Int(length))].prefix { $0 != 0 }
          names.insert(String(decoding: name, as: UTF8.self))
          start += 16 + Int(length)
        }
      }
      return names
    }
  #endif
}
