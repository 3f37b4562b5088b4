import Foundation
import SQLite
import TestSupport
import Testing

/// The writing commands as people and scripts run them.
@Suite struct OperationTests {
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

  private static func run(
    _ command: [String], _ path: String, _ options: [String] = [], seconds: Double = 60
  ) throws -> Tool.Result {
    try Tool.run([command[0], path] + command.dropFirst() + options, seconds: seconds)
  }

  private static func name(_ path: String) -> String { URL(filePath: path).lastPathComponent }

  private static func files(_ demo: Demo) throws -> [String: String] {
    try FileTree.hashes(demo.folder.path) { !$0.contains(".backup") && !$0.contains(".replaced") }
  }

  @Test(arguments: commands) func planning(_ command: [String]) throws {
    let demo = try Demo()
    let before = try FolderSnapshot(demo.folder.path)
    let plan = try Self.run(command, demo.path, ["--json"])
    #expect(plan.status == 0, "\(plan.errors)")
    if command.count > 1 {
      let keys = try #require(try plan.json()["plan"] as? [String: Any])
      for key in ["operation", "risk", "preconditions", "steps", "effect", "warnings"] {
        #expect(keys[key] != nil, "\(key)")
      }
      let conditions = try #require(keys["preconditions"] as? [[String: Any]])
      let holds = conditions.allSatisfy { $0["holds"] as? Bool == true }
      let rehearsal = try Self.run(command, demo.path, ["--rehearse", "--json"])
      if holds {
        #expect(try rehearsal.json()["rehearsal"] != nil, "\(rehearsal.errors)")
      } else {
        // What can't be applied can't be rehearsed as if it could.
        rehearsal.expectRefused("can't be applied")
      }
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  /// `--apply` alone, with another name, with what contradicts it: refused, and nothing changes.
  @Test func consent() throws {
    let demo = try Demo()
    let before = try FolderSnapshot(demo.folder.path)
    try Self.run(["resync", "--pull"], demo.path, ["--apply"]).expectRefused("--confirm")
    try Self.run(["resync", "--pull"], demo.path, ["--apply", "--confirm", "Other.store"])
      .expectRefused("Other.store", "nothing was changed")
    try Self.run(["reset"], demo.path, ["--apply", "--confirm", Self.name(demo.path)])
      .expectRefused("--server-zone", "--discard-pending-deletes")
    try Self.run(["resync", "--pull"], demo.path, ["--apply", "--rehearse"]).expectRefused(
      status: 64, "--rehearse")
    try Self.run(["resync", "--pull"], demo.path, ["--on-copy", "/tmp/x"]).expectRefused(
      status: 64, "--apply")
    try Self.run(["resync"], demo.path).expectRefused(status: 64, "--pull")
    try Self.run(["resync", "--pull", "--push"], demo.path).expectRefused(status: 64, "--pull")
    try Self.run(["repair", "raise-mix"], demo.path).expectRefused(status: 64, "raise-max")
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  @Test(arguments: [["resync", "--pull"], ["resync", "--push"], ["repair", "clear-events"]])
  func applyingAndRestoring(_ command: [String]) throws {
    let demo = try Demo()
    let (before, content) = (try Self.files(demo), try StoreContent(demo.path))
    let confirm = ["--apply", "--confirm", Self.name(demo.path), "--json"]
    let result = try Self.run(command, demo.path, confirm)
    #expect(result.status == 0, "\(result.errors)")
    let json = try result.json()
    let backup = try #require(json["backup"] as? String)
    #expect(json["applied"] is [[String: Any]] && json["verified"] != nil)
    #expect(try StoreContent(demo.path) != content)
    #expect(FileManager.default.fileExists(atPath: try #require(json["log"] as? String)))
    try Tool.run(["restore", backup]).expectRefused("--confirm")
    let restored = try Tool.run(["restore", backup, "--confirm", Self.name(demo.path)])
    #expect(restored.status == 0, "\(restored.errors)")
    #expect(try Self.files(demo).filter { !$0.key.hasSuffix(".log") } == before)
  }

  @Test func onCopy() throws {
    let demo = try Demo()
    let elsewhere = try TemporaryFolder("copy")
    let before = try FolderSnapshot(demo.folder.path)
    let copy = elsewhere.path("Copy.store")
    let result = try Self.run(["resync", "--rescan"], demo.path, ["--apply", "--on-copy", copy, "--json"])
    #expect(result.status == 0, "\(result.errors)")
    #expect(try FolderSnapshot(demo.folder.path) == before)
    let (old, new) = (try StoreContent(demo.path), try StoreContent(copy))
    #expect(new.rows("ANSCKMETADATAENTRY").count == old.rows("ANSCKMETADATAENTRY").count - 1)
    let again = try Self.run(["resync", "--rescan"], demo.path, ["--apply", "--on-copy", copy])
    again.expectRefused("Copy.store")
    #expect(try StoreContent(copy) == new)
  }

  @Test(.enabled(if: LiveWriter.isAvailable)) func inUse() throws {
    let demo = try Demo()
    let other = try LiveWriter(demo.path)
    try other.run("BEGIN; SELECT COUNT(*) FROM ATRANSACTION")
    let result = try Self.run(
      ["resync", "--pull"], demo.path, ["--apply", "--confirm", Self.name(demo.path)])
    result.expectRefused("process \(other.processID)", "nothing was changed")
    let plan = try Self.run(["resync", "--pull"], demo.path)
    #expect(plan.status == 0 && plan.output.contains("process \(other.processID)"))
  }

  /// No file may grow beyond a limit, as on a full disk.
  @Test func fullDisk() throws {
    let demo = try Demo()
    let (before, content) = (try Self.files(demo), try StoreContent(demo.path))
    let place = try TemporaryFolder("backups")
    let command =
      "trap '' XFSZ; ulimit -f 16; exec '\(Tool.path)' resync '\(demo.path)' --pull --apply --confirm \(Self.name(demo.path)) --backup-to '\(place.path)'"
    let result = try Tool.run("/bin/bash", ["-c", command])
    result.expectRefused()
    #expect(try Self.files(demo) == before && StoreContent(demo.path) == content)
    #expect(try place.names().isEmpty)
  }

  // MARK: A person at a terminal

  @Test func typing() throws {
    let demo = try Demo()
    let content = try StoreContent(demo.path)
    let name = Self.name(demo.path)
    let no = try PseudoTerminal.run(["resync", demo.path, "--pull", "--apply"], typing: "yes\n")
    #expect(no.contains("Plan: resync --pull") && no.contains("At the next launch"), "\(no)")
    #expect(no.contains("The name was not typed; nothing was changed."), "\(no)")
    #expect(try StoreContent(demo.path) == content)
    let yes = try PseudoTerminal.run(["resync", demo.path, "--pull", "--apply"], typing: "\(name)\n")
    #expect(yes.contains("Plan: resync --pull") && yes.contains("put back"), "\(yes)")
    #expect(try StoreContent(demo.path) != content)
  }

  @Test func resetAsksForTheZone() throws {
    let demo = try Demo()
    let content = try StoreContent(demo.path)
    let words = ["reset", demo.path, "--discard-pending-deletes", "--apply"]
    let odd = try PseudoTerminal.run(words, typing: "maybe\n\(Self.name(demo.path))\n")
    #expect(odd.contains("Is the zone on the server emptied too?") && odd.contains("neither"), "\(odd)")
    #expect(try StoreContent(demo.path) == content)
    let kept = try PseudoTerminal.run(words, typing: "kept\nno\n")
    #expect(kept.contains("doubles every object"), "\(kept)")
    #expect(try StoreContent(demo.path) == content)
    let done = try PseudoTerminal.run(words, typing: "emptied\n\(Self.name(demo.path))\n")
    #expect(done.contains("Done"), "\(done)")
    #expect(try StoreContent(demo.path).rows("ANSCKRECORDMETADATA").isEmpty)
  }

  // MARK: Killed

  private static let isLong = ProcessInfo.processInfo.environment["STORESCOPE_LONG"] != nil
  private static let strace = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

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

  private static func demo(_ journal: String) throws -> Demo {
    let demo = try Demo()
    guard journal == "DELETE" else { return demo }
    let connection = try Connection(path: demo.path, options: .readWrite())
    try connection.execute("PRAGMA journal_mode = DELETE")
    connection.close()
    return demo
  }

  private static func copy(_ base: Demo) throws -> (TemporaryFolder, String) {
    let folder = try TemporaryFolder("killed")
    try FileManager.default.removeItem(atPath: folder.path)
    try FileManager.default.copyItem(atPath: base.folder.path, toPath: folder.path)
    return (folder, folder.path(name(base.path)))
  }

  /// Killed at each call of the system that changes a file, first of an operation, then of putting its backup back.
  @Test(.enabled(if: isLong && strace != nil), arguments: ["WAL", "DELETE"])
  func killedAtEverySystemCall(_ journal: String) throws {
    let calls =
      "pwrite64,write,fsync,fdatasync,ftruncate,rename,unlink,rmdir,mkdir,openat,utimensat,chmod,fchmod,linkat,fchown"
    func run(_ arguments: [String], until number: Int) throws -> Bool {
      let result = try Tool.run(
        try #require(Self.strace),
        [
          "-f", "-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):signal=KILL:when=\(number)",
          Tool.path,
        ] + arguments)
      return result.status == 0
    }
    let base = try Self.demo(journal)
    let name = Self.name(base.path)
    let words = ["--discard-pending-deletes", "--server-zone", "emptied", "--apply", "--confirm", name]
    let old = try StoreContent(base.path)
    let (whole, wholePath) = try Self.copy(base)
    #expect(try Tool.run(["reset", wholePath] + words).status == 0)
    let new = try StoreContent(wholePath)
    var number = 0
    var isDone = false
    while !isDone {
      number += 1
      let (folder, path) = try Self.copy(base)
      isDone = try run(["reset", path] + words, until: number)
      let after = try StoreContent(path)
      #expect(
        isDone ? after == new : after == old || after == new,
        "\(folder.path) at \(number): \(old.differences(after))")
    }
    let backup = try #require(try whole.names().first { $0.hasSuffix(".backup") })
    // Where there is a -wal, what is replaced has changes in its own.
    var options = OpenOptions(.readWrite(create: false), trustsSchema: true)
    options.keepsWAL = true
    let app = try Connection(path: wholePath, options: options)
    try app.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
    app.close()
    let later = try StoreContent(wholePath)
    #expect(FileManager.default.fileExists(atPath: wholePath + "-wal") == (journal == "WAL") && later != new)
    var other = 0
    isDone = false
    while !isDone {
      other += 1
      let (folder, path) = try Self.copy(base)
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.copyItem(atPath: whole.path, toPath: folder.path)
      let restore = ["restore", folder.path(backup), "--to", path, "--confirm", name]
      isDone = try run(restore, until: other)
      let after = try StoreContent(path)
      #expect(isDone ? after == old : after == old || after == later, "restore at \(other)")
      let again = try Tool.run(restore)
      #expect(again.status == 0, "\(again.errors)")
      #expect(try StoreContent(path) == old, "restored after \(other)")
    }
    print("killed in \(journal) at \(number) and \(other) calls")
  }

  @Test(arguments: ["WAL", "DELETE"]) func killed(_ journal: String) throws {
    let base = try Self.demo(journal)
    let name = Self.name(base.path)
    let words = ["--discard-pending-deletes", "--server-zone", "emptied", "--apply", "--confirm", name]
    let old = try StoreContent(base.path)
    let (whole, wholePath) = try Self.copy(base)
    #expect(try Self.run(["reset", wholePath] + words, killedAfter: 120) != nil)
    let new = try StoreContent(wholePath)
    #expect(new != old)
    let backup = try #require(try whole.names().first { $0.hasSuffix(".backup") })
    let count = Self.isLong ? 200 : 10
    var ends: [String] = []
    for (operation, start, (before, after)) in [
      ("reset", base.folder.path, (old, new)), ("restore", whole.path, (new, old)),
    ] {
      func attempt(_ seconds: Double) throws -> (Double?, TemporaryFolder, StoreContent) {
        let folder = try TemporaryFolder("killed")
        try FileManager.default.removeItem(atPath: folder.path)
        try FileManager.default.copyItem(atPath: start, toPath: folder.path)
        let path = folder.path(name)
        let command =
          operation == "reset"
          ? ["reset", path] + words : ["restore", folder.path(backup), "--to", path, "--confirm", name]
        let time = try Self.run(command, killedAfter: seconds)
        return (time, folder, try StoreContent(path))
      }
      let duration = try #require(try (0..<3).compactMap { _ in try attempt(120).0 }.max())
      var killed = (old: 0, new: 0)
      while killed.old + killed.new < count {
        let (time, folder, content) = try attempt(Double.random(in: 0...duration))
        #expect(content == before || content == after, "\(operation): \(before.differences(content))")
        if time != nil {
          #expect(content == after)
          continue
        }
        if content == before { killed.old += 1 } else { killed.new += 1 }
        // Every backup that is there can be put back.
        for backup in try folder.names() where backup.hasSuffix(".backup") {
          let result = try Tool.run([
            "restore", folder.path(backup), "--to", folder.path(name), "--confirm", name,
          ])
          #expect(result.status == 0, "\(result.errors)")
          #expect(try StoreContent(folder.path(name)) == old)
        }
      }
      ends.append("\(operation) \(killed.old) old, \(killed.new) new, within \(duration) s")
    }
    print("killed in \(journal): \(ends.joined(separator: "; "))")
  }

  /// Several at once to a place where nothing is: one does it, the others say why not.
  @Test func restoringAtOnce() async throws {
    let demo = try Demo()
    let content = try StoreContent(demo.path)
    let name = Self.name(demo.path)
    let json = try Self.run(["resync", "--pull"], demo.path, ["--apply", "--confirm", name, "--json"]).json()
    let backup = try #require(json["backup"] as? String)
    let place = try TemporaryFolder("at-once")
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
