import Commands
import TestSupport
import Testing

@testable import Shell

/// Lines of pages, messages and terminals, pasted into the shell as they stand.
struct PastedLineTests {
  private let folder: TemporaryFolder
  private let environment: CommandEnvironment

  init() throws {
    folder = try TemporaryFolder("pasted")
    try folder.write([1], to: "Journeys.store")
    try folder.write([2], to: "Other.store")
    var environment = CommandEnvironment()
    environment.storePath = folder.path("Journeys.store")
    self.environment = environment
  }

  private func line(_ text: String) throws -> PastedLine? {
    try PastedLine(text.replacing("DIR", with: folder.path), in: environment)
  }

  @Test(arguments: [
    ("storescope pending DIR/Journeys.store --all", "pending --all"),
    ("$ storescope DIR/Journeys.store pending", "pending"), ("% storescope pending STORE", "pending"),
    ("storescope pending --all DIR/./Journeys.store", "pending --all"),
    // Pasted from where the store's folder was the current one.
    ("storescope pending Journeys.store", "pending"), ("storescope Journeys.store", "summary"),
    ("storescope App.store --verbose", "summary --verbose"), ("storescope pending", "pending"),
    ("storescope trace Entry/p9", "trace Entry/p9"), ("storescope show STORE Trip 1", "show Trip 1"),
    ("storescope DIR/Journeys.store 'SELECT 1 > 2'", "SELECT 1 > 2"),
    ("DIR/Journeys.store 'SELECT 1'", "SELECT 1"), ("storescope STORE 'SELECT 1,\n2'", "SELECT 1,\n2"),
    ("storescope DIR/Journeys.store 'rows Trip'", "rows Trip"),
    ("storescope query STORE 'SELECT 1'", "query 'SELECT 1'"),
    ("storescope rows STORE Trip --where \"rating > 3\"", "rows Trip --where 'rating > 3'"),
    ("storescope doctor Journeys.store DIR/Journeys.store", "doctor"),
    ("storescope diff Journeys.store Other.store", "diff Other.store"),
    ("storescope find Downloads", "find Downloads"), ("storescope explain 25", "explain 25"),
    ("storescope rows --help", "rows --help"), ("storescope --help", "help"), ("storescope", "help"),
    ("storescope help rows", "help rows"), ("storescope --version", "version"),
    // These were said to be other stores.
    ("storescope zones Journeys.store", "zones"), ("storescope tables", "tables"),
    ("storescope pendign STORE", "pendign"),
    // What was sent to it was taken for words of the shell's own.
    ("echo 'pending -n 1' | storescope DIR/Journeys.store", "pending -n 1"),
    ("$ echo 'SELECT 1' | storescope query STORE", "SELECT 1"),
    ("cat 'my q.sql' | storescope query STORE", "read 'my q.sql'"),
  ]) func runsHere(_ text: String, _ meant: String) throws {
    #expect(try line(text)?.line == meant)
  }

  @Test(arguments: [
    "storescope pending DIR/Other.store", "storescope DIR/Other.store", "storescope Missing.sqlite rows Trip",
    // The shell had a list of its own, without this one.
    "storescope Missing.sqlite3 rows Trip", "storescope doctor Journeys.store DIR/Other.store",
    "storescope pending case.zip!/Other.store", "echo pending | storescope DIR/Other.store",
  ]) func anotherStoreIsNotReadInItsPlace(_ text: String) throws {
    let error = try #require(throws: UsageError.self) { try line(text) }
    #expect(error.description.contains("is another store. 'open "), "\(error)")
  }

  /// A list of paths would run as commands here, and an option of the reader would be lost.
  @Test(arguments: ["cat stores.txt | storescope fleet --stdin", "cat q.sql | storescope query STORE --json"])
  func otherReadersOfInputRunElsewhere(_ text: String) throws {
    let error = try #require(throws: UsageError.self) { try line(text) }
    #expect(error.description.contains("your system's shell"), "\(error)")
  }

  @Test func resultsGoWhereTheyWereSent() throws {
    let pasted = try #require(try line("storescope rows STORE Trip --json | grep 'a|b'"))
    #expect(pasted.line == "rows Trip --json" && pasted.target == .program("grep 'a|b'"))
  }

  @Test(arguments: ["pending", "storescoped", "rows storescope", ""]) func othersAreNotPasted(_ text: String)
    throws
  {
    #expect(try line(text) == nil)
  }
}
