import CSQLite
import Commands
import Forge
import Synchronization
import TestSupport
import Testing

/// A command opens a store once and reads each of the mirror's small tables once, or not at all: `rows --where` used to
/// read all events to compare two dates, and `diff` and `repair` read everything twice.
struct ReadOnceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    /// What is read of each store; of everything else nothing.
    var reads: Set<SmallTable>
    /// What is read once more, row by row, to be compared.
    var compares: Set<SmallTable> = []

    var testDescription: String { words.joined(separator: " ") }
  }

  enum SmallTable: String, CaseIterable {
    case databases = "ANSCKDATABASEMETADATA d"
    case zones = "ANSCKRECORDZONEMETADATA z"
    case entries = "ANSCKMETADATAENTRY e"
    case events = "ANSCKEVENT e"

    /// Whether that statement reads all of it, for what is remembered.
    func isRead(by sql: String) -> Bool {
      sql.contains("FROM main.\(rawValue)) ORDER BY \"row\" \(self == .events ? "ASC" : "LIMIT")")
    }
  }

  static let cases = [
    Case(words: ["rows", "Person", "--where", "birthday < '1991'"], reads: []),
    Case(words: ["query", "SELECT name FROM Person"], reads: []),
    Case(words: ["query", "SELECT name FROM zones"], reads: []),
    Case(words: ["query", "SELECT state FROM records"], reads: [.entries]),
    Case(words: ["show", "Person/p1"], reads: Set(SmallTable.allCases)),
    // Whether the server has what is here depends on the database.
    Case(words: ["records"], reads: [.databases, .entries, .zones]),
    // A plan says what blocks sync in any case.
    Case(words: ["resync", "--pull"], reads: Set(SmallTable.allCases)),
    Case(words: ["pending"], reads: Set(SmallTable.allCases)),
    Case(words: ["doctor"], reads: Set(SmallTable.allCases)),
    Case(words: ["repair"], reads: Set(SmallTable.allCases)),
    Case(words: ["report", "-o", "-"], reads: Set(SmallTable.allCases)),
    Case(words: ["diff", "OTHER"], reads: Set(SmallTable.allCases), compares: [.events]),
  ]

  @Test(arguments: cases) func eachThingOnce(_ test: Case) throws {
    let folders = [TemporaryFolder("once"), TemporaryFolder("other")]
    let paths = try folders.map { try DemoStore.copy(in: $0.path) }
    let logs = paths.map(StatementLog.init)
    defer { logs.forEach { $0.end() } }
    var environment = CommandEnvironment()
    environment.storePath = paths[0]
    environment.output = .memory { _ in }
    let words = test.words.dropFirst().map { $0 == "OTHER" ? paths[1] : $0 }
    let command = try #require(CommandTable.command(named: test.words[0]))
    #expect(try Application.run(command, words, in: environment) <= 1)
    for log in test.words.contains("OTHER") ? logs : [logs[0]] {
      let statements = log.statements
      #expect(
        statements.count { $0.contains("FROM main.Z_MODELCACHE") || $0.contains("FROM Z_MODELCACHE") } == 1)
      for table in SmallTable.allCases {
        let count = statements.count(where: table.isRead)
        let expected = (test.reads.contains(table) ? 1 : 0) + (test.compares.contains(table) ? 1 : 0)
        #expect(count == expected, "\(table)")
      }
    }
  }
}

/// The statements that run on a store from now on, by whatever connection in this process.
private struct StatementLog {
  private static let logs = Mutex<[String: [String]]>([:])
  private let path: String

  init(_ path: String) {
    self.path = path
    Self.logs.withLock { $0[path] = [] }
    _ = Self.isListening
  }

  var statements: [String] { Self.logs.withLock { $0[path] ?? [] } }

  func end() { _ = Self.logs.withLock { $0.removeValue(forKey: path) } }

  /// SQLite shows every connection that is opened: https://www.sqlite.org/c3ref/auto_extension.html
  private static let isListening: Bool = {
    let listen: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?, UnsafeRawPointer?) -> Int32 = {
      connection, _, _ in
      guard let connection, StatementLog.watched(connection) != nil else { return SQLITE_OK }
      return sqlite3_trace_v2(
        connection, UInt32(SQLITE_TRACE_STMT),
        { _, _, statement, text in
          guard let statement = statement.map(OpaquePointer.init), let text,
            let connection = sqlite3_db_handle(statement), let path = StatementLog.watched(connection)
          else { return 0 }
          let sql = String(cString: text.assumingMemoryBound(to: CChar.self))
          StatementLog.logs.withLock { $0[path]?.append(sql) }
          return 0
        }, nil)
    }
    return sqlite3_auto_extension(unsafeBitCast(listen, to: (@convention(c) () -> Void).self)) == SQLITE_OK
  }()

  /// The path as it was given, where links may lead to it.
  private static func watched(_ connection: OpaquePointer) -> String? {
    guard let name = sqlite3_db_filename(connection, "main").map({ String(cString: $0) }) else { return nil }
    return logs.withLock { logs in logs.keys.first(where: name.hasSuffix) }
  }
}
