import Foundation
import SQLite
import TestSupport
import Testing

/// The writing commands as people and scripts run them.
@Suite final class OperationTests: DemoSuite {
  /// Words behind the store, and whether the demo store has something for them to do.
  static let commands: [[String]] = [
    ["resync", "--pull"], ["resync", "--push"], ["resync", "--push", "--entity", "Trip"],
    ["resync", "--rescan"],
    ["reset", "--server-zone", "kept"], ["reset", "--server-zone", "emptied", "--discard-pending-deletes"],
    ["repair", "register-missing"], ["repair", "clear-import-leftovers"], ["repair", "clear-events"],
    ["repair", "remove-orphan-records", "--cloud", "keep"],
    ["repair", "remove-orphan-records", "--cloud", "delete"], ["repair", "remove-duplicate-records"],
    ["repair", "detach-entity", "--entity", "Trip"], ["repair", "raise-max"], ["repair", "prune-history"],
    ["repair"],
  ]

  private static func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

  private static func files(_ demo: Demo) throws -> [String: String] {
    try FileTree.hashes(demo.folder.path) { !$0.contains(".backup") && !$0.contains(".replaced") }
  }

  /// Consent was asked for what was refused afterwards, for a reason that was known before.
  @Test func whatCanNotBeRestoredAsksForNoConsent() throws {
    let made = try demo.run("resync", "--pull", "--apply", "--confirm", "Journeys.store", "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    try demo.folder.write(Array("mine".utf8), to: "mine")
    let refused = try Tool.run(["restore", backup, "--to", demo.folder.path("mine")]).expectRefused(
      "can't be read as a store", "othing was changed")
    #expect(!refused.errors.contains("--confirm"))
    try Tool.run(["restore", backup]).expectRefused("pass --confirm Journeys.store")
  }

  @Test(arguments: commands) func planning(_ command: [String]) throws {
    let before = try FolderSnapshot(demo.folder.path)
    let plan = try demo.run(command + ["--json"]).expectStatus()
    if command.count > 1 {
      let keys = try plan.json().object("plan")
      for key in ["operation", "risk", "steps", "effect", "warnings"] {
        #expect(keys[key] != nil, "\(key)")
      }
      let conditions = try keys.list("preconditions")
      let holds = conditions.allSatisfy { $0["holds"] as? Bool == true }
      let rehearsal = try demo.run(command + ["--rehearse", "--json"])
      if holds {
        #expect(try rehearsal.json()["rehearsal"] != nil, "\(rehearsal.errors)")
      } else {
        // What can't be applied can't be rehearsed as if it could.
        #expect(rehearsal.status == 2)
        expectText(rehearsal.errors, "can't be applied to '\(demo.path)', and nothing was changed:")
      }
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  /// `--apply` alone, with another name, with what contradicts it: refused, and nothing changes.
  @Test func consent() throws {
    let before = try FolderSnapshot(demo.folder.path)
    try demo.run("resync", "--pull", "--apply").expectRefused("--confirm")
    try demo.run("resync", "--pull", "--apply", "--confirm", "Other.store")
      .expectRefused("Other.store", "nothing was changed")
    try demo.run("resync", "--pull", "--apply", "--rehearse").expectRefused(status: 64, "--rehearse")
    try demo.run("resync", "--pull", "--on-copy", "/tmp/x", "--rehearse").expectRefused(
      status: 64, "'--rehearse' and '--on-copy' can't be combined")
    // What it can be given stood in lines that a terminal broke in the middle of a word.
    let bare = try demo.run("resync").expectStatus(64)
    let ways = bare.errors.split(separator: "\n").dropFirst()
    #expect(ways.allSatisfy { $0.count <= 80 }, "\(bare.errors)")
    try demo.run("resync", "--pull", "--push").expectRefused(status: 64, "--pull")
    try demo.run("repair", "raise-mix").expectRefused(status: 64, "raise-max")
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  @Test(arguments: [["resync", "--pull"], ["resync", "--push"], ["repair", "clear-events"]])
  func applyingAndRestoring(_ command: [String]) throws {
    let (before, content) = (try Self.files(demo), try StoreContent(demo.path))
    let confirm = ["--apply", "--confirm", Self.name(demo.path), "--json"]
    let result = try demo.run(command + confirm).expectStatus()
    let json = try result.json()
    let backup = try #require(json["backup"] as? String)
    #expect(json["applied"] is [[String: Any]] && json["verified"] != nil)
    #expect(try StoreContent(demo.path) != content)
    #expect(FileManager.default.fileExists(atPath: try #require(json["log"] as? String)))
    try Tool.run(["restore", backup]).expectRefused("--confirm")
    try Tool.run(["restore", backup, "--confirm", Self.name(demo.path)]).expectStatus()
    #expect(try Self.files(demo).filter { !$0.key.hasSuffix(".log") } == before)
  }

  /// It planned two rows, and made another backup, each time.
  @Test func nothingIsDoneTwice() throws {
    let apply = ["--apply", "--confirm", Self.name(demo.path)]
    try demo.run(["resync", "--pull"] + apply).expectDone()
    let before = try demo.folder.names()
    let plan = try demo.run("resync", "--pull").expectDone()
    let why = "the next launch already fetches every zone again"
    #expect(plan.output.contains("There is nothing to do: \(why)."), "\(plan.output)")
    try demo.run(["resync", "--pull"] + apply).expectRefused("nothing was done: \(why)")
    #expect(try demo.folder.names() == before)
  }

  /// It was refused without --apply, although a copy needs no consent.
  @Test(arguments: [["--apply"], []]) func onCopy(_ apply: [String]) throws {
    let elsewhere = TemporaryFolder("copy")
    let before = try FolderSnapshot(demo.folder.path)
    let copy = elsewhere.path("Copy.store")
    try demo.run(["resync", "--rescan"] + apply + ["--on-copy", copy, "--json"]).expectStatus()
    #expect(try FolderSnapshot(demo.folder.path) == before)
    let (old, new) = (try StoreContent(demo.path), try StoreContent(copy))
    #expect(new.rows("ANSCKMETADATAENTRY").count == old.rows("ANSCKMETADATAENTRY").count - 1)
    try demo.run(["resync", "--rescan"] + apply + ["--on-copy", copy]).expectRefused("Copy.store")
    #expect(try StoreContent(copy) == new)
    // Whether the original had changed too was left open, and whether the copy was one.
    try demo.run(["resync", "--rescan"] + apply + ["--on-copy", elsewhere.path("Other.store")])
      .expectOutput("original  \(demo.path), unchanged", lacks: "If this store is a copy")
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func inUse() throws {
    let other = try LiveWriter(demo.path)
    try other.run("BEGIN; SELECT COUNT(*) FROM ATRANSACTION")
    try demo.run("resync", "--pull", "--apply", "--confirm", Self.name(demo.path))
      .expectRefused("process \(other.processID)", "nothing was changed")
    try demo.run("resync", "--pull").expectOutput(status: 0, "process \(other.processID)")
  }

  private static let mounts =
    (try? Tool.run("/usr/bin/unshare", ["-m", "mount", "--bind", "/tmp", "/tmp"]).status) == 0

  /// A container's volume of the store's file alone: its -wal and journal would lie in the container (D3).
  @Test(.enabled(if: mounts, "needs the right to mount")) func mountedAsASingleFile() throws {
    let place = TemporaryFolder("mounted")
    try place.write([], to: "With space.store")
    let content = try StoreContent(demo.path)
    let command =
      "mount --bind '\(demo.path)' '\(place.path("With space.store"))' && exec '\(Tool.path)' resync '\(place.path("With space.store"))' --pull"
    try Tool.run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", command]).expectOutput(
      status: 0, "mounted as a single file")
    let apply = command + " --apply --confirm 'With space.store'"
    try Tool.run("/usr/bin/unshare", ["-m", "/bin/sh", "-c", apply]).expectRefused("mounted as a single file")
    #expect(try StoreContent(demo.path) == content)
  }

  /// No file may grow beyond a limit, as on a full disk.
  @Test func fullDisk() throws {
    let (before, content) = (try Self.files(demo), try StoreContent(demo.path))
    let place = TemporaryFolder("backups")
    let command =
      "trap '' XFSZ; ulimit -f 16; exec '\(Tool.path)' resync '\(demo.path)' --pull --apply --confirm \(Self.name(demo.path)) --backup-to '\(place.path)'"
    try Tool.run("/bin/bash", ["-c", command]).expectRefused()
    #expect(try Self.files(demo) == before && StoreContent(demo.path) == content)
    #expect(try place.names().isEmpty)
  }

  // MARK: A person at a terminal

  @Test func typing() throws {
    let content = try StoreContent(demo.path)
    let name = Self.name(demo.path)
    let no = try PseudoTerminal.run(["resync", demo.path, "--pull", "--apply"], typing: "yes\n")
    expectText(no, "Plan: resync --pull", "At the next launch", "Not confirmed; nothing was changed.")
    #expect(try StoreContent(demo.path) == content)
    let yes = try PseudoTerminal.run(["resync", demo.path, "--pull", "--apply"], typing: "\(name)\n")
    #expect(yes.contains("Plan: resync --pull") && yes.contains("undo"), "\(yes)")
    #expect(try StoreContent(demo.path) != content)
  }

  @Test func resetAsksForTheZone() throws {
    let content = try StoreContent(demo.path)
    // It asked before it refused for another reason.
    let refused = try PseudoTerminal.run(["reset", demo.path, "--apply"], columns: 80, typing: "emptied\n")
    #expect(!refused.contains("emptied too? If") && refused.contains("\n• 4 pending deletions"), "\(refused)")
    #expect(refused.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(refused)")
    let words = ["reset", demo.path, "--discard-pending-deletes", "--apply"]
    let odd = try PseudoTerminal.run(words, typing: "maybe\n\(Self.name(demo.path))\n")
    #expect(odd.contains("Is the zone on the server emptied too?") && odd.contains("neither"), "\(odd)")
    #expect(try StoreContent(demo.path) == content)
    let kept = try PseudoTerminal.run(words, typing: "kept\nno\n")
    #expect(kept.contains("duplicates"), "\(kept)")
    #expect(try StoreContent(demo.path) == content)
    let done = try PseudoTerminal.run(words, typing: "emptied\n\(Self.name(demo.path))\n")
    #expect(done.contains("Done"), "\(done)")
    #expect(try StoreContent(demo.path).rows("ANSCKRECORDMETADATA").isEmpty)
  }

  // MARK: Killed

  private static let isLong = ProcessInfo.processInfo.environment["STORESCOPE_LONG"] != nil

  /// Runs the program and kills it after some time; how long it ran where it came to an end.
  private static func run(_ arguments: [String], killedAfter seconds: Double) throws -> Double? {
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    let start = Date()
    try process.run()
    while process.isRunning, Date().timeIntervalSince(start) < seconds { usleep(500) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return process.terminationReason == .exit ? Date().timeIntervalSince(start) : nil
  }

  private static func copy(_ base: Demo) throws -> (TemporaryFolder, String) {
    let folder = TemporaryFolder("killed")
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: base.folder.path, toPath: folder.path)
    return (folder, folder.path(name(base.path)))
  }

  private static let calls =
    "pwrite64,write,fsync,fdatasync,ftruncate,rename,renameat,renameat2,unlink,unlinkat,rmdir,mkdir,mkdirat,openat,utimensat,chmod,fchmod,linkat,fchown"

  /// A call of the system in a run of the program: the n-th of its name, as `strace` counts.
  private struct Call {
    var name: String
    var number: Int
  }

  /// The calls of a run that change a file, in their order; not those that only open one.
  private static func calls(of command: [String], in folder: TemporaryFolder) throws -> [Call] {
    try Tool.run(
      try #require(Tool.strace),
      ["-f", "-o", folder.path("trace"), "-e", "trace=\(calls)", Tool.path] + command
    ).expectStatus()
    var numbers: [String: Int] = [:]
    return try folder.text("trace").split(separator: "\n").compactMap {
      line in
      guard let call = line.split(separator: " ").dropFirst().first, let bracket = call.firstIndex(of: "("),
        line.contains(") = ")
      else { return nil }
      let name = String(call[..<bracket])
      numbers[name, default: 0] += 1
      if name == "openat", !line.contains("O_CREAT") { return nil }
      return Call(name: name, number: numbers[name] ?? 0)
    }
  }

  /// Runs the program with a fault at one of its calls.
  private static func run(_ command: [String], _ fault: String, at call: Call) throws -> Tool.Result {
    try Tool.run(
      try #require(Tool.strace),
      [
        "-f", "-o", "/dev/null", "-e", "trace=\(call.name)", "-e",
        "inject=\(call.name):\(fault):when=\(call.number)", Tool.path,
      ] + command)
  }

  /// A store, the same after an operation with its backup, and that as an app has changed it: in its -wal, where it has
  /// one.
  private struct Lives {
    let base: Demo
    let name: String
    let words: [String]
    let whole: TemporaryFolder
    let backup: String
    let (old, new, later): (StoreContent, StoreContent, StoreContent)

    init(_ journal: String) throws {
      base = try Demo()
      if journal == "DELETE" { try base.execute("PRAGMA journal_mode = DELETE") }
      name = OperationTests.name(base.path)
      words = ["--discard-pending-deletes", "--server-zone", "emptied", "--apply", "--confirm", name]
      old = try StoreContent(valuesOf: base.path)
      let path: String
      (whole, path) = try OperationTests.copy(base)
      #expect(try Tool.run(["reset", path] + words).status == 0)
      new = try StoreContent(valuesOf: path)
      backup = try #require(try whole.names().first { $0.hasSuffix(".backup") })
      try Demo.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1", at: path)
      // L2: a value of the name that the backup has another value by must not be changed before the store is.
      let support = ".\(name.split(separator: ".")[0])_SUPPORT/_EXTERNAL_DATA"
      let value = try #require(
        try FileManager.default.contentsOfDirectory(atPath: whole.path(support)).sorted().first)
      try whole.write(Array("later".utf8), to: "\(support)/\(value)")
      later = try StoreContent(valuesOf: path)
      #expect(later.tables.values.joined().contains { $0.values.contains(.blob(Array("later".utf8))) })
      #expect(FileManager.default.fileExists(atPath: path + "-wal") == (journal == "WAL"))
      #expect(old != new && new != later)
    }

    /// A copy in which the operation, or the restoring, is to be tried.
    func copy(restores: Bool) throws -> (TemporaryFolder, path: String, command: [String]) {
      let folder = TemporaryFolder("killed")
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.copyItem(atPath: restores ? whole.path : base.folder.path, toPath: folder.path)
      let path = folder.path(name)
      return (
        folder, path,
        restores
          ? ["restore", folder.path(backup), "--to", path, "--confirm", name] : ["reset", path] + words
      )
    }

    func ends(restores: Bool) -> (before: StoreContent, after: StoreContent) {
      restores ? (later, old) : (old, new)
    }
  }

  /// Killed right before each call of the system that changes a file, or each of them finds the disk full: in an
  /// operation and in putting its backup back.
  @Test(
    .enabled(if: isLong && Tool.strace != nil), arguments: ["signal=KILL", "error=ENOSPC"], [false, true])
  func faultAtEverySystemCall(_ fault: String, restores: Bool) throws {
    for journal in ["WAL", "DELETE"] {
      let lives = try Lives(journal)
      let (before, after) = lives.ends(restores: restores)
      let (traced, _, tracedCommand) = try lives.copy(restores: restores)
      let calls = try Self.calls(of: tracedCommand, in: traced)
      #expect(
        calls.contains { $0.name.hasPrefix("rename") } && calls.contains { $0.name.hasPrefix("unlink") })
      var ends = (old: 0, new: 0, refused: 0)
      for call in calls {
        let (folder, path, command) = try lives.copy(restores: restores)
        defer { withExtendedLifetime(folder) {} }
        let result = try Self.run(command, fault, at: call)
        let found = try StoreContent(valuesOf: path)
        #expect(
          found == after || result.status != 0 && found == before,
          "\(journal), \(call): \(result.errors) \(before.differences(found))")
        if found == before { ends.old += 1 } else { ends.new += 1 }
        if result.status != 0 { ends.refused += 1 }
        let left = try folder.names().filter { $0.hasSuffix(".incomplete") }
        #expect(fault == "signal=KILL" || left.isEmpty, "\(journal), \(call): \(left)")
        // L6: the log was written by way of another file.
        #expect(try !folder.names().contains { $0.hasSuffix(".new") }, "\(journal), \(call)")
        guard restores else { continue }
        try Tool.run(command).expectStatus(comment: "\(journal), \(call)")
        #expect(try StoreContent(valuesOf: path) == after, "\(journal), \(call): restored again")
      }
      print("\(fault) in \(journal), \(restores ? "restore" : "reset"): \(calls.count) calls, \(ends)")
    }
  }

  /// Killed at random moments.
  @Test(arguments: ["WAL", "DELETE"], [false, true]) func killed(_ journal: String, restores: Bool) throws {
    let lives = try Lives(journal)
    let (before, after) = lives.ends(restores: restores)
    let duration = try #require(
      try (0..<3).compactMap { _ in
        let (folder, _, command) = try lives.copy(restores: restores)
        return try withExtendedLifetime(folder) { try Self.run(command, killedAfter: 120) }
      }.max())
    var killed = (old: 0, new: 0)
    while killed.old + killed.new < (Self.isLong ? 200 : 5) {
      let (folder, path, command) = try lives.copy(restores: restores)
      defer { withExtendedLifetime(folder) {} }
      let time = try Self.run(command, killedAfter: Double.random(in: 0...duration))
      let found = try StoreContent(valuesOf: path)
      #expect(found == after || time == nil && found == before, "\(before.differences(found))")
      if time != nil { continue }
      if found == before { killed.old += 1 } else { killed.new += 1 }
      // Every backup that is there can be put back.
      for backup in try folder.names() where backup.hasSuffix(".backup") {
        try Tool.run(["restore", folder.path(backup), "--to", path, "--confirm", lives.name]).expectStatus()
        #expect(try StoreContent(valuesOf: path) == lives.old)
      }
    }
    print("killed in \(journal), \(restores ? "restore" : "reset"): \(killed) within \(duration) s")
  }

