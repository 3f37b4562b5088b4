import Archives
import Base
import Forge
import Foundation
import TestSupport
import Testing

@testable import Commands

/// The program carries the demo as bytes, so that it needs no code that makes stores. The forge remains its source.
struct EmbeddedDemoTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/Commands/Store/EmbeddedDemo+Packed.swift")

  /// `RECORD_SNAPSHOTS=1` embeds what is forged now; the next build then has it.
  @Test func isWhatTheForgeMakes() throws {
    let folder = TemporaryFolder()
    _ = try DemoStore.make(in: folder.path)
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter {
      var isFolder: ObjCBool = false
      return FileManager.default.fileExists(atPath: folder.path($0), isDirectory: &isFolder)
        && !isFolder.boolValue
    }
    let forged = try paths.map { (path: $0, bytes: try folder.read($0)) }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      let list = PropertyList.dictionary(
        PropertyListDictionary(forged.map { .init($0.path, .data($0.bytes)) }))
      let packed = Data(Deflate.raw(BinaryPropertyList.write(list))).base64EncodedString()
      let width = 2000
      let lines = stride(from: 0, to: packed.count, by: width).map { packed.dropFirst($0).prefix(width) }
      let source = """
        extension EmbeddedDemo {
          /// A binary property list, as a raw DEFLATE stream in base 64. `EmbeddedDemoTests` writes this file: the compiler takes a
          /// text of this size at once, and an array of bytes in a quarter of a minute.
          static let packed = \"\"\"
            \(lines.joined(separator: "\n    "))
            \"\"\"
        }

        """
      try source.write(to: Self.file, atomically: true, encoding: .utf8)
      throw StoreScopeError(.failed, "recorded the demo; build, and run the test again")
    }
    let embedded = try EmbeddedDemo.files()
    #expect(embedded.map(\.path) == forged.map(\.path))
    for (one, other) in zip(embedded, forged) where !one.path.hasSuffix("-shm") {
      #expect(Self.comparable(one) == Self.comparable(other), "\(one.path) differs; record it again")
    }
  }

  @Test func isWrittenNextToNothingOfItsName() throws {
    let folder = TemporaryFolder()
    try folder.write([1, 2, 3], to: EmbeddedDemo.fileName)
    #expect(throws: StoreScopeError.self) { try EmbeddedDemo.write(to: folder.path) }
    #expect(try folder.read(EmbeddedDemo.fileName) == [1, 2, 3])
  }

  /// Without what SQLite draws by chance, the salts and the sums over them, and without its own version.
  /// https://www.sqlite.org/fileformat2.html
  private static func comparable(_ file: (path: String, bytes: [UInt8])) -> [UInt8] {
    var bytes = file.bytes
    func clear(_ range: Range<Int>) {
      bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: range.count))
    }
    let version = 96..<100
    if file.path.hasSuffix(EmbeddedDemo.fileName) { clear(version) }
    guard file.path.hasSuffix("-wal") else { return bytes }
    let (header, frameHeader, pageSize) = (32, 24, 4096)
    clear(16..<header)
    for frame in stride(from: header, to: bytes.count, by: frameHeader + pageSize) {
      clear(frame + 8..<frame + frameHeader)
      let isFirstPage = Array(bytes[frame..<frame + 4]) == [0, 0, 0, 1]
      if isFirstPage {
        clear(version.lowerBound + frame + frameHeader..<version.upperBound + frame + frameHeader)
      }
    }
    return bytes
  }
}
