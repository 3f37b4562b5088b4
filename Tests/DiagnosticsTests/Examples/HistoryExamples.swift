import Base
import Bulk
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

extension RuleExamples {
  static let history: [RuleExample] =
    historyTables + historyLinks + historyClocks + historySizes + historyLoops + historyAuthors
    + historyOfMirror

  private static func broken(_ path: String, _ sql: String) throws {
    try ExampleStore.plain(path) { try $0.connection.edit([sql]) }
  }

  private static func person(_ forge: StoreForge, _ key: Int64) throws -> ForgedObject {
    let number = try #require(forge.schema["Person"]).number
    return ForgedObject(entity: "Person", entityNumber: number, primaryKey: key)
  }

  private static let historyTables: [RuleExample] =
    MirrorSchema.Layout.allCases.flatMap { layout in
      [
        RuleExample.mirrored("history-tracking-off", "history is on, \(layout)", .healthy, layout: layout),
        RuleExample.mirrored(
          "history-tracking-off", "a mirror whose history was dropped, \(layout)", .broken(count: 1),
          layout: layout
        ) { mirror in
          try mirror.forge.connection.execute(
            """
            DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DROP TABLE ATRANSACTIONSTRING;
            DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY LIKE '%LastHistoryToken%'
            """)
        },
      ]
    } + [
      .mirrored("history-tracking-off", "half of history", .skipped("part of persistent history is gone")) {
        try $0.run("DROP TABLE ACHANGE")
      },
      .plain("history-tracking-off", "not mirrored", .skipped("not mirrored")),
    ]

