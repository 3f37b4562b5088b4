import Archives
import Base
import Fleet
import Foundation
import TestSupport
import Testing

/// Runs that were killed, and results in several parts.
@Suite(.waiting) struct FleetResumeTests {
  private let target = TemporaryFolder("fleet-killed")

  /// Starts the program and kills it after so many seconds, unless it ends before.
  private static func run(_ words: [String], killedAfter seconds: Double) throws -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = words
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let end = Date(timeIntervalSinceNow: seconds)
    try process.run()
    while process.isRunning, Date() < end { usleep(500) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return process.terminationReason == .exit
  }

  /// Whatever moment it was, the end is the same, byte for byte.
  @Test func killedAndRunAgain() throws {
    let (place, reference) = try FleetPlace.finished(in: target)
    let expected = try FileTree.hashes(reference)
    let isLong = ProcessInfo.processInfo.environment["STORESCOPE_LONG"] != nil
    for round in 0..<(isLong ? 20 : 4) {
      let folder = target.path("\(round)")
      let words = ["fleet", place, "--to", folder]
      var runs = 0
      while runs < 100, try !Self.run(words, killedAfter: Double(round + 1) * 0.15 + Double(runs) * 0.2) {
        runs += 1
      }
      #expect(try FileTree.hashes(folder) == expected, "after \(runs) runs that were killed")
    }
  }

  /// Makes a finished run one that was killed when nothing but its journal was left to be removed.
  private static func reopen(_ folder: String) throws {
    let manifest = try FileReader.bytes(of: "\(folder)/manifest.json", limit: 1 << 20)
    let heading = try #require(try manifest.withUnsafeBytes { try JSONReader.read($0) }["run"])
    try Data((JSONText.compact(heading) + "\n").utf8).write(
      to: URL(fileURLWithPath: "\(folder)/unfinished.ndjson"))
  }

  /// Before, such a folder had a finished run's manifest and a journal, and was refused.
  @Test func killedAfterTheManifest() throws {
    let (place, run) = try FleetPlace.finished(in: target)
    let expected = try FileTree.hashes(run)
    try Self.reopen(run)
    let result = try Tool.run(["fleet", place, "--to", run]).expectStatus()
    #expect(!result.output.hasPrefix("Resumed"), "\(result.output)")
    #expect(try FileTree.hashes(run) == expected)
  }

  /// Nothing showed that a run had been taken up.
  @Test func aRunThatIsTakenUpSaysSo() throws {
    let (place, run) = try FleetPlace.finished(in: target)
    let words = ["fleet", place, "--to", run]
    try Self.reopen(run)
    // A store that is done, as its record shows.
    let done = place + "/Healthy.store"
    let record = StoreRecord(address: done, StoreRows(StoreFailure(.damaged, "It is damaged"), address: done))
    let journal = try #require(FileHandle(forWritingAtPath: run + "/unfinished.ndjson"))
    try journal.seekToEnd()
    try journal.write(contentsOf: Data(record.bytes))
    try journal.close()
    try Tool.run(words).expectOutput(begins: "Resumed: 1 of 9 stores were done already.\n")
  }

  /// A process that ended early as if all were well ended the whole run.
  @Test func aRecordThatWasCutIsNone() {
    let address = "/store"
    let rows = StoreRows(StoreFailure(.damaged, "It is damaged"), address: address)
    let record = StoreRecord(address: address, rows).bytes
    #expect(StoreRecord.isWhole(record, of: address))
    #expect(!StoreRecord.isWhole(record, of: "/other"))
    for count in [0, 1, record.count / 2, record.count - 1] {
      #expect(!StoreRecord.isWhole(Array(record.prefix(count)), of: address), "\(count)")
    }
    #expect(!StoreRecord.isWhole(record + [0x0A], of: address))
  }

