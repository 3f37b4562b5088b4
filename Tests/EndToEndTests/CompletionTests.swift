import Commands
import Discovery
import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// What shells are told, and what packagers install.
final class CompletionTests: DemoSuite {
  private let folder = TemporaryFolder()

  private func answers(_ words: String..., in folder: String? = nil) throws -> [String] {
    let result = try Tool.run(["__complete", "--"] + words, in: folder).expectDone("\(words)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test func theStoreThatIsNamedIsAsked() throws {
    let before = try FolderSnapshot(demo.folder.path)
    #expect(try answers("rows", demo.path, "p") == ["PackingItem", "Person", "Place"])
    #expect(try answers("history", demo.path, "--author", "") == ["app", "import", "widget"])
    #expect(try answers("show", demo.path, "trip/") == ["Trip/p"])
    #expect(try answers("trace", demo.path, "Person", "na") == ["name="])
    #expect(try answers("rows", demo.path, "Person", "--where", "1 AND ema") == ["1 AND email"])
    #expect(try answers("query", demo.path, "SELECT * FROM metadata") == ["SELECT * FROM metadataEntries"])
    #expect(try answers("mirror", demo.path, "--table", "nsckev") == ["NSCKEvent"])
    #expect(
      try answers("query", demo.path, "SELECT * FROM records WHERE zone = 'com").allSatisfy {
        $0.hasSuffix("'")
      })
    #expect(
      try answers("summary", DemoStore.fileName.prefix(3).lowercased(), in: demo.folder.path) == [
        DemoStore.fileName
      ])
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  @Test func whatCannotBeReadIsNoError() throws {
    try folder.write(Array("no store".utf8), to: "a.store")
    for store in [folder.path("a.store"), folder.path("absent"), folder.path, "/dev/null", ""] {
      #expect(try answers("rows", store, "").isEmpty)
      #expect(try answers("history", store, "--by", "a") == ["author"])
    }
    for words in [[], ["--"], ["-"], ["nonsense", "", ""], ["--", "--quoted"]] {
      try Tool.run(["__complete"] + words).expectDone("\(words)")
    }
    #expect(!Help.overview().contains("__complete"))
  }

  /// Nothing was offered behind the mark, and addresses are too long to be typed.
  @Test(arguments: ["a.zip", "a.tar", "backup"]) func insidesOfContainersAreOffered(_ container: String)
    throws
  {
    var inner = ZipForge()
    let page = [UInt8](repeating: 7, count: 4096)
    inner.add("Inner.store", page)
    // More than a screen holds, in one folder of a folder.
    let many = (0..<50).map { "Many/More/\($0).sqlite" }
    var files = (["Data/App.store", "Data/App.store-wal"] + many).map { ($0, page) }
    files.append(("notes.txt", [7]))
    if container != "backup" { files.append(("in.zip", inner.ended)) }
    try folder.pack(files, as: container)
    func offered(_ rest: String) throws -> [String] {
      try answers("summary", "\(container)!/\(rest)", in: folder.path).map {
        String($0.dropFirst(container.count + 2))
      }
    }
    if container == "backup" {
      #expect(try offered("") == ["AppDomain-a.b/"])
      #expect(try offered("AppDomain-a.b/") == ["AppDomain-a.b/Data/App.store", "AppDomain-a.b/Many/More/"])
      return
    }
    #expect(try offered("") == ["Data/App.store", "Many/More/", "in.zip!/"])
    #expect(try offered("da") == ["Data/App.store"])
    #expect(try offered("Many/More/").count == 50)
    #expect(try offered("in.zip!/") == ["in.zip!/Inner.store"])
    #expect(try offered("none/").isEmpty)
  }

  /// Files were offered under the hashes that a backup has for names, and none of them opens with its -wal.
  @Test(arguments: ["a.zip", "a.tar"], ["", "0811-0A/"])
  func insidesOfPackedBackupsAreOffered(_ container: String, _ place: String) throws {
    try FindRun.makeBackup(at: "made", in: folder)
    let files = try FindRun.backupFiles("made", in: folder)
    try folder.pack(files.map { (place + $0.path, $0.bytes) }, as: container)
    #expect(try answers("find", container, in: folder.path) == ["\(container)!/"])
    #expect(try answers("find", "mad", in: folder.path) == ["made!/"])
    var address = "\(container)!/"
    if !place.isEmpty {
      #expect(try answers("find", address, in: folder.path) == [address + "0811-0A!/"])
      address += "0811-0A!/"
    }
    #expect(try answers("find", address, in: folder.path) == [address + "AppDomain-a.b/Library/App.store"])
    // Nothing behind the mark stands for all that is in it.
    #expect(try FindRun.find(address, in: folder).addresses == [address + "AppDomain-a.b/Library/App.store"])
    try FindRun.expectOpens([address, "\(container)!/"], in: folder)
  }

