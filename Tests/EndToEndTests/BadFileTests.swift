import Archives
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
        try $0.makeFolder("a.store")
      },
      Case("pipe", says: "pipe") { mkfifo($0.path("a.store"), 0o600) },
      Case("link to nowhere", says: "a symbolic link to a file that doesn't exist") {
        try $0.link("a.store", to: $0.path("none"))
      },
      Case("link to itself", says: "symbolic links") {
        try $0.link("a.store", to: $0.path("a.store"))
      },
      Case("link to a device", says: "device") {
        try $0.link("a.store", to: "/dev/zero")
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
    let folder = TemporaryFolder()
    try file.make(folder)
    let path = folder.path("a.store")
    try Readings.run(Readings.ofAnyStore + [["rows", "Trip"], ["show", "Trip/p1"]], on: path, in: folder) {
      $0.expectRefused(path, file.says, comment: $1)
      #expect($0.output.isEmpty)
    }
  }

  @Test func pathsThatAreNoFiles() throws {
    for path in ["/dev/zero", "/dev/full", "", "/dev/fd/", "a\u{1B}[31mb/none.store"] {
      let result = try Tool.run(["summary", path]).expectRefused(comment: path)
      #expect(!result.errors.contains("\u{1B}"))
    }
  }

  @Test(.disabled(if: geteuid() == 0, "root may read everything")) func noPermission() throws {
    let demo = try Demo()
    chmod(demo.path, 0)
    try demo.run("summary").expectRefused(demo.path, "permission denied")
    chmod(demo.folder.path, 0)
    try demo.run("summary").expectRefused(demo.path, "permission denied")
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
    let models = TemporaryFolder("models")
    try models.write([], to: "empty.mom")
    try models.write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 31) }, to: "noise.mom")
    try models.write(Array("bplist00".utf8) + [UInt8](repeating: 0xFF, count: 64), to: "broken.mom")
    try models.write(Array("<model><entity".utf8), to: "contents")
    for name in ["empty.momd", "empty.xcdatamodel", "empty.xcdatamodeld", "folder"] {
      try models.makeFolder(name)
    }
    mkfifo(models.path("pipe.mom"), 0o600)
    let paths = try models.names().map(models.path) + [models.path("none.mom"), "/dev/zero", demo.path]
    let before = try (FolderSnapshot(demo.folder.path), FolderSnapshot(models.path))
    for path in paths {
      try demo.run("rows", "Trip", "--model", path).expectRefused(path, comment: path)
    }
    #expect(try FolderSnapshot(demo.folder.path) == before.0)
    #expect(try FolderSnapshot(models.path) == before.1)
  }
}

/// Bytes changed at random, thousands of times: whatever comes of it, the program ends with an answer or a sentence.
///
/// `STORESCOPE_FUZZ_SECONDS` makes it run so long, `STORESCOPE_FUZZ_SEED` begins elsewhere.
struct CorruptionTests {
  private static func setting(_ name: String) -> Double? {
    ProcessInfo.processInfo.environment[name].flatMap(Double.init)
  }
  private static let seconds = setting("STORESCOPE_FUZZ_SECONDS")
  /// As many as a quiet machine did in three seconds when each run was loaded anew; the same in every test run.
  private static let rounds: UInt64 = 200
  private static let seed = UInt64(setting("STORESCOPE_FUZZ_SEED") ?? 1)

  private static let readings: [[String]] = [
    ["summary", "--metadata", "--json"], ["rows", "Trip", "--expand", "--json"], ["history", "--json"],
    ["rows", "Place", "--format", "csv"], ["rows", "Entry", "--expand"], ["entities"],
    ["history", "--by", "author"],
    ["query", "SELECT * FROM Entry"], ["show", "Trip/p1"], ["rows", "Tag", "--where", "name > 'f'"],
  ]

  /// Damages the demo with seed after seed and has it read, until the time is over.
  private func repeated(in demo: Demo, _ damage: (inout SeededGenerator) throws -> Void) throws {
    let end = Self.seconds.map { Date(timeIntervalSinceNow: $0) }
    var round = Self.seed
    while end.map({ Date() < $0 }) ?? (round < Self.seed + Self.rounds) {
      var noise = SeededGenerator(seed: round)
      try damage(&noise)
      let reading = Self.readings[Int(round) % Self.readings.count]
      let result = try Tool.run(Readings.arguments(reading, demo.path), seconds: 30)
      // Warnings can come before the sentence.
      #expect(
        [0, 2].contains(result.status),
        "seed \(round), \(reading): \(result.status) \(result.errors.suffix(600))")
      if result.status == 2 { #expect(result.errors.hasPrefix("storescope: "), "seed \(round)") }
      round += 1
    }
  }

  @Test(arguments: [
    ("", StoreForge.Leftovers.nothing, 4096), ("-wal", .walWithoutIndex, 4096 + 24), ("-shm", .wal, 1024),
  ])
  func bytesOfAFile(suffix: String, leftovers: StoreForge.Leftovers, pageSize: Int) throws {
    let demo = try Demo(leaving: leftovers)
    let name = DemoStore.fileName + suffix
    let whole = try demo.folder.read(name)
    try repeated(in: demo) { try demo.folder.write($0.damaged(whole, pageSize: pageSize), to: name) }
  }

  /// DEFLATE stops nearly every change of the model's bytes, so this one goes past it.
  @Test func bytesOfTheModel() throws {
    let demo = try Demo(leaving: .nothing)
    let store = try Connection(path: demo.path, options: .readWrite())
    let cache = try #require(try store.first("SELECT Z_CONTENT FROM Z_MODELCACHE") { $0.bytes(0) })
    let model = try Inflate.raw(cache, limit: 1 << 24)
    try repeated(in: demo) { noise in
      let damaged = Deflate.raw(noise.damaged(model, pageSize: model.count))
      try store.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(damaged)])
    }
  }
}

extension SeededGenerator {
  /// A few bytes changed, often where a page has its header and cell pointers, sometimes a page copied over
  /// another or the end cut off.
  mutating func damaged(_ whole: [UInt8], pageSize: Int) -> [UInt8] {
    var bytes = whole
    let pages = max(1, bytes.count / pageSize)
    for _ in 0...Int.random(in: 0...6, using: &self) {
      let page = Int.random(in: 0..<pages, using: &self) * pageSize
      switch Int.random(in: 0..<20, using: &self) {
      case 0:
        let other = Int.random(in: 0..<pages, using: &self) * pageSize
        for offset in 0..<max(0, min(pageSize, bytes.count - max(page, other))) {
          bytes[page + offset] = whole[other + offset]
        }
      case 1 where bytes.count > 5000:
        bytes.removeLast(Int.random(in: 1...pageSize / 2 + 1, using: &self) % bytes.count)
      case 2...8: change(&bytes, at: page + Int.random(in: 0..<128, using: &self))
      default: change(&bytes, at: Int.random(in: 0..<bytes.count, using: &self))
      }
    }
    return bytes
  }

  private mutating func change(_ bytes: inout [UInt8], at index: Int) {
    guard bytes.indices.contains(index) else { return }
    switch Int.random(in: 0..<4, using: &self) {
    case 0: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &self)
    case 1: bytes[index] = [0, 1, 0x7F, 0x80, 0xFF].randomElement(using: &self) ?? 0
    case 2: bytes[index] &+= 1
    default: bytes[index] = UInt8.random(in: 0...255, using: &self)
    }
  }
}
