import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

/// Timestamps of all ages, in archives, backups and folders.
struct FoundDateTests {
  /// A timestamp has nanoseconds in 64 bits, which end in 2262: later ones ended the program, and with it each later one that
  /// looked at the copy it left.
  @Test("Dates that can't be counted to are the last one that can")
  func farDates() throws {
    let folder = try TemporaryFolder("strange")
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
    let folder = try TemporaryFolder("strange")
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
    let found = try FindRun.find("backup", in: folder)
    #expect(found.result.output.contains("2020-09-13T12:26:40"), "\(found.result.output)")
  }

  @Test("What find says of a store's last change depends on whether it has a history")
  func lastChange() throws {
    let folder = try TemporaryFolder("strange")
    try folder.write(try FindRun.store(), to: "a.store")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Person", attributes: [])])
    var options = ForgeOptions()
    options.history = .none
    try StoreForge(path: folder.path("b.store"), model: model, options: options).close()
    let found = try FindRun.find(".", in: folder)
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["lastChangeSource"] as? String } == ["history", "files"])
    let shown = try Tool.run(["find", "."], in: folder.path).output
    #expect(shown.contains("1 store without history has the date of its files"), "\(shown)")
  }
}
