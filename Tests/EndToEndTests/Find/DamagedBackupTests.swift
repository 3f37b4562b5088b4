import Discovery
import Foundation
import SQLite
import TestSupport
import Testing

/// Backups whose list or keys are damaged, or lead elsewhere.
struct DamagedBackupTests {
  @Test(
    "A damaged list of a backup ends nothing, and its folder is searched",
    arguments: ["text", "other tables"])
  func badManifest(_ kind: String) throws {
    let folder = try TemporaryFolder("strange")
    for place in ["a/bad", "b/good"] { try FindRun.makeBackup(at: place, in: folder) }
    let manifest = folder.path("a/bad/Manifest.db")
    try FileManager.default.removeItem(atPath: manifest)
    if kind == "text" {
      try folder.write([UInt8](repeating: 0x41, count: 4096), to: "a/bad/Manifest.db")
    } else {
      try Connection(path: manifest, options: .readWrite(create: true)).execute("CREATE TABLE t(a)")
    }
    let found = try FindRun.find(".", in: folder)
    #expect(found.addresses.count == 2 && found.addresses[1] == "./b/good!/AppDomain-a.b/Library/App.store")
    #expect((found.skipped["./a/bad"] != nil) == (kind == "text"), "\(found.skipped)")
  }

  /// The list was read with the -wal of another database, which a stranger's backup can have a link to.
  @Test("A link next to a backup's list isn't followed", arguments: ["-wal", "-shm", "-journal"])
  func linkedList(_ suffix: String) throws {
    let folder = try TemporaryFolder("strange")
    try FindRun.makeBackup(in: folder)
    try folder.write([1, 2, 3], to: "mine")
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("backup/Manifest.db\(suffix)"), withDestinationPath: folder.path("mine"))
    let found = try FindRun.find("backup", in: folder)
    #expect(
      found.skipped["backup"]?.contains("Manifest.db\(suffix)' is a link, not a file") == true,
      "\(found.skipped)")
    #expect(!found.addresses.contains { $0.contains("!/") })
  }

  /// The stores were listed under their hashes, as of long ago, without a word about their -wal.
  @Test("A backup without Manifest.plist is read by its list; without both, a -wal may be missing")
  func incompleteBackup() throws {
    let folder = try TemporaryFolder("strange")
    try FindRun.makeBackup(in: folder)
    try FileManager.default.removeItem(atPath: folder.path("backup/Manifest.plist"))
    #expect(try FindRun.find("backup", in: folder).addresses == ["backup!/AppDomain-a.b/Library/App.store"])
    try FileManager.default.removeItem(atPath: folder.path("backup/Manifest.db"))
    let loose = try FindRun.find("backup", in: folder).addresses
    let store = try #require(loose.first)
    let doctor = try Tool.run(["doctor", store, "--fail-on", "never"], in: folder.path)
    #expect(loose.count == 1 && doctor.output.contains("wal-missing"), "\(doctor.output)")
  }

  /// In a folder it was a backup, and in an archive none: its stores were listed under their hashes.
  @Test(arguments: ["a.zip", "a.tar"]) func incompleteBackupInAnArchive(_ name: String) throws {
    let folder = try TemporaryFolder("strange")
    try FindRun.makeBackup(in: folder)
    var (zip, tar) = (ZipForge(), TarArchive())
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path("backup")).sorted(by: >) {
      guard path != "Manifest.plist", let bytes = try? folder.read("backup/" + path) else { continue }
      zip.add("0811/" + path, bytes)
      tar.add("0811/" + path, bytes)
    }
    try folder.write(name == "a.zip" ? zip.ended : tar.ended, to: name)
    let address = "\(name)!/0811!/AppDomain-a.b/Library/App.store"
    #expect(try FindRun.find(name, in: folder).addresses == [address])
    try FindRun.expectOpens([address, name], in: folder)
    #expect(ContainerListing.paths(in: folder.path("\(name)!/")) { true } == ["0811!/"])
  }

  /// Who looks for a file with another tool knows it by that name.
  @Test func aBackupsNameOfTheFileIsInJSON() throws {
    let folder = try TemporaryFolder("strange")
    try FindRun.makeBackup(in: folder)
    let found = try FindRun.find("backup", in: folder)
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    let fileID = try #require(store["fileID"] as? String)
    #expect(FileManager.default.fileExists(atPath: folder.path("backup/\(fileID.prefix(2))/\(fileID)")))
    try folder.write(try FindRun.store(), to: "App.store")
    let loose = try FindRun.find("App.store", in: folder).result.json()["stores"] as? [[String: Any]]
    #expect(loose?.first?["fileID"] is NSNull)
  }

  /// It may lead to any file of the user's.
  @Test("A backup's list that is a link isn't followed")
  func linkedManifest() throws {
    let folder = try TemporaryFolder("strange")
    try FindRun.makeBackup(in: folder)
    try FileManager.default.moveItem(atPath: folder.path("backup/Manifest.db"), toPath: folder.path("mine"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("backup/Manifest.db"), withDestinationPath: folder.path("mine"))
    let found = try FindRun.find("backup", in: folder)
    #expect(found.addresses.allSatisfy { !$0.contains("!/") }, "\(found.addresses)")
  }

  @Test("One damaged class key loses its own files only")
  func damagedKey() throws {
    let folder = try TemporaryFolder("strange")
    try FindRun.makeBackup(in: folder, password: "right", damagedClass: 3)
    try folder.write(Array("right".utf8), to: "password")
    let found = try FindRun.find("backup", in: folder, "--password-file", "password")
    #expect(
      found.skipped == ["backup!/AppDomain-a.b/Library/App.store": found.skipped.values.first ?? ""],
      "\(found.skipped)")
    #expect(found.skipped.values.first?.contains("has no key for it") == true, "\(found.skipped)")
  }
}
