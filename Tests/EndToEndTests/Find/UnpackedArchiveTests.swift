import Containers
import Foundation
import TestSupport
import Testing

/// Archives that are decompressed once for many processes.
struct UnpackedArchiveTests {
  private static func tar() throws -> [UInt8] {
    var tar = TarArchive()
    tar.add("a/App.store", try FindRun.store())
    return tar.ended
  }

  /// What is read elsewhere isn't read a second time: the archive may be gone.
  @Test func isReadFromTheCopy() throws {
    let folder = try TemporaryFolder("unpacked")
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
    let folder = try TemporaryFolder("unpacked")
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
    let folder = try TemporaryFolder("unpacked")
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
