import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Files that are no store: one sentence that names the file, exit code 2, nothing touched.
struct BadFileTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var says: String
    /// Puts the thing into the folder under the name `a.store`.
    var make: @Sendable (TemporaryFolder) throws -> Void

    init(_ name: String, says: String, _ make: @escaping @Sendable (TemporaryFolder) throws -> Void) {
      testDescription = name
      self.says = says
      self.make = make
    }

    init(_ name: String, bytes: [UInt8], says: String) {
      self.init(name, says: says) { try $0.write(bytes, to: "a.store") }
    }

    static let all: [Case] = [
      Case("missing", says: "no such file") { _ in },
      Case("folder", says: "holds no store") {
        try FileManager.default.createDirectory(
          atPath: $0.path("a.store"), withIntermediateDirectories: false)
      },
      Case("pipe", says: "pipe") { mkfifo($0.path("a.store"), 0o600) },
      Case("link to nowhere", says: "a symbolic link to a file that doesn't exist") {
        try FileManager.default.createSymbolicLink(
          atPath: $0.path("a.store"), withDestinationPath: $0.path("none"))
      },
      Case("link to itself", says: "symbolic links") {
        try FileManager.default.createSymbolicLink(
          atPath: $0.path("a.store"), withDestinationPath: $0.path("a.store"))
      },
      Case("link to a device", says: "device") {
        try FileManager.default.createSymbolicLink(
          atPath: $0.path("a.store"), withDestinationPath: "/dev/zero")
      },
      Case("empty", bytes: [], says: "empty"),
      Case("text", bytes: Array("once upon a time\n".utf8), says: "not an SQLite database"),
      Case("zeros", bytes: [UInt8](repeating: 0, count: 8192), says: "not an SQLite database"),
      Case(
        "encrypted", bytes: (0..<65_536).map { UInt8(truncatingIfNeeded: $0 &* $0 &* 40_503 >> 8) },
        says: "encrypted"),
      Case("XML store", bytes: Array("<?xml version=\"1.0\"?><database/>".utf8), says: "XML"),
      Case("property list", bytes: Array("bplist00".utf8), says: "property list"),
      Case("no Core Data tables", says: "Z_METADATA") {
        try Connection(path: $0.path("a.store"), options: .readWrite(create: true))
          .execute("CREATE TABLE note(id INTEGER PRIMARY KEY, text)")
      },
      Case("no tables", says: "without tables") {
        try Connection(path: $0.path("a.store"), options: .readWrite(create: true))
          .execute("PRAGMA user_version = 1")
      },
      Case("WAL of a store", says: "main file") { folder in
        let demo = try Demo()
        try folder.write(try demo.folder.read("Journeys.store-wal"), to: "a.store")
      },
    ]
  }

  @Test(arguments: Case.all) func isRefused(file: Case) throws {
    let folder = try TemporaryFolder()
    try file.make(folder)
    let path = folder.path("a.store")
    try Readings.run(Readings.ofAnyStore + [["rows", "Trip"], ["show", "Trip/p1"]], on: path, in: folder) {
      $0.expectRefused(path, file.says, comment: $1)
      #expect($0.output.isEmpty)
    }
  }

  @Test func pathsThatAreNoFiles() throws {
    for path in ["/dev/zero", "/dev/full", "", "/dev/fd/", "a\u{1B}[31mb/none.store"] {
      let result = try Tool.run(["summary", path])
      result.expectRefused(comment: path)
      #expect(!result.errors.contains("\u{1B}"))
    }
  }

  @Test(.disabled(if: geteuid() == 0, "root may read everything")) func noPermission() throws {
    let demo = try Demo()
    chmod(demo.path, 0)
    try Tool.run(["summary", demo.path]).expectRefused(demo.path, "permission denied")
    chmod(demo.folder.path, 0)
    try Tool.run(["summary", demo.path]).expectRefused(demo.path, "permission denied")
  }

  /// What is left of a file that a copy lost the end of: what is there is shown, and that it is not all is said.
  @Test(arguments: [1, 16, 99, 100, 4095, 4096, 8193, 40_960, 150_000, 188_415])
  func truncated(length: Int) throws {
    let demo = try Demo(leaving: .nothing)
    try demo.folder.write(Array(try demo.folder.read("Journeys.store").prefix(length)), to: "Journeys.store")
    try Readings.run(Readings.ofDemo, on: demo.path, in: demo.folder) { result, comment in
      #expect([0, 2].contains(result.status), "\(comment) \(result.errors)")
      #expect(result.errors.contains(demo.path), "\(comment) says nothing")
      if length <= 4096 { result.expectRefused(demo.path, comment: comment) }
    }
  }

  /// A model file that is none of the kinds there are.
  @Test func modelsThatAreNone() throws {
    let demo = try Demo()
    let models = try TemporaryFolder("models")
    try models.write([], to: "empty.mom")
    try models.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: "noise.mom")
    try models.write(Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 64), to: "broken.mom")
    try models.write(Array("<model><entity".utf8), to: "contents")
    for name in ["empty.momd", "empty.xcdatamodel", "empty.xcdatamodeld", "folder"] {
      try FileManager.default.createDirectory(atPath: models.path(name), withIntermediateDirectories: false)
    }
    mkfifo(models.path("pipe.mom"), 0o600)
    let paths = try models.names().map(models.path) + [models.path("none.mom"), "/dev/zero", demo.path]
    let before = try (FolderSnapshot(demo.folder.path), FolderSnapshot(models.path))
    for path in paths {
      try Tool.run(["rows", demo.path, "Trip", "--model", path]).expectRefused(path, comment: path)
    }
    #expect(try FolderSnapshot(demo.folder.path) == before.0)
    #expect(try FolderSnapshot(models.path) == before.1)
  }
}
