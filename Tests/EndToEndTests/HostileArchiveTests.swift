import Forge
import Foundation
import TestSupport
import Testing

/// Archives and backups of strangers: each gets a clear sentence, nothing is written outside a private folder, and nothing
/// stays.
struct HostileArchiveTests {
  private let folder = TemporaryFolder("hostile")

  private static let database = Array("SQLite format 3\0".utf8)

  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    /// The address that is opened, after `a.zip!/` or `a.tar!/`.
    var opened = "App.store"
    /// What `find` says of what it skips; nil if it finds the store and skips nothing.
    var skipped: String?
    /// What opening the address says; nil if it opens.
    var refused: String?
    var make: @Sendable (_ store: [UInt8]) -> (name: String, bytes: [UInt8])
  }

  private static func zip(_ body: @Sendable @escaping (inout ZipForge, [UInt8]) -> Void)
    -> @Sendable ([UInt8]) -> (name: String, bytes: [UInt8])
  {
    {
      var zip = ZipForge()
      body(&zip, $0)
      return ("a.zip", zip.ended)
    }
  }

  private static func tar(_ body: @Sendable @escaping (inout TarArchive, [UInt8]) -> Void)
    -> @Sendable ([UInt8]) -> (name: String, bytes: [UInt8])
  {
    {
      var tar = TarArchive()
      body(&tar, $0)
      return ("a.tar", tar.ended)
    }
  }

  /// A search took hours for one such path: it looked up each folder above the file by its path.
  private static let deep = String(repeating: "a/", count: 32_000) + "App.store"

  static let cases: [Case] = [
    Case(
      testDescription: "path traversal", opened: "../../App.store",
      skipped: "its path leads out of the archive", refused: "leads out of its container",
      make: zip { $0.add("../../App.store", $1) }),
    Case(
      testDescription: "path traversal of a -wal", skipped: "its path leads out of the archive",
      make: zip {
        $0.add("App.store", $1)
        $0.add("x/../../App.store-wal", [1, 2, 3])
      }),
    Case(
      testDescription: "path of very many folders", opened: deep, skipped: "its path is too long",
      refused: "leads out of its container", make: zip { $0.add(deep, $1) }),
    Case(
      testDescription: "very long path next to a store", skipped: "its path is too long",
      make: zip {
        $0.add(String(repeating: "x", count: 5000) + ".store", $1)
        $0.add("App.store", $1)
      }),
    Case(testDescription: "absolute path", make: zip { $0.add("/App.store", $1) }),
    Case(
      testDescription: "symbolic link in place of the store",
      refused: "has a link at 'App.store', which isn't followed",
      make: zip { zip, _ in zip.add("App.store", Array("/etc/passwd".utf8), mode: 0o120777) }),
    Case(
      testDescription: "hard link in place of the store",
      refused: "has a link at 'App.store', which isn't followed",
      make: tar { tar, _ in tar.add("App.store", kind: "1", target: "/etc/passwd") }),
    Case(
      testDescription: "link among external files",
      make: zip {
        $0.add("App.store", $1)
        $0.add(".App_SUPPORT/_EXTERNAL_DATA/1", Array("/etc/passwd".utf8), mode: 0o120777)
      }),
    Case(
      testDescription: "two files of one name",
      skipped: "is there twice, and nothing shows which one is right",
      refused: "has two files 'App.store', and nothing shows which one is right",
      make: zip {
        $0.add("App.store", $1)
        $0.add("./App.store", $1)
      }),
    Case(
      testDescription: "encrypted entry", skipped: "it is encrypted", refused: "'App.store' is encrypted",
      make: zip { $0.add("App.store", $1, isEncrypted: true) }),
    Case(
      testDescription: "an entry with more bytes than it says",
      skipped: "its data isn't what the archive lists", refused: "its data isn't what the archive lists",
      make: zip { $0.add("App.store", $1, size: 4096) }),
    Case(
      testDescription: "bomb", skipped: "begins like an SQLite database, and is damaged",
      refused: "has a page size of 0 bytes",
      make: zip { zip, _ in zip.add("App.store", database + [UInt8](repeating: 0, count: 400 << 20)) }),
    Case(
      testDescription: "folders without end among external files",
      make: zip {
        $0.add("App.store", $1)
        $0.add(".App_SUPPORT/" + String(repeating: "x/", count: 500) + "x", [1])
      }),
  ]

  @Test("Each gets a clear sentence", arguments: cases)
  func says(_ example: Case) throws {
    let place = TemporaryFolder("hostile")
    let folder = place.path("one/two")
    try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: true)
    let demo = try Demo(leaving: .nothing)
    let (name, bytes) = example.make(try demo.folder.read(DemoStore.fileName))
    try Data(bytes).write(to: URL(filePath: folder + "/" + name))
    let before = try FileTree.hashes(place.path)
    func run(_ words: String...) throws -> Tool.Result {
      try Tool.run(words, environment: ["TMPDIR": folder + "/tmp"], in: folder)
    }
    let found = try run("find", name, "--json")
    let skipped = try found.json()["skipped"] as? [[String: String]] ?? []
    let isEmpty = (try found.json()["stores"] as? [Any])?.isEmpty ?? true
    #expect(found.status == (isEmpty && !skipped.isEmpty ? 2 : 0), "\(found.errors)")
    let reasons = skipped.compactMap { $0["because"] }.joined(separator: "\n")
    if let expected = example.skipped { #expect(!skipped.isEmpty && reasons.contains(expected)) }
    #expect(example.skipped != nil || skipped.isEmpty, "\(reasons)")
    let opened = try run("summary", "\(name)!/\(example.opened)")
    if let refused = example.refused {
      #expect(opened.status == 2 && opened.errors.contains(refused), "\(opened.errors)")
      #expect(opened.errors.split(separator: "\n").count == 1, "\(opened.errors)")
    } else {
      #expect(opened.status == 0, "\(opened.errors)")
    }
    #expect(try FileTree.hashes(place.path) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp").isEmpty)
  }

  @Test("What comes before the end of an archive that was cut off is found", arguments: ["a.tar", "a.zip"])
  func cutOff(_ name: String) throws {
    let demo = try Demo(leaving: .nothing)
    let store = try demo.folder.read(DemoStore.fileName)
    let noise = (0..<300_000).map { _ in UInt8.random(in: 0...255) }
    var (tar, zip) = (TarArchive(), ZipForge())
    for (path, bytes) in [("App.store", store), ("b.db", noise)] {
      tar.add(path, bytes)
      zip.add(path, bytes)
    }
    let bytes = name == "a.tar" ? tar.ended : zip.ended
    try folder.write(Array(bytes.dropLast(100_000)), to: name)
    let result = try folder.run("find", name, "--json").expectStatus()
    #expect((try result.json()["stores"] as? [Any])?.count == 1, "\(result.output)")
    #expect((try result.json()["skipped"] as? [Any])?.count == 1, "\(result.output)")
  }

  @Test("A million empty entries take little")
  func empty() throws {
    var archive = TarArchive()
    for number in 0..<1000 { archive.add("x/\(number).txt") }
    // What was compressed in parts is decompressed as one.
    let part = TarArchive.Compression.gzip.packed(archive.bytes)
    try folder.write(Array(repeatElement(part, count: 1000).joined()), to: "a.tar.gz")
    let result = try folder.run("find", "a.tar.gz").expectOutput(
      status: 0, "No store of Core Data or SwiftData was found")
    #expect(result.memory < 128 << 20)
  }

  /// Each of them was kept with its name and all that is known of it, until all were listed.
  @Test("A list of 199,000 entries that may be parts of stores takes little")
  func longList() throws {
    var zip = ZipForge()
    zip.add("x/000000-wal")
    let one = zip.ended
    let header = try #require(one.firstRange(of: [0x50, 0x4B, 1, 2]))
    var record = Array(one[header.lowerBound..<(one.count - 22)])
    let digits = try #require(record.firstRange(of: Array("000000".utf8))).lowerBound
    var bytes = one[..<header.lowerBound]
    let count = 199_000
    for number in 0..<count {
      var rest = number
      for place in (0..<6).reversed() {
        record[digits + place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
      bytes += record
    }
    var end = Array(one.suffix(22))
    for index in 0..<4 { end[12 + index] = UInt8(truncatingIfNeeded: (record.count * count) >> (index * 8)) }
    try folder.write(Array(bytes + end), to: "a.zip")
    let result = try folder.run("find", "a.zip").expectDone()
    #expect(result.output == "No store of Core Data or SwiftData was found in 'a.zip'.\n", "\(result.output)")
    #expect(result.memory < 64 << 20, "\(result.memory)")
  }

  @Test("A folder whose program was killed is taken away by the next one")
  func leftovers() throws {
    let demo = try Demo(leaving: .nothing)
    try folder.pack([("App.store", try demo.folder.read(DemoStore.fileName))], as: "a.zip")
    let left = folder.path("storescope-open-\(getuid())-abc")
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
    try Data("secret".utf8).write(to: URL(filePath: left + "/App.store"))
    try folder.link("storescope-open-\(getuid())-link", to: demo.folder.path)
    try folder.run("summary", "a.zip", environment: ["TMPDIR": folder.path]).expectStatus()
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(FileManager.default.fileExists(atPath: demo.path))
  }
}
