import Archives
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

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
