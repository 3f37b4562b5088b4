import Forge
import Foundation
import TestSupport
import Testing

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
    let result = try Tool.run(
      ["find", place, "--json"] + options, environment: ["TMPDIR": temporary], in: folder.path)
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
    return Found(
      addresses: stores.sorted(), skipped: Dictionary(skipped) { $0 + "\n" + $1 }, result: result)
  }

  static func expectOpens(_ addresses: [String], in folder: TemporaryFolder) throws {
    for address in addresses {
      let result = try Tool.run(["summary", address], in: folder.path)
      #expect(result.status == 0, "\(address): \(result.errors)")
    }
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
