import Base
import Bulk
import Commands
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Large tables are printed by several threads if all of their rows are asked for, and by one if there is a limit. Both
/// must print the same.
struct SideBySideTests {
  private let folder = TemporaryFolder("threads")
  private let path: String

  init() throws {
    let forge = try StoreForge(path: folder.path("App.store"), model: FixtureModels.library)
    try BulkForge.fill(forge) { bulk in
      let books = try bulk.insert(
        "Book", count: 60_000, ["title": "'\"Book\", ' || i"])
      var changes = BulkForge.Changes(.update, of: "Book", keys: books, count: 70_000, perTransaction: 7)
      changes.properties = ["title"]
      try bulk.record(changes)
    }
    try forge.connection.execute("DELETE FROM ZBOOK WHERE Z_PK BETWEEN 9000 AND 30000 OR Z_PK % 11 = 0")
    try forge.connection.execute("UPDATE ZBOOK SET ZTITLE = NULL WHERE Z_PK % 5 = 0")
    try forge.close()
    path = forge.path
  }

  private func output(_ words: [String]) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var environment = CommandEnvironment()
    environment.storePath = path
    environment.output = .memory { bytes += $0 }
    let command = try #require(CommandTable.command(named: words[0]))
    #expect(try Application.run(command, Array(words.dropFirst()), in: environment) == 0)
    return bytes
  }

  @Test(arguments: [
    ["rows", "Book"], ["rows", "Book", "--columns", "title,pk"], ["history"],
    ["history", "--transaction", "50..9000"],
  ])
  func threadsPrintWhatOneThreadPrints(_ words: [String]) throws {
    for format in ["csv", "ndjson"] {
      let words = words + ["--format", format]
      let one = try output(words + ["--limit", "10000000"])
      #expect(one.count > 500_000)
      #expect(try output(words) == one, "\(format)")
    }
  }

  /// Or the other tests would compare one thread with one thread.
  @Test func severalThreadsRead() throws {
    let open = try OpenStore(at: path)
    let readers = { try open.stores(2) }
    let rows = try ObjectRows(open.store.entity(named: "Book"), in: open.store)
    #expect(try #require(try rows.parts(readers: readers)).count > 3)
    let history = HistoryRows(try #require(try HistoryReader(open.store)), in: open.store)
    #expect(try #require(try history.parts(readers: readers)).count > 3)
  }

  /// What several threads look through first must be all that one thread finds, in its order.
  @Test(arguments: ["55", "Book", "'\"Book\", 59999", "nothing", "8998", "0"])
  func threadsFindWhatOneThreadFinds(_ text: String) throws {
    let open = try OpenStore(at: path)
    var readings = 0
    func found(_ readers: @escaping () throws -> [CoreDataStore]) throws -> [Int64] {
      let search = ValueSearch(
        SearchQuestion(text, of: open.store.schema.entities), in: open.store, readers: readers)
      var keys: [Int64] = []
      while let match = try search.next() { keys.append(match.object.primaryKey) }
      return keys
    }
    let one = try found { [] }
    let several = try found {
      readings += 1
      return Array(try open.stores(3).dropFirst())
    }
    #expect(one == several)
    #expect(readings > 0)
  }

  /// SQLite keeps any value in any column. What lies between two whole numbers must not get lost between two threads, nor
  /// what comes before or behind all of them.
  @Test(arguments: [
    "UPDATE ACHANGE SET ZTRANSACTIONID = 5000.5 WHERE Z_PK = 40000",
    "UPDATE ACHANGE SET ZTRANSACTIONID = 1e300 WHERE Z_PK = 40000",
    "UPDATE ACHANGE SET ZTRANSACTIONID = 'x' WHERE Z_PK = 40000",
    "UPDATE ACHANGE SET ZTRANSACTIONID = x'00' WHERE Z_PK = 40000",
    """
    CREATE TABLE copy AS SELECT * FROM ZBOOK; DROP TABLE ZBOOK; ALTER TABLE copy RENAME TO ZBOOK;
    UPDATE ZBOOK SET Z_PK = 40000.5 WHERE Z_PK = 40000; UPDATE ZBOOK SET Z_PK = 'x' WHERE Z_PK = 40001
    """,
    """
    CREATE TABLE copy AS SELECT * FROM ZBOOK; DROP TABLE ZBOOK; ALTER TABLE copy RENAME TO ZBOOK;
    UPDATE ZBOOK SET Z_PK = NULL WHERE Z_PK = 40000
    """,
    // Texts have another order than the numbers that the ranges begin with.
    """
    CREATE TABLE copy(Z_PK VARCHAR PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, ZYEAR INTEGER, ZTITLE VARCHAR);
    INSERT INTO copy(Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZYEAR, ZTITLE)
      SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHOR, ZYEAR, ZTITLE FROM ZBOOK;
    DROP TABLE ZBOOK; ALTER TABLE copy RENAME TO ZBOOK
    """,
  ])
  func strangeKeysAreNotLost(_ change: String) throws {
    let connection = try Connection(path: path, options: .readWrite(create: false))
    try connection.execute(change)
    connection.close()
    for words in [["history"], ["rows", "Book"]] {
      let one = try output(words + ["--format", "csv", "--limit", "10000000"])
      #expect(try output(words + ["--format", "csv"]) == one)
    }
    _ = try output(["entities", "Book"])
  }

  /// A change without a transaction belongs to no range of transactions, and is printed nonetheless.
  @Test func changesWithoutTransactionAreNotLost() throws {
    let connection = try Connection(path: path, options: .readWrite(create: false))
    try connection.execute("UPDATE ACHANGE SET ZTRANSACTIONID = NULL WHERE Z_PK = 40000")
    connection.close()
    let one = try output(["history", "--format", "csv", "--limit", "10000000"])
    #expect(try output(["history", "--format", "csv"]) == one)
    #expect(one.count { $0 == 0x0A } == 70_001)
  }
}
