import Base
import Forge
import Testing

@testable import Archives

struct BlobKindTests {
  static let keyedArchive = KeyedArchiveWriter().bytes(root: .null)

  static let kinds: [(BlobKind, [UInt8])] = [
    (.empty, []),
    (.png, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0]),
    (.jpeg, [0xFF, 0xD8, 0xFF, 0xE0]),
    (.gif, Array("GIF89a".utf8)), (.gif, Array("GIF87a\0".utf8)),
    (.heic, [0, 0, 0, 24] + Array("ftypheic".utf8)), (.heic, [0, 0, 0, 24] + Array("ftypmif1\0".utf8)),
    (.webp, Array("RIFF".utf8) + [1, 2, 3, 4] + Array("WEBP".utf8)),
    (.tiff, [0x49, 0x49, 0x2A, 0]), (.tiff, [0x4D, 0x4D, 0, 0x2A]),
    (.pdf, Array("%PDF-1.7".utf8)),
    (.binaryPropertyList, BinaryPropertyList.write(["a": .integer(1)])),
    (.binaryPropertyList, Array("bplist00 damaged".utf8)),
    (.keyedArchive, keyedArchive),
    (.xmlPropertyList, Array("<?xml version=\"1.0\"?><plist version=\"1.0\"><true/></plist>".utf8)),
    (.json, Array(" {\"a\":[1]} ".utf8)), (.json, Array("[]".utf8)),
    (.text, Array("{not json}".utf8)), (.text, Array("<html>".utf8)), (.text, Array("17".utf8)),
    (.text, Array("grün\tund\r\nblau 🌲".utf8)), (.text, Array("bvx".utf8)), (.text, Array("x^2 + y".utf8)),
    (.gzip, [0x1F, 0x8B, 8, 0]),
    (.zlib, [0x78, 0x9C, 0x2B, 0x2E, 0xC9, 0x2F, 0x4A, 0x2D, 0x4E, 0xCE]),
    (.lzfse, Array("bvx2".utf8) + [1, 2, 3]), (.lzfse, Array("bvx-".utf8)),
    (.sqlite, Array("SQLite format 3\0".utf8)),
    (.zip, [0x50, 0x4B, 3, 4]),
    (.protobuf, [0x08, 0x96, 0x01, 0x12, 0x05] + Array("hello".utf8)),
    (.protobuf, [0x0A, 0x07, 0x0A, 0x05] + Array("hello".utf8) + [0x18, 0x01]),
    (.unknown, [0x08, 0x01]), (.unknown, [0xFF]), (.unknown, [0]), (.unknown, [0x41, 0x00]),
    (.unknown, [0xC0, 0x80]), (.unknown, [0xED, 0xA0, 0x80]), (.unknown, [0xF4, 0x90, 0x80, 0x80]),
    (.unknown, [0xE2, 0x82]), (.unknown, [0xF0, 0x80, 0x80, 0x80]),
    // A field that repeats an earlier number's place, one that is cut off, a group.
    (.unknown, [0x12, 0x05] + Array("hello".utf8) + [0x08, 0x01]),
    (.unknown, [0x12, 0x06] + Array("hello".utf8)),
    (.unknown, [0x0B, 0x12, 0x05] + Array("hello".utf8)),
    // Looks like zlib's header, but what follows is no such stream.
    (.unknown, [0x78, 0x9C, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
  ]

  @Test(arguments: kinds)
  func sniffs(kind: BlobKind, bytes: [UInt8]) {
    #expect(bytes.withUnsafeBytes { BlobKind.sniff($0) } == kind)
  }

  @Test func hasACaseForEveryKind() {
    #expect(Set(Self.kinds.map(\.0)) == Set(BlobKind.allCases))
  }

  @Test(arguments: [16, 20, 32, 64])
  func takesRandomBytesForNothing(size: Int) {
    var generator = SeededGenerator(seed: UInt64(size))
    let count = 20_000
    let wrong = (0..<count).filter { _ in
      let bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      return bytes.withUnsafeBytes { BlobKind.sniff($0) } != .unknown
    }.count
    // UUIDs and hashes are the commonest blobs of all.
    #expect(wrong < count / 2000)
  }

  /// Whatever the bytes are: all are counted.
  @Test func survivesDamage() {
    for (_, bytes) in Self.kinds where !bytes.isEmpty {
      for hostile in HostileInput.truncations(of: bytes) + HostileInput.mutations(of: bytes, count: 200) {
        #expect(BlobReader.summary(of: hostile, decode: true).bytes == hostile.count)
      }
    }
  }
}
