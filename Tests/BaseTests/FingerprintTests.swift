import Base
import Foundation
import TestSupport
import Testing

/// Hashes of files that aren't all there. Why these exist: a file of 4 GB that takes no space on the disk kept a report
/// busy, and one of a terabyte would do so for an hour.
struct FingerprintTests {
  private let folder = TemporaryFolder()

  /// 10 bytes, a hole, and 5 bytes at its end.
  private func sparse(_ size: Int) throws -> String {
    try folder.write(Array("some bytes".utf8), to: "a")
    let file = try #require(FileHandle(forUpdatingAtPath: folder.path("a")))
    try file.truncate(atOffset: UInt64(size))
    try file.seek(toOffset: UInt64(size - 5))
    try file.write(contentsOf: Array("bytes".utf8))
    try file.close()
    return folder.path("a")
  }

  @Test(arguments: [4096 * 2, 3_000_000, 1 << 22]) func holesAreZeros(size: Int) throws {
    let path = try sparse(size)
    let bytes = try folder.read("a")
    let measure = try FileReader.fingerprint(of: [path, path])
    #expect(measure.bytes == Int64(2 * size))
    #expect(measure.sha256 == (bytes + bytes).withUnsafeBytes(SHA256.hexadecimal))
  }

  @Test func aTerabyteOfHolesIsNot() throws {
    let path = try sparse(1 << 40)
    let error = #expect(throws: StoreScopeError.self) { try FileReader.fingerprint(of: path) }
    #expect(error?.kind == .limit && error?.problem.contains("of holes") == true, "\(error as Any)")
  }
}

@Suite struct MarksTests {
  private let marks = Marks(saltText: "test")

  @Test func equalStaysEqual() {
    #expect(marks.mark("Ada", kind: "name") == marks.mark("Ada", kind: "name"))
    #expect(marks.mark("Ada", kind: "name") != marks.mark("Jonas", kind: "name"))
    #expect(marks.mark("Ada", kind: "name") != marks.mark("Ada", kind: "author"))
    #expect(marks.mark("Ada", kind: "name") != Marks(saltText: "other").mark("Ada", kind: "name"))
    #expect(marks.mark("Ada", kind: "name").count == "name-".count + 12)
  }

  @Test func randomSaltsDiffer() {
    #expect(Marks.random().mark("Ada", kind: "name") != Marks.random().mark("Ada", kind: "name"))
  }

  @Test func uuidsStayUUIDs() throws {
    let text = "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9"
    let bytes = try #require(Hexadecimal.uuidBytes(text))
    #expect(bytes.withUnsafeBytes { Hexadecimal.uuid($0) } == text)
    let mark = try #require(marks.uuid(text))
    #expect(mark != text && Hexadecimal.uuidBytes(mark) != nil)
    #expect(marks.uuid(text.lowercased()) == mark)
    #expect(bytes.withUnsafeBytes { marks.uuid($0) } == Hexadecimal.uuidBytes(mark))
  }

  @Test(arguments: [
    "", "7D3B51C4", "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7AX", "7D3B51C40F2E-4C55-9A61-5E2C8D40B7A9-",
  ])
  func othersAreNoUUIDs(_ text: String) {
    #expect(Hexadecimal.uuidBytes(text) == nil)
    #expect(marks.uuid(text) == nil)
  }
}
