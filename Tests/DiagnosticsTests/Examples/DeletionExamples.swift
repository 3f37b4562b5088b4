import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  /// What was deleted, what is about to be, and records that never arrive.
  static let deletions: [RuleExample] =
    byApp + imported + edges + rejected + unacknowledged + launches + partialTables + misplaced + keyRequired

  private static func later(_ mirror: MirrorForge, days: Double) -> CoreDataDate {
    CoreDataDate(seconds: mirror.forge.clock.seconds + days * 86_400)
  }

  /// The mirrored store with 40 more tags, uploaded, and what happens then.
  private static func tagged(
    _ path: String, layout: MirrorSchema.Layout = .v17, _ change: (MirrorForge, [ForgedObject]) throws -> Void
  ) throws {
    try ExampleStore.mirrored(path, layout: layout) { mirror in
      let tags = try mirror.save(author: "app") { save in
        try (0..<40).map { try save.insert("Tag", ["label": .text("Tag \($0)")]) }
      }
      try mirror.export()
      try change(mirror, tags)
    }
  }

  private static let byApp: [RuleExample] = [
    RuleExample("mass-delete-by-app", "a few of many", .healthy) { path in
      try tagged(path) { mirror, tags in
        try mirror.save(author: "app") { save in for tag in tags.prefix(19) { try save.delete(tag) } }
      }
    },
    RuleExample("mass-delete-by-app", "most, one by one over days", .healthy) { path in
      try tagged(path) { mirror, tags in
        for tag in tags.prefix(30) {
          try mirror.save(author: "app", at: later(mirror, days: 0.1)) { try $0.delete(tag) }
        }
      }
    },
    // Objects that a save makes and that are deleted at once were counted as if they had been there before.
    RuleExample("mass-delete-by-app", "objects that came and went", .healthy) { path in
      try tagged(path) { mirror, _ in
        let temporary = try mirror.save(author: "app") { save in
          try (0..<60).map { try save.insert("Tag", ["label": .text("Temporary \($0)")]) }
        }
        try mirror.save(author: "app") { save in
          for tag in temporary.prefix(30) { try save.delete(tag) }
          for _ in 0..<30 { _ = try save.insert("Tag", ["label": "Another"]) }
        }
      }
    },
    // What the burst itself had made was counted as older objects: the transaction that deletes was looked at from its
    // first delete on, and a save a second earlier not at all.
    RuleExample("mass-delete-by-app", "made and deleted in one save", .healthy) { path in
      try tagged(path) { mirror, _ in
        try mirror.save(author: "app") { save in
          for _ in 0..<60 { try save.delete(save.insert("Tag", ["label": "Temporary"])) }
        }
      }
    },
    RuleExample("mass-delete-by-app", "made a second before", .healthy) { path in
      try tagged(path) { mirror, _ in
        let temporary = try mirror.save(author: "app") { save in
          try (0..<60).map { _ in try save.insert("Tag", ["label": "Temporary"]) }
        }
        let soon = CoreDataDate(seconds: mirror.forge.clock.seconds + 1)
        try mirror.save(author: "app", at: soon) { save in for tag in temporary { try save.delete(tag) } }
      }
    },
    RuleExample("mass-delete-by-app", "an entity that isn't mirrored", .healthy) { path in
      let model = ManagedObjectModel(
        entities: [.init(name: "Sent"), .init(name: "Local")], configurations: ["Cloud": ["Sent"]])
      let forge = try StoreForge(path: path, model: model)
      let mirror = try MirrorForge(forge, layout: .v17, configuration: "Cloud")
      try mirror.setUp()
      let all = try mirror.save(author: "app") { save in
        _ = try save.insert("Sent")
        return try (0..<40).map { _ in try save.insert("Local") }
      }
      try mirror.export()
      try mirror.save(author: "app") { save in for object in all { try save.delete(object) } }
      try mirror.export()
      try forge.close()
    },
    RuleExample("mass-delete-by-app", "most at once, and exported", .broken(count: 1)) { path in
      try tagged(path) { mirror, tags in
        try mirror.save(author: "widget") { save in for tag in tags.prefix(30) { try save.delete(tag) } }
        try mirror.export()
      }
    },
    RuleExample("mass-delete-by-app", "most in one minute, save by save, still pending", .broken(count: 1)) {
      path in
      try tagged(path, layout: .v16) { mirror, tags in
        let start = mirror.forge.clock
        for (index, tag) in tags.enumerated() {
          let date = CoreDataDate(seconds: start.seconds + 60 + Double(index))
          try mirror.save(author: "app", at: date) { try $0.delete(tag) }
        }
      }
    },
    RuleExample("mass-delete-by-app", "flagged, and not sent yet", .broken(count: 1)) { path in
      try tagged(path) { mirror, tags in
        try mirror.save(author: "app") { save in for tag in tags { try save.delete(tag) } }
        try mirror.export(.failure(.networkUnavailable))
      }
    },
  ]

  private static let imported: [RuleExample] = [
    RuleExample("mass-delete-imported", "the app itself", .healthy) { path in
      try tagged(path) { mirror, tags in
        try mirror.save(author: "app") { save in for tag in tags { try save.delete(tag) } }
        try mirror.export()
      }
    },
    RuleExample("mass-delete-imported", "most at once", .broken(count: 1)) { path in
      try tagged(path) { mirror, tags in
        try mirror.importChanges { changes in for tag in tags.prefix(35) { try changes.delete(tag) } }
      }
    },
  ]

  /// So many saves that aren't exported, the first days ago, and history pruned below the token's transaction.
  private static func pruned(_ path: String, saves: Int, days: Double, keeping kept: Int64) throws {
    try ExampleStore.mirrored(path) { mirror in
      for _ in 0..<20 {
        try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      }
      try mirror.export()
      let token = mirror.token.number
      for _ in 0..<saves {
        try mirror.save(author: "app", at: later(mirror, days: days / Double(saves))) {
          _ = try $0.insert("Tag", ["label": "newer"])
        }
      }
      if kept < token { try mirror.forge.dropHistory(1...(token - kept - 1)) }
    }
  }

  private static let edges: [RuleExample] = [
    RuleExample("token-near-prune-edge", "nothing was pruned", .healthy) {
      try pruned($0, saves: 20, days: 20, keeping: .max)
    },
    RuleExample("token-near-prune-edge", "the app saved today", .healthy) {
      try pruned($0, saves: 20, days: 1, keeping: 0)
    },
    RuleExample("token-near-prune-edge", "much older history is kept", .healthy) {
      try pruned($0, saves: 20, days: 20, keeping: 15)
    },
    RuleExample("token-near-prune-edge", "pruned to the token, and saved for weeks since", .broken(count: 1))
    { try pruned($0, saves: 20, days: 20, keeping: 1) },
  ]

  private static let rejected: [RuleExample] = [
    .mirrored(
      "event-partial-failure-repeating", "nothing is pending", .healthy, alsoErrors: ["event-export-failing"]
    ) { mirror in
      try mirror.importChanges { _ in }
      for _ in 0..<4 { try mirror.run(.export, failing: .partialFailure) }
    },
    .mirrored("event-partial-failure-repeating", "twice", .healthy) { mirror in
      _ = try mirror.save(author: "app") { try $0.insert("Tag") }
      try mirror.export(.failure(.partialFailure))
      try mirror.export(.failure(.partialFailure))
    },
    .mirrored(
      "event-partial-failure-repeating", "the same record four times", .broken(count: 1), layout: .v16,
      alsoErrors: ["event-export-failing"]
    ) { mirror in
      try mirror.importChanges { _ in }
      _ = try mirror.save(author: "app") { try $0.insert("Tag") }
      for _ in 0..<4 { try mirror.export(.failure(.partialFailure)) }
    },
  ]

  private static let unacknowledged: [RuleExample] = [
    .mirrored("entity-never-acknowledged", "all arrived", .healthy),
    RuleExample("entity-never-acknowledged", "nothing was exported since", .healthy) { path in
      let forge = try StoreForge(path: path, model: ExampleStore.model)
      let mirror = try MirrorForge(forge, layout: .v17)
      try mirror.setUp()
      try mirror.save(author: "app") { save in for _ in 0..<5 { _ = try save.insert("Tag") } }
      try mirror.export(.failure(.networkUnavailable))
      try ExampleStore.close(forge)
    },
    .mirrored("entity-never-acknowledged", "all of an entity, while others arrive", .broken(count: 1)) {
      mirror in
      let notes = try mirror.save(author: "app") { save in try (0..<4).map { _ in try save.insert("Note") }
      }
      try mirror.export(.failure(.networkUnavailable))
      _ = try mirror.save(author: "app") { try $0.insert("Tag") }
      try mirror.export()
      // The server took all but the notes.
      for note in notes + [try mirror.object("Note")] {
        guard let key = mirror.ledger.recordKey(of: note), var record = mirror.ledger.records[key] else {
          continue
        }
        record.encodedRecord = nil
        record.systemFields = nil
        record.needsUpload = true
        record.pendingExport = 2
        record.lastExported = nil
        mirror.ledger.records[key] = record
      }
      try mirror.commit()
    },
  ]

  private static func launched(_ path: String, times: Int, importsLater: Bool) throws {
    try ExampleStore.mirrored(path) { mirror in
      for _ in 0..<times {
        try mirror.setUp(at: later(mirror, days: 1))
        try mirror.importChanges(at: CoreDataDate(seconds: mirror.forge.clock.seconds + 5)) { _ in }
      }
      if importsLater { try mirror.importChanges(at: later(mirror, days: 0.1)) { _ in } }
    }
  }

  private static let launches: [RuleExample] = [
    RuleExample("imports-only-at-launch", "pushes arrive", .healthy) {
      try launched($0, times: 7, importsLater: true)
    },
    RuleExample("imports-only-at-launch", "a day", .healthy) {
      try launched($0, times: 2, importsLater: false)
    },
    RuleExample("imports-only-at-launch", "a week of launches", .broken(count: 1)) {
      try launched($0, times: 7, importsLater: false)
    },
  ]

  private static let partialTables: [RuleExample] = [
    .mirrored("mirror-tables-partial", "all are there", .healthy, layout: .v16),
    .broken(
      "mirror-tables-partial", "one was dropped", layout: .v16, count: 1, "DROP TABLE ANSCKIMPORTOPERATION"),
    .broken(
      "mirror-tables-partial", "asset tables were dropped", count: 2,
      "DROP TABLE ANSCKMIRROREDRELATIONSHIPSYSTEMFIELDSASSET",
      "DROP TABLE ANSCKRECORDZONEMETADATAENCODEDSHAREASSET"),
  ]

  private static let misplaced: [RuleExample] = [
    .mirrored("metadata-value-misplaced", "each in its column", .healthy, layout: .v16),
    .edited(
      "metadata-value-misplaced", "no value at all", .healthy,
      ["UPDATE ANSCKMETADATAENTRY SET ZBOOLVALUENUM = NULL WHERE ZKEY = '\(MetadataKey.needsMigration)'"]),
    .broken(
      "metadata-value-misplaced", "a flag as a text, and a version as one", count: 2,
      "UPDATE ANSCKMETADATAENTRY SET ZBOOLVALUENUM = NULL, ZSTRINGVALUE = 'NO' WHERE ZKEY = '\(MetadataKey.needsMigration)'",
      "UPDATE ANSCKMETADATAENTRY SET ZINTEGERVALUE = NULL, ZSTRINGVALUE = '1526' WHERE ZKEY = '\(MetadataKey.frameworkVersion)'"
    ),
  ]

  private static let keyRequired: [RuleExample] = [
    .plain("history-key-required", "history without transactions", .healthy) { forge in
      try forge.connection.edit(["DELETE FROM ATRANSACTION", "DELETE FROM ACHANGE"])
    },
    .plain("history-key-required", "history with some", .broken(count: 1)),
    .plain(
      "history-key-required", "no history", .skipped("no persistent history"),
      options: ForgeOptions(history: .none)),
  ]
}
