import Archives
import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  static let files: [RuleExample] =
    integrity + pairs + bookkeeping + brokenBookkeeping + journals + models + [
      .plain("entity-name-stale", "all names are the model's", .healthy),
      .plain("entity-name-stale", "a name left from before a migration", .broken(count: 1)) { forge in
        try forge.connection.execute("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Memo' WHERE Z_NAME = 'Note'")
      },
    ]

  private static let integrity: [RuleExample] = [
    .plain("integrity-check-failed", "a whole file", .healthy),
    RuleExample("integrity-check-failed", "a page full of zeros", .broken(count: 1)) { path in
      var page: Int64 = 0
      try ExampleStore.plain(path) { forge in
        let sql = "SELECT rootpage FROM sqlite_master WHERE name = 'ZNOTE_ZOWNER_INDEX'"
        page = try forge.connection.first(sql) { $0.integer(0) } ?? 0
      }
      try ExampleStore.overwrite(path, at: Int(page - 1) * 4096, with: Array(repeating: 0, count: 4096))
    },
  ]

  private static let pairs: [RuleExample] = [
    .plain("file-cut-off", "a whole file", .healthy),
    RuleExample(
      "file-cut-off", "the last pages cut off", .broken(count: 1), alsoErrors: ["integrity-check-failed"]
    ) { path in
      try ExampleStore.plain(path, options: ForgeOptions(journal: .rollback))
      try ExampleStore.cut(path, to: ExampleStore.size(path) - 8192)
    },
    RuleExample("file-cut-off", "an empty file next to a -wal with everything", .broken(count: 1)) { path in
      try ExampleStore.inWALAlone(path)
      try ExampleStore.cut(path, to: 0)
    },
    RuleExample("file-cut-off", "everything in the -wal, as in a new store", .healthy) {
      try ExampleStore.inWALAlone($0)
    },
    RuleExample("wal-foreign", "its own -wal", .healthy) { try ExampleStore.withWAL($0) },
    RuleExample("wal-foreign", "its own -wal with everything", .healthy) { try ExampleStore.inWALAlone($0) },
    RuleExample("wal-foreign", "another store's -wal", .broken(count: 1)) { path in
      try ExampleStore.plain(path)
      try ExampleStore.largeWithWAL(path + ".other")
      try ExampleStore.move(path + ".other-wal", to: path + "-wal")
    },
    RuleExample("wal-foreign", "the -wal of a later state of the same store", .broken(count: 1)) { path in
      try ExampleStore.largeWithWAL(path) {
        try FileManager.default.copyItem(atPath: path, toPath: path + ".old")
      }
      try ExampleStore.move(path + ".old", to: path)
    },
  ]

  private static let bookkeeping: [RuleExample] = [
    .plain("metadata-unreadable", "as Core Data writes it", .healthy),
    .plain("counters-missing", "as Core Data keeps them", .healthy),
    .plain("counters-missing", "history that was never used", .healthy) { forge in
      for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
        try forge.connection.execute("DELETE FROM \(table)")
      }
      try forge.connection.execute("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 16000")
    },
    .plain("metadata-unreadable", "no version hashes", .broken(count: 1)) { forge in
      let list = BinaryPropertyList.write(.dictionary(["NSStoreType": .string("SQLite")]))
      try forge.connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(list)])
    },
  ]

  private static let brokenBookkeeping = [
    ("metadata-unreadable", "noise", "UPDATE Z_METADATA SET Z_PLIST = x'0102030405'", 1),
    ("metadata-unreadable", "no row", "DELETE FROM Z_METADATA", 1),
    ("metadata-unreadable", "an empty column", "UPDATE Z_METADATA SET Z_PLIST = NULL", 1),
    ("metadata-unreadable", "no table", "DROP TABLE Z_METADATA", 1),
    ("counters-missing", "emptied", "DELETE FROM Z_PRIMARYKEY", 7),
    ("counters-missing", "gone", "DROP TABLE Z_PRIMARYKEY", 7),
    ("counters-missing", "one entity's row gone", "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Tag'", 1),
    ("counters-missing", "history's row gone", "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'CHANGE'", 1),
  ].map { rule, name, sql, count in
    RuleExample.plain(rule, name, .broken(count: count)) { try $0.connection.execute(sql) }
  }

  private static let journals: [RuleExample] = [
    .plain("wal-damaged", "no -wal", .healthy),
    RuleExample("wal-damaged", "a whole -wal, as an app leaves it that is killed", .healthy) {
      try ExampleStore.withWAL($0)
    },
    RuleExample("wal-damaged", "a large save that was rolled back", .healthy) {
      try ExampleStore.withRolledBackSave($0)
    },
    RuleExample("wal-damaged", "a wrong byte in the last frame", .broken(count: 1)) { path in
      try ExampleStore.withWAL(path)
      let size = try ExampleStore.size(path + "-wal")
      try ExampleStore.overwrite(path + "-wal", at: size - 100, with: [0xA5, 0x5A, 0xA5])
    },
    RuleExample("wal-damaged", "the end cut off", .broken(count: 1)) { path in
      try ExampleStore.withWAL(path)
      try ExampleStore.cut(path + "-wal", to: ExampleStore.size(path + "-wal") - 1000)
    },
    RuleExample("wal-damaged", "a header that can't be", .broken(count: 1)) { path in
      try ExampleStore.withWAL(path)
      try ExampleStore.overwrite(path + "-wal", at: 12, with: [1, 2, 3, 4])
    },
    .plain("wal-missing", "closed by its last process", .healthy),
    RuleExample("wal-missing", "no -wal at all", .broken(count: 1)) { path in
      try ExampleStore.plain(path)
      try FileManager.default.removeItem(atPath: path + "-wal")
    },
    RuleExample("wal-missing", "no -wal in a backup", .healthy) { path in
      try ExampleStore.plain(path)
      try FileManager.default.removeItem(atPath: path + "-wal")
      let folder = (path as NSString).deletingLastPathComponent
      try Data().write(to: URL(filePath: folder + "/manifest.sha256"))
    },
    .plain(
      "wal-missing", "keys that neither history nor the counter knows", .broken(count: 1),
      alsoErrors: ["object-id-above-max"]
    ) { forge in
      try forge.connection.execute("UPDATE ZNOTE SET Z_PK = 77")
    },
    RuleExample("wal-missing", "all is in the -wal", .healthy) { try ExampleStore.withWAL($0) },
    .plain(
      "wal-missing", "keys alone, which raw SQL leaves behind", .healthy, alsoErrors: ["object-id-above-max"]
    ) { forge in
      try forge.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'")
    },
    .plain(
      "wal-missing", "rows and history that the rest knows nothing of", .broken(count: 2),
      alsoErrors: ["object-id-above-max", "history-broken-link"]
    ) { forge in
      try forge.save { try $0.insert("Tag", ["label": "work"]) }
      try forge.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Person'")
      try forge.connection.execute("UPDATE ACHANGE SET ZTRANSACTIONID = 9 WHERE ZTRANSACTIONID = 2")
    },
    .plain("journal-not-wal", "with a -wal", .healthy),
    .plain(
      "journal-not-wal", "with a rollback journal", .broken(count: 1),
      options: ForgeOptions(journal: .rollback)),
  ]

  private static let models: [RuleExample] = [
    .plain("model-cache-missing", "there is one", .healthy),
    .plain(
      "model-cache-missing", "no table, as before macOS 10.13", .broken(count: 1),
      options: ForgeOptions(modelCache: .absent)),
    .plain("model-cache-missing", "emptied", .broken(count: 1), options: ForgeOptions(modelCache: .null)),
    .plain(
      "model-cache-missing", "damaged, which another rule says", .healthy,
      options: ForgeOptions(modelCache: .damaged)),
    .plain("model-cache-damaged", "whole", .healthy),
    .plain("model-cache-damaged", "cut off", .broken(count: 1), options: ForgeOptions(modelCache: .damaged)),
    .plain("model-differs-from-table", "as the model makes them", .healthy),
    .plain("model-differs-from-table", "a column more and a column less", .broken(count: 2)) { forge in
      try forge.connection.execute("ALTER TABLE ZTAG RENAME COLUMN ZLABEL TO ZTITLE")
    },
    .plain(
      "model-differs-from-table", "no model to compare with", .skipped("can't be read"),
      options: ForgeOptions(modelCache: .null)),
  ]
}