  private static let historyLinks: [RuleExample] = [
    .plain("history-change-without-row", "deleted through Core Data", .healthy) { forge in
      try forge.save(author: "app") { try $0.delete(person(forge, 2)) }
    },
    RuleExample(
      "history-change-without-row", "deleted by raw SQL, of two entities",
      .broken(count: 2, objects: ["Person/p2", "Employee/p3"])
    ) { try broken($0, "DELETE FROM ZPERSON WHERE Z_PK IN (2, 3)") },
    RuleExample(
      "history-change-without-row", "an entity's table is missing", .healthy,
      alsoErrors: ["model-differs-from-table"]
    ) { try broken($0, "DROP TABLE ZTAG") },
    // Of a store that was never mirrored: what empties a table as a whole is a migration or a cache.
    RuleExample(
      "history-change-without-row", "an emptied table", .healthy, alsoErrors: ["relationship-dangling"]
    ) { try broken($0, "DELETE FROM ZTAG") },
    RuleExample("history-change-without-row", "no history", .skipped("no persistent history")) {
      try broken($0, "DROP TABLE ACHANGE; DROP TABLE ATRANSACTION")
    },
    RuleExample("history-broken-link", "half of history", .skipped("ATRANSACTION is there: part")) {
      try broken($0, "DROP TABLE ACHANGE")
    },
    RuleExample("history-broken-link", "the other half", .skipped("ACHANGE is there: part")) {
      try broken($0, "DROP TABLE ATRANSACTION")
    },
    RuleExample("history-broken-link", "a transaction without changes", .healthy) {
      try broken(
        $0,
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, ZAUTHORTS) VALUES (2, 16002, 794048461, 1);
        UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 16002
        """)
    },
    RuleExample("history-broken-link", "the transaction is gone", .broken(count: 1)) {
      try broken($0, "DELETE FROM ATRANSACTION")
    },
    RuleExample("history-broken-link", "changes of two transactions that never were", .broken(count: 2)) {
      try broken(
        $0, "UPDATE ACHANGE SET ZTRANSACTIONID = CASE Z_PK WHEN 2 THEN 7 WHEN 3 THEN NULL ELSE 1 END")
    },
    RuleExample("history-broken-link", "the author's text is gone", .broken(count: 1)) {
      try broken($0, "DELETE FROM ATRANSACTIONSTRING")
    },
    RuleExample("history-broken-link", "there is no table of texts", .broken(count: 1)) {
      try broken($0, "DROP TABLE ATRANSACTIONSTRING")
    },
    .plain("history-entity-unknown", "entities of the model", .healthy),
    RuleExample("history-entity-unknown", "numbers that no entity has", .broken(count: 3)) {
      try broken(
        $0,
        "UPDATE ACHANGE SET ZENTITY = CASE Z_PK WHEN 1 THEN 99 WHEN 2 THEN -1 WHEN 3 THEN NULL ELSE ZENTITY END"
      )
    },
    .mirrored("history-of-ancillary-entity", "entities of the model", .healthy),
    RuleExample("history-of-ancillary-entity", "history of history", .broken(count: 1)) {
      try broken($0, "UPDATE ACHANGE SET ZENTITY = 16001 WHERE Z_PK < 3")
    },
  ]

  private static let historyClocks: [RuleExample] = [
    RuleExample("history-clock-jump", "half a minute back", .healthy) { try saves($0, at: [0, 100, 70]) },
    RuleExample("history-clock-jump", "an hour back, and then on from there", .broken(count: 1)) {
      try saves($0, at: [0, 3700, 100, 200])
    },
    RuleExample("history-clock-jump", "the last two in a far future", .broken(count: 1)) {
      try saves($0, at: [0, 9e9, 9e9 + 1])
    },
    RuleExample("history-clock-jump", "no time stamps", .healthy) {
      try broken($0, "UPDATE ATRANSACTION SET ZTIMESTAMP = NULL")
    },
  ]

  /// 2026-03-02 12:00 UTC; the stores are a day old then.
  private static let dayAfter = CoreDataDate(unixSeconds: 1_772_452_800)

  /// Updates of one person so many seconds later.
  private static func saves(_ path: String, at seconds: [Double], author: String = "app") throws {
    try ExampleStore.plain(path) { forge in
      let person = try person(forge, 1)
      for (index, second) in seconds.enumerated() {
        try forge.save(author: author, at: CoreDataDate(seconds: dayAfter.seconds + second)) {
          try $0.update(person, ["name": .text("Ann \(index)")])
        }
      }
    }
  }

  private static func bulk(_ path: String, changes: Int, perTransaction: Int, isMirrored: Bool) throws {
    func record(_ forge: StoreForge) throws {
      try BulkForge.fill(forge) { bulk in
        var inserts = BulkForge.Changes(
          .insert, of: "Tag", keys: 1...1, count: changes, perTransaction: perTransaction)
        inserts.author = "app"
        inserts.secondsBetweenTransactions = 3600
        try bulk.record(inserts)
      }
    }
    if isMirrored {
      try ExampleStore.mirrored(path) { mirror in
        try record(mirror.forge)
        try mirror.export()
      }
    } else {
      try ExampleStore.plain(path, record)
    }
  }

  private static let historySizes: [RuleExample] = [
    RuleExample("history-oversized-transaction", "ten thousand changes", .healthy) {
      try bulk($0, changes: 10_000, perTransaction: 10_000, isMirrored: true)
    },
    RuleExample("history-oversized-transaction", "one more", .broken(count: 1)) {
      try bulk($0, changes: 10_001, perTransaction: 10_001, isMirrored: true)
    },
    RuleExample("history-oversized-transaction", "not mirrored", .skipped("not mirrored")) {
      try bulk($0, changes: 10_001, perTransaction: 10_001, isMirrored: false)
    },
    .plain("history-bloat", "a few changes, all there is", .healthy),
    RuleExample("history-bloat", "six megabytes, a smaller part of the file", .healthy) {
      try broken(
        $0,
        """
        UPDATE ACHANGE SET ZCOLUMNS = zeroblob(6000000) WHERE Z_PK = 1;
        UPDATE ZPERSON SET ZNAME = zeroblob(9000000) WHERE Z_PK = 1
        """)
    },
    .mirrored("history-bloat", "most of the file", .broken(count: 1)) { mirror in
      try mirror.forge.connection.execute("UPDATE ACHANGE SET ZCOLUMNS = zeroblob(6000000) WHERE Z_PK = 1")
    },
    .plain("history-bloat", "a smaller part of the file, and old", .broken(count: 1)) { forge in
      try forge.save(author: "app", at: CoreDataDate(seconds: dayAfter.seconds + 90 * 86_400)) {
        try $0.update(person(forge, 2), ["name": "Benjamin"])
      }
      try forge.connection.execute(
        """
        UPDATE ACHANGE SET ZCOLUMNS = zeroblob(6000000) WHERE Z_PK = 1;
        UPDATE ZPERSON SET ZNAME = zeroblob(9000000) WHERE Z_PK = 1
        """)
    },
  ]

  private static let historyLoops: [RuleExample] = [
    RuleExample("history-update-loop", "an update every three seconds", .healthy) { path in
      try saves(path, at: (0..<60).map { 10 + Double($0) * 3 })
    },
    RuleExample("history-update-loop", "an update each second", .broken(count: 1, objects: ["Person/p1"])) {
      path in
      try saves(path, at: (0..<60).map { 10 + Double($0) })
    },
    RuleExample("history-update-loop", "two rounds of import and app", .healthy) { try rounds($0, 2) },
    RuleExample(
      "history-update-loop", "ten rounds of import and app", .broken(count: 1, objects: ["Person/p1"])
    ) { try rounds($0, 10) },
    RuleExample("history-chatty-saves", "a save every two seconds", .healthy) { path in
      try saves(path, at: (0..<60).map { 10 + Double($0) * 2 })
    },
    RuleExample("history-chatty-saves", "two saves each second", .broken(count: 1)) { path in
      try saves(path, at: (0..<90).map { 10 + Double($0) / 2 })
    },
    RuleExample("history-empty-update", "a name was changed", .healthy) { try saves($0, at: [10]) },
    RuleExample("history-empty-update", "a mask of zeros", .broken(count: 1, objects: ["Person/p1"])) {
      path in
      try saves(path, at: [10, 70])
      let connection = try Connection(
        path: path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
      try connection.execute("UPDATE ACHANGE SET ZCOLUMNS = zeroblob(LENGTH(ZCOLUMNS)) WHERE ZCHANGETYPE = 1")
      connection.close()
    },
  ]

  /// Import and app update a person by turns.
  private static func rounds(_ path: String, _ count: Int) throws {
    try ExampleStore.mirrored(path) { mirror in
      let person = try person(mirror.forge, 1)
      for round in 0..<count {
        try mirror.save(.import, at: CoreDataDate(seconds: dayAfter.seconds + Double(round) * 32)) {
          try $0.update(person, ["name": .text("Ann \(round)")])
        }
        try mirror.save(author: "app", at: CoreDataDate(seconds: dayAfter.seconds + Double(round) * 32 + 2)) {
          try $0.update(person, ["name": .text("Anne \(round)")])
        }
      }
      try mirror.export()
    }
  }

  private static let historyAuthors: [RuleExample] = [
    .mirrored("history-author-missing", "all saves have one", .healthy),
    .plain("history-author-missing", "of two programs", .broken(count: 2)) { forge in
      let person = try person(forge, 1)
      for bundle in ["com.example.app", "com.example.app.widget", "com.example.app"] {
        try forge.save(bundle: bundle, process: "example") {
          try $0.update(person, ["name": .text(bundle)])
        }
      }
    },
  ]

  private static let historyOfMirror: [RuleExample] =
    [
      .mirrored("past-wipe", "only the app deletes", .healthy) { mirror in
        let person = try person(mirror.forge, 2)
        try mirror.save(author: "app") { try $0.delete(person) }
        try mirror.export()
      },
      .mirrored(
        "past-wipe", "the user deleted the data in iCloud's settings", .broken(count: 1),
        alsoErrors: ["event-zone-deleted"]
      ) { mirror in
        try mirror.userPurgedZone()
        try mirror.setUp()
        try mirror.export()
      },
      .mirrored(
        "past-wipe", "another account", .broken(count: 1), alsoErrors: ["event-account-problem"]
      ) { try $0.setUp(account: "_other") },
      .mirrored("history-backlog", "a damaged token", .skipped("can't be read")) {
        try $0.damageToken(.unreadable)
      },
      .mirrored(
        "history-backlog", "another store's token", .skipped("of another store"),
        alsoErrors: ["token-foreign-store"]
      ) { try $0.damageToken(.foreign) },
      .mirrored("history-backlog", "no token yet", .skipped("no history token")) { mirror in
        try mirror.forge.connection.execute(
          "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY LIKE '%LastHistoryToken%'")
      },
    ]
    + MirrorSchema.Layout.allCases.flatMap { layout in
      [
        RuleExample.mirrored("history-backlog", "all exported, \(layout)", .healthy, layout: layout),
        RuleExample.mirrored(
          "history-backlog", "saves after the export, \(layout)", .broken(count: 1), layout: layout
        ) { mirror in
          for (day, name) in ["Dan", "Eve"].enumerated() {
            let moment = CoreDataDate(unixSeconds: 1_772_452_800 + Double(day) * 86_400)
            try mirror.save(author: "app", at: moment) { try $0.insert("Person", ["name": .text(name)]) }
          }
        },
        RuleExample.mirrored(
          "history-backlog", "a save just after the export, \(layout)", .healthy, layout: layout
        ) { mirror in
          _ = try mirror.save(author: "app") { try $0.insert("Person", ["name": "Dan"]) }
        },
      ]
    }
}
