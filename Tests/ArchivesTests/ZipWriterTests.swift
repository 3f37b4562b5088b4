import Base
import Foundation
import TestSupport
import Testing

@testable import Archives

struct ZipWriterTests {
  private static let files: [(name: String, bytes: [UInt8])] = [
    ("a/README.txt", Array("storescope\n".utf8)), ("a/empty", []),
    ("a/.hidden/long", Array(String(repeating: "store ", count: 100_000).utf8)),
    ("a/noise", (0..<70_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }),
  ]

  /// - Parameter size: what each file might have; nil for what it has.
  private static func archive(seconds: Double = 1_780_000_000, size: Int64? = nil) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let output = OutputBuffer(capacity: 100) {
      bytes += $0
      return true
    }
    let writer = ZipWriter(output, modified: CoreDataDate(unixSeconds: seconds))
    for file in files {
      try writer.add(file.name, size: size ?? Int64(file.bytes.count)) { add in
        for start in stride(from: 0, to: file.bytes.count, by: 60_000) {
          file.bytes[start...].prefix(60_000).withUnsafeBytes(add)
        }
      }
    }
    writer.addFolder("a/folder")
    writer.finish()
    return bytes
  }

  @Test func filesComeOutAsTheyWere() throws {
    let archive = try ZipArchive(try Self.archive())
    #expect(archive.files.map(\.name) == Self.files.map(\.name) + ["a/folder/"])
    for (file, original) in zip(archive.files, Self.files) {
      #expect(file.bytes == original.bytes, "\(original.name)")
    }
  }

  /// What others make of it, where there is one. What may be larger than four gigabytes has longer fields.
  @Test(.enabled(if: unzip != nil, "needs unzip"), arguments: [nil, 5 << 30] as [Int64?])
  func unzipReadsIt(_ size: Int64?) throws {
    let folder = TemporaryFolder("zip")
    try folder.write(try Self.archive(size: size), to: "a.zip")
    let unzip = try #require(Self.unzip)
    let tested = try Tool.run(unzip, ["-t", folder.path("a.zip")])
    #expect(tested.status == 0 && tested.output.contains("No errors"), "\(tested)")
    for file in Self.files {
      let printed = try Tool.run(unzip, ["-p", folder.path("a.zip"), file.name])
      #expect(Array(printed.outputBytes) == file.bytes, "\(file.name)")
    }
  }

  private static let unzip = ["/usr/bin/unzip"].first { FileManager.default.isExecutableFile(atPath: $0) }

  private static let times: [(Double, [UInt8])] = [
    (-1e18, [0, 0, 0x21, 0]), (1_780_000_000, [0x54, 0xA3, 0xBC, 0x5C]), (1e18, [0xC3, 0x19, 0x33, 0x74]),
  ]

  /// Times before 1980 and beyond what fits are the nearest that fit; local time never counts.
  @Test(arguments: times)
  func timesAreUTC(seconds: Double, bytes: [UInt8]) throws {
    #expect(try Self.archive(seconds: seconds)[10..<14].elementsEqual(bytes))
  }
}
