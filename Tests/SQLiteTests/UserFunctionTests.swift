import SQLite
import Testing

struct UserFunctionTests {
  let connection: Connection

  init() throws { connection = try Connection(path: ":memory:", options: .readWrite()) }

  @Test(arguments: StatementTests.values) func valuesPassThrough(value: SQLiteValue) throws {
    try connection.addFunction(name: "same", argumentCount: 1) { $0.value(0) }
    #expect(try connection.value("SELECT same(?)", [value]) == value)
  }

  @Test func argumentsAreRead() throws {
    try connection.addFunction(name: "joined", argumentCount: nil) { arguments in
      #expect(arguments.type(99) == .null && arguments.optionalText(-1) == nil)
      return .text((0..<arguments.count).map(arguments.text).joined(separator: "-"))
    }
    #expect(try connection.value("SELECT joined(1, 'b', 2.5, x'43', NULL)") == .text("1-b-2.5-C-"))
    #expect(try connection.value("SELECT joined()") == .text(""))
  }

  @Test func thrownErrorEndsTheStatement() throws {
    struct Reason: Error, CustomStringConvertible { let description = "no such moon" }
    try connection.addFunction(name: "moon", argumentCount: 0) { _ in throw Reason() }
    let error = #expect(throws: SQLiteError.self) { try connection.value("SELECT moon()") }
    #expect(error?.message == "no such moon")
  }

  @Test func viewsMayCallIt() throws {
    try connection.addFunction(name: "twice", argumentCount: 1) { .integer($0.integer(0) * 2) }
    try connection.execute("CREATE TABLE t(a); INSERT INTO t VALUES(4)")
    try connection.execute(
      "CREATE VIEW v AS SELECT twice(a) AS b FROM t; CREATE TEMP VIEW w AS SELECT * FROM v")
    #expect(try connection.value("SELECT b FROM w") == .integer(8))
  }

  @Test func bodyIsFreedWithTheConnection() throws {
    final class Witness {}
    weak var witness: Witness?
    do {
      let owned = Witness()
      witness = owned
      let other = try Connection(path: ":memory:", options: .readWrite())
      try other.addFunction(name: "f", argumentCount: 0) { _ in
        withExtendedLifetime(owned) { .null }
      }
      #expect(witness != nil)
    }
    #expect(witness == nil)
  }

  @Test func bodyIsFreedWhenTheConnectionIsClosedThoughItKeepsAStatement() throws {
    final class Witness {
      let statement: Statement
      init(_ statement: Statement) { self.statement = statement }
    }
    weak var witness: Witness?
    do {
      let other = try Connection(path: ":memory:", options: .readWrite())
      let owned = Witness(try other.prepare("SELECT 1"))
      witness = owned
      try other.addFunction(name: "f", argumentCount: 0) { _ in
        withExtendedLifetime(owned) { .null }
      }
      other.close()
    }
    #expect(witness == nil)
  }
}
