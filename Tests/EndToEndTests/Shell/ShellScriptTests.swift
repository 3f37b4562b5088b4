import Archives
import Commands
import Foundation
import TestSupport
import Testing

/// The shell without a terminal: `-c`, `-f`, standard input, and the configuration file.
final class ShellScriptTests: DemoSuite {
  /// Each command once, with arguments where it needs some; a test holds this against the command table.
  static let calls: [[String]] = [
    ["summary"], ["pending"], ["doctor"], ["entities"], ["entities", "Trip"], ["rows", "Trip"],
    ["rows", "Entry", "--where", "rating > 3 AND title <> 'x y'", "--expand"], ["show", "Trip/p1"],
    ["search", "lisbon"], ["search", "lisbom"], ["size"], ["size", "--chart"],
    ["history"], ["history", "--by", "author"], ["mirror"], ["mirror", "--table", "NSCKEvent"], ["records"],
    ["events"], ["trace", "Trip/p1"], ["explain", "134419"], ["query"], ["query", "changes-by-author"],
    ["query", "SELECT uri, title FROM Trip"], ["rules"], ["schema"], ["schema", "doctor"],
    ["rows", "--help"],
    ["preflight"],
  ]

  /// They make, open or change a store, or don't read one.
  static let others: Set = [
    "shell", "mcp", "demo", "completions", "man", "resync", "repair", "reset", "restore", "export", "report",
    "diff", "redact", "handover", "find", "fleet",
  ]

  @Test func allCommandsAreCalled() {
    let missing = Set(CommandTable.all.map(\.name)).subtracting(Self.calls.map { $0[0] }).subtracting(
      Self.others)
    #expect(missing.isEmpty)
  }

  private static func quoted(_ words: [String]) -> String {
    words.map { "'" + $0.replacingOccurrences(of: "'", with: "'\\''") + "'" }.joined(separator: " ")
  }

  /// One process for all commands of a format, against one process each.
  @Test(arguments: ["table", "json", "ndjson", "csv", "markdown"])
  func outputIsByteEqualToOneShot(format: String) throws {
    var together = Data()
    var options: [String] = []
    for call in Self.calls {
      let words = call + ["--format", format, "--no-color"]
      let takesStore = CommandTable.command(named: call[0])?.store == .required
      let alone = try Tool.run(takesStore ? [words[0], demo.path] + words.dropFirst() : words)
      // A command that has no rows says so, and would end the script.
      guard alone.status < 2 else { continue }
      together += alone.outputBytes
      options += ["-c", Self.quoted(words)]
    }
    let shell = try demo.run(["shell"] + options)
    #expect(shell.status < 2, "\(shell.errors)")
    #expect(shell.outputBytes == together)
    #expect(options.count > 2 * Self.calls.count / 2)
  }

  /// `undo` ended with an error, although the shell knows whose backups are meant.
  @Test func backupsOfTheOpenStoreAreListed() throws {
    func shell(_ line: String) throws -> Tool.Result { try demo.run("shell", "-c", line) }
    #expect(try shell("undo").output.contains("No backup is next to 'Journeys.store'."))
    let made = try demo.run("resync", "--pull", "--apply", "--confirm", "Journeys.store", "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    for line in ["restore", "undo"] {
      try shell(line).expectDone().expectOutput(" restore \(backup)\n")
    }
    let json = try shell("restore --json")
    #expect(try json.json()["backups"] as? [String] == [backup])
    #expect(try Schemas.all["restore"]?.violations(JSONReader.read(json.output)).isEmpty == true)
  }

  @Test func inputComesFromAnywhere() throws {
    let script =
      "# first\nrows Person --format csv --limit 1\n\nSELECT name\nFROM Person\nLIMIT 1;\nformat csv\nPerson/p1\n"
    try demo.folder.write(Array(script.utf8), to: "script")
    let file = try demo.run("shell", "-f", demo.folder.path("script")).expectDone()
    let input = try Tool.run(
      "/bin/sh",
      ["-c", "exec \"$0\" shell \"$1\" < \"$2\"", Tool.path, demo.path, demo.folder.path("script")]
    ).expectDone()
    #expect(input.output == file.output)
    let read = try demo.run("shell", "-c", "read '\(demo.folder.path("script"))'")
    #expect(read.output == file.output)
    #expect(file.output.contains("name\n─") && file.output.contains("Ada Lindqvist"))
    let bare = try Tool.run(
      "/bin/sh", ["-c", "exec \"$0\" \"$1\" < \"$2\"", Tool.path, demo.path, demo.folder.path("script")])
    #expect(bare.output == file.output)
  }

