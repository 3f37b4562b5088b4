import Forge
import Foundation
import TestSupport
import Testing

/// What people see of stores in containers.
struct FindScreenTests {
  /// It was wrapped inside of names, or cut, and nobody could paste it.
  @Test("An address that is wider than the terminal has a line of its own")
  func wideAddress() throws {
    let folder = try TemporaryFolder("strange")
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
    let folder = try TemporaryFolder("strange")
    let store = try FindRun.store()
    try folder.write(store, to: "a.store")
    try folder.write(Array(store.prefix(100)), to: "b.store")
    let result = try Tool.run(["find", "."] + options, in: folder.path)
    #expect(result.status == 0 && result.errors.contains("skipped ./b.store: "), "\(result.errors)")
    #expect(try Tool.run(["find", ".", "--quiet"] + options, in: folder.path).errors.isEmpty)
  }

  /// It said that repairs can be planned, and listed commands that are refused.
  @Test("What repair says of an address is true")
  func repairs() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("App.store", try FindRun.store())
    try folder.write(zip.ended, to: "a.zip")
    let result = try Tool.run(["repair", "a.zip"], in: folder.path)
    #expect(result.status == 0, "\(result.errors)")
    #expect(
      result.output.contains("\n  storescope find 'a.zip!/App.store' --copy-to App\n"), "\(result.output)")
    #expect(!result.output.contains("can be planned") && !result.output.contains("--apply"))
  }

  /// The copy stayed: readline's completion kept it to the end of the process, and signals ended that at once.
  @Test("However a shell ends, its copy goes", arguments: ["quit", "SIGTERM", "SIGHUP", "SIGKILL"])
  func shellEnds(_ way: String) throws {
    let folder = try TemporaryFolder("strange")
    try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
    var zip = ZipForge()
    zip.add("App.store", try FindRun.store())
    try folder.write(zip.ended, to: "a.zip")
    let session = try TerminalSession(
      ["shell", folder.path("a.zip")], environment: ["TMPDIR": folder.path("tmp")])
    try session.waitForPrompt()
    #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
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
      #expect(try !FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
      _ = try FindRun.find("a.zip", in: folder)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp")).isEmpty)
  }

  /// Where an operation was applied, the folder has a backup of ours.
  @Test("A folder with a store and a backup of it stands for the store")
  func ownBackups() throws {
    let folder = try TemporaryFolder("strange")
    _ = try DemoStore.copy(in: folder.path("place"))
    let applied = try Tool.run(
      ["resync", "place/" + DemoStore.fileName, "--pull", "--apply", "--confirm", DemoStore.fileName],
      in: folder.path)
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try FindRun.find("place", in: folder).addresses.count == 2)
    let result = try Tool.run(["summary", "place", "--json"], in: folder.path)
    #expect(result.status == 0 && result.output.contains("place/\(DemoStore.fileName)"), "\(result.errors)")
  }

  /// It ended as a search does that found nothing because there is nothing.
  @Test("If nothing can be read, the exit code says so", arguments: ["a.zip", "place", "both"])
  func nothingReadable(_ what: String) throws {
    let folder = try TemporaryFolder("strange")
    let damaged = Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 8176)
    var zip = ZipForge()
    zip.add("App.store", damaged)
    try folder.write(zip.ended, to: "a.zip")
    try FileManager.default.createDirectory(atPath: folder.path("place"), withIntermediateDirectories: true)
    try folder.write(damaged, to: "place/App.store")
    let places = what == "both" ? ["a.zip", "place"] : [what]
    let result = try Tool.run(["find"] + places, in: folder.path)
    #expect(result.status == 2)
    #expect(result.output.contains("No store was found that can be read."), "\(result.output)")
    #expect(
      result.errors.contains(
        what == "both"
          ? "None of these places has a store that can be read" : "'\(what)' has no store that can be read"))
    // What isn't asked for can be read all the same.
    try folder.write(try FindRun.store(), to: "place/Other.store")
    #expect(
      try Tool.run(["find"] + places + ["--app", "none"], in: folder.path).status == (what == "a.zip" ? 2 : 0)
    )
  }

  /// What was skipped elsewhere in the archive hid that nothing is at the address.
  @Test(
    "What was skipped counts if it lies at the address that was asked for",
    arguments: [("nothing", "has no store at 'nothing"), ("bad", "has no store that can be read")])
  func addressOfNothing(_ place: String, _ says: String) throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    zip.add("../u.store", try FindRun.store())
    zip.add("bad/App.store", Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 8176))
    try folder.write(zip.ended, to: "n.zip")
    let result = try Tool.run(["find", "n.zip!/\(place)/"], in: folder.path)
    #expect(result.status == 2 && result.errors.contains(says), "\(result.errors)")
  }

  @Test("In the shell, stores are numbered, and a number opens one, in whichever store one is")
  func numbers() throws {
    let folder = try TemporaryFolder("strange")
    var zip = ZipForge()
    for name in ["A", "B"] { zip.add("\(name).store", try FindRun.store()) }
    try folder.write(zip.ended, to: "a.zip")
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
    session.type("quit\r")
    #expect(try session.end() == 0)
  }
}
