import Base
import Foundation
import TestSupport
import Testing

/// What commands write: not among a store's files (L5), not for more people than the store (L7), and nothing that a link in
/// a stranger's store leads to (E1).
struct OutputFileTests {
  private static func mode(_ path: String) -> UInt32 {
    var status = stat()
    return lstat(path, &status) == 0 ? UInt32(status.st_mode) & 0o777 : 0
  }

  /// What a command says in addition goes to standard error.
  private func run(_ arguments: String...) throws {
    try Tool.run(arguments).expectStatus(comment: "\(arguments)")
  }

  private static func everything(below folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).map { folder + "/" + $0 } + [folder]
  }

  /// L7: a store that only its owner may read was exported for everybody.
  @Test func nobodyElseMayReadTheResults() throws {
    let demo = try Demo()
    chmod(demo.path, 0o600)
    let target = TemporaryFolder()
    let (dump, page, copy) = (target.path("dump"), target.path("r.html"), target.path("c.store"))
    try run("export", demo.path, "--to", dump, "--blobs")
    try run("report", demo.path, "-o", page, "--include-values")
    try run("redact", demo.path, "-o", copy)
    try run("handover", demo.path, "-o", target.path("h.zip"))
    try run("doctor", demo.path, "--write-baseline", target.path("b.json"), "--fail-on", "never")
    try run("shell", demo.path, "-c", "output \(target.path("rows"))", "-c", "rows Person")
    for path in try Self.everything(below: target.path) where path != target.path {
      #expect(Self.mode(path) & 0o077 == 0, "\(path)")
    }
    // A report without values is meant for others.
    try run("report", demo.path, "-o", target.path("s.html"))
    #expect(Self.mode(target.path("s.html")) & 0o444 == 0o444 & ~Self.umask)
  }

  /// The place was checked by its path, and the file was renamed by it a moment later.
  @Test func theCheckedFolderIsTheOneThatIsWritten() throws {
    let place = TemporaryFolder("moved")
    let (folder, path) = (place.path("results"), place.path("results/rows"))
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    try Data("kept".utf8).write(to: URL(filePath: path))
    #expect(throws: StoreScopeError.self) {
      try FileWriter.begin(path, rights: .ordinary) {
        try FileManager.default.moveItem(atPath: folder, toPath: place.path("checked"))
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      }
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    #expect(try place.names(in: "checked") == ["rows"])
    #expect(try String(contentsOfFile: place.path("checked/rows"), encoding: .utf8) == "kept")
    _ = try FileWriter.begin(place.path("checked/rows"), rights: .ordinary) {}
    #expect(try String(contentsOfFile: place.path("checked/rows"), encoding: .utf8).isEmpty)
  }

  private static var umask: UInt32 {
    let mask = Foundation.umask(0o022)
    _ = Foundation.umask(mask)
    return UInt32(mask)
  }

  /// L5, each command as it was reported.
  @Test func nothingIsWrittenAmongAStoresFiles() throws {
    let demo = try Demo()
    let data = demo.folder.path(".Journeys_SUPPORT/_EXTERNAL_DATA")
    let value = try #require(try FileManager.default.contentsOfDirectory(atPath: data).first)
    let before = try FolderSnapshot(demo.folder.path)
    let dataBefore = try FolderSnapshot(data)
    for arguments in [
      ["doctor", demo.path, "--write-baseline", demo.path + "-journal"],
      ["redact", demo.path, "-o", demo.folder.path("Other.db-wal")],
      ["redact", demo.path, "-o", data + "/copy.db"],
      ["report", demo.path, "-o", data + "/r.html"],
      ["handover", demo.path, "-o", data + "/h.zip"], ["handover", demo.path, "-o", demo.path + "-wal"],
      ["export", demo.path, "--to", data + "/dump"],
      ["export", demo.path, "--to", demo.folder.path("Journeys_ckAssets")],
      ["demo", data],
      ["shell", demo.path, "-c", "output \(data)/\(value)", "-c", "rows Person"],
    ] {
      try Tool.run(arguments).expectStatus(2, comment: "\(arguments)")
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
    #expect(try FolderSnapshot(data) == dataBefore)
  }

  /// E1: the reader's own files came out of a stranger's store.
  @Test func linksInAStoreAreNotFollowed() throws {
    let demo = try Demo()
    let data = demo.folder.path(".Journeys_SUPPORT/_EXTERNAL_DATA")
    let value = try #require(try FileManager.default.contentsOfDirectory(atPath: data).first)
    let outside = TemporaryFolder()
    try outside.write(Array("{\"secret\":\"SENTINEL\"}".utf8), to: "key")
    try FileManager.default.removeItem(atPath: data + "/" + value)
    try FileManager.default.createSymbolicLink(
      atPath: data + "/" + value, withDestinationPath: outside.path("key"))
    try demo.run("rows", "Attachment").expectOutput("a link, not followed")
    let json = try demo.json("rows", "Attachment")
    let all = try json.list("rows").compactMap { $0["data"] as? [String: Any] }
    let linked = try #require(all.first { $0["problem"] != nil })
    #expect((linked["blob"] as? [String: Any])?["kind"] as? String == "link")
    try run("export", demo.path, "--to", outside.path("dump"), "--blobs")
    try demo.run("redact", "-o", outside.path("copy.store"), "--json").expectOutput(
      status: 0, "link, not followed")
    try run("report", demo.path, "-o", outside.path("r.json"), "--include-values")
    try FileManager.default.removeItem(atPath: outside.path("key"))
    for path in try Self.everything(below: outside.path) {
      guard let bytes = try? Data(contentsOf: URL(filePath: path)) else { continue }
      #expect(bytes.range(of: Data("SENTINEL".utf8)) == nil, "\(path)")
    }
    let other = try Demo()
    for command in [
      ["rows", "Attachment"], ["query", "SELECT * FROM Attachment"], ["doctor"], ["diff", other.path],
    ] {
      try demo.run(command + ["--json"]).expectOutput(lacks: "SENTINEL", comment: "\(command)")
    }
  }
}

/// What killed processes leave behind: parts of what they read, decrypted perhaps.
struct LeftoverTests {
  /// It stayed until the next command that took something out of an archive or a backup, which may be never.
  @Test(arguments: [["--version"], ["find", "."], ["rules"]])
  func anyCommandTakesCopiesAway(_ words: [String]) throws {
    let folder = TemporaryFolder("leftovers")
    let left = folder.path("storescope-open-\(getuid())-abc")
    for path in [left, folder.path("storescope-open-mine"), folder.path("other")] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(filePath: path + "/Manifest.db"))
    }
    _ = try folder.run(words, environment: ["TMPDIR": folder.path])
    #expect(try folder.names().filter { !$0.contains("/") }.sorted() == ["other", "storescope-open-mine"])
  }

  /// They stayed forever.
  @Test func theNextHandoverTakesPartsAway() throws {
    let demo = try Demo()
    let folder = TemporaryFolder("leftovers")
    // No process has a number that high: https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html (pid_max)
    let (dead, alive) = ("case.zip.999999999.parts", "case.zip.\(getppid()).parts")
    let others = [alive, "case.zip.x.parts", "other.zip.999999999.parts", "case.zip.999999999"]
    for name in [dead] + others {
      try folder.makeFolder(name)
      try Data("x".utf8).write(to: URL(filePath: folder.path(name) + "/Redacted.store"))
    }
    try demo.run("handover", "-o", folder.path("case.zip")).expectStatus()
    let left = try folder.names()
    #expect(left.sorted() == (others + ["case.zip"]).sorted())
  }
}
