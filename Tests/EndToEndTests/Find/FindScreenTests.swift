import Forge
import Foundation
import TestSupport
import Testing

/// What people see of stores in containers.
struct FindScreenTests {
  private let folder = TemporaryFolder("strange")

  /// It was wrapped inside of names, or cut, and nobody could paste it.
  @Test("An address that is wider than the terminal has a line of its own")
  func wideAddress() throws {
    // Looks like a time, of which people see less.
    let name = String(repeating: "2026-03-22T15:00:00.500000Z ", count: 6) + ".store"
    for count in 1...2 {
      try folder.write(try FindRun.store(), to: "\(count)\(name)")
      let shown = try PseudoTerminal.run(["find", folder.path], columns: 80)
      let lines = shown.split(separator: "\n")
      for number in 1...count { #expect(lines.contains("  '\(folder.path)/\(number)\(name)'"), "\(shown)") }
      #expect(!shown.contains("Not shown"), "\(shown)")
    }
  }

  /// A script that reads rows only took a place with a damaged store for one without it.
  @Test(arguments: [["--format", "csv"], ["--format", "ndjson"], ["--columns", "store"]])
  func whatIsSkippedIsAlsoSaidBesideRows(_ options: [String]) throws {
    let store = try FindRun.store()
    try folder.write(store, to: "a.store")
    try folder.write(Array(store.prefix(100)), to: "b.store")
    try folder.run(["find", "."] + options).expectErrors(status: 0, "skipped ./b.store: ")
    #expect(try folder.run(["find", ".", "--quiet"] + options).errors.isEmpty)
  }

  /// It said that repairs can be planned, and listed commands that are refused.
  @Test("What repair says of an address is true")
  func repairs() throws {
    try folder.pack([("App.store", try FindRun.store())], as: "a.zip")
    try folder.run("repair", "a.zip").expectOutput(
      status: 0, "\n  storescope find 'a.zip!/App.store' --copy-to App\n", lacks: "can be planned", "--apply")
  }

  /// The copy stayed: readline's completion kept it to the end of the process, and signals ended that at once.
  @Test("However a shell ends, its copy goes", arguments: ["quit", "SIGTERM", "SIGHUP", "SIGKILL"])
  func shellEnds(_ way: String) throws {
    try folder.makeFolder("tmp")
    try folder.pack([("App.store", try FindRun.store())], as: "a.zip")
    let session = try TerminalSession(
      ["shell", folder.path("a.zip")], environment: ["TMPDIR": folder.path("tmp")])
    try session.waitForPrompt()
    #expect(try !folder.names(in: "tmp").isEmpty)
    switch way {
    case "quit": session.type("quit\r")
    case "SIGTERM": kill(session.processID, SIGTERM)
    case "SIGKILL": kill(session.processID, SIGKILL)
    default: kill(session.processID, SIGHUP)
    }
    let status = ["quit": 0, "SIGTERM": 143, "SIGKILL": 137][way] ?? 129
    #expect(try session.end() == status)
    if way == "SIGKILL" {
      // Nobody could; the next one does.
      #expect(try !folder.names(in: "tmp").isEmpty)
      _ = try FindRun.find("a.zip", in: folder)
    }
    #expect(try folder.names(in: "tmp").isEmpty)
  }

  /// Where an operation was applied, the folder has a backup of ours.
  @Test("A folder with a store and a backup of it stands for the store")
  func ownBackups() throws {
    _ = try DemoStore.copy(in: folder.path("place"))
    try folder.run(
      "resync", "place/" + DemoStore.fileName, "--pull", "--apply", "--confirm", DemoStore.fileName
    ).expectStatus()
    #expect(try FindRun.find("place", in: folder).addresses.count == 2)
    try folder.run("summary", "place", "--json").expectOutput(status: 0, "place/\(DemoStore.fileName)")
  }

  /// It ended as a search does that found nothing because there is nothing.
  @Test("If nothing can be read, the exit code says so", arguments: ["a.zip", "place", "both"])
  func nothingReadable(_ what: String) throws {
    let damaged = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 8176)
    try folder.pack([("App.store", damaged)], as: "a.zip")
    try folder.makeFolder("place")
    try folder.write(damaged, to: "place/App.store")
    let places = what == "both" ? ["a.zip", "place"] : [what]
    let result = try folder.run(["find"] + places).expectStatus(2)
    #expect(result.output.contains("No store was found that can be read."), "\(result.output)")
    #expect(
      result.errors.contains(
        what == "both"
          ? "None of these places has a store that can be read" : "'\(what)' has no store that can be read"))
    // What isn't asked for can be read all the same.
    try folder.write(try FindRun.store(), to: "place/Other.store")
    #expect(try folder.run(["find"] + places + ["--app", "none"]).status == (what == "a.zip" ? 2 : 0))
  }

  /// What was skipped elsewhere in the archive hid that nothing is at the address.
  @Test(
    "What was skipped counts if it lies at the address that was asked for",
    arguments: [("nothing", "has no store at 'nothing"), ("bad", "has no store that can be read")])
  func addressOfNothing(_ place: String, _ says: String) throws {
    try folder.pack(
      [
        ("../u.store", try FindRun.store()),
        ("bad/App.store", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 8176)),
      ], as: "n.zip")
    try folder.run("find", "n.zip!/\(place)/").expectErrors(status: 2, says)
  }

  @Test("In the shell, stores are numbered, and a number opens one, in whichever store one is")
  func numbers() throws {
    try folder.pack(["A", "B"].map { ("\($0).store", try FindRun.store()) }, as: "a.zip")
    try folder.write(try FindRun.store(), to: "C.store")
    let session = try TerminalSession([folder.path("C.store"), "--no-pager"], columns: 200)
    try session.waitForPrompt()
    func type(_ line: String, _ answer: String) throws {
      session.type(line + "\r")
      try session.wait(for: answer)
    }
    try type("open 1", "There is no number 1: 'find' lists stores with numbers")
    try type("find '\(folder.path("a.zip"))'", "'open NUMBER' opens one of them")
    try type("open 2", "B.store · ")
    try type("open 1", "A.store · ")
    try type("open 3", "the last 'find' listed 2 stores")
    // '2' was taken for a file.
    try type("cp 2 out", "--copy-to FOLDER' copies stores")
    try type("find 2 --copy-to '\(folder.path("one"))'", "one/B.store")
    // As it is typed there.
    try session.wait(for: "'help places' shows how a changed copy")
    // The numbers on the screen stood for nothing any more, or for the copy.
    try type("open 1", "A.store · ")
    try type("open 3", "B.store · ")
    try type("open 4", "the last 'find' listed 3 stores")
    try type("find '\(folder.path("none"))'", "No such file or directory")
    try type("open 2", "B.store · ")
    // What was copied out is opened where it can be changed.
    try type("find '\(folder.path("a.zip"))' --copy-to '\(folder.path("out"))'", "(2 stores)")
    session.type("open 2\r")
    try type("resync --pull", "Can be applied")
    try session.quit("quit\r")
  }
}
