import Foundation
import TestSupport
import Testing

/// What a command has changed, it says, whatever happens to it afterwards.
@Suite(.waiting) struct ReceiptTests {
  private let demo: Demo
  private let place = TemporaryFolder("receipt")
  private let name: String

  init() throws {
    demo = try Demo()
    name = URL(filePath: demo.path).lastPathComponent
  }

  private var apply: [String] { Self.apply(demo) }

  private static func apply(_ demo: Demo, _ step: String = "--pull") -> [String] {
    ["resync", demo.path, step, "--apply", "--confirm", URL(filePath: demo.path).lastPathComponent]
  }

  /// Runs the program on a terminal of its own: only there it is sure to get signals.
  /// - Parameter injection: what strace does at a call of the system, `fsync:signal=INT:when=2`.
  private func trace(_ injection: String?, _ words: [String]) throws -> (status: Int32, screen: String) {
    let options = injection.map { ["-e", "inject=\($0)"] } ?? []
    let session = try TerminalSession(
      ["-f", "-o", place.path("trace"), "-e", "trace=openat,renameat,mkdir,fsync"] + options + [Tool.path]
        + words, of: try #require(Tool.strace), columns: 400)
    return (try session.end(), session.transcript)
  }

  private func traced() throws -> [Substring] {
    try place.text("trace").split(separator: "\n")
  }

  private func logs() throws -> String {
    let names = try demo.folder.names().filter { $0.hasSuffix(".log") }
    return try names.map { try demo.folder.text($0) }.joined()
  }

  // MARK: D1

  /// The store was opened again after the commit, and what the app did to it by then made a failure of a success.
  @Test(.enabled(if: Tool.strace != nil, "needs strace")) func storeIsLeftAlone() throws {
    let result = try trace(nil, apply)
    #expect(result.status == 0 && result.screen.contains("Done"), "\(result)")
    let calls = try traced()
    // The log's second state is the last that a change writes, and is on the medium before the change counts as made.
    let applied = try #require(calls.lastIndex { $0.contains(" fsync(") })
    let later = calls[applied...].filter { $0.contains("/\(name)\"") || $0.contains("/\(name)-") }
    #expect(later.isEmpty, "\(later)")
  }

  /// The backup's place was never told if the result couldn't be written.
  @Test(arguments: ["> /dev/full", ">&-"]) func outputError(redirection: String) throws {
    func run(_ words: [String]) throws -> Tool.Result {
      let line = ([Tool.path] + words).map { "'\($0)'" }.joined(separator: " ")
      return try Tool.run("/bin/bash", ["-c", "\(line) \(redirection)"])
    }
    try run(apply).expectRefused(
      "The change of '", "was made", ".backup", ".log'", "could not be written")
    #expect(try logs().contains("\"applied\""))
    let backup = try #require(try demo.folder.names().first { $0.hasSuffix(".backup") })
    try run(["restore", demo.folder.path(backup), "--confirm", name])
      .expectRefused("was restored from", ".replaced'", "could not be written")
    try run(["redact", demo.path, "-o", place.path("Copy.store")])
      .expectRefused("The copy is '", "could not be written")
    try run(["handover", demo.path, "-o", place.path("case.zip")])
      .expectRefused("wrote ", "could not be written")
    try run(["export", demo.path, "--to", place.path("dump")])
      .expectRefused("was exported to '", "could not be written")
  }

  /// A reader that goes away is no error, but the backup's place has to be somewhere.
  @Test func readerGone() throws {
    let line = ([Tool.path] + apply).map { "'\($0)'" }.joined(separator: " ")
    let result = try Tool.run("/bin/bash", ["-c", "(sleep 0.2; \(line); echo $? >&2) | true"])
    #expect(result.errors.contains("was made; the backup is '") && result.errors.hasSuffix("\n0\n"))
  }

  // MARK: D6

  /// Ctrl-C at any moment of a change ends with what came of it. Before, the program was simply gone; and in the shell
  /// `restore` replaced the store without a word.
  @Test(.enabled(if: Tool.strace != nil, "needs strace"), arguments: ["resync", "restore"])
  func interruptedAfterwards(
    _ command: String
  ) throws {
    var words = apply
    // No change is made twice, so that calls are counted on another store that is the same.
    let other = try Demo()
    var counted = Self.apply(other)
    if command == "restore" {
      _ = try Tool.run(apply)
      let backup = try #require(try demo.folder.names().first { $0.hasSuffix(".backup") })
      words = ["restore", demo.folder.path(backup), "--to", place.path("Then.store")]
      counted = ["restore", demo.folder.path(backup), "--to", place.path("Again.store")]
    }
    _ = try trace(nil, counted)
    // The last one is the log's second state, or the store's arrival.
    let call = command == "restore" ? "renameat" : "fsync"
    let count = try traced().count { $0.contains(" \(call)(") }
    try #require(count > 0)
    let result = try trace("\(call):signal=INT:when=\(count)", words)
    #expect(result.status == 0, "\(result)")
    #expect(result.screen.contains(command == "restore" ? "Restored" : "Done"))
    #expect(result.screen.contains("interrupted too late: this was already done"), "\(result)")
  }

  @Test(.enabled(if: Tool.strace != nil, "needs strace")) func interruptedBefore() throws {
    let before = try FileTree.hashes(demo.folder.path)
    // The first folder that is made is the backup's.
    let result = try trace("mkdir:signal=INT:when=1", apply)
    #expect(result.status == 2 && result.screen.contains("interrupted: nothing was changed."), "\(result)")
    #expect(try FileTree.hashes(demo.folder.path) == before)
  }

  /// What follows in a script was not wanted any more.
  @Test(.enabled(if: Tool.strace != nil, "needs strace")) func interruptedScript() throws {
    let other = try Demo()
    // The first change ends the -wal, which the shell would find open.
    for demo in [demo, other] { _ = try Tool.run(Self.apply(demo, "--rescan")) }
    _ = try trace(nil, Self.apply(other))
    let ends = try traced().count { $0.contains(" fsync(") }
    let line = "resync --pull --apply --confirm \(name)"
    let result = try trace(
      "fsync:signal=INT:when=\(ends)", ["shell", demo.path, "-c", line, "-c", "entities"])
    #expect(result.status == 2 && result.screen.contains("Done"), "\(result)")
    #expect(!result.screen.contains("ZPERSON") && result.screen.contains("-c 2: interrupted"), "\(result)")
  }

  @Test func interruptedQuestion() throws {
    let before = try FileTree.hashes(demo.folder.path)
    let session = try TerminalSession(["resync", demo.path, "--pull", "--apply"])
    try session.wait(for: "Type the store's file name")
    session.type("\u{3}")
    #expect(try session.end() == 2)
    #expect(session.transcript.contains("interrupted: nothing was changed"), "\(session.transcript)")
    let shell = try TerminalSession([demo.path, "--no-pager"])
    try shell.waitForPrompt()
    shell.type("resync --pull --apply\r")
    try shell.wait(for: "Type the store's file name")
    shell.type("\u{3}")
    try shell.wait(for: "(interrupted: nothing was changed)")
    #expect(try FileTree.hashes(demo.folder.path) == before)
  }

  // MARK: L13

  /// Without its words the program printed help, exit code 0, whatever it had been asked.
  @Test(.enabled(if: Tool.strace != nil, "needs strace")) func noCommandLine() throws {
    let result = try Tool.run(
      try #require(Tool.strace),
      [
        "-f", "-o", "/dev/null", "-e", "trace=openat", "-P", "/proc/self/maps", "-e",
        "inject=openat:error=EIO", Tool.path, "doctor", demo.path,
      ])
    #expect(result.status == 64 && result.output.isEmpty)
    #expect(result.errors.contains("storescope: The command line can't be read; see that /proc is mounted"))
  }
}
