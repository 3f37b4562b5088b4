import Foundation
import SQLite
import TestSupport
import Testing

/// A1: as long as a person read in the pager, or a pipe's reader slept, the app could not save: "database is locked".
@Suite(.waiting) struct SlowReaderTests {
  private static let rows = 6000

  private static func demo(_ journal: String) throws -> Demo {
    let demo = try Demo()
    let connection = try Connection(path: demo.path, options: .readWrite())
    try connection.execute("PRAGMA journal_mode = \(journal)")
    // More than a pipe holds, so that the rest waits for the reader.
    try connection.execute(
      """
      WITH RECURSIVE n(i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < \(1000 + rows))
      INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT i, (SELECT Z_ENT FROM ZPERSON), 1, 'Somebody with a long name, number ' || i FROM n
      """)
    connection.close()
    return demo
  }

  /// An app that has the store open, as one with a WAL is while it runs.
  private func app(_ demo: Demo) throws -> Connection {
    var options = OpenOptions(.readWrite(create: false))
    options.busyTimeoutMilliseconds = 0
    let app = try Connection(path: demo.path, options: options)
    try app.execute("SELECT COUNT(*) FROM ZTAG")
    return app
  }

  private func mode(_ app: Connection) throws -> [String] {
    try app.rows("PRAGMA journal_mode = DELETE") { $0.text(0) }
  }

  /// Waits until the app can do that with the store which a reader's lock forbids.
  private func waitUntilFree(_ app: Connection, _ journal: String) throws {
    let end = Date(timeIntervalSinceNow: 30)
    while true {
      do {
        if journal == "DELETE" {
          return try app.execute("UPDATE ZTAG SET Z_OPT = Z_OPT + 1")
        }
        // Takes an exclusive lock, as the last one does who leaves a store with a WAL.
        if try mode(app) == ["delete"] { return }
      } catch let error as SQLiteError where error.isBusy {}
      try #require(Date() < end, "the store is still locked")
      usleep(50_000)
    }
  }

  @Test(arguments: ["DELETE", "WAL"]) func pipe(journal: String) throws {
    let demo = try Self.demo(journal)
    let app = try app(demo)
    defer { app.close() }
    let words = ["rows", demo.path, "Person", "--format", "ndjson"]
    let expected = try Tool.run(words)
    #expect(expected.outputBytes.count > 10 * 65_536)
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = words
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // The first bytes show that the store is being read; then nobody reads for a while.
    let first = try #require(try output.fileHandleForReading.read(upToCount: 1))
    try waitUntilFree(app, journal)
    #expect(process.isRunning)
    let rest = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(first + rest == expected.outputBytes)
  }

  @Test(arguments: ["DELETE", "WAL"]) func pager(journal: String) throws {
    let demo = try Self.demo(journal)
    let app = try app(demo)
    defer { app.close() }
    let place = TemporaryFolder("pager")
    // A pager whose person looks at the first screen until there is a file, and that says what it has inherited.
    let pager = place.path("pager")
    try place.write(
      Array(
        """
        #!/bin/sh
        ls -l /proc/$$/fd > '\(place.path)/descriptors' 2>&1
        while [ ! -e '\(place.path)/go' ]; do sleep 0.05; done
        wc -l; echo the end

        """.utf8), to: "pager")
    let session = try TerminalSession(
      ["rows", demo.path, "Person", "--format", "ndjson"], environment: ["PAGER": "sh '\(pager)'"])
    try session.wait("the pager") { FileManager.default.fileExists(atPath: place.path("descriptors")) }
    try waitUntilFree(app, journal)
    #expect(session.openFiles(below: demo.folder.path).isEmpty)
    try place.write([], to: "go")
    try session.wait(for: "the end")
    #expect(try session.end() == 0)
    let lines = try #require(
      session.transcript.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) })
    #expect(lines > Self.rows)
    let inherited = try place.text("descriptors")
    #expect(!inherited.contains(demo.folder.path), "\(inherited)")
  }

  /// One that reads the beginning and goes, also after a nap, ends the command early and without a word.
  @Test(arguments: ["", "sleep 2; "]) func head(nap: String) throws {
    let demo = try Self.demo("DELETE")
    let result = try Tool.run(
      "/bin/bash",
      [
        "-c",
        "'\(Tool.path)' rows '\(demo.path)' Person --format ndjson | (\(nap)head -n 1); exit ${PIPESTATUS[0]}",
      ]
    ).expectDone()
    #expect(result.output.split(separator: "\n").count == 1)
  }

  /// A pager that can't be run showed nothing, and the command said that all was well.
  @Test func noPager() throws {
    let demo = try Self.demo("DELETE")
    let session = try TerminalSession(
      ["rows", demo.path, "Person"], environment: ["PAGER": "sh -c /nonexistent/pager"])
    try session.wait(for: "can't be run")
    #expect(try session.end() == 2)
  }
}

extension TerminalSession {
  /// Which files below a folder the program has open.
  func openFiles(below folder: String) -> [String] {
    let place = "/proc/\(processID)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: place)) ?? []
    return names.compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(place)/\($0)") }
      .filter { $0.hasPrefix(folder) }
  }
}