  @Test(arguments: [
    ("rows Person --limit 1\nrows Pesron\nrows Trip\n", 2, "script:2: ", "Did you mean 'Person'?"),
    ("\n\nSELECT 1,\n2 FROM nowhere;\n", 2, "script:3: ", "no such table"),
    ("rows Trip --limt 3\n", 64, "script:1: ", "Did you mean '--limit'?"),
    // 'entities' was offered for an entity's plural.
    ("entries\n", 64, "script:1: ", "Did you mean 'Entry'?"),
    ("Lisbon\n", 64, "script:1: ", "'search Lisbon' looks for it"),
    ("rwos Trip\n", 64, "script:1: ", "Did you mean 'rows'?"),
    ("!ls\n", 64, "script:1: ", "starts a program only"),
    ("show 'Trip\n", 64, "script:1: ", "isn't closed"), ("format jsn\n", 64, "script:1: ", "'json'"),
    ("DELETE FROM ZTRIP;\n", 2, "script:1: ", "only reading"),
    ("open nothing.store\n", 2, "script:1: ", "no such file"),
    ("watch quit\n", 64, "script:1: ", "'quit' isn't one"), ("selct 1;\n", 64, "script:1: ", "'select'?"),
    (".rwos Trip\n", 64, "script:1: ", "Did you mean '.rows'?"),
    (".tabels\n", 64, "script:1: ", "'.tables'?"),
    ("-- one\n/* two\n*/ SELECT 1;\nrwos\n", 64, "script:4: ", "'rows'?"),
    ("open x.store --as-of-comit 1\n", 64, "script:1: ", "'--as-of-commit'?"),
    ("watch pending --every=soon\n", 64, "script:1: ", "'--every' takes"),
    ("read script\n", 2, "script:1: ", "too deep"),
    ("shell\n", 64, "script:1: ", "already"),
    ("output Journeys.store\n", 2, "script:1: ", "never overwritten"),
    ("output Journeys.store-wal\n", 2, "script:1: ", "never overwritten"),
    ("back\n", 64, "script:1: ", "no object"),
    ("timing maybe\n", 64, "script:1: ", "on or off"),
    ("quit now\n", 64, "script:1: ", "Unexpected argument 'now'"),
    ("SELECT 1; || sort\n", 64, "script:1: ", "Unexpected '|| sort' after ';'"),
    ("rows Person > a; > b\n", 64, "script:1: ", "one place only"),
    // The file is opened with the first result only.
    ("rows Pesron > new\n", 2, "script:1: ", "Person'?"),
    ("rows Person --limt 1 > new\n", 64, "script:1: ", "'--limit'?"),
    ("rows Person > Journeys.store\n", 2, "script:1: ", "never overwritten"),
    ("watch SELECT 1 WHERE 'b' > 'a' --times no\n", 64, "script:1: ", "'--times'"),
  ])
  func theFirstErrorEndsAScript(script: String, status: Int32, place: String, says: String) throws {
    try demo.folder.write(Array(script.utf8), to: "script")
    let before = try FolderSnapshot(demo.folder.path)
    let result = try demo.folder.run("shell", demo.path, "-f", "script").expectRefused(
      status: status, "storescope: " + place, says)
    #expect(!result.output.contains("Trip"))
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  @Test func anErrorTellsWhichCommandItWas() throws {
    for (options, place) in [
      (["-c", "rwos"], "storescope: -c: There"), (["-c", "limit", "-c", "rwos"], "storescope: -c 2: There"),
      (["-c", "limit", "-c", "limit\nlimit\nrwos"], "storescope: -c 2:3: There"),
      (["-c", "limit\nrwos"], "storescope: -c:2: There"),
    ] { try demo.run(["shell"] + options).expectRefused(status: 64, place) }
  }

  @Test func aLineWithoutAnEndIsRefused() throws {
    let result = try Tool.run(
      "/bin/sh",
      [
        "-c",
        "{ echo limit; head -c 20000000 /dev/zero | tr '\\0' x; echo; echo limit; } 2>/dev/null | \"$0\" shell \"$1\"",
        Tool.path, demo.path,
      ]
    ).expectRefused(status: 2, "storescope: stdin:2: The line has more than 16 MB")
    #expect(result.output == "limit auto\n")
  }

  /// As one command alone does, it ends without an error when nobody reads on.
  @Test(arguments: [
    "-c 'watch rows Person --every 100ms'", "-c 'watch rows Person --every=1h'",
    "-c 'rows Person' -c 'watch summary'",
  ]) func endsWithItsReader(options: String) throws {
    let result = try Tool.run(
      "/bin/sh",
      ["-c", "{ \"$0\" shell \"$1\" \(options); echo \"ended $?\" >&2; } | head -1", Tool.path, demo.path],
      seconds: 30)
    #expect(result.output == "Person\n" && result.errors == "ended 0\n")
  }

  @Test func theHomeFolderIsFound() throws {
    let home = ["HOME": demo.folder.path]
    func run(_ lines: String...) throws -> Tool.Result {
      try demo.run(["shell"] + lines.flatMap { ["-c", $0] }, environment: home)
    }
    try run("output ~/out", "limit").expectDone()
    #expect(try demo.folder.read("out") == Array("limit auto\n".utf8))
    try demo.folder.write(Array("limit\n".utf8), to: "script")
    #expect(try run("read ~/script", "read ~/'script'").output == "limit auto\nlimit auto\n")
    #expect(try run("open ~/Journeys.store", "limit").status == 0)
    try run("read '~/script'").expectRefused("'~/script' can't be run")
  }

  @Test func anotherStateIsOpened() throws {
    let past = try demo.run(
      "shell", "-c", "open '\(demo.path)' --as-of-commit 1", "-c", "rows Person --json", "-c",
      "open '\(demo.path)'", "-c", "rows Trip --json")
    let alone = [
      try demo.run("rows", "Person", "--json", "--as-of-commit", "1"),
      try demo.run("rows", "Trip", "--json"),
    ]
    #expect(past.output == alone.map(\.output).joined())
  }

  @Test func exitCodesAreThoseOfOneShot() throws {
    for words in [["doctor", "--fail-on", "info"], ["doctor", "--fail-on", "never"], ["rows", "Trip"]] {
      let alone = try demo.run(words)
      let shell = try demo.run("shell", "-c", Self.quoted(words), "-c", "explain 134419")
      #expect(shell.status == alone.status, "\(words)")
    }
    #expect(try demo.run("shell", "-c", "quit", "-c", "nonsense").status == 0)
    try Tool.run(["shell", demo.path + ".missing", "-c", "summary"]).expectRefused("no such file")
  }

  @Test func resultsGoToAFile() throws {
    let file = demo.folder.path("out.csv")
    let result = try demo.run(
      "shell", "-c", "output \(file)", "-c", "format csv", "-c", "rows Person", "-c", "output -", "-c",
      "format"
    ).expectDone()
    #expect(result.output == "format csv\n")
    let alone = try demo.run("rows", "Person", "--format", "csv")
    #expect(try demo.folder.read("out.csv") == [UInt8](alone.outputBytes))
  }

  /// '>' replaced a link and '>>' refused it with the system's words; both wrote through none, and one said so.
  @Test(arguments: [">", ">>"]) func noResultGoesThroughALink(mark: String) throws {
    try demo.folder.write(Array("kept".utf8), to: "file")
    try demo.folder.link("link", to: demo.folder.path("file"))
    try FileManager.default.linkItem(atPath: demo.folder.path("file"), toPath: demo.folder.path("second"))
    for (name, says) in [("link", "is a link"), ("second", "has other names")] {
      try demo.run("shell", "-c", "rows Tag \(mark) \(demo.folder.path(name))")
        .expectRefused(says)
    }
    #expect(try demo.folder.read("file") == Array("kept".utf8))
  }

  @Test func resultsAreAppended() throws {
    let file = demo.folder.path("out")
    let lines = ["limit > \(file)", "limit >> \(file)", "SELECT 1 WHERE 0; >> \(file)", "limit; >> \(file)"]
    try demo.run(["shell", "--format", "csv"] + lines.flatMap { ["-c", $0] }).expectDone()
    #expect(try demo.folder.text("out") == "limit auto\nlimit auto\n1\nlimit auto\n")
  }

  /// The results after such a script went into a file that had been closed.
  @Test func outputWithinARedirectedScriptHolds() throws {
    try demo.folder.write(Array("limit\noutput two\ntiming\n".utf8), to: "script")
    let result = try demo.folder.run(
      "shell", demo.path, "-c", "output zero", "-c", "read script > one", "-c", "pager"
    ).expectDone()
    #expect(result.output == "")
    #expect(try demo.folder.read("zero") == [])
    #expect(try demo.folder.read("one") == Array("limit auto\n".utf8))
    #expect(try demo.folder.read("two") == Array("timing off\npager on\n".utf8))
  }

  /// SQL has a '>' of its own.
  @Test(arguments: [
    "query SELECT 1 AS a WHERE 'b' > 'a'", "watch SELECT 1 AS a WHERE 'b' > 'a' --times 1",
    "sql SELECT 1 AS a WHERE 2 > 1;",
  ]) func sqlIsNoRedirection(line: String) throws {
    let result = try demo.folder.run("shell", demo.path, "--format", "csv", "-c", line)
      .expectDone()
    #expect(result.output == "a\n1\n")
  }

  /// What people type first: an entity's name, and several commands on a line.
  @Test func namesStandForThemselves() throws {
    let shell = try demo.run(
      "shell", "--format", "csv", "-c", "trip --limit 1; Trip/p1; show Spring in Lisbon; trip 1"
    ).expectErrors(status: 0, "'Trip 1' is taken for Trip/p1")
    let alone = try [
      ["rows", "Trip", "--limit", "1"], ["show", "Trip/p1"], ["show", "Trip/p1"], ["show", "Trip/p1"],
    ].map {
      try demo.run([$0[0]] + $0.dropFirst() + ["--format", "csv"]).output
    }
    #expect(shell.output == alone.joined())
  }

  @Test func settingsHold() throws {
    let shell = try demo.run(
      "shell", "-c", "format json", "-c", "limit 1", "-c", "rows Person", "-c", "rows Person --format csv")
    let json = try demo.run("rows", "Person", "--json", "--limit", "1")
    let csv = try demo.run("rows", "Person", "--format", "csv", "--limit", "1")
    #expect(shell.output == json.output + csv.output)
    let options = try demo.run("shell", "--json", "--limit", "1", "-c", "rows Person")
    #expect(options.output == json.output)
    let past = try demo.run("shell", "--as-of-commit", "1", "-c", "rows Person --json")
    #expect(past.output == (try demo.run("rows", "Person", "--json", "--as-of-commit", "1")).output)
  }

  @Test func theConfigurationGivesDefaults() throws {
    let folder = TemporaryFolder()
    let environment = ["XDG_CONFIG_HOME": folder.path]
    try folder.makeFolder("storescope")
    func configure(_ text: String) throws { try folder.write(Array(text.utf8), to: "storescope/config") }
    try configure("# mine\nformat = json\n\nlimit=1\n")
    let json = try demo.run("rows", "Person", "--json", "--limit", "1")
    let table = try demo.run("rows", "Person")
    let words = ["rows", demo.path, "Person"]
    #expect(try Tool.run(words, environment: environment).output == json.output)
    #expect(try Tool.run(words + ["--no-config"], environment: environment).output == table.output)
    let shell = ["shell", demo.path, "-c", "rows Person"]
    #expect(try Tool.run(shell, environment: environment).output == json.output)
    #expect(try Tool.run(shell + ["--no-config"], environment: environment).output == table.output)
    for (text, line, says) in [
      ("format = json\nformatt = csv\n", 2, "Did you mean 'format'?"), ("pager\n", 1, "'name = value'"),
      ("format = jsn", 1, "Did you mean 'json'?"), ("limit = many\n", 1, "whole number"),
    ] {
      try configure(text)
      try Tool.run(words, environment: environment).expectRefused("line \(line)", says, "--no-config")
      #expect(try Tool.run(words + ["--no-config"], environment: environment).status == 0)
      #expect(try Tool.run(["rows", "--help"], environment: environment).status == 0)
    }
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "sqlite3 is absent"))
  func watchPrintsOnlyTheDifference() throws {
    let writer = try LiveWriter(demo.path)
    try writer.run("PRAGMA journal_mode; SELECT 1 FROM ZPERSON")
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = ["shell", demo.path, "-c", "watch rows Person --every 100ms --times 1000"]
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // It must be gone before its store is. It may have inherited that SIGTERM is blocked.
    defer {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    var text = ""
    func wait(for mark: String) {
      let end = Date(timeIntervalSinceNow: 60)
      while !text.contains(mark), Date() < end {
        text += String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
      }
    }
    wait(for: "Mei Tanaka")
    try writer.run("UPDATE ZPERSON SET ZNAME = 'Mei Sato' WHERE Z_PK = 4")
    wait(for: "Mei Sato")
    let parts = text.components(separatedBy: "Z\n- ")
    #expect(parts.count == 2, "\(text)")
    let lines = ("- " + (parts.last ?? "")).split(separator: "\n")
    #expect(
      lines.count == 2 && lines[0].hasPrefix("- Person/p4") && lines[1].hasPrefix("+ Person/p4"), "\(text)")
  }
}
