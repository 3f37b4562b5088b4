import Base
import Discovery
import Evidence
import Foundation
import TestSupport
import Testing

/// Archives that unpack to far more than they are.
struct ArchiveBombTests {
  private let folder = TemporaryFolder("strange")

  /// What deflate makes of zeros is a thousandth; a store may have free pages that are nothing else.
  @Test("What expands out of all proportion is refused", arguments: ["a.zip", "a.tar.gz"])
  func bomb(_ name: String) throws {
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    try folder.pack([("a", zeros)], as: name)
    func read(_ limit: ExpansionLimit, _ turn: Evidence.Archive.Turn) throws {
      try Evidence.Archive(folder.path(name), limit: limit).forEachMember { _ in
        turn
      } _: { _, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while try buffer.withUnsafeMutableBytes(content.read) > 0 {}
      }
    }
    try read(ExpansionLimit(freely: 8 << 20), .first)
    #expect(throws: StoreScopeError.self) { try read(ExpansionLimit(freely: 1 << 20), .first) }
    // A stream has to be decompressed also where nothing in it is wanted.
    guard name != "a.zip" else { return }
    #expect(throws: StoreScopeError.self) { try read(ExpansionLimit(freely: 1 << 20), .never) }
  }

  /// libarchive decompressed what is skipped in one call, which Ctrl-C didn't end and no limit was held against.
  @Test("A bomb that is skipped in a zip without a list is refused")
  func skippedBomb() throws {
    var zip = ZipForge()
    for name in ["a", "b"] { zip.add(name, [UInt8](repeating: 0, count: 4 << 20)) }
    // Without the 22 bytes that show where the list is.
    try folder.write(Array(zip.ended.dropLast(22)), to: "a.zip")
    func skip(_ limit: ExpansionLimit) throws {
      let archive = try Evidence.Archive(folder.path("a.zip"), limit: limit)
      #expect(!archive.isListed)
      try archive.forEachMember { _ in
        .never
      } _: { _, _ in
      }
    }
    try skip(ExpansionLimit(freely: 16 << 20))
    #expect(throws: StoreScopeError.self) { try skip(ExpansionLimit(freely: 1 << 20)) }
  }

  /// Each entry was measured alone, so that many small bombs filled the disk.
  @Test("Bombs in one zip add up, and what is no bomb stays readable")
  func severalBombs() throws {
    var zip = ZipForge()
    for name in ["a", "b"] { zip.add(name, [UInt8](repeating: 0, count: 4 << 20)) }
    zip.add("c", (0..<1 << 20).map { _ in UInt8.random(in: 0...255) })
    try folder.write(zip.ended, to: "a.zip")
    func readable(_ limit: ExpansionLimit) throws -> [String] {
      var names: [String] = []
      try Evidence.Archive(folder.path("a.zip"), limit: limit).forEachMember { _ in
        .first
      } _: { member, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do {
          while try buffer.withUnsafeMutableBytes(content.read) > 0 {}
          names.append(member.path)
        } catch let error as StoreScopeError where error.kind == .limit {}
      }
      return names
    }
    #expect(try readable(ExpansionLimit(freely: 16 << 20)) == ["a", "b", "c"])
    #expect(try readable(ExpansionLimit(freely: 6 << 20)) == ["a", "c"])
  }

  /// Each of two archives multiplies by what DEFLATE can, a thousand.
  @Test("A few kilobytes that unpack to 4 GB, as an archive in an archive, are refused")
  func nestedBomb() throws {
    var tar = TarArchive()
    tar.add(
      "App.store", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 4080), size: 4_000_000_000)
    // What was compressed in parts is decompressed as one.
    let part = TarArchive.Compression.gzip.packed([UInt8](repeating: 0, count: 4 << 20))
    var zip = ZipForge()
    zip.add(
      "in.tar.gz",
      TarArchive.Compression.gzip.packed(tar.bytes) + Array(repeatElement(part, count: 960).joined()))
    #expect(zip.ended.count < 42_000)
    try folder.write(zip.ended, to: "a.zip")
    let found = try FindRun.find("a.zip", in: folder)
    #expect(
      found.addresses.isEmpty
        && found.skipped["a.zip!/in.tar.gz"]?.contains("expands to more than 250 times its size") == true,
      "\(found.skipped)")
    #expect(found.result.memory < 128 << 20)
  }
}

