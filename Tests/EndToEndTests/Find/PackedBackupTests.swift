import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// A backup of a device that somebody packed: its files were listed under their hashes, each without its -wal, so that a
/// store was shown as it never was.
struct PackedBackupTests {
  private let folder = TemporaryFolder("packed")

  enum Packing: String, CaseIterable { case zip, tar, compressed = "tar.gz", zipWithoutFolder }

  private static let domain = "AppDomain-" + FindPlace.app
  private static let path = "\(domain)/\(FindPlace.support)\(DemoStore.fileName)"

  /// - Returns: the archive's name.
  private static func pack(
    _ backup: BackupForge, _ packing: Packing, password: String? = nil, in folder: TemporaryFolder
  ) throws -> String {
    try backup.make(at: folder.path("made"), password: password)
    let names =
      FileManager.default.enumerator(atPath: folder.path("made"))?.compactMap { $0 as? String } ?? []
    var (zip, tar) = (ZipForge(), TarArchive())
    // In a tar file, what comes first is read first: a list behind its files, too.
    for name in names.sorted(by: >) {
      guard !["-wal", "-shm"].contains(where: name.hasSuffix),
        let bytes = FileManager.default.contents(atPath: folder.path("made/" + name)),
        name.contains(".")
          || name.utf8.count > 40
      else { continue }
      zip.add(packing == .zipWithoutFolder ? name : "0811-0A/" + name, [UInt8](bytes))
      tar.add("0811-0A/" + name, [UInt8](bytes))
    }
    try FileManager.default.removeItem(atPath: folder.path("made"))
    let name = packing == .zipWithoutFolder ? "backup.zip" : "backup.\(packing.rawValue)"
    switch packing {
    case .zip, .zipWithoutFolder: try folder.write(zip.ended, to: name)
    case .tar: try folder.write(tar.ended, to: name)
    case .compressed: try folder.write(TarArchive.Compression.gzip.packed(tar.ended), to: name)
    }
    return name
  }

  private static func forge(_ demo: Demo) throws -> BackupForge {
    var backup = BackupForge()
    try backup.add(demo.path, domain: domain, path: FindPlace.support + DemoStore.fileName)
    backup.files.append((domain, FindPlace.support + largeFile, largeBytes))
    backup.files.append(("HomeDomain", "Library/x.jpg", [UInt8](repeating: 7, count: 1024)))
    return backup
  }

