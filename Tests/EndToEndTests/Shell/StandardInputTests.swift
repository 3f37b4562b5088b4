import Foundation
import TestSupport
import Testing

/// `storescope STORE` without a command: what is on standard input decides, and nothing that is somebody else's is taken.
@Suite(.waiting) struct StandardInputTests {
  private let demo: Demo
  private let summary: String

  init() throws {
    demo = try Demo()
    summary = try demo.run("summary").output
  }

  /// Runs a line of a POSIX shell, with the program as `$S` and the store as `$D`.
  private func sh(_ line: String) throws -> Tool.Result {
    try Tool.run(
      "/bin/sh", ["-c", line], environment: ["S": Tool.path, "D": demo.path], in: demo.folder.path)
  }

  @Test(arguments: [
    "echo 'rows Person --json' | \"$S\" \"$D\"", "printf 'rows Person --json' | \"$S\" \"$D\"",
    "echo 'rows Person' | \"$S\" \"$D\" --json", "echo 'rows Person --json' > in; \"$S\" \"$D\" < in",
    "(sleep 0.3; echo; echo '# x'; echo .rows Person --json) | \"$S\" \"$D\"",
    "echo 'rows Person --json' | \"$S\" shell \"$D\" -f -",
    "\"$S\" \"$D\" -c 'rows Person --json'", "echo 'rows Person --json' | \"$S\" shell \"$D\" -c 'read -'",
  ]) func commandsRun(_ line: String) throws {
    let result = try sh(line).expectDone(line)
    #expect(result.output == (try demo.run("rows", "Person", "--json").output))
  }

  @Test(arguments: [
    "\"$S\" \"$D\" < /dev/null", "\"$S\" \"$D\" <&-", ": | \"$S\" \"$D\"", ": > in; \"$S\" \"$D\" < in",
    "printf 'a\\nb\\n' > in; (read line; exec \"$S\" \"$D\") < in", "echo no | \"$S\" summary \"$D\"",
  ]) func withoutCommandsThereIsTheSummary(_ line: String) throws {
    let result = try sh(line).expectDone(line)
    #expect(result.output == summary)
  }

  /// `query` listed the saved queries instead, with exit code 0, so that scripts got wrong data.
  @Test(arguments: ["", " -", " -f -", " --file=-"]) func queryRunsTheSQL(_ words: String) throws {
    let result = try sh("echo 'SELECT 1 AS one' | \"$S\" query \"$D\"\(words) --format csv").expectDone(words)
    #expect(result.output == "one\r\n1\r\n" || result.output == "one\n1\n")
    let two = try sh("printf 'SELECT 1;\\nSELECT 2;\\n' | \"$S\" query \"$D\"\(words) --format csv")
      .expectDone(words)
    #expect(two.output.filter { $0.isNumber } == "1122")
    let list = try sh("\"$S\" query \"$D\" < /dev/null")
    #expect(list.output == (try demo.run("query").output))
  }

  /// On the command line this was SQL.
  @Test(arguments: ["", "query "]) func quotedSQLMayHaveLines(
    _ command: String
  ) throws {
    let result = try sh("printf '%s\\n' \"\(command)'SELECT title\" \"FROM Trip'\" | \"$S\" \"$D\"")
      .expectDone(command)
    #expect(result.output == (try demo.run("query", "SELECT title FROM Trip").output))
  }

  /// A loop over a list of stores got one answer, as the first call swallowed the list.
  @Test func aLoopOverAFileKeepsItsLines() throws {
    let result = try sh("printf 'a\\nb\\nc\\n' > in; while read line; do \"$S\" \"$D\"; done < in")
      .expectDone()
    #expect(result.output == summary + summary + summary)
  }

  /// Of a pipe that cannot be told: no more than one line is taken, and that is an error.
  @Test func aLoopOverAPipeLosesNoMoreThanALine() throws {
    let result = try sh("printf '%s\\n' 1 a.store 3 4 | { read line; \"$S\" \"$D\"; echo \"rc $?\"; cat; }")
    #expect(result.output == "rc 64\n3\n4\n")
    #expect(result.errors.contains("stdin:1: There is no command 'a.store'."))
    let named = try sh("printf '%s\\n' 1 2 3 | while read line; do \"$S\" summary \"$D\"; done")
    #expect(named.output == summary + summary + summary)
  }

  /// What daemons and build servers leave as standard input: nobody ever writes to it, and it never ends.
  @Test func aSilentPipeHoldsNobodyUp() throws {
    let result = try sh("mkfifo pipe; sleep 60 > pipe & \"$S\" \"$D\" < pipe; kill $!")
    #expect(result.output == summary && result.errors.contains("no commands on standard input"))
  }

  @Test(arguments: [
    ("echo 'rows Pesron'", 2, "stdin:1: ", "Did you mean 'Person'? Entities: "),
    ("printf 'version\\n\\nrwos Trip\\n'", 64, "stdin:3: ", "Did you mean 'rows'?"),
    ("echo 'rows Person | cat'", 64, "stdin:1: ", "typed lines only"),
    ("printf 'SELECT 1\\nFROM Trip\\nSELECT 2;\\n'", 2, "stdin:1: ", "near \"SELECT\": syntax error"),
    ("echo 'edit'", 64, "stdin:1: ", "terminal"), ("echo DELETE FROM ZTRIP", 2, "stdin:1: ", "only reading"),
  ]) func errorsNameTheirLine(_ input: String, _ status: Int32, _ place: String, _ says: String) throws {
    let result = try sh("\(input) | \"$S\" \"$D\"")
    #expect(result.status == status && result.errors.hasPrefix("storescope: " + place), "\(result.errors)")
    #expect(result.errors.contains(says), "\(result.errors)")
  }

  @Test func aStoreThatIsNoneIsNamedWithoutALine() throws {
    let result = try sh("echo version | \"$S\" nothing.store").expectRefused("nothing.store")
    #expect(!result.errors.contains("stdin"))
  }

  /// Results go to files from scripts, too, and never to a file of the store.
  @Test func resultsAreSentToFiles() throws {
    let result = try demo.folder.run(
      "shell", demo.path, "-c", "rows Person --format csv > out", "-c", "SELECT 1 AS one; >> out", "-c",
      "once once", "-c", "format csv", "-c", "rows Tag --limit 1", "-c", "rows Trip --limit 1 > 'a b'", "-c",
      "version"
    ).expectDone()
    #expect(result.output == "storescope 0.1.0\n")
    let out = try demo.folder.text("out")
    #expect(out.hasPrefix("uri,") && out.hasSuffix("one\n───\n  1\n(1 row)\n"), "\(out)")
    #expect(try !demo.folder.read("once").isEmpty && !demo.folder.read("a b").isEmpty)
    let before = try FolderSnapshot(demo.folder.path)
    for line in ["version > Journeys.store", "version >> Journeys.store-wal", "once Journeys.store"] {
      try demo.folder.run("shell", demo.path, "-c", line).expectRefused("never overwritten")
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }
}
