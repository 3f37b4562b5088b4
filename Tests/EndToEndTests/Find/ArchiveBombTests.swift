import Containers
import TestSupport
import Testing
import Values

/// Archives that unpack to far more than they are.
struct ArchiveBombTests {
  /// What deflate makes of zeros is a thousandth; a store may have free pages that are nothing else.
  @Test("What expands out of all proportion is refused", arguments: ["a.zip", "a.tar.gz"])
  func bomb(_ name: String) throws {
    let folder = try TemporaryFolder("strange")
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    var (zip, tar) = (ZipForge(), TarArchive())
    zip.add("a", zeros)
    tar.add("a", zeros)
    try folder.write(name == "a.zip" ? zip.ended : TarArchive.Compression.gzip.packed(tar.ended), to: name)
    func read(_ limit: ExpansionLimit, _ turn: Containers.Archive.Turn) throws {
      try Containers.Archive(folder.path(name), limit: limit).forEachMember { _ in
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
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    for name in ["a", "b"] { zip.add(name, [UInt8](repeating: 0, count: 4 << 20)) }
    // Without the 22 bytes that show where the list is.
    try folder.write(Array(zip.ended.dropLast(22)), to: "a.zip")
    func skip(_ limit: ExpansionLimit) throws {
      let archive = try Containers.Archive(folder.path("a.zip"), limit: limit)
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
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    for name in ["a", "b"] { zip.add(name, [UInt8](repeating: 0, count: 4 << 20)) }
    zip.add("c", (0..<1 << 20).map { _ in UInt8.random(in: 0...255) })
    try folder.write(zip.ended, to: "a.zip")
    func readable(_ limit: ExpansionLimit) throws -> [String] {
      var names: [String] = []
      try Containers.Archive(folder.path("a.zip"), limit: limit).forEachMember { _ in
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
    let folder = try TemporaryFolder("strange")
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
