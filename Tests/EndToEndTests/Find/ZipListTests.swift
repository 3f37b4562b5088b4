import Archives
import Containers
import SystemCalls
import TestSupport
import Testing
import Values

/// Zip files whose list of entries is old, wrong or damaged.
struct ZipListTests {
  @Test("A zip's names are read as they were written")
  func names() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("", try FindRun.store(), name: Array("Gr".utf8) + [0x94, 0xE1] + Array("e.store".utf8))
    zip.add("", try FindRun.store(), name: Array("Länge.store".utf8))
    try folder.write(zip.ended, to: "a.zip")
    let found = try FindRun.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/Größe.store", "a.zip!/Länge.store"])
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  @Test(
    "An entry that isn't what the list says is skipped",
    arguments: [
      ("own name", "its header in the archive doesn't match the list of entries"),
      ("method", "uses compression method 12 (bzip2), which isn't supported"),
      ("checksum", "its data isn't what the archive lists"),
    ])
  func disagreeing(_ what: String, _ reason: String) throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add(
      "App.store", try FindRun.store(), ownName: what == "own name" ? Array("Apq.store".utf8) : nil,
      method: what == "method" ? 12 : 8, isDamaged: what == "checksum")
    zip.add("Other.store", try FindRun.store())
    try folder.write(zip.ended, to: "a.zip")
    let found = try FindRun.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/Other.store"])
    #expect(found.skipped["a.zip!/App.store"]?.contains(reason) == true, "\(found.skipped)")
  }

  /// What isn't UTF-8 looked like the letters of the first PCs although the archive has the name in both.
  @Test(
    "A name that is added in UTF-8 counts if it is for the one that stands there", arguments: [true, false])
  func unicodePath(_ isRight: Bool) throws {
    let folder = try TemporaryFolder("strange")
    let name = Array("Gr".utf8) + [0xF6, 0xDF] + Array("e.store".utf8)
    let other = isRight ? name : Array("Old.store".utf8)
    var zip = ZipForge()
    zip.add("", try FindRun.store(), name: name, fields: ZipForge.unicodePath("Größe.store", for: other))
    try folder.write(zip.ended, to: "a.zip")
    let found = try FindRun.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/\(isRight ? "Größe" : "Gr÷▀e").store"])
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  @Test("Sizes of eight bytes are read")
  func large() throws {
    let folder = try TemporaryFolder("strange")
    let file = try #require(OpenFile(folder.path("a.zip"), for: .making))
    let writer = ZipWriter(OutputBuffer(write: file.write), modified: Platform.now())
    let store = try FindRun.store()
    try writer.add("App.store", size: 1 << 33) { write in store.withUnsafeBytes(write) }
    writer.finish()
    file.close()
    try FindRun.expectOpens(try FindRun.find("a.zip", in: folder).addresses, in: folder)
    #expect(try FindRun.find("a.zip", in: folder).addresses == ["a.zip!/App.store"])
  }

  /// Each byte of the list and of its end is changed once.
  @Test("A damaged list never ends the program", arguments: [1 << 32, 1 << 12])
  func damagedList(_ modulus: Int) throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge(modulus: modulus)
    zip.add("a", (0..<100).map { _ in UInt8.random(in: 0...255) })
    zip.add("App.store", try FindRun.store())
    let bytes = zip.ended
    for distance in 1...124 {
      var damaged = bytes
      damaged[bytes.count - distance] ^= 0xFF
      try folder.write(damaged, to: "a.zip")
      let archive = try? Containers.Archive(folder.path("a.zip"), modulus: Int64(modulus))
      try? archive?.forEachMember { _ in
        .first
      } _: { _, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while try buffer.withUnsafeMutableBytes(content.read) > 0 {}
      }
    }
  }

  /// Their sum once ended the program.
  @Test("Places that no file has are none")
  func farPlaces() throws {
    let folder = try TemporaryFolder("strange")
    let far: [UInt8] = [1, 0, 8, 0] + [UInt8](repeating: 0xFF, count: 7) + [0x7F]
    var zip = ZipForge(modulus: 1 << 12)
    zip.add("a", (0..<10_000).map { _ in UInt8.random(in: 0...255) })
    for fields in [far, []] { zip.add("App.store", [1], fields: fields) }
    // The field counts if the place says so.
    var bytes = zip.ended
    let first = try #require(bytes.firstRange(of: Array("App.store".utf8) + far)).lowerBound
    for index in 1...4 { bytes[first - index] = 0xFF }
    try folder.write(bytes, to: "a.zip")
    var (paths, problems) = (0, 0)
    try Containers.Archive(folder.path("a.zip"), modulus: 1 << 12).forEachMember { _ in
      .first
    } _: { _, content in
      paths += 1
      do { _ = try content.beginning(1) } catch { problems += 1 }
    }
    #expect(paths == 3 && problems == 1)
  }
}