  /// A path without a name ended the shell with Tab, and a file with the name of a folder was offered as `//`.
  @Test func strangePathsOfContainersAreOffered() throws {
    let page = [UInt8](repeating: 7, count: 4096)
    var (zip, backup) = (ZipForge(), BackupForge())
    zip.add("a", page)
    backup.files.append(("", "", page))
    // With more, folders stand for what is in them.
    for number in 0..<50 {
      zip.add("a/b/\(number).sqlite", page)
      backup.files.append(("AppDomain-a.b", "Many/\(number).sqlite", page))
    }
    try folder.write(zip.ended, to: "a.zip")
    try backup.make(at: folder.path("backup"))
    func offered(_ container: String) -> [String] {
      ContainerListing.paths(in: folder.path(container) + "!/") { true }
    }
    #expect(offered("a.zip") == ["a", "a/b/"])
    #expect(offered("backup") == ["AppDomain-a.b/Many/"])
  }

  @Test func aLargeModelIsReadFast() throws {
    let model = ManagedObjectModel(
      entities: (1...100).map { number in
        EntityDescription(
          name: "Entity\(number)",
          attributes: (1...30).map { AttributeDescription(name: "attribute\($0)", type: .string) },
          relationships: [])
      })
    _ = try folder.forge(model, named: "Large.store", leaving: .wal)
    let clock = ContinuousClock()
    var context = CompletionContext()
    let time = clock.measure { context = .make(Session(path: folder.path("Large.store"))) }
    #expect(context.entities.count == 100)
    #expect(context.entities.allSatisfy { $0.columns.count == 33 })
    #expect(time < .seconds(3), "\(time)")
    let answering = clock.measure {
      _ = Completer(context: context, place: .shell).complete(line: "SELECT attr")
    }
    #expect(answering < .seconds(1), "\(answering)")
  }

  // MARK: - bash

  struct Line: Sendable, CustomTestStringConvertible {
    /// `STORE` stands for the demo's path.
    var line: String
    /// As bash cuts it: at blanks, `=` and `:`.
    var words: [String]
    var offers: [String]
    var testDescription: String { line }
  }

  static let lines = [
    Line(line: "storescope sum", words: ["storescope", "sum"], offers: ["summary"]),
    Line(
      line: "storescope rows STORE trip", words: ["storescope", "rows", "STORE", "trip"], offers: ["Trip"]),
    Line(
      line: "storescope rows STORE --ex", words: ["storescope", "rows", "STORE", "--ex"],
      offers: ["--exact", "--expand"]),
    Line(
      line: "storescope history STORE --by=au", words: ["storescope", "history", "STORE", "--by", "=", "au"],
      offers: ["author"]),
    Line(
      line: "storescope history STORE --format js",
      words: ["storescope", "history", "STORE", "--format", "js"], offers: ["json"]),
    Line(
      line: "storescope query STORE \"SELECT * FROM Pack",
      words: ["storescope", "query", "STORE", "\"SELECT * FROM Pack"], offers: ["SELECT * FROM PackingItem"]),
    Line(
      line: "storescope explain CKErrorDomain:11",
      words: ["storescope", "explain", "CKErrorDomain", ":", "11"], offers: ["11", "111", "112"]),
    Line(
      line: "storescope query STORE churn --param ",
      words: ["storescope", "query", "STORE", "churn", "--param", ""], offers: ["least="]),
    Line(
      line: "storescope rules 'record-orphane", words: ["storescope", "rules", "'record-orphane"],
      offers: ["record-orphaned"]),
    Line(
      line: "storescope completions ", words: ["storescope", "completions", ""],
      offers: ["bash", "zsh", "fish"]),
    Line(
      line: "storescope doctor STORE my\\ d", words: ["storescope", "doctor", "STORE", "my\\ d"],
      offers: ["my\\ dir/"]),
    Line(
      line: "storescope summary my\\ d", words: ["storescope", "summary", "my\\ d"], offers: ["my\\ dir/"]),
  ]

  @Test(arguments: lines) func bashIsOffered(_ line: Line) throws {
    try demo.folder.makeFolder("my dir")
    let script = demo.folder.path("script")
    try Tool.run(["completions", "bash"]).output.write(toFile: script, atomically: true, encoding: .utf8)
    let words = line.words.map { $0 == "STORE" ? demo.path : $0 }
    let text = line.line.replacingOccurrences(of: "STORE", with: demo.path)
    let result = try Tool.run(
      "/bin/bash",
      [
        "--norc", "-c",
        """
        set -u; source "$1"; COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
        COMP_LINE=$2; COMP_POINT=${#COMP_LINE}; shift 2
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        complete -p storescope >/dev/null || exit 1
        _storescope storescope "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
        printf '%s\\n' "${COMPREPLY[@]}"
        """,
        "bash", script, text,
      ] + words, environment: ["PATH": pathWithTool], in: demo.folder.path
    ).expectDone()
    #expect(result.output.split(separator: "\n").map(String.init) == line.offers)
  }

