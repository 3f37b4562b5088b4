import Archives
import Base
import Evidence
import Forge
import TestSupport
import Testing

/// Zip files whose list of entries is old, wrong or damaged.
struct ZipListTests {
  private let folder = TemporaryFolder("strange")

  @Test("A zip's names are read as they were written")
  func names() throws {
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
    var zip = ZipForge(modulus: modulus)
    zip.add("a", (0..<100).map { _ in UInt8.random(in: 0...255) })
    zip.add("App.store", try FindRun.store())
    let bytes = zip.ended
    for distance in 1...124 {
      var damaged = bytes
      damaged[bytes.count - distance] ^= 0xFF
      try folder.write(damaged, to: "a.zip")
      let archive = try? Evidence.Archive(folder.path("a.zip"), modulus: Int64(modulus))
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
    try Evidence.Archive(folder.path("a.zip"), modulus: 1 << 12).forEachMember { _ in
      .first
    } _: { _, content in
      paths += 1
      do { _ = try content.beginning(1) } catch { problems += 1 }
    }
    #expect(paths == 3 && problems == 1)
  }
}

/// Zip files larger than their numbers can say, and entries that aren't as large as they say.
struct ZipOverflowTests {
  private let folder = TemporaryFolder("strange")

  /// Archive Utility and ditto wrote no larger numbers, and their files were refused as damaged: places were those of the
  /// four lower bytes. The order of the holes decides whether a place is lower than the one before it.
  @Test(
    "A zip of more than 4 GiB without large numbers is read by what fits",
    arguments: [[3, 2], [1, 4], [4, 1], [8, 1]])
  func overflowed(_ gibibytes: [Int]) throws {
    let demo = try Demo()
    let (main, wal) = (
      try demo.folder.read(DemoStore.fileName), try demo.folder.read(DemoStore.fileName + "-wal")
    )
    var zip = ZipForge()
    zip.add("First.store", try FindRun.store())
    zip.leaveHole(gibibytes[0] << 30)
    zip.add("Second.store", main)
    zip.leaveHole(gibibytes[1] << 30)
    zip.add("Second.store-wal", wal)
    zip.add("Third.store", try FindRun.store())
    try zip.write(to: folder.path("a.zip"))
    let found = try FindRun.find("a.zip", in: folder)
    #expect(
      found.addresses == ["a.zip!/First.store", "a.zip!/Second.store", "a.zip!/Third.store"],
      "\(found.result.output)")
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.compactMap { $0["walBytes"] as? Int }.sorted() == [0, 0, wal.count])
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  /// Here numbers overflow at 64 KiB.
  @Test("A zip whose numbers have overflowed and whose list isn't there is read from its beginning")
  func lostList() throws {
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255) }
    var zip = ZipForge()
    zip.add("a", noise)
    var bytes = zip.ended
    // The place in the last record.
    bytes[bytes.count - 6] ^= 1
    try folder.write(bytes, to: "a.zip")
    var found: [String] = []
    func read(_ modulus: Int64) throws {
      try Evidence.Archive(folder.path("a.zip"), modulus: modulus).forEachMember {
        found.append($0.path)
        return .first
      } _: { _, content in
        let bytes = try content.beginning(noise.count)
        #expect(bytes == noise)
      }
    }
    try read(1 << 16)
    #expect(found == ["a"])
    // A small one isn't what it was.
    #expect(throws: StoreScopeError.self) { try read(1 << 32) }
  }

  private func read(_ path: String, in folder: TemporaryFolder, modulus: Int64, count: inout Int) throws {
    try Evidence.Archive(folder.path("a.zip"), modulus: modulus).forEachMember {
      $0.path == path ? .first : .never
    } _: { _, content in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      while case let more = try buffer.withUnsafeMutableBytes(content.read), more > 0 { count += more }
    }
  }

  /// One wrong bit in a stored entry had all entries behind it copied, and those then taken for a bomb's.
  @Test("A damaged entry of a zip whose numbers have overflowed ends where the next one begins")
  func damagedStoredEntry() throws {
    let modulus = 1 << 16
    let noise = (0..<40_000).map { _ in UInt8.random(in: 0...255) }
    var zip = ZipForge(modulus: modulus)
    zip.add("a", noise, isStored: true, isDamaged: true)
    for name in ["b", "c", "d"] { zip.add(name, noise) }
    try folder.write(zip.ended, to: "a.zip")
    for path in ["a", "d"] {
      var count = 0
      if path == "d" {
        try read(path, in: folder, modulus: Int64(modulus), count: &count)
        #expect(count == noise.count)
      } else {
        #expect(throws: StoreScopeError.self) {
          try read(path, in: folder, modulus: Int64(modulus), count: &count)
        }
        #expect(count == noise.count)
      }
    }
  }

  /// It wrote up to a thousand times the archive's size before it was refused.
  @Test("What unpacks to more than its size is refused there")
  func falseSize() throws {
    var zip = ZipForge()
    zip.add("a", [UInt8](repeating: 7, count: 1_000_000), size: 8192)
    try folder.write(zip.ended, to: "a.zip")
    var count = 0
    #expect(throws: StoreScopeError.self) { try read("a", in: folder, modulus: 1 << 32, count: &count) }
    #expect(count <= 8192)
  }

  /// The list has the rest of a size that is larger than four bytes count; here that is a smaller number.
  @Test("An entry that is longer than its size can be is whole if its checksum says so", arguments: [0, 1])
  func longEntry(_ difference: Int) throws {
    let modulus = 1 << 16
    let bytes = [UInt8](repeating: 7, count: 200_000)
    var zip = ZipForge()
    zip.add("a", bytes, size: (bytes.count + difference) % modulus)
    try folder.write(zip.ended, to: "a.zip")
    var count = 0
    func read() throws {
      try Evidence.Archive(folder.path("a.zip"), modulus: Int64(modulus)).forEachMember { _ in
        .first
      } _: { _, content in
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case let more = try buffer.withUnsafeMutableBytes(content.read), more > 0 { count += more }
      }
    }
    if difference == 0 { try read() } else { #expect(throws: StoreScopeError.self) { try read() } }
    #expect(count == bytes.count)
  }
}
