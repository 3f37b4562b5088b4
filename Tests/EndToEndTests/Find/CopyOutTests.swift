import Base
import Evidence
import Forge
import Foundation
import TestSupport
import Testing

/// Copies of what was found.
struct CopyOutTests {
  private let folder = TemporaryFolder("strange")

  private static let support = SideFiles.supportFolder(of: DemoStore.fileName)

  /// The run ended with the first problem and named no copy, and a link led out of the folder.
  @Test("What could be copied is listed if something couldn't, and only the folder itself may be a link")
  func someCopies() throws {
    for name in ["place", "real", "elsewhere"] { try folder.makeFolder(name) }
    for name in ["a", "b"] { try folder.write(try FindRun.store(), to: "place/\(name).store") }
    for (link, target) in [("out", "real"), ("real/a", "../elsewhere")] { try folder.link(link, to: target) }
    let result = try folder.run("find", "place", "--copy-to", "out", "--json").expectErrors(
      status: 2, "'out' lacks 1 of 2 stores")
    let stores = try result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["copy"] as? String } == [nil, "out/b/b.store"], "\(result.output)")
    let skipped = try result.json()["skipped"] as? [[String: String]] ?? []
    #expect(skipped.count == 1 && skipped[0]["because"]?.contains("is a link") == true, "\(skipped)")
    #expect(try folder.names(in: "elsewhere").isEmpty)
    try FindRun.expectOpens(["real/b/b.store"], in: folder)
  }

  /// It became a folder named 'file:' wherever one was; and of two apps the first was forgotten.
  @Test func aURLNamesTheFolder() throws {
    let place = folder.path("place")
    for name in ["Ada", "Ben", "Cas"] {
      try FileManager.default.createDirectory(atPath: "\(place)/\(name)", withIntermediateDirectories: true)
      try folder.write(try FindRun.store(), to: "place/\(name)/\(name).store")
    }
    let url = "file://" + folder.path("a%20copy")
    let result = try folder.run("find", place, "--app", "ben", "--app", "CAS", "--copy-to", url, "--json")
    let stores = try result.json()["stores"] as? [[String: Any]] ?? []
    #expect(
      stores.compactMap { ($0["copy"] as? String)?.contains("/a copy/") } == [true, true], "\(result.output)")
    // Another machine's can't be written to.
    let foreign = try folder.run("find", place, "--copy-to", "file://server/out")
    #expect(
      foreign.status == 2 && foreign.output.isEmpty
        && foreign.errors
          == "storescope: 'file://server/out' isn't the URL of a file on this machine; pass its path.\n",
      "\(foreign.errors)")
    #expect(try folder.names() == ["a copy", "place"])
  }

  /// It was reported under the link's name, which nothing has.
  @Test("A copy of what a link leads to is reported under the name that it has")
  func copiedLink() throws {
    for name in ["place", "links"] { try folder.makeFolder(name) }
    try folder.write(try FindRun.store(), to: "place/Journeys.store")
    try folder.link("links/App.store", to: "../place/Journeys.store")
    let found = try FindRun.find("links/App.store", in: folder, "--copy-to", "out")
    let stores = try found.result.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.compactMap { $0["copy"] as? String } == ["out/Journeys.store"], "\(found.result.output)")
    try FindRun.expectOpens(["out/Journeys.store"], in: folder)
  }

  /// A link among the store's external files was left out without a word.
  @Test("A link in the store's folders is named, and not followed")
  func linkedValue() throws {
    _ = try DemoStore.copy(in: folder.path("place"))
    try folder.write(Array("mine".utf8), to: "mine")
    let link = "place/\(Self.support)/_EXTERNAL_DATA/LINK"
    try folder.link(link, to: folder.path("mine"))
    try folder.run("find", "place", "--copy-to", "out").expectErrors(
      status: 0, "/\(Self.support)/_EXTERNAL_DATA/LINK' is a link, which isn't followed")
    #expect(try !FileTree.hashes(folder.path("out")).keys.contains { $0.hasSuffix("LINK") })
  }

  /// The folder that was made for the file stayed, and the next try failed because of it.
  @Test("Of a copy that fails nothing stays, not even an empty folder")
  func failedValue() throws {
    _ = try DemoStore.copy(in: folder.path("place"))
    let values = folder.path("place/\(Self.support)/_EXTERNAL_DATA")
    let files = try FileManager.default.contentsOfDirectory(atPath: values).map { "\(values)/\($0)" }
    try folder.makeFolder("out")
    for path in [folder.path, folder.path("out")] { chmod(path, 0o777) }
    files.forEach { chmod($0, 0) }
    // Root may read everything, so another user has to copy.
    let user: UInt32? = geteuid() == 0 ? 65_534 : nil
    func copy() throws -> Tool.Result {
      try Tool.run(["find", "place", "--copy-to", "out"], in: folder.path, as: user)
    }
    try copy().expectStatus(2)
    #expect(try folder.names(in: "out").isEmpty)
    files.forEach { chmod($0, 0o644) }
    try copy().expectStatus()
  }

  /// Other tools' words for it were unknown, or led to 'export', which makes no store.
  @Test(arguments: [
    "cp case.zip out", "copy case.zip out", "extract case.zip -q out", "find case.zip -o out",
    "find case.zip --extract out", "find case.zip --output=out", "backup case.zip out",
  ])
  func otherWordsLeadToIt(_ line: String) throws {
    try Tool.run(line.split(separator: " ").map(String.init), in: folder.path).expectErrors(
      status: 64, "--copy-to")
  }

  /// What came behind it was never copied, and nothing said which one had failed.
  @Test("A store that can't be copied doesn't keep the others from it")
  func failedCopy() throws {
    try folder.pack(["x/App.store", "y/App.store"].map { ($0, try FindRun.store()) }, as: "a.zip")
    try folder.makeFolder("out/App")
    try folder.write(Array("mine".utf8), to: "out/App/App.store")
    try folder.run("find", "a.zip", "--copy-to", "out").expectErrors(
      status: 2, "'out' lacks 1 of 2 stores", "a.zip!/x/App.store: ", "choose another folder")
    // The row said nothing of which store it was.
    let shown = try PseudoTerminal.run(
      ["find", folder.path("a.zip"), "--copy-to", folder.path("out")], columns: 80)
    for path in ["x/App.store", "y/App.store"] {
      #expect(shown.contains("not copied: '\(folder.path("a.zip"))!/\(path)'"), "\(shown)")
    }
    try FindRun.expectOpens(["out/App-2/App.store"], in: folder)
    #expect(try folder.read("out/App/App.store") == Array("mine".utf8))
  }

  /// A slash with a combining mark behind it isn't found among Characters, and made a folder in a folder.
  @Test("Whoever a store belongs to, its folder is one")
  func strangeOwner() throws {
    let note = try PropertyListSerialization.data(
      fromPropertyList: ["MCMMetadataIdentifier": "a/\u{301}b"], format: .binary, options: 0)
    var zip = ZipForge()
    zip.add("App/\(ContainerOwner.fileNames[0])", Array(note))
    for name in ["A.store", "B.store"] { zip.add("App/\(name)", try FindRun.store()) }
    try folder.write(zip.ended, to: "a.zip")
    let found = try FindRun.find("a.zip", in: folder, "--copy-to", "out")
    #expect(found.addresses.count == 2)
    let names = try folder.names(in: "out")
    #expect(names == ["a_\u{301}b-A", "a_\u{301}b-B"], "\(names)")
  }

  /// A link that somebody put there had the copy written elsewhere, or over another file.
  @Test(
    "No link in the folder is followed",
    arguments: [
      DemoStore.fileName, DemoStore.fileName + "-wal", Self.support, "\(Self.support)/_EXTERNAL_DATA",
    ])
  func plantedLinks(_ name: String) throws {
    _ = try DemoStore.copy(in: folder.path("place"))
    for place in ["elsewhere", "out/\(name)/.."] {
      try FileManager.default.createDirectory(
        atPath: (folder.path(place) as NSString).standardizingPath, withIntermediateDirectories: true)
    }
    try folder.link("out/\(name)", to: folder.path(name.contains("SUPPORT") ? "elsewhere" : "elsewhere/file"))
    try folder.run("find", "place", "--copy-to", "out").expectStatus(2)
    #expect(try folder.names(in: "elsewhere").isEmpty)
    // Half of a store would pass for a whole one.
    let left = try FileManager.default.subpathsOfDirectory(atPath: folder.path("out")).filter {
      !name.hasPrefix($0)
    }
    #expect(left.isEmpty, "\(left)")
  }

  /// Two stores, of which the first can't be copied where `isPartial`.
  private static func twoStores(isPartial: Bool) throws -> TemporaryFolder {
    let folder = TemporaryFolder("strange")
    try folder.pack(["x/App.store", "y/Other.store"].map { ($0, try FindRun.store()) }, as: "a.zip")
    if isPartial {
      try folder.makeFolder("out/App")
      try folder.write(Array("mine".utf8), to: "out/App/App.store")
    }
    return folder
  }

  /// Of a partial copy, nobody learned what was copied.
  @Test(
    "What was copied is said with its hashes, whatever becomes of the output",
    arguments: [true, false], ["> /dev/full", ">&-", "| true"])
  func receipt(_ isPartial: Bool, _ redirection: String) throws {
    let folder = try Self.twoStores(isPartial: isPartial)
    let line = "(sleep 0.2; '\(Tool.path)' find a.zip --copy-to out) \(redirection)"
    let result = try Tool.run("/bin/bash", ["-c", line], in: folder.path).expectErrors(
      "copied \(isPartial ? "1 of " : "")2 stores to out")
    let hashes = try FileTree.hashes(folder.path("out"))
    for name in ["App/App.store", "Other/Other.store"] where !(isPartial && name.hasPrefix("App")) {
      let hash = try #require(hashes[name])
      #expect(result.errors.contains("\n  \(hash)  out/\(name)\n"), "\(result.errors)")
    }
    #expect(result.errors.contains("lacks 1 of 2 stores") == isPartial, "\(result.errors)")
  }

  @Test("JSON and --verbose have the hashes of all copies")
  func hashes() throws {
    _ = try DemoStore.copy(in: folder.path("place"))
    let verbose = try folder.run("find", "place", "--copy-to", "out", "--verbose")
    let json = try folder.run("find", "place", "--copy-to", "again", "--json").json()
    let store = try #require((json["stores"] as? [[String: Any]])?.first)
    let files = try store.list("copiedFiles")
    let hashes = try FileTree.hashes(folder.path("again"))
    #expect(hashes.count == files.count && files.count > 2)
    for file in files {
      let path = try #require(file["path"] as? String)
      let hash = try #require(file["sha256"] as? String)
      #expect(path.hasPrefix("again/") && hashes[String(path.dropFirst(6))] == hash)
    }
    let first = try #require(hashes[DemoStore.fileName])
    #expect(verbose.output.contains("\n  \(first)  out/\(DemoStore.fileName)\n"), "\(verbose.output)")
  }

  @Test(
    "Ctrl-C between two stores says which one was copied, and leaves no half of the other",
    .enabled(if: Tool.strace != nil, "needs strace"))
  func interrupted() throws {
    let folder = try Self.twoStores(isPartial: false)
    // The first copy is on the medium with this call.
    let session = try TerminalSession(
      [
        "-f", "-o", "/dev/null", "-e", "trace=fsync", "-e", "inject=fsync:signal=INT:when=1", Tool.path,
        "find", folder.path("a.zip"), "--copy-to", folder.path("out"),
      ], of: try #require(Tool.strace), columns: 400)
    #expect(try session.end() == 2)
    let hash = try #require(try FileTree.hashes(folder.path("out"))["App/App.store"])
    #expect(session.transcript.contains("interrupted: copied 1 of 2 stores to "), "\(session.transcript)")
    #expect(session.transcript.contains(hash), "\(session.transcript)")
    #expect(try folder.names(in: "out") == ["App"])
  }
}
