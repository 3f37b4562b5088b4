import Forge
import Foundation
import SQLite
import StoreModel
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
    let folder = TemporaryFolder("real")
    try folder.makeFolder("loose")
    let loose = folder.path("loose/" + DemoStore.fileName)
    for suffix in ["", "-wal", "-shm"] where suffix.isEmpty || place.hasWAL {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: loose + suffix)
    }
    withExtendedLifetime(real) {}
    let made = try place.make(folder, folder.path("loose"))
    let before = try FileTree.hashes(folder.path)
    let found = try folder.run(["find", made, "--json"] + place.options)
    let stores = try found.json()["stores"] as? [[String: Any]] ?? []
    try #require(found.status == 0 && stores.count == 1, "\(found.output)\(found.errors)")
    #expect(stores[0]["app"] as? String == place.app && stores[0]["group"] as? String == place.group)
    #expect(stores[0]["damage"] is NSNull, "\(stores[0])")
    let address = try #require(stores[0]["address"] as? String)
    let summary = try folder.run("summary", loose, "--json").json()
    let entities = summary["entities"] as? [[String: Any]] ?? []
    let entity = entities.first { $0["rows"] as? Int ?? 0 > 0 } ?? entities.first
    for words in [
      ["summary"], ["doctor", "--fail-on", "never"],
      ["rows", try #require(entity?["name"] as? String), "--limit", "50"],
    ] {
      func answer(_ store: String, _ options: [String]) throws -> String {
        let words = [words[0], store] + words.dropFirst() + options + ["--json"]
        return try FindPlace.withoutOwner(folder.run(words).output)
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
      let folder = TemporaryFolder("only")
      let store = try FindRun.store()
      for name in ["place", "tmp"] { try folder.makeFolder(name) }
      if container == "backup" {
        try FindRun.makeBackup(at: "place/backup", in: folder)
      } else {
        try folder.pack([("App.store", store)], as: "place/" + container)
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
        try folder.run(words, environment: ["TMPDIR": folder.path("tmp")]).expectStatus(comment: "\(words)")
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

/// Timestamps of all ages, in archives, backups and folders.
struct FoundDateTests {
  private let folder = TemporaryFolder("strange")

  /// A timestamp has nanoseconds in 64 bits, which end in 2262: later ones ended the program, and with it each later one that
  /// looked at the copy it left.
  @Test("Dates that can't be counted to are the last one that can")
  func farDates() throws {
    var tar = TarArchive()
    tar.add("App.store", try FindRun.store(), modified: 1 << 60)
    try folder.write(tar.ended, to: "a.tar")
    try folder.write(try FindRun.store(), to: "b.store")
    let date = Date(timeIntervalSince1970: 10_413_792_000)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("b.store"))
    let found = try FindRun.find(".", in: folder)
    #expect(found.addresses == ["./a.tar!/App.store", "./b.store"], "\(found.result.errors)")
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  /// Counting the time since then ended the program. File systems in memory keep such dates, and temporary folders are often
  /// in one.
  @Test("A date of centuries ago is only old")
  func ancientDates() throws {
    var tar = TarArchive()
    // In the form that has dates of any size: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
    tar.add("header", Array("22 mtime=-10000000000\n".utf8), kind: "x")
    tar.add("App.store", try FindRun.store())
    try folder.write(tar.ended, to: "a.tar")
    try folder.write(try FindRun.store(), to: "b.store")
    let date = Date(timeIntervalSince1970: -14_831_769_600)
    try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: folder.path("b.store"))
    let found = try FindRun.find(".", in: folder)
    #expect(found.addresses == ["./a.tar!/App.store", "./b.store"], "\(found.result.errors)")
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  /// It was the moment at which it was copied out.
  @Test("A file without a date in the backup changed when it was backed up")
  func undated() throws {
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
    let found = try FindRun.find("backup", in: folder)
    #expect(found.result.output.contains("2020-09-13T12:26:40"), "\(found.result.output)")
  }

  @Test("What find says of a store's last change depends on whether it has a history")
  func lastChange() throws {
    try folder.write(try FindRun.store(), to: "a.store")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Person", attributes: [])])
    var options = ForgeOptions()
    options.history = .none
    try StoreForge(path: folder.path("b.store"), model: model, options: options).close()
    let found = try FindRun.find(".", in: folder)
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["lastChangeSource"] as? String } == ["history", "files"])
    try folder.run("find", ".").expectOutput("1 store without history has the date of its files")
  }
}
