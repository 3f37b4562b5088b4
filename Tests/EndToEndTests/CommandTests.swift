import Commands
import Foundation
import TestSupport
import Testing

/// The binary itself, once for each command: what other tests run is its code in a forked process.
@Suite(.waiting) struct CommandTests {
  /// What each command is given after its name, and the store where it takes one. A new one must be here too.
  private static let words: [String: [String]] = [
    "completions": ["bash"], "demo": ["FOLDER/demo"], "diff": ["OTHER"], "doctor": [], "entities": [],
    "events": [], "explain": ["orphan"], "find": ["."], "fleet": ["OTHER", "--to", "FOLDER/fleet"],
    "export": ["--to", "FOLDER/dump"], "handover": ["-o", "FOLDER/case.zip", "--salt", "test"], "history": [],
    "man": [], "mcp": [], "mirror": [], "pending": [], "preflight": [], "query": ["SELECT 1 AS one"],
    "records": [], "redact": ["-o", "FOLDER/Copy.store", "--salt", "test"], "repair": [], "reset": [],
    "restore": ["FOLDER/none.backup"], "resync": [], "report": ["-o", "FOLDER/report.html"], "rows": ["Trip"],
    "rules": [], "schema": ["doctor"], "search": ["lisbon"], "shell": ["-c", "SELECT 1 AS one", "--private"],
    "show": ["Trip/p1"], "size": [], "summary": [], "trace": ["Trip/p1"],
  ]

  @Test(arguments: CommandTable.all.map(\.name)) func saysTheSameAsItsFork(_ name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    let help = try Tool.run(Tool.path, [name, "--help"]).expectDone()
    #expect(help.output == (try Tool.run([name, "--help"]).output))
    let words = try #require(Self.words[name])
    let (demo, other) = (try Demo(), try Demo())
    let target = TemporaryFolder("command")
    func run(_ runs: ([String]) throws -> Tool.Result, _ folder: String) throws -> Tool.Result {
      try target.makeFolder("x")
      let words = words.map {
        $0 == "OTHER" ? other.path : $0.replacingOccurrences(of: "FOLDER", with: target.path("x"))
      }
      let result = try runs([name] + (command.store == .required ? [demo.path] : []) + words)
      try FileManager.default.moveItem(atPath: target.path("x"), toPath: target.path(folder))
      return result
    }
    let environment = ["SOURCE_DATE_EPOCH": "1780000000"]
    let made = try (
      run({ try Tool.run(Tool.path, $0, environment: environment) }, "binary"),
      run({ try Tool.run($0, environment: environment) }, "fork")
    )
    #expect(made.0.status < 128, "\(made.0.errors)")
    #expect(made.0.status == made.1.status)
    #expect(made.0.output == made.1.output)
    #expect(made.0.errors == made.1.errors)
  }
}