  @Test(arguments: Packing.allCases) func isReadAsTheFolder(_ packing: Packing) throws {
    let demo = try Demo()
    let name = try Self.pack(Self.forge(demo), packing, in: folder)
    let found = try FindRun.find(name, in: folder, "--app", FindPlace.app)
    let address = "\(name)!/" + (packing == .zipWithoutFolder ? "" : "0811-0A!/") + Self.path
    #expect(found.addresses == [address] && found.skipped.isEmpty, "\(found.result.output)")
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["container"] as? String == "backup" && store["domain"] as? String == Self.domain)
    // Without the -wal there are fewer.
    #expect(store["pending"] as? Int == 25, "\(store)")
    let opened = try folder.run("summary", address, "--json")
    let mirror = try opened.json()["mirror"] as? [String: Any]
    #expect(opened.status == 0 && mirror?["pending"] as? Int == 25, "\(opened.errors)")
    // The only store in it, or in a part of it.
    for place in [name, String(address.dropLast(DemoStore.fileName.count + 1))] {
      #expect(try folder.run("summary", place).status == 0, "\(place)")
    }
    try folder.run("find", name, "--copy-to", "out").expectStatus()
    try Self.expectWholeCopy(of: demo, in: folder)
  }

  private static let largeFile = ".Journeys_SUPPORT/_EXTERNAL_DATA/0A1B2C3D-0000-4000-8000-000000000000"
  /// Many buffers and blocks, and a part of one.
  private static let largeBytes = (0..<3_000_007).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }

  /// Of an external file, only the beginning was there, as of files that nobody asks for.
  private static func expectWholeCopy(of demo: Demo, in folder: TemporaryFolder) throws {
    let original = URL(filePath: demo.path).deletingLastPathComponent().path
    let made = try FileTree.hashes(folder.path("out"))
    let expected = try FileTree.hashes(original).filter { !$0.key.hasSuffix("-shm") }
    #expect(made.count == expected.count + 1 && expected.keys.contains { $0.contains("_EXTERNAL_DATA/") })
    for (file, hash) in expected { #expect(made[file] == hash, "\(file)") }
    #expect(try folder.read("out/" + largeFile) == largeBytes)
  }

  @Test(arguments: Packing.allCases) func encryptedOneTakesItsPassword(_ packing: Packing) throws {
    let demo = try Demo()
    let name = try Self.pack(Self.forge(demo), packing, password: "right", in: folder)
    let place = packing == .zipWithoutFolder ? name : "\(name)!/0811-0A"
    try folder.write(Array("right".utf8), to: "password")
    let locked = try FindRun.find(name, in: folder)
    #expect(locked.addresses.isEmpty && locked.skipped.keys.contains(place), "\(locked.skipped)")
    let found = try FindRun.find(name, in: folder, "--password-file", "password")
    #expect(found.addresses == ["\(place)!/\(Self.path)"], "\(found.skipped)")
    try folder.run("summary", found.addresses.first ?? "", "--password-file", "password").expectStatus()
    try folder.run("find", name, "--password-file", "password", "--copy-to", "out").expectStatus()
    try Self.expectWholeCopy(of: demo, in: folder)
  }

  /// Archives are searched two deep, and an address has no third part.
  @Test func inAnInnerArchiveItIsNamed() throws {
    let name = try Self.pack(Self.forge(try Demo()), .zip, in: folder)
    try folder.pack([(name, try folder.read(name))], as: "outer.zip")
    let found = try FindRun.find("outer.zip", in: folder)
    #expect(found.addresses.isEmpty, "\(found.addresses)")
    let advice = "unpack the outer archive first: unzip outer.zip, then: storescope find \(name)"
    #expect(found.skipped.values.contains { $0.contains(advice) }, "\(found.skipped)")
  }

  /// It passed for a backup of iOS 9, which has a list of another name.
  @Test func damagedListIsNamed() throws {
    try Self.forge(try Demo()).make(at: folder.path("made"))
    var zip = ZipForge()
    for name in ["Manifest.db", "Manifest.plist"] {
      zip.add("0811-0A/" + name, try folder.read("made/" + name), isDamaged: name == "Manifest.db")
    }
    try folder.write(zip.ended, to: "backup.zip")
    let found = try FindRun.find("backup.zip", in: folder)
    let reason = found.skipped["backup.zip!/0811-0A"]
    #expect(reason?.contains("its data isn't what the archive lists") == true, "\(found.skipped)")
  }

  /// Nothing in it can be read, which must not look like an archive without stores.
  @Test func encryptedArchiveIsNamed() throws {
    try Self.forge(try Demo()).make(at: folder.path("made"))
    var zip = ZipForge()
    for name in ["Manifest.db", "Manifest.plist"] {
      zip.add("0811-0A/" + name, try folder.read("made/" + name), isEncrypted: true)
    }
    let hash = String(repeating: "ab", count: 20)
    zip.add("0811-0A/ab/" + hash, try FindRun.store(), isEncrypted: true)
    try folder.write(zip.ended, to: "backup.zip")
    let found = try FindRun.find("backup.zip", in: folder)
    let reason = found.skipped["backup.zip!/0811-0A/ab/" + hash]
    #expect(reason?.contains("it is encrypted") == true, "\(found.skipped)")
  }

  /// It was shown without its -wal and without a word, as it never was on the device.
  @Test(
    arguments: ["backup/", "backup.zip!/0811-0A/", "backup.zip!/0811-0A!/"], [DemoStore.fileName, "-wal"])
  func fileNamedByItsHashIsTheStore(_ place: String, _ end: String) throws {
    let forge = try Self.forge(try Demo())
    _ = try Self.pack(forge, .zip, in: folder)
    try forge.make(at: folder.path("backup"))
    let list = try Connection(path: folder.path("backup/Manifest.db"), options: .readWrite(create: false))
    let row = try list.value("SELECT fileID FROM Files WHERE relativePath LIKE ?", [.text("%" + end)])
    guard case .text(let hash)? = row else { throw CocoaError(.fileNoSuchFile) }
    let file = "\(place)\(hash.prefix(2))/\(hash)"
    let address = (place == "backup/" ? "backup!/" : "backup.zip!/0811-0A!/") + Self.path
    try folder.run("pending", file).expectErrors(status: 0, "the store is '\(address)'")
    // Without the -wal there are fewer.
    try folder.run("summary", file).expectOutput("25 changes pending")
    #expect(try FindRun.find(file, in: folder).addresses == [address])
    if place == "backup/", end != "-wal" {
      let found = try FindRun.find("backup/\(hash.prefix(2))", in: folder)
      #expect(found.addresses == [address], "\(found.result.output)")
    }
  }

  @Test func fileOfAnEncryptedBackupAsksForItsPassword() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path("backup"))
    let file = try #require(names.first { $0.utf8.count > 40 })
    try folder.run("summary", "backup/" + file).expectErrors(status: 2, "pass --password")
  }

  /// A backup lists a store's files, so that it shows there was no -wal; of the copy, it was said to be missing.
  @Test func aCopyKnowsThatThereWasNoLog() throws {
    try Self.forge(try Demo(leaving: .nothing)).make(at: folder.path("backup"))
    try folder.run("find", "backup", "--copy-to", "copy", "--quiet").expectStatus()
    try folder.run("summary", "copy").expectOutput(status: 0, lacks: "No -wal")
  }

  /// The store was skipped, and the path that was named is one that no backup has.
  @Test func missingLogOfABackupIsNamed() throws {
    try Self.forge(try Demo()).make(at: folder.path("backup"))
    let list = try Connection(path: folder.path("backup/Manifest.db"), options: .readWrite(create: false))
    let row = try list.value("SELECT fileID FROM Files WHERE relativePath LIKE '%-wal'")
    guard case .text(let hash)? = row else { throw CocoaError(.fileNoSuchFile) }
    let file = "\(hash.prefix(2))/\(hash)"
    try FileManager.default.removeItem(atPath: folder.path("backup/" + file))
    let found = try FindRun.find("backup", in: folder)
    let address = "backup!/" + Self.path
    #expect(found.addresses == [address])
    #expect(
      found.skipped[address]?.contains("its -wal is missing from the backup ('\(file)')") == true,
      "\(found.skipped)")
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["walMissing"] as? Bool == true, "\(store)")
    let opened = try folder.run("summary", address)
    #expect(opened.status == 0 && (opened.output + opened.errors).contains(file), "\(opened.errors)")
  }
}
