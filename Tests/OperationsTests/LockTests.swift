import Base
import Evidence
import Forge
import Foundation
import TestSupport
import Testing

@testable import Operations
@testable import SQLite

/// Nobody else comes in between, and nobody who is in is overrun.
@Suite(.enabled(if: LiveWriter.isAvailable, "needs sqlite3"), .waiting) struct LockTests {
  private static let journals = [ForgeOptions.Journal.wal, .rollback]

  /// Which locks another process holds while the operation is tried.
  enum Hold: String, CaseIterable, Sendable {
    case read = "BEGIN; SELECT COUNT(*) FROM ATRANSACTION"
    case write = "BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX"
    case everything = "BEGIN EXCLUSIVE; UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX"
  }

  /// A storescope that had the store open was taken for the app, which didn't run.
  @Test func anotherOfUsIsNotTheApp() {
    func text(_ id: Int32) -> String {
      "\(LockHolder(processID: id, isExclusive: false).refusal(of: "/x/App.store"))"
    }
    let own = ProcessInfo.processInfo.processIdentifier
    #expect(text(own).contains(", process \(own): leave that storescope first"), "\(text(own))")
    #expect(text(1).contains("process 1: quit the app"), "\(text(1))")
  }

  @Test(arguments: journals, Hold.allCases)
  func anotherProcessIsNamed(_ journal: ForgeOptions.Journal, _ hold: Hold) throws {
    let fixture = try Fixture(.v17, journal: journal)
    let shown = try fixture.plan("resync --pull")
    let other = try LiveWriter(fixture.path)
    try other.run(hold.rawValue)
    let before = try fixture.files()
    let error = #expect(throws: StoreScopeError.self) {
      try fixture.apply("resync --pull", shown: shown)
    }
    let text = error.map { "\($0)" } ?? ""
    #expect(
      text.contains("sqlite3, process \(other.processID)") && text.contains("nothing was changed"), "\(text)")
    #expect(try fixture.files() == before)
    #expect(try !fixture.folder.names().contains { $0.contains("backup") })
    try other.run("ROLLBACK")
    #expect(try other.finish() == "")
  }

  /// The integrity check of a large store on a slow disk was taken for a step that never ends, and the change was rolled
  /// back.
  @Test func checksTakeWhatTheyNeed() throws {
    let fixture = try Fixture(.v17)
    let store = try LockedStore(path: fixture.path)
    defer { store.close() }
    #expect(store.connection.stopper.stallLimit == nil)
  }

  /// A connection that is only open holds a lock in a WAL store, and none in another (D2: such a store was changed while
  /// an app had it open, and the plan said that nobody had).
  @Test(arguments: journals) func anIdleConnectionIsNamed(_ journal: ForgeOptions.Journal) throws {
    let fixture = try Fixture(.v17, journal: journal)
    let shown = try fixture.plan("resync --pull")
    let isFree = { try #require(Surroundings.preconditions(fixture.path, backupParent: nil).first) }
    #expect(try isFree().name == "not-in-use" && isFree().holds)
    let other = try LiveWriter(fixture.path)
    try other.run("SELECT COUNT(*) FROM ATRANSACTION")
    let condition = try isFree()
    #expect(!condition.holds && condition.why.contains("process \(other.processID)"), "\(condition.why)")
    let before = try fixture.files()
    let error = #expect(throws: StoreScopeError.self) {
      try fixture.apply("resync --pull", shown: shown)
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("process \(other.processID)"))
    #expect(try fixture.files() == before)
    #expect(try !fixture.folder.names().contains { $0.contains("backup") })
  }

  /// Who opens the store while it is changed, and waits for the lock, is refused as well (D2).
  @Test(arguments: journals, [StoreForge.Leftovers.nothing, .wal])
  func aLatecomerIsNamed(_ journal: ForgeOptions.Journal, _ leftovers: StoreForge.Leftovers) throws {
    let fixture = try Fixture(.v17, journal: journal, leaving: journal == .wal ? leftovers : .nothing)
    let before = try fixture.content()
    let main = try #require(FileIdentity(fixture.path))
    var other: LiveWriter?
    let error = #expect(throws: StoreScopeError.self) {
      try fixture.apply("resync --pull") {
        $0.progress = { phase in
          guard phase == "changing the store", let late = try? LiveWriter(fixture.path) else { return }
          other = late
          try? late.send("SELECT COUNT(*) FROM ZTAG;\n")
          for _ in 0..<1000 where FileUsers.process(of: [main]) == nil { usleep(10_000) }
        }
      }
    }
    let text = "\(try #require(error))"
    #expect(text.contains("process \(try #require(other).processID)"), "\(text)")
    #expect(text.contains("nothing was changed") && text.contains("is kept but not needed"), "\(text)")
    let log = try #require(try fixture.folder.names().first { $0.hasSuffix(".log") })
    #expect(try fixture.folder.text(log).contains("rolled back"))
    _ = try #require(other).finish()
    #expect(try fixture.content() == before)
  }

  /// At each step another process tries to write and to read: it must be kept out every time.
  @Test(arguments: journals, [StoreForge.Leftovers.nothing, .wal])
  func aSecondWriterStaysOut(_ journal: ForgeOptions.Journal, _ leftovers: StoreForge.Leftovers) throws {
    let fixture = try Fixture(.v17, journal: journal, leaving: leftovers, ChangesTests.lossy)
    try fixture.folder.makeFolder("App_ckAssets")
    try fixture.folder.write([1, 2, 3], to: "App_ckAssets/asset")
    var phases: [String] = []
    var answers: [String] = []
    func attempt(_ phase: String) {
      phases.append(phase)
      for sql in [
        "BEGIN IMMEDIATE; UPDATE Z_PRIMARYKEY SET Z_MAX = 99; COMMIT;", "SELECT COUNT(*) FROM ZPERSON;",
      ] {
        let result = try? Tool.run(LiveWriter.executable ?? "", ["-batch", fixture.path, sql])
        answers.append(result.map { $0.output + $0.errors } ?? "not run")
      }
    }
    var changes = 0
    let vfs = try FaultVFS {
      changes += 1
      attempt("change \(changes)")
    }
    try fixture.apply("reset", Choices(serverZone: .emptied, discards: true)) {
      $0.vfs = vfs.name
      $0.progress = attempt
    }
    #expect(phases.count > 8 && changes > 5, "\(phases)")
    for (index, answer) in answers.enumerated() {
      #expect(answer.contains("database is locked"), "\(phases[index / 2]): \(answer)")
    }
    #expect(try fixture.content().rows("Z_PRIMARYKEY").allSatisfy { $0.number("Z_MAX") != 99 })
    // And afterwards everybody may again.
    let after = try Tool.run(
      LiveWriter.executable ?? "", ["-batch", fixture.path, "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX;"])
    #expect(after.status == 0 && after.errors.isEmpty)
  }

  /// While files are put back nobody may come in either, and who is in is not overrun.
  @Test(arguments: journals) func restoringKeepsOthersOut(_ journal: ForgeOptions.Journal) throws {
    let fixture = try Fixture(.v17, journal: journal)
    let applied = try fixture.apply("resync --pull")
    var answers: [String] = []
    let restore = try Restore(folder: applied.backupFolder) { phase in
      guard phase.hasPrefix("placing") else { return }
      let result = try? Tool.run(
        LiveWriter.executable ?? "", ["-batch", fixture.path, "UPDATE Z_PRIMARYKEY SET Z_MAX = 99;"])
      answers.append(result?.errors ?? "not run")
    }
    _ = try restore.run(at: Platform.now())
    #expect(!answers.isEmpty && answers.allSatisfy { $0.contains("database is locked") }, "\(answers)")
    let other = try LiveWriter(fixture.path)
    try other.run(Hold.write.rawValue)
    let before = try fixture.files()
    let error = #expect(throws: StoreScopeError.self) {
      try Restore(folder: applied.backupFolder).run(at: Platform.now())
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("process \(other.processID)"))
    #expect(try fixture.files() == before)
  }

  /// Who opened the store on the way and waits for its lock has a file that loses its name: had it the lock then, it would
  /// write that file's pages into the -wal of the restored store.
  @Test(arguments: journals) func restoringOutwaitsWriters(_ journal: ForgeOptions.Journal) throws {
    let fixture = try Fixture(.v17, journal: journal, leaving: journal == .wal ? .wal : .nothing)
    let before = try fixture.files()
    let applied = try fixture.apply("resync --pull")
    var writers: [LiveWriter] = []
    let restore = try Restore(folder: applied.backupFolder) { phase in
      guard phase.hasPrefix("placing"), let writer = try? LiveWriter(fixture.path) else { return }
      writers.append(writer)
      try? writer.send(
        ".timeout \(Self.patience)\nINSERT INTO ZTAG(Z_PK, Z_ENT, ZNAME) VALUES (99, 3, 'late');\n.quit\n")
      // Long enough to open the file.
      usleep(300_000)
    }
    _ = try restore.run(at: Platform.now())
    #expect(writers.count > 1)
    #expect(try fixture.files() == before)
    for writer in writers { #expect(try writer.finish().contains("database is locked")) }
    #expect(try fixture.files() == before)
    let check = try Tool.run(
      LiveWriter.executable ?? "",
      ["-batch", fixture.path, "PRAGMA integrity_check; SELECT COUNT(*) FROM ZTAG"])
    #expect(check.output == "ok\n1\n", "\(check.output) \(check.errors)")
  }

  /// Milliseconds for which a writer waits.
  private static let patience = ProcessInfo.processInfo.environment["WRITER_PATIENCE"] ?? "2500"

  /// Without a -wal an open connection that does nothing holds no lock; it would go on in the file that is replaced.
  @Test(arguments: journals) func restoringRefusesIdleConnections(_ journal: ForgeOptions.Journal) throws {
    let fixture = try Fixture(.v17, journal: journal)
    let applied = try fixture.apply("resync --pull")
    let other = try LiveWriter(fixture.path)
    try other.run("SELECT COUNT(*) FROM ZTAG")
    let before = try FileTree.hashes(fixture.folder.path)
    let error = #expect(throws: StoreScopeError.self) {
      try Restore(folder: applied.backupFolder).run(at: Platform.now())
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("process \(other.processID)"))
    #expect(try FileTree.hashes(fixture.folder.path) == before)
    #expect(try other.finish() == "")
    _ = try Restore(folder: applied.backupFolder).run(at: Platform.now())
  }
}
