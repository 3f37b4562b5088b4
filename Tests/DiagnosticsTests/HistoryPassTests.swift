import Bulk
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

struct HistoryPassTests {
  private let folder = TemporaryFolder()
  private var path: String { folder.path + "/Example.store" }

  /// A person is deleted in the second transaction, whose changes lie before those of the first.
  private func makeOutOfOrder(_ sql: String = "SELECT 1") throws {
    try ExampleStore.plain(path) { forge in
      let person = ForgedObject(
        entity: "Person", entityNumber: try #require(forge.schema["Person"]).number, primaryKey: 2)
      try forge.save(author: "app") { try $0.delete(person) }
      try forge.connection.execute("UPDATE ACHANGE SET Z_PK = -Z_PK WHERE ZTRANSACTIONID = 2")
      try forge.connection.execute(sql)
    }
  }

  @Test func transactionsComeInTheirOrderWhateverTheKeysOfChanges() throws {
    try makeOutOfOrder()
    let diagnosis = try RuleExample.examine(path)
    #expect(diagnosis.findings.map(\.rule.id) == ["history-key-required"])
    #expect(diagnosis.checked.contains("history-change-without-row"))
  }

  @Test func whatWouldHaveToBeSortedIsSkipped() throws {
    try makeOutOfOrder("DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX")
    let skipped = try RuleExample.examine(path).skipped
    #expect(skipped.first { $0.rule == "history-clock-jump" }?.because.contains("no index") ?? false)
  }

  /// Each needs a page of its own, more than are in memory. Rules that remember something of each gave up before.
  @Test func keysMayLieFarApart() throws {
    try ExampleStore.plain(path) { forge in
      let number = try #require(forge.schema["Tag"]).number
      try forge.connection.edit([
        """
        WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < 5000)
        INSERT INTO ACHANGE (Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
        SELECT 16001, 1, \(number), i * 1000000, 1, X'00' FROM counter
        """
      ])
    }
    let diagnosis = try RuleExample.examine(path)
    for rule in ["history-empty-update", "history-change-without-row"] {
      #expect(diagnosis.findings.first { $0.rule.id == rule }?.count == 5000, "\(rule)")
    }
    #expect(diagnosis.checked.contains("history-update-loop"))
  }

  /// A warning led the answer whose fix was for old objects and for others at once: the reader had to decide which.
  @Test(arguments: [
    (400, Severity.info, "Nothing to do: their last change is 400 days old."),
    (300, .warning, "Delete objects through Core Data, with history on."),
  ])
  func objectsMissingForLongAreANote(_ days: Int, _ severity: Severity, _ fix: String) throws {
    try makeOutOfOrder(
      """
      DELETE FROM ZPERSON WHERE Z_PK = 1;
      UPDATE ATRANSACTION SET ZTIMESTAMP =
        (SELECT MAX(ZTIMESTAMP) FROM ATRANSACTION) - \(days) * 86400 WHERE Z_PK = 1
      """)
    let finding = try RuleExample.examine(path).findings.first { $0.rule.id == "history-change-without-row" }
    #expect(finding?.rule.severity == severity && finding?.rule.remedy == fix)
  }

  @Test func columnsMayBeMissing() throws {
    try ExampleStore.plain(path) { forge in
      try forge.connection.execute(
        """
        DROP INDEX ACHANGE_ZTRANSACTIONID_INDEX;
        CREATE TABLE Other (Z_PK INTEGER PRIMARY KEY, ZTRANSACTIONID INTEGER);
        INSERT INTO Other SELECT Z_PK, ZTRANSACTIONID FROM ACHANGE;
        DROP TABLE ACHANGE; ALTER TABLE Other RENAME TO ACHANGE
        """)
    }
    // It was said that entities are unknown, and nothing of the columns.
    let skipped = try RuleExample.examine(path).skipped.filter(\.hasFailed)
    #expect(skipped.count > 10)
    #expect(
      skipped.allSatisfy { $0.because.contains("ACHANGE has no column ZCHANGETYPE: part of persistent") })
  }

  @Test func sizeIsEstimatedWhereSQLiteCannotTell() throws {
    try ExampleStore.plain(path) { forge in
      try BulkForge.fill(forge) { bulk in
        try bulk.record(.init(.insert, of: "Tag", keys: 1...1, count: 20_000, perTransaction: 10))
      }
    }
    let examination = try Examination(OpenStore(at: path))
    let measured = try HistorySize(examination.store, changes: 20_005, transactions: 2001)
    let estimated = try HistorySize(examination.store, changes: 20_005, transactions: 2001, measures: false)
    #expect(measured.isMeasured)
    #expect(!estimated.isMeasured)
    #expect((measured.bytes / 2..<measured.bytes * 2).contains(estimated.bytes))
    #expect(measured.bytes < measured.fileBytes)
  }
}
