import Forge
import Testing

@testable import Archives

struct InflateTests {
  static let text = Array(String(repeating: "storescope ", count: 40).utf8)

  // Written by Python's zlib and gzip.
  static let vectors: [(Inflate.Wrapper, String)] = [
    (.none, "Ky7JL0otTs4vSFUoHmUOHSYA"),
    (.zlib, "eJwrLskvSi1Ozi9IVSgeZQ4dJgACTLAZ"),
    (.gzip, "H4sIAAAAAAACAysuyS9KLU7OL0hVKB5lDh0mAOKge8W4AQAA"),
  ]

  @Test(arguments: vectors)
  func reads(wrapper: Inflate.Wrapper, vector: String) throws {
    let bytes = try base64(vector)
    #expect(try Inflate.decode(bytes, wrapper: wrapper, limit: Self.text.count) == Self.text)
    #expect(try Inflate.decode(bytes + [1, 2, 3], wrapper: wrapper, limit: 1000) == Self.text)
  }

  @Test(arguments: vectors)
  func saysThatItIsCutOff(wrapper: Inflate.Wrapper, vector: String) throws {
    for part in HostileInput.truncations(of: try base64(vector)) {
      #expect(throws: ArchiveError("the compressed data is cut off")) {
        try Inflate.decode(part, wrapper: wrapper, limit: 1000)
      }
    }
  }

  @Test(arguments: vectors)
  func survivesDamage(wrapper: Inflate.Wrapper, vector: String) throws {
    for mutant in HostileInput.mutations(of: try base64(vector), count: 2000) {
      if let output = try? Inflate.decode(mutant, wrapper: wrapper, limit: 1000) {
        #expect(output.count <= 1000)
      }
    }
  }

  @Test func stopsAtTheLimit() throws {
    #expect(throws: ArchiveError("the compressed data grows beyond the size that is allowed for it")) {
      try Inflate.raw(Deflate.raw(Self.text), limit: Self.text.count - 1)
    }
    let bomb = Deflate.raw([UInt8](repeating: 0, count: 50_000_000))
    #expect(throws: ArchiveError.self) { try Inflate.raw(bomb, limit: 1_000_000) }
  }

  @Test(arguments: [0, 1, 100, 65_535, 65_536, 65_537, 1_000_000])
  func readsWhatDeflateWrites(size: Int) throws {
    var generator = SeededGenerator(seed: UInt64(size))
    let bytes = (0..<size).map { _ in UInt8.random(in: 0...9, using: &generator) }
    #expect(try Inflate.raw(Deflate.raw(bytes), limit: size) == bytes)
  }

  @Test func namesWhatIsWrong() {
    #expect(throws: ArchiveError("the compressed data is damaged (invalid block type)")) {
      try Inflate.raw([0xFF, 0xFF, 0xFF], limit: 10)
    }
    #expect(throws: ArchiveError("the compressed data needs a preset dictionary")) {
      try Inflate.decode([0x78, 0xBB, 0, 0, 0, 1], wrapper: .zlib, limit: 10)
    }
  }
}