  private var pathWithTool: String {
    (Tool.path as NSString).deletingLastPathComponent + ":"
      + (ProcessInfo.processInfo.environment["PATH"] ?? "")
  }

  /// Bash's own machinery, on a terminal: a TAB completes the word.
  @Test func bashCompletesOnATerminal() throws {
    let script = demo.folder.path("script")
    try Tool.run(["completions", "bash"]).output.write(toFile: script, atomically: true, encoding: .utf8)
    let keys = "source \(script)\nstorescope his\t\(DemoStore.fileName) --by=au\t --json >out\nexit\n"
    let input = demo.folder.path("keys")
    try keys.write(toFile: input, atomically: true, encoding: .utf8)
    // Readline works on a pipe too, as long as bash believes that somebody types.
    _ = try Tool.run(
      "/bin/bash", ["-c", "exec bash --norc --noprofile -i <\"$1\" 2>/dev/null", "bash", input],
      environment: ["PATH": pathWithTool, "TERM": "dumb", "HISTFILE": "/dev/null"], in: demo.folder.path)
    let output = try String(contentsOfFile: demo.folder.path("out"), encoding: .utf8)
    #expect(output.hasPrefix("{\"schema\":\"storescope/history/1\"") && output.contains("\"groups\""))
  }

  // MARK: - Syntax

  private func program(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  @Test(arguments: ["bash", "zsh", "fish"]) func shellsCanReadTheirScripts(_ shell: String) throws {
    let result = try Tool.run(["completions", shell]).expectDone()
    for command in CommandTable.all {
      #expect(result.output.contains(command.name))
      for option in command.allOptions { #expect(result.output.contains(option.name)) }
    }
    guard let program = program(shell) else { return }
    try result.output.write(toFile: folder.path("script"), atomically: true, encoding: .utf8)
    try Tool.run(program, ["-n", folder.path("script")]).expectDone()
  }

  @Test func fishIsOffered() throws {
    guard let fish = program("fish") else { return }
    let script = demo.folder.path("script")
    try Tool.run(["completions", "fish"]).output.write(toFile: script, atomically: true, encoding: .utf8)
    for (line, offer) in [
      ("storescope his", "history\t"), ("storescope rows \(demo.path) tri", "Trip\n"),
      ("storescope history \(demo.path) --author=wi", "--author=widget\t"),
      ("storescope history \(demo.path) --by pro", "process\t"),
      ("storescope query \(demo.path) \"SELECT * FROM Pack", "SELECT * FROM PackingItem\n"),
    ] {
      let result = try Tool.run(
        fish, ["--no-config", "-c", "source $argv[1]; complete -C $argv[2]", script, line],
        environment: ["PATH": pathWithTool, "HOME": demo.folder.path])
      #expect(result.output.contains(offer), "\(line): \(result.output)\(result.errors)")
    }
  }

  @Test func theManualPageIsWellFormed() throws {
    let page = try Tool.run(["man"]).expectDone()
    for command in CommandTable.all { #expect(page.output.contains("\n.SS \(command.name)\n")) }
    // A line of text must not become a request.
    let requests: Set = [
      "\\\"", "TH", "SH", "SS", "PP", "TP", "B", "I", "RI", "BR", "IR", "br", "RS", "RE", "nf", "fi",
    ]
    for line in page.output.split(separator: "\n") where line.hasPrefix(".") || line.hasPrefix("'") {
      #expect(requests.contains(String(line.dropFirst().prefix { $0 != " " })), "\(line)")
    }
    #expect(page.output.utf8.allSatisfy { $0 < 0x80 })
    guard let groff = program("groff") else { return }
    try page.output.write(toFile: folder.path("storescope.1"), atomically: true, encoding: .utf8)
    try Tool.run(groff, ["-ww", "-man", "-z", folder.path("storescope.1")]).expectDone()
  }

  @Test func scriptsAndPagesComeInJSONToo() throws {
    #expect(try Tool.json(["man"])["page"] as? String == Tool.run(["man"]).output)
    let script = try Tool.json(["completions", "zsh"])
    expectMembers(script, ["shell": "zsh", "script": try Tool.run(["completions", "zsh"]).output])
    try Tool.run(["completions", "fis"]).expectRefused(status: 64, "Did you mean 'fish'?")
  }
}
