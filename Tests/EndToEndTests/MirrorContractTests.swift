import Forge
import Foundation
import TestSupport
import Testing

/// The mirror's commands on lives at random: keys as promised, and numbers as the forge knows them.
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
    let folder = try TemporaryFolder("mirror")
    let (path, truth) = try forged(life, in: folder)
    let before = try FolderSnapshot(folder.path)

    let pending = try Tool.json(["pending", path])
    let counts = try #require(pending["counts"] as? [String: Int])
    // `PendingReaderTests` has their names.
    #expect(counts.count == MirrorTruth.Kind.allCases.count)
    #expect(counts.values.reduce(0, +) == truth.waiting.count)
    let items = try #require(pending["pending"] as? [[String: Any]])
    #expect(items.count == truth.waiting.count)
    for item in items {
      for key in ["kind", "entity", "pk", "uri", "recordName", "transaction", "author", "since", "reason"] {
        #expect(item[key] != nil, "\(key)")
      }
    }
    let verdict = try #require(pending["verdict"] as? [String: Any])
    #expect(verdict["state"] as? String == truth.verdict.rawValue)
    #expect(verdict["because"] != nil)

    let records = try #require(try Tool.json(["records", path])["records"] as? [[String: Any]])
    #expect(records.count == truth.records.count)
    for key in [
      "recordName", "zone", "entity", "pk", "uri", "state", "needsUpload", "needsCloudDelete", "acknowledged",
      "lastExported", "pendingExport", "objectExists", "recordType", "fields",
    ] {
      #expect(records.allSatisfy { $0[key] != nil }, "\(key)")
    }

    let shown = try Tool.json(["mirror", path])
    #expect(shown["layout"] as? String == life.layout.rawValue)
    #expect((shown["token"] as? [String: Any])?["state"] as? String == truth.token.rawValue)
    for zone in try #require(shown["zones"] as? [[String: Any]]) {
      for key in ["name", "owner", "scope", "records", "needsImport", "hasToken", "lastFetch"] {
        #expect(zone[key] != nil, "\(key)")
      }
    }
    for table in try #require(shown["tables"] as? [String]) {
      let decoded = try Tool.json(["mirror", path, "--table", table])
      #expect(decoded["columns"] != nil && decoded["rows"] != nil, "\(table)")
    }

    let events = try #require(try Tool.json(["events", path])["events"] as? [[String: Any]])
    #expect(events.count == truth.events.count)
    for key in [
      "id", "type", "started", "ended", "succeeded", "errorDomain", "errorCode", "errorName", "affected",
      "finished", "explanation",
    ] {
      #expect(events.allSatisfy { $0[key] != nil }, "\(key)")
    }

    let summary = try #require(try Tool.json(["summary", path])["mirror"] as? [String: Any])
    #expect(summary["present"] as? Bool == true)
    #expect(summary["records"] as? Int == truth.records.count)
    #expect(summary["pending"] as? Int == truth.waiting.count)

    let record = try #require(records.first { $0["objectExists"] as? Bool == true })
    let uri = try #require(record["uri"] as? String)
    let name = try #require(record["recordName"] as? String)
    let object = try Tool.json(["show", path, name])
    #expect((object["object"] as? [String: Any])?["uri"] as? String == uri)
    #expect((object["record"] as? [String: Any])?["recordName"] as? String == name)
    for word in [uri, name] {
      let steps = try #require(try Tool.json(["trace", path, word])["steps"] as? [[String: Any]])
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

  struct Word: Sendable {
    var word: String
    var subject: String
  }

  @Test(arguments: [
    Word(word: "134419", subject: "NSCocoaErrorDomain 134419"),
    Word(word: "CKErrorDomain:25", subject: "CKErrorDomain 25"),
    Word(word: "quotaExceeded", subject: "CKErrorDomain 25"),
  ])
  func explains(_ word: Word) throws {
    let explanations = try #require(
      try Tool.json(["explain", word.word])["explanations"] as? [[String: Any]])
    #expect(explanations.contains { $0["subject"] as? String == word.subject })
    for key in ["subject", "meaning", "causes", "advice", "sources"] {
      #expect(explanations.allSatisfy { $0[key] != nil }, "\(key)")
    }
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