  /// A run that is taken up wrote through a link that somebody had put there.
  @Test func aLinkForQueriesIsNotFollowed() throws {
    let (place, run) = try FleetPlace.finished(in: target)
    try Self.reopen(run)
    let other = TemporaryFolder("fleet-elsewhere")
    try FileManager.default.removeItem(atPath: "\(run)/queries")
    try FileManager.default.createSymbolicLink(atPath: "\(run)/queries", withDestinationPath: other.path)
    try Tool.run(["fleet", place, "--to", run]).expectRefused("is a link")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path).isEmpty)
  }

  /// A sum with such numbers ended the program, or each of its processes.
  @Test func hugeLimitsAreNone() throws {
    let (place, reference) = try FleetPlace.finished(in: target)
    try Tool.run(
      ["fleet", place, "--to", target.path("out"), "--jobs", "\(Int.max)", "--timeout", "\(Int.max)"]
    ).expectStatus()
    // The manifest names the limits.
    func results(_ folder: String) throws -> [String: String] {
      try FileTree.hashes(folder).filter { $0.key != "manifest.json" }
    }
    #expect(try results(target.path("out")) == results(reference))
  }

  @Test func anotherRunIsNotContinued() throws {
    let (place, _) = try FleetPlace.finished(in: target)
    let words = ["fleet", place, "--to", target.path("out")]
    try target.makeFolder("out")
    try target.write(Array("{\"paths\":[\"/elsewhere\"]}\n".utf8), to: "out/unfinished.ndjson")
    try Tool.run(words).expectRefused("an unfinished run over other places")
  }

  /// Relative paths had led a run that was taken up elsewhere to other stores, next to those of the first folder.
  @Test func aRunWithRelativePathsBelongsToItsFolder() throws {
    let place = try FleetPlace()
    let words = ["fleet", ".", "--to", target.path("out")]
    #expect(try place.folder.run(words).status == 0)
    let expected = try FileTree.hashes(target.path("out"))
    try Self.reopen(target.path("out"))
    try Tool.run(words, in: place.folder.path("a")).expectRefused("from another working folder")
    try place.folder.run(words).expectStatus()
    #expect(try FileTree.hashes(target.path("out")) == expected)
  }

  /// A record that claims more bytes than the journal has had as much memory taken for them.
  @Test(arguments: [1 << 32, 1 << 28, 1000]) func aJournalThatClaimsMore(_ bytes: Int) throws {
    let (place, run) = try FleetPlace.finished(in: target)
    let expected = try FileTree.hashes(run)
    try Self.reopen(run)
    let counts = Array(repeating: "\(bytes)", count: Dataset.all.count).joined(separator: ",")
    let hash = String(repeating: "0", count: 64)
    let journal = try #require(FileHandle(forWritingAtPath: "\(run)/unfinished.ndjson"))
    try journal.seekToEnd()
    try journal.write(
      contentsOf: Data("{\"address\":\"/x\",\"bytes\":[\(counts)],\"sha256\":\"\(hash)\"}\n".utf8))
    try journal.close()
    try Tool.run(["fleet", place, "--to", run]).expectStatus()
    #expect(try FileTree.hashes(run) == expected)
  }

  #if os(Linux)
    /// Two names that Swift takes for one are two files, of which one had no row.
    @Test func namesThatAreEqualAsText() throws {
      let folder = TemporaryFolder("fleet-names")
      let bytes = try FindRun.store()
      let names = ["Caf\u{E9}.store", "Cafe\u{301}.store"]
      for name in names {
        let file = try #require(OpenFile(folder.path(name), for: .making))
        #expect(bytes.withUnsafeBytes(file.write))
      }
      try folder.run("fleet", ".", "--to", "out").expectStatus()
      let rows = try FleetPlace.rows("stores", in: folder.path("out"))
      let found = rows.compactMap { ($0["address"] as? String).map { Array($0.utf8) } }
      #expect(found == names.map { Array("./\($0)".utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    }
  #endif

  /// A file of the largest size goes on in another one, and no line is cut.
  @Test func parts() throws {
    let folder = try FleetFolder(target.path("out"), heading: ["paths": .array([])], rights: .own)
    for number in (0..<50).reversed() {
      let address = "/store-\(number + 10)"
      let rows = StoreRows(StoreFailure(.damaged, "It is damaged"), address: address)
      try folder.add(StoreRecord(address: address, rows).bytes, of: address)
    }
    let files = try folder.finish(largest: 1000, version: "1", progress: { _ in }, each: { _, _ in })
    let failures = try #require(files.first { $0.dataset.name == "failures" })
    #expect(failures.rows == 50 && failures.files.count > 3)
    let rows = try FleetPlace.rows("failures", in: target.path("out"))
    #expect(rows.compactMap { $0["address"] as? String } == (0..<50).map { "/store-\($0 + 10)" })
    for name in try target.names(in: "out")
    where name.hasPrefix("failures") {
      #expect(try target.read("out/\(name)").count <= 1000)
    }
  }
}
