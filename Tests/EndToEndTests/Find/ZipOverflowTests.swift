import Containers
import Forge
import TestSupport
import Testing
import Values

/// Zip files larger than their numbers can say, and entries that aren't as large as they say.
struct ZipOverflowTests {
  /// Archive Utility and ditto wrote no larger numbers, and their files were refused as damaged: places were those of the
  /// four lower bytes. The order of the holes decides whether a place is lower than the one before it.
  @Test(
    "A zip of more than 4 GiB without large numbers is read by what fits",
    arguments: [[3 << 30, 2 << 30], [1 << 30, 1 << 32], [1 << 32, 1 << 30], [1 << 33, 1 << 30]])
  func overflowed(_ holes: [Int]) throws {
    let folder = try TemporaryFolder("strange")
    let demo = try Demo()
    let (main, wal) = (
      try demo.folder.read(DemoStore.fileName), try demo.folder.read(DemoStore.fileName + "-wal")
    )
    var zip = ZipForge()
    zip.add("First.store", try FindRun.store())
    zip.leaveHole(holes[0])
    zip.add("Second.store", main)
    zip.leaveHole(holes[1])
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
    let folder = try TemporaryFolder("strange")
    let noise = (0..<100_000).map { _ in UInt8.random(in: 0...255) }
    var zip = ZipForge()
    zip.add("a", noise)
    var bytes = zip.ended
    // The place in the last record.
    bytes[bytes.count - 6] ^= 1
    try folder.write(bytes, to: "a.zip")
    var found: [String] = []
    func read(_ modulus: Int64) throws {
      try Containers.Archive(folder.path("a.zip"), modulus: modulus).forEachMember {
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
    try Containers.Archive(folder.path("a.zip"), modulus: modulus).forEachMember {
      $0.path == path ? .first : .never
    } _: { _, content in
      var buffer = [UInt8](repeating: 0, count: 1 << 12)
      while case let more = try buffer.withUnsafeMutableBytes(content.read), more > 0 { count += more }
    }
  }

  /// One wrong bit in a stored entry had all entries behind it copied, and those then taken for a bomb's.
  @Test("A damaged entry of a zip whose numbers have overflowed ends where the next one begins")
  func damagedStoredEntry() throws {
    let folder = try TemporaryFolder("strange")
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
    let folder = try TemporaryFolder("strange")
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
    let folder = try TemporaryFolder("strange")
    let modulus = 1 << 16
    let bytes = [UInt8](repeating: 7, count: 200_000)
    var zip = ZipForge()
    zip.add("a", bytes, size: (bytes.count + difference) % modulus)
    try folder.write(zip.ended, to: "a.zip")
    var count = 0
    func read() throws {
      try Containers.Archive(folder.path("a.zip"), modulus: Int64(modulus)).forEachMember { _ in
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
