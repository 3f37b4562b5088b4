import Base
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// `handover` as its sender runs it, and what its recipient finds.
@Suite(.waiting) struct HandoverTests {
  private static let root = "storescope-handover/"
  private let place = TemporaryFolder("handover")

  /// The files of an archive by their names.
  private func files(
    _ store: String, _ options: [String] = [], name: String = "case.zip", environment: [String: String] = [:]
  ) throws -> [String: [UInt8]] {
    let path = place.path(name)
    try Tool.run(["handover", store, "-o", path, "--quiet"] + options, environment: environment)
      .expectStatus()
    let archive = try ZipArchive(place.read(name))
    #expect(archive.files.first?.name == Self.root + "README.txt")
    #expect(archive.files.allSatisfy { $0.name.hasPrefix(Self.root) })
    return Dictionary(
      uniqueKeysWithValues: archive.files.map { (String($0.name.dropFirst(Self.root.count)), $0.bytes) })
  }

  private func unpack(_ files: [String: [UInt8]]) throws -> String {
    for (name, bytes) in files {
      let file = URL(filePath: place.path("unpacked/" + name))
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: file)
    }
    return place.path("unpacked")
  }

  private static func json(_ bytes: [UInt8]?) throws -> [String: Any] {
    let data = Data(try #require(bytes))
    return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
  }

  private static func rules(_ doctor: [String: Any]) -> [String] {
    (doctor["findings"] as? [[String: Any]] ?? []).map { "\($0["rule"] ?? "") \($0["count"] ?? "")" }
  }

  @Test func theRecipientFindsWhatTheSenderHas() throws {
    let demo = try Demo()
    let files = try files(demo.path, ["--title", "Ticket 4711", "--salt", "x"])
    let folder = try unpack(files)
    let copy = folder + "/store/Redacted.store"
    let readme = String(decoding: try #require(files["README.txt"]), as: UTF8.self)
    #expect(readme.hasPrefix("Ticket 4711\n"))
    #expect(readme.split(separator: "\n").allSatisfy { $0.count <= 90 }, "\(readme)")
    // What it names is there, and the reverse.
    for name in files.keys where !name.hasPrefix("store/.") && name != "README.txt" {
      #expect(readme.contains(name.hasPrefix("store/") ? "  store " : "  \(name) "), "\(name)")
    }
    #expect(files.keys.contains { $0.hasPrefix("store/.Redacted_SUPPORT/_EXTERNAL_DATA/") })
    let sums = String(decoding: try #require(files["SHA256SUMS"]), as: UTF8.self).split(separator: "\n")
    #expect(sums.count == files.count - 1)
    for line in sums {
      let name = String(line.dropFirst(66))
      #expect(
        try FileReader.fingerprint(of: folder + "/" + name).sha256 == String(line.prefix(64)), "\(name)")
    }
    let doctor = try Self.json(files["doctor.json"])
    #expect(Self.rules(doctor) == Self.rules(try demo.json("doctor")))
    // A copy without its external files would have a finding of its own.
    let ofCopy = Self.rules(try Tool.json(["doctor", copy]))
    #expect(ofCopy == Self.rules(doctor))
    for (name, words) in [
      ("summary", []), ("pending", []), ("events", []), ("history", ["--by", "author"]),
    ] as [(String, [String])] {
      var answer = try Tool.json([name, copy] + words)
      var stored = try Self.json(files[name + ".json"])
      #expect((stored["store"] as? [String: Any])?["path"] as? String == "store/Redacted.store")
      (answer["store"], stored["store"]) = (nil, nil)
      #expect(answer as NSDictionary == stored as NSDictionary, "\(name)")
    }
  }

  /// One salt: digits of the report's placeholders are those of the copy's identifiers.
  @Test func placeholdersAgree() throws {
    let demo = try Demo()
    let files = try files(demo.path)
    let report = String(decoding: try #require(files["report.html"]), as: UTF8.self)
    let pending = try Self.json(files["pending.json"])["pending"] as? [[String: Any]] ?? []
    let names = pending.compactMap { $0["recordName"] as? String }
    #expect(names.count > 5)
    for name in names {
      let digits = name.replacingOccurrences(of: "-", with: "").dropFirst(6).prefix(6).lowercased()
      #expect(report.contains("record-\(digits)"), "\(name)")
    }
  }

  private static let names: [(author: String, isShared: Bool)] = [
    ("widget", true), ("Widget's background sync", true), ("importer", true),
    // What identifies the app, its user, a device or a file.
    ("Journeys", false), ("com.example.Journeys.sync", false), ("ann@example.com", false),
    ("/Users/ann/list", false), ("on 7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9", false),
    ("NSCloudKitMirroringDelegate.Ann", false), ("", true),
  ]

  /// The page had the author 'widget', the copy and its history in JSON a placeholder: nobody could connect them.
  @Test(arguments: names, [[], ["--keep", "programs"]])
  func everyAuthorIsTheSameInAllFiles(_ name: (author: String, isShared: Bool), _ options: [String]) throws {
    let demo = try Demo {
      // History has each name once.
      try $0.connection.execute(
        "UPDATE OR IGNORE ATRANSACTIONSTRING SET ZNAME = ? WHERE ZNAME = 'widget'", [.text(name.author)])
      try $0.connection.execute(
        """
        UPDATE ATRANSACTION SET ZAUTHORTS = (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?)
        WHERE ZAUTHORTS = (SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = 'widget')
        """, [.text(name.author)])
    }
    let files = try files(demo.path, ["--salt", "x"] + options)
    let groups = try Self.json(files["history.json"]).list("groups")
    let report = String(decoding: try #require(files["report.html"]), as: UTF8.self)
    for group in groups {
      let names = ["bundles", "processes"].flatMap { group[$0] as? [String] ?? [] }
      for name in names + [group["author"] as? String].compactMap(\.self) where !name.isEmpty {
        #expect(report.contains(name.replacingOccurrences(of: "'", with: "&#39;")), "\(name)")
      }
    }
    let isShown = name.isShared || !options.isEmpty
    #expect(groups.contains { $0["author"] as? String == name.author } == isShown, "\(groups)")
    if !isShown, name.author != "Journeys" {
      for (file, bytes) in files {
        #expect(Data(bytes).range(of: Data(name.author.utf8)) == nil, "\(file)")
      }
    }
    guard options.isEmpty else { return }
    // Everything by and about authors, as the report has it in JSON, and what is pending by each.
    let whole = try demo.run("report", "-o", "-", "--format", "json", "--salt", "x").json()
    let history = try whole.object("history")
    #expect(history["byAuthor"] as? NSArray == groups as NSArray)
    let listed = (whole["pending"] as? [String: Any])?["items"] as? [[String: Any]] ?? []
    let pending = try Self.json(files["pending.json"])["pending"] as? [[String: Any]] ?? []
    #expect(listed.count == pending.count && listed.contains { $0["author"] is String })
    #expect(listed.map { $0["author"] as? String } == pending.map { $0["author"] as? String })
  }

  /// No value of the store's in any file. Authors are names of the app's code, and stand in the report.
  private func expectNoValue(_ store: String, of files: [String: [UInt8]]) throws {
    let original = try OriginalValues(store)
    let groups = try Tool.json(["history", store, "--by", "author", "--quiet"])["groups"]
    let authors = Set((groups as? [[String: Any]] ?? []).compactMap { $0["author"] as? String })
    for (name, bytes) in files {
      let found = original.found(in: bytes).filter { !authors.contains($0) && !Self.words.contains($0) }
      #expect(found.isEmpty, "\(name): \(found)")
    }
    let path = URL(filePath: store).deletingLastPathComponent().path
    for (name, bytes) in files {
      #expect(Data(bytes).range(of: Data(path.utf8)) == nil, "\(name) has the store's path")
    }
  }

  /// Values that are words of the README's, or of the page's style and script, or in the id of a rule.
  private static let words: Set = ["paths", "Table", "locale", "Date", "Month", "Year", "Notes", "created"]

  @Test(arguments: [[], ["--title", "A case"]]) func noValueIsInIt(_ options: [String]) throws {
    let demo = try Demo()
    try expectNoValue(demo.path, of: try files(demo.path, options))
  }

  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all)
  func noValueOfARealStoreIsInIt(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let before = try FolderSnapshot(folder.path)
    // Placeholders by chance would have the digits of a short value.
    try expectNoValue(
      path, of: try files(path, ["--salt", "test"], environment: ["SOURCE_DATE_EPOCH": "1700000000"]))
    #expect(try FolderSnapshot(folder.path).entries == before.entries)
  }

  @Test func sameSaltAndTimeGiveTheSameBytes() throws {
    let demo = try Demo()
    var archives: Set<[UInt8]> = []
    for zone in ["UTC", "Asia/Kolkata", "America/Los_Angeles"] {
      _ = try files(
        demo.path, ["--salt", "x", "--force"], environment: ["SOURCE_DATE_EPOCH": "1780000000", "TZ": zone])
      archives.insert(try place.read("case.zip"))
    }
    #expect(archives.count == 1)
  }

  // MARK: - Refusals

  @Test func onlyAHandoverIsReplaced() throws {
    let demo = try Demo()
    try place.write(Array("PK\u{3}\u{4} another archive".utf8), to: "other.zip")
    func run(_ words: String...) throws -> Tool.Result { try demo.run(["handover"] + words) }
    // It only mentions one, and was replaced.
    try place.write(Array("PK\u{3}\u{4} storescope-handover/README.txt".utf8), to: "notes.txt")
    #expect(try run().status == 64)
    #expect(try run("-o", "-").status == 64)
    #expect(try run("-o", place.path("case.zip"), "--salt", "").status == 64)
    try run("-o", place.path("none/case.zip")).expectRefused("there is no folder", "create it first")
    try run("-o", place.path("other.zip")).expectErrors("already exists")
    try run("-o", place.path("other.zip"), "--force").expectErrors("isn't a storescope handover")
    try run("-o", place.path("notes.txt"), "--force").expectErrors("isn't a storescope handover")
    try run("-o", demo.path, "--force").expectErrors("never overwritten")
    try run("-o", place.path("case.zip")).expectDone()
    try run("-o", place.path("case.zip")).expectErrors("--force")
    try run("-o", place.path("case.zip"), "--force").expectDone()
    #expect(try place.names() == ["case.zip", "notes.txt", "other.zip"])
  }

  /// A zip was written under any name, which 'tar' then refused.
  @Test(arguments: [("case.tar.gz", "case.zip"), ("a.b/c.d.html", "a.b/c.d.zip"), ("x y.tgz", "'x y.zip'")])
  func anotherEndingIsRefused(_ name: String, _ offered: String) throws {
    try Tool.run(["handover", try Demo().path, "-o", name]).expectErrors(status: 64, "-o \(offered)")
  }

  /// `-o case` made a file that a double-click doesn't open.
  @Test func aNameWithoutAnEndingGetsOne() throws {
    let demo = try Demo()
    let made = try demo.run("handover", "-o", place.path("case"), "--json").expectDone()
    #expect(try made.json()["archive"] as? String == place.path("case.zip"))
    try demo.run("handover", "-o", place.path).expectRefused("isn't a regular file")
    #expect(try place.names() == ["case.zip"])
  }

  /// The sender is told what the recipient reads: names are guessed, and a link isn't followed. A path of the sender's is in
  /// the first only.
  @Test func whatTheCopyLacksIsSaid() throws {
    let demo = try Demo { try $0.connection.execute("DELETE FROM Z_MODELCACHE") }
    let data = demo.folder.path(".Journeys_SUPPORT/_EXTERNAL_DATA")
    let value = try #require(try FileManager.default.contentsOfDirectory(atPath: data).first)
    try FileManager.default.removeItem(atPath: data + "/" + value)
    try FileManager.default.createSymbolicLink(atPath: data + "/" + value, withDestinationPath: "/etc/hosts")
    try demo.run("handover", "-o", place.path("a.zip")).expectErrors(
      status: 0, "no model", "a link, not followed")
    let files = try files(demo.path)
    let readme = String(decoding: try #require(files["README.txt"]), as: UTF8.self)
    #expect(readme.contains("has no model") && readme.contains("1 part that couldn't be copied"), "\(readme)")
    for (name, bytes) in files {
      #expect(Data(bytes).range(of: Data(demo.folder.path.utf8)) == nil, "\(name)")
    }
  }

  /// The title comes from a ticket, and is shown on the recipient's terminal.
  @Test func aTitleCannotReachTheTerminal() throws {
    let demo = try Demo()
    let files = try files(demo.path, ["--title", "a\u{1B}[2Jb\nc"])
    let readme = try #require(files["README.txt"])
    #expect(!readme.contains(0x1B) && String(decoding: readme, as: UTF8.self).contains("b"))
  }

  /// Where a store can't be copied whole, or the disk is full, or its user stops it: one sentence and no file.
  /// SIGTERM left its folder, and what Ctrl-C interrupted was called a failure of the disk or of its rights. The fourth
  /// call is of a folder, whose failure loses nothing.
  @Test(
    .enabled(if: Tool.strace != nil, "needs strace"),
    arguments: ["error=ENOSPC", "signal=INT", "signal=TERM", "signal=HUP"], [1, 5, 9])
  func aFailureLeavesNothing(_ what: String, _ call: Int) throws {
    let demo = try Demo()
    let before = try demo.folder.names()
    let session = try TerminalSession(
      [
        "-f", "-o", place.path("trace"), "-e", "trace=fsync", "-e", "inject=fsync:\(what):when=\(call)",
        Tool.path, "handover", demo.path, "-o", place.path("case.zip"),
      ], of: try #require(Tool.strace), columns: 400)
    let status = try session.end()
    #expect(status != 0, "\(session.transcript)")
    #expect(
      session.transcript.contains("interrupted: nothing was changed") == what.hasPrefix("signal"),
      "\(session.transcript)")
    #expect(try place.names() == ["trace"], "\(session.transcript)")
    #expect(try demo.folder.names() == before)
  }

  @Test func aDamagedStoreLeavesNothing() throws {
    let demo = try Demo(leaving: .nothing)
    try demo.damagePages()
    let result = try demo.run("handover", "-o", place.path("case.zip"))
    #expect(result.status == 2 && result.errors.split(separator: "\n").count == 1, "\(result.errors)")
    #expect(try place.names().isEmpty)
  }
}
