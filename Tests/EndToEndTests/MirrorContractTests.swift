import Forge
import Foundation
import TestSupport
import Testing

/// The mirror's commands on lives at random: numbers as the forge knows them. `SchemaTests` has the keys.
struct MirrorContractTests {
  struct Life: Sendable, CustomTestStringConvertible {
    var seed: UInt64
    var layout: MirrorSchema.Layout
    var testDescription: String { "seed \(seed), \(layout)" }
  }

  static let lives = [
    Life(seed: 3, layout: .v17), Life(seed: 8, layout: .v16), Life(seed: 27, layout: .v17),
  ]

  @Test(arguments: lives)
  func saysWhatTheForgeKnows(_ life: Life) throws {
    let folder = TemporaryFolder("mirror")
    let (path, truth) = try forged(life, in: folder)
    let before = try FolderSnapshot(folder.path)

    let pending = try Tool.json(["pending", path])
    let counts = try #require(pending["counts"] as? [String: Int])
    // `PendingReaderTests` has their names.
    #expect(counts.count == MirrorTruth.Kind.allCases.count)
    #expect(counts.values.reduce(0, +) == truth.waiting.count)
    let items = try pending.list("pending")
    #expect(items.count == truth.waiting.count)
    #expect(try pending.object("verdict")["state"] as? String == truth.verdict.rawValue)

    let records = try Tool.json(["records", path]).list("records")
    #expect(records.count == truth.records.count)

    let shown = try Tool.json(["mirror", path])
    #expect(shown["layout"] as? String == life.layout.rawValue)
    #expect((shown["token"] as? [String: Any])?["state"] as? String == truth.token.rawValue)
    for table in try #require(shown["tables"] as? [String]) {
      let decoded = try Tool.json(["mirror", path, "--table", table])
      #expect(decoded["columns"] != nil && decoded["rows"] is [[String: Any]], "\(table)")
    }

    #expect(try Tool.json(["events", path]).list("events").count == truth.events.count)
    let summary = try Tool.json(["summary", path]).object("mirror")
    expectMembers(summary, ["present": true, "records": truth.records.count, "pending": truth.waiting.count])

    let record = try #require(records.first { $0["objectExists"] as? Bool == true })
    let uri = try #require(record["uri"] as? String)
    let name = try #require(record["recordName"] as? String)
    let object = try Tool.json(["show", path, name])
    #expect((object["object"] as? [String: Any])?["uri"] as? String == uri)
    #expect((object["record"] as? [String: Any])?["recordName"] as? String == name)
    for word in [uri, name] {
      let steps = try Tool.json(["trace", path, word]).list("steps")
      #expect(!steps.isEmpty && steps.allSatisfy { $0["at"] != nil && $0["kind"] != nil })
    }
    #expect(
      try Tool.json(["query", path, "SELECT COUNT(*) AS n FROM records"])["rows"] as? [[String: Int]]
        == [["n": records.count]])
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test(
    .enabled(if: RealStores.arePresent, "the folder of real stores is absent"), arguments: RealStores.all)
  func aStoreWithoutAMirrorIsCalledSo(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let pending = try Tool.json(["pending", path])
    #expect((pending["verdict"] as? [String: Any])?["state"] as? String == "notMirrored")
    #expect((pending["pending"] as? [Any])?.isEmpty == true)
    #expect((try Tool.json(["records", path])["records"] as? [Any])?.isEmpty == true)
    #expect((try Tool.json(["events", path])["events"] as? [Any])?.isEmpty == true)
    #expect((try Tool.json(["mirror", path])["zones"] as? [Any])?.isEmpty == true)
    withExtendedLifetime(folder) {}
  }

  @Test(arguments: [
    ("134419", "NSCocoaErrorDomain 134419"), ("CKErrorDomain:25", "CKErrorDomain 25"),
    ("quotaExceeded", "CKErrorDomain 25"),
  ])
  func explains(_ word: String, _ subject: String) throws {
    let explanations = try Tool.json(["explain", word]).list("explanations")
    let explanation = try #require(explanations.first { $0["subject"] as? String == subject })
    for key in ["meaning", "causes", "advice", "sources"] { #expect(explanation[key] != nil, "\(key)") }
  }

  /// The first life from that seed on that leaves a record with its object.
  private func forged(_ life: Life, in folder: TemporaryFolder) throws -> (path: String, truth: MirrorTruth) {
    var seed = life.seed
    while true {
      let path = folder.path("App\(seed).store")
      let mirror = try RandomMirrorLife.live(seed: seed, steps: 40, layout: life.layout, path: path)
      let truth = mirror.truth
      try mirror.forge.close(leaving: .wal)
      if truth.records.contains(where: \.objectExists) { return (path, truth) }
      seed += 1
    }
  }
}
