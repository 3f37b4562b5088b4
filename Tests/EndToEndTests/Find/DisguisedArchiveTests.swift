import Discovery
import Foundation
import TestSupport
import Testing

/// Archives that aren't called so: the help promised that bytes count, and in folders names did.
struct DisguisedArchiveTests {
  @Test(
    "In a folder, an archive is known by its bytes",
    arguments: [
      ("zip", "App.ipa"), ("zip", "attachment.bin"), ("zip", "Case 17"), ("tar", "files.bin"),
      ("tar.gz", "download"), ("tar.gz", "files.gz"),
    ])
  func found(_ kind: String, _ name: String) throws {
    let folder = try TemporaryFolder("disguised")
    let store = try FindRun.store()
    var (zip, tar) = (ZipForge(), TarArchive())
    zip.add("Library/App.store", store)
    tar.add("Library/App.store", store)
    let bytes =
      switch kind {
      case "zip": zip.ended
      case "tar": tar.ended
      default: TarArchive.Compression.gzip.packed(tar.ended)
      }
    try FileManager.default.createDirectory(atPath: folder.path("place"), withIntermediateDirectories: true)
    try folder.write(bytes, to: "place/\(name)")
    for place in ["place", "place/\(name)"] {
      #expect(try FindRun.find(place, in: folder).addresses == ["place/\(name)!/Library/App.store"])
    }
    try FindRun.expectOpens(["place/\(name)!/Library/App.store", "place"], in: folder)
    // Tab goes on behind it.
    #expect(ContainerListing.isContainer(folder.path("place/\(name)")))
  }

  /// A log isn't worth a word, and half of a case is.
  @Test func whatIsNoArchiveIsSilent() throws {
    let folder = try TemporaryFolder("disguised")
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