/// Archives that aren't called so: the help promised that bytes count, and in folders names did.
struct DisguisedArchiveTests {
  @Test(
    "In a folder, an archive is known by its bytes",
    arguments: [
      ("zip", "App.ipa"), ("zip", "attachment.bin"), ("zip", "Case 17"), ("tar", "files.bin"),
      ("tar.gz", "download"), ("tar.gz", "files.gz"),
    ])
  func found(_ kind: String, _ name: String) throws {
    let folder = TemporaryFolder("disguised")
    let store = try FindRun.store()
    try folder.makeFolder("place")
    try folder.pack([("Library/App.store", store)], as: "packed." + kind)
    try folder.write(try folder.read("packed." + kind), to: "place/\(name)")
    for place in ["place", "place/\(name)"] {
      #expect(try FindRun.find(place, in: folder).addresses == ["place/\(name)!/Library/App.store"])
    }
    try FindRun.expectOpens(["place/\(name)!/Library/App.store", "place"], in: folder)
    // Tab goes on behind it.
    #expect(ContainerListing.isContainer(folder.path("place/\(name)")))
  }

  /// A log isn't worth a word, and half of a case is.
  @Test func whatIsNoArchiveIsSilent() throws {
    let folder = TemporaryFolder("disguised")
    let noise = (0..<4096).map { _ in UInt8.random(in: 0...255) }
    try folder.write(TarArchive.Compression.gzip.packed(noise), to: "system.log.gz")
    try folder.write(Array("BZh9 begins a sentence".utf8) + noise, to: "notes")
    try folder.write(Array("PK\u{3}\u{4}".utf8) + noise, to: "half")
    try folder.write(TarArchive.Compression.gzip.packed(try FindRun.store()), to: "App.sqlite.gz")
    let found = try FindRun.find(".", in: folder)
    #expect(found.skipped.keys.sorted() == ["./App.sqlite.gz", "./half"], "\(found.skipped)")
    #expect(found.skipped["./App.sqlite.gz"]?.contains("gunzip -k") == true, "\(found.skipped)")
  }
}

/// Archives that are decompressed once for many processes.
struct UnpackedArchiveTests {
  private let folder = TemporaryFolder("unpacked")

  private static func tar() throws -> [UInt8] {
    var tar = TarArchive()
    tar.add("a/App.store", try FindRun.store())
    return tar.ended
  }

  /// What is read elsewhere isn't read a second time: the archive may be gone.
  @Test func isReadFromTheCopy() throws {
    let archive = folder.path("case.tar.gz")
    try folder.write(TarArchive.Compression.gzip.packed(Self.tar()), to: "case.tar.gz")
    let unpacked = try #require(try UnpackedArchive(archive))
    #expect(try Self.tar() == Array(Data(contentsOf: URL(fileURLWithPath: unpacked.path))))
    // An address needs an archive that is there.
    try folder.write([], to: "case.tar.gz")
    UnpackedArchive.use(unpacked.path, for: archive)
    let store = try ExtractedStore(#require(StoreAddress("\(archive)!/a/App.store")))
    #expect(try FindRun.store() == Array(Data(contentsOf: URL(fileURLWithPath: store.path))))
  }

  /// What isn't worth it, or can't be, is read where it is, so that errors are the same.
  @Test(arguments: ["plain", "cut", "single", "zip", "missing"]) func isNone(_ kind: String) throws {
    let packed = try TarArchive.Compression.gzip.packed(Self.tar())
    switch kind {
    case "plain": try folder.write(Self.tar(), to: kind)
    case "cut": try folder.write(Array(packed[..<(packed.count / 2)]), to: kind)
    case "single": try folder.write(TarArchive.Compression.gzip.packed(FindRun.store()), to: kind)
    case "zip":
      var zip = ZipForge()
      zip.add("a/App.store", try FindRun.store())
      try zip.write(to: folder.path(kind))
    default: break
    }
    #expect(try UnpackedArchive(folder.path(kind)) == nil)
  }

  /// A single address isn't worth a copy of all; the next in another archive ends it.
  @Test func isMadeForTheSecondAddress() throws {
    let packed = try TarArchive.Compression.gzip.packed(Self.tar())
    for name in ["a.tar.gz", "b.tar.gz"] { try folder.write(packed, to: name) }
    var archive = ConsecutiveArchive()
    let names = ["a", "a", "a", "b", "a", "b", "b", "plain"]
    let paths = try names.map { name in
      try archive.unpacked(for: folder.path(name == "plain" ? name : "\(name).tar.gz!/a/App.store"))?.path
    }
    #expect(paths.map { $0 != nil } == [false, true, true, false, false, false, true, false])
    #expect(paths[1] == paths[2] && paths[1] != paths[6])
    #expect(!FileManager.default.fileExists(atPath: try #require(paths[1])))
  }
}