  /// L4: consent is asked for whatever is replaced, and the question says what it is.
  @Test func restoringOverWhatIsNoStore() throws {
    let name = Self.name(demo.path)
    let json = try demo.run("resync", "--pull", "--apply", "--confirm", name, "--json").json()
    let backup = try #require(json["backup"] as? String)
    try demo.folder.write(Array("my notes".utf8), to: name)
    try Tool.run(["restore", backup]).expectRefused(
      "isn't a store: it is not an SQLite database", "--confirm")
    #expect(try demo.folder.read(name) == Array("my notes".utf8))
    try FileManager.default.removeItem(atPath: demo.path)
    try Tool.run(["restore", backup]).expectRefused("files of a store", "_SUPPORT", "--confirm")
    #expect(!FileManager.default.fileExists(atPath: demo.path))
  }

  /// Several at once to a place where nothing is: one does it, the others say why not.
  @Test func restoringAtOnce() async throws {
    let content = try StoreContent(demo.path)
    let name = Self.name(demo.path)
    let json = try demo.run("resync", "--pull", "--apply", "--confirm", name, "--json").json()
    let backup = try #require(json["backup"] as? String)
    let place = TemporaryFolder("at-once")
    let target = place.path("Then.store")
    let results = try await withThrowingTaskGroup(of: Tool.Result.self) { group in
      for _ in 0..<6 { group.addTask { try Tool.run(["restore", backup, "--to", target]) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.count { $0.status == 0 } == 1, "\(results.map(\.errors))")
    for result in results where result.status != 0 {
      result.expectRefused()
      #expect(result.errors.contains("othing was changed"), "\(result.errors)")
    }
    #expect(try StoreContent(target) == content)
    #expect(try place.names().allSatisfy { !$0.hasSuffix(".restoring") && !$0.hasSuffix(".replaced") })
  }
}
