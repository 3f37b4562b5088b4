import Base
import Forge
import SQLite
import TestSupport
import Testing

@testable import Operations

/// Exactly the planned rows change, whatever a schema does by itself (D4: triggers and conflict clauses changed others,
/// and the result said that exactly the planned rows had changed).
@Suite struct ForeignCodeTests {
  /// A schema that does more than it is told, when an operation changes a table of it.
  struct Case: Sendable, CustomTestStringConvertible {
    var operation: String
    var edits: [String]
    /// What the plan says of it.
    var word: String
    var testDescription: String { edits.joined(separator: "; ") }

    init(_ operation: String, _ word: String, _ edits: [String]) {
      (self.operation, self.word, self.edits) = (operation, word, edits)
    }

    init(edits: String...) { self.init("repair clear-events", "trigger 'odd'", edits) }
  }

  private static let precious =
    "CREATE TABLE X (a PRIMARY KEY, b) WITHOUT ROWID; INSERT INTO X VALUES (1, 'p'), (2, 'q')"
  private static let numbered =
    "CREATE TABLE N (a INTEGER PRIMARY KEY AUTOINCREMENT); INSERT INTO N VALUES (7); DELETE FROM N"

  private static func trigger(_ body: String, _ moment: String = "AFTER DELETE ON ANSCKEVENT") -> String {
    "CREATE TRIGGER odd \(moment) BEGIN \(body); END"
  }

  /// Z_PRIMARYKEY with another definition, and Tag's Z_MAX to be raised.
  private static func primaryKeys(_ columns: String) -> [String] {
    [
      "ALTER TABLE Z_PRIMARYKEY RENAME TO OLD", "CREATE TABLE Z_PRIMARYKEY \(columns)",
      "INSERT INTO Z_PRIMARYKEY SELECT Z_ENT, Z_NAME, Z_SUPER, 1000 + Z_ENT FROM OLD", "DROP TABLE OLD",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note'",
      "UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'",
    ]
  }

  private static func primaryKeyCase(_ word: String, _ columns: String) -> Case {
    Case("repair raise-max", word, primaryKeys(columns))
  }

  static let cases = [
    Case(edits: precious, trigger("DELETE FROM X")),
    Case(edits: precious, trigger("UPDATE X SET b = 'gone'")),
    Case(edits: precious, trigger("INSERT INTO X VALUES (OLD.Z_PK + 9, 'new')")),
    Case(edits: precious, trigger("INSERT OR REPLACE INTO X VALUES (1, 'new')")),
    Case(edits: numbered, trigger("DELETE FROM sqlite_sequence")),
    Case(edits: numbered, trigger("UPDATE sqlite_sequence SET seq = 99")),
    Case(edits: trigger("UPDATE ZTAG SET ZNAME = 'odd'")),
    Case(edits: trigger("DELETE FROM ZTAG", "BEFORE DELETE ON ANSCKEVENT")),
    Case(edits: trigger("SELECT RAISE(IGNORE)", "BEFORE DELETE ON ANSCKEVENT")),
    Case(edits: trigger("INSERT INTO ANSCKEVENT (Z_ENT) VALUES (1)", "AFTER DELETE ON anSCKevent")),
    Case(
      "repair raise-max", "trigger 'odd'",
      [
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 0",
        trigger(
          "UPDATE Z_PRIMARYKEY SET Z_MAX = 99 WHERE Z_ENT = 1", "AFTER UPDATE OF Z_MAX ON Z_PRIMARYKEY"),
      ]),
    Case(
      "repair register-missing", "trigger 'odd'",
      [trigger("DELETE FROM ZTAG", "AFTER INSERT ON ANSCKMETADATAENTRY")]),
    Case(
      "repair clear-events", "foreign key of 'Y'",
      [
        "CREATE TABLE Y (a REFERENCES anSCKevent(Z_PK) ON DELETE CASCADE)",
        "INSERT INTO Y SELECT Z_PK FROM ANSCKEVENT",
      ]),
    primaryKeyCase(
      "conflict clause",
      "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER UNIQUE ON CONFLICT REPLACE)"
    ),
    primaryKeyCase(
      "conflict clause",
      "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER, UNIQUE (Z_MAX) on/**/Conflict\nIGNORE)"
    ),
    primaryKeyCase(
      "ordinary table",
      "(Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER) WITHOUT ROWID"),
    primaryKeyCase(
      "AUTOINCREMENT",
      "(Z_ENT INTEGER PRIMARY KEY AUTOINCREMENT, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"),
  ]

  @Test(arguments: cases) func isRefused(_ one: Case) throws {
    let fixture = try Fixture(.v17, edits: one.edits)
    let before = try fixture.files()
    let plan = try fixture.plan(one.operation)
    #expect(plan.failed.map(\.name) == ["no-foreign-code"] && plan.steps.isEmpty)
    let why = plan.failed.first?.why ?? ""
    #expect(why.contains(one.word) && why.hasSuffix("."), "\(why)")
    #expect(throws: StoreScopeError.self) { try fixture.apply(one.operation) }
    #expect(try fixture.files() == before)
    #expect(try !fixture.folder.names().contains { $0.contains("backup") })
  }

  /// The second line of defense: a plan that was made before the schema did more is run by a connection that lets it.
  @Test(arguments: cases) func isRolledBack(_ one: Case) throws {
    let fixture = try Fixture(.v17)
    try fixture.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Tag'")
    let plan = try fixture.plan(one.operation)
    for edit in one.edits { try fixture.execute(edit) }
    for allowsCode in [true, false] {
      var options = OpenOptions.readWrite()
      options.runsSchemaCode = allowsCode
      let before = try Self.rows(fixture)
      let connection = try Connection(path: fixture.path, options: options)
      defer { connection.close() }
      if allowsCode { try connection.execute("PRAGMA foreign_keys = ON") }
      let result = Result { try Change.run(plan, on: connection) {} }
      let after = try Self.rows(fixture)
      switch result {
      case .failure: #expect(after == before)
      case .success:
        #expect(!allowsCode || one.word == "AUTOINCREMENT")
        let planned = Set(plan.steps.map(\.step.table))
        #expect(after.filter { !planned.contains($0.key) } == before.filter { !planned.contains($0.key) })
      }
    }
  }

  /// The text of all rows of all tables.
  private static func rows(_ fixture: Fixture) throws -> [String: [String]] {
    let connection = try Connection(path: fixture.path, options: .overlay())
    defer { connection.close() }
    var rows: [String: [String]] = [:]
    let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table'") { $0.text(0) }
    for table in tables {
      rows[table] = try connection.rows("SELECT * FROM \(quotedIdentifier(table))") { "\($0.values)" }
    }
    return rows
  }

  /// What hangs on other tables is no matter: Core Data itself makes such triggers for its full-text indexes.
  @Test func otherTablesMayHaveTriggers() throws {
    let fixture = try Fixture(
      .v17,
      edits: [
        Self.trigger("DELETE FROM ZNOTE", "AFTER UPDATE ON ZTAG"),
        "CREATE VIEW odd_view AS SELECT * FROM ZTAG",
      ])
    try ChangesTests.check(fixture, "repair clear-events") { content in
      content.delete("ANSCKEVENT")
    }
  }
}
