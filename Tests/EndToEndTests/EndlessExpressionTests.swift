import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// Stores whose schema has an expression that takes days in a single instruction of SQLite's. Why these exist: 30 kB in a
/// zip kept `find`, `summary`, the shell and others busy for good, and Ctrl-C didn't help (H1).
@Suite(.waiting) struct EndlessExpressionTests {
  static let endless = "instr(hex(zeroblob(15000000)), hex(zeroblob(7000000)) || '1')"

  enum Place: String, CaseIterable, Sendable {
    case column, check, index, partialIndex

    /// In place of what SQLite would refuse to make: it would compute it at once.
    func edit(_ connection: Connection) throws {
      let sql =
        switch self {
        case .column: "replace(sql, 'ZTEXT VARCHAR', 'ZTEXT VARCHAR AS (\(quoted))')"
        case .check: "rtrim(rtrim(sql), ')') || ', CHECK (\(quoted) >= 0))'"
        case .index: "'CREATE INDEX ZENTRY_ZTRIP_INDEX ON ZENTRY(\(quoted))'"
        case .partialIndex: "'CREATE INDEX ZENTRY_ZTRIP_INDEX ON ZENTRY(ZTRIP) WHERE \(quoted) > 0'"
        }
      let name = [.column, .check].contains(self) ? "ZENTRY" : "ZENTRY_ZTRIP_INDEX"
      try connection.execute("PRAGMA writable_schema = ON")
      try connection.execute("UPDATE sqlite_master SET sql = \(sql) WHERE name = '\(name)'")
      try connection.execute("PRAGMA writable_schema = OFF")
    }

    private var quoted: String { EndlessExpressionTests.endless.replacingOccurrences(of: "'", with: "''") }
  }

  @Test(arguments: Place.allCases) func commandsAnswer(_ place: Place) throws {
    let demo = try Demo(leaving: .nothing) { try place.edit($0.connection) }
    for words in [
      ["summary"], ["doctor"], ["doctor", "--thorough"], ["pending"], ["preflight"], ["entities"],
      ["history"],
      ["report", "-o", "-", "--format", "json"], ["resync", "--push", "--rehearse"], ["find"],
    ] {
      let target = words == ["find"] ? demo.folder.path : demo.path
      let result = try Tool.run([words[0], target] + words.dropFirst(), seconds: 100)
      #expect([0, 1].contains(result.status), "\(words): \(result.status) \(result.errors)")
    }
    let doctor = try Tool.run(["doctor", demo.path, "--thorough", "--verbose"], seconds: 100)
    switch place {
    case .column: #expect(doctor.output.contains("ZENTRY wasn't checked: generated"), "\(doctor.output)")
    case .check: #expect(!doctor.output.contains("ZENTRY wasn't"), "\(doctor.output)")
    case .index, .partialIndex:
      #expect(doctor.output.contains("ZENTRY wasn't compared with all indexes"), "\(doctor.output)")
    }
  }

  /// Nothing but the end of the process ends it.
  @Test func sqlThatDoesNotStopEndsTheProgram() throws {
    let demo = try Demo()
    let result = try Tool.run(
      ["query", demo.path, "SELECT \(Self.endless)", "--timeout", "1"], seconds: 100)
    #expect(result.status == 2, "\(result)")
    #expect(
      result.errors.hasPrefix(
        "storescope: 'query' was ended: SQLite was still computing an expression of the SQL or of the tables in '\(demo.path)'"
      ),
      "\(result.errors)")
  }

  /// Of the shell as well, after Ctrl-C; the terminal is as it was.
  @Test func controlCEndsAShellThatDoesNotStop() throws {
    let demo = try Demo()
    let session = try TerminalSession(["shell", demo.path, "--private", "--quiet"], columns: 200)
    try session.waitForPrompt()
    session.type("SELECT \(Self.endless);\r")
    session.take(for: 1)
    session.type("\u{3}")
    #expect(try session.end(seconds: 60) == 2)
    #expect(session.transcript.contains("storescope: 'query' was ended"), "\(session.transcript)")
    #expect(session.echoes)
  }
}
