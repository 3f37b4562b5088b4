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
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder("threads")
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
