import Base
import Forge
import Foundation
import Operations
import SQLite
import TestSupport
import Testing

/// Whatever dies or fills up while an operation runs: the store is the old one or the new one, whole, and a backup that
/// was reported can be put back.
@Suite struct FaultTests {
  /// How the store lies there: its journal, and whether the app left a WAL with changes.
  struct State: Sendable, CustomTestStringConvertible {
    var journal: ForgeOptions.Journal
    var leftovers: StoreForge.Leftovers
    var testDescription: String { "\(journal), \(leftovers)" }

    static let all = [
      State(journal: .rollback, leftovers: .nothing), State(journal: .wal, leftovers: .nothing),
      State(journal: .wal, leftovers: .wal),
    ]

    func fixture() throws -> Fixture {
      try Fixture(.v17, journal: journal, leaving: leftovers, ChangesTests.lossy)
    }
  }

  private static let choices = Choices(serverZone: .emptied, discards: true)

  /// A store, what `reset` makes of it, and its plan.
  private struct Base {
    let fixture: Fixture
    let (old, new): (StoreContent, StoreContent)
    let plan: Plan
    /// How many changes of files it takes.
    let changes: Int

    init(_ state: State) throws {
      fixture = try state.fixture()
      old = try fixture.content()
      plan = try fixture.plan("reset", choices)
      let (copy, vfs) = (try Fixture(copying: fixture), try FaultVFS())
      try copy.apply("reset", choices, shown: plan) { $0.vfs = vfs.name }
      (new, changes) = (try copy.content(), vfs.count)
    }

    /// Operates on a copy in which each of the changes goes wrong in turn.
    func check(_ name: String, _ fault: (Int) -> FaultVFS.Fault) throws {
      #expect(changes > 5)
      for number in 1...changes {
        let copy = try Fixture(copying: fixture)
        let vfs = try FaultVFS(fault(number))
        let result = Result { try copy.apply("reset", choices, shown: plan) { $0.vfs = vfs.name } }
        try FaultTests.check(copy, result, old, new, "\(name) at \(number) of \(changes)")
      }
    }
  }

  private static func check(
    _ fixture: Fixture, _ result: Result<Applied, any Error>, _ old: StoreContent, _ new: StoreContent,
    _ comment: String
  ) throws {
    let after = try fixture.content()
    #expect(after == old || after == new, "\(comment): \(old.differences(after))")
    switch result {
    case .success(let applied):
      #expect(after == new, "\(comment): reported as done")
      #expect(try Restore(folder: applied.backupFolder).run(at: Platform.now()) != nil)
      #expect(try fixture.content() == old, "\(comment): restored")
    case .failure(let error):
      #expect("\(error)".hasSuffix(".") || error is SQLiteError, "\(comment): \(error)")
      // Only a commit that failed may leave it open.
      if !"\(error)".contains("may or may not") { #expect(after == old, "\(comment): \(error)") }
      for name in try fixture.folder.names() where name.hasSuffix(".backup") {
        // What was copied before the trouble is a good backup.
        _ = try Restore(folder: fixture.folder.path(name)).run(at: Platform.now())
        #expect(try fixture.content() == old, "\(comment): restored")
      }
    }
    #expect(try !fixture.folder.names().contains { $0.hasSuffix(".incomplete") }, "\(comment)")
  }

  @Test(arguments: State.all) func dyingAtEveryChange(_ state: State) throws {
    try Base(state).check("died") { .dies(at: $0) }
  }

  @Test(arguments: State.all) func fullDiskAtEveryChange(_ state: State) throws {
    try Base(state).check("full") { .isFull(at: $0) }
  }

  /// What a process leaves that is killed right before each change of a file.
  @Test(arguments: State.all) func killedBeforeEveryChange(_ state: State) throws {
    let base = try Base(state)
    let fixture = try Fixture(copying: base.fixture)
    let left = TemporaryFolder("killed")
    var count = 0
    let vfs = try FaultVFS {
      count += 1
      // The copy goes through descriptors of its own, whose end drops the lock; nobody else wants it here.
      try? FileManager.default.copyItem(atPath: fixture.folder.path, toPath: left.path("\(count)"))
    }
    try fixture.apply("reset", Self.choices, shown: base.plan) { $0.vfs = vfs.name }
    #expect(count > 5)
    var seen: [Bool] = []
    for number in 1...count {
      let after = try StoreContent(left.path("\(number)/\(Fixture.name)"))
      #expect(
        after == base.old || after == base.new,
        "before \(number) of \(count): \(base.old.differences(after))")
      seen.append(after == base.new)
    }
    // Once new, always new.
    #expect(seen == seen.sorted { !$0 && $1 })
  }

  @Test(arguments: State.all) func vanishingBackup(_ state: State) throws {
    let base = try Base(state)
    var phases: [String] = []
    try Fixture(copying: base.fixture).apply("reset", Self.choices, shown: base.plan) {
      $0.progress = { phases.append($0) }
    }
    for (index, phase) in phases.enumerated() {
      let fixture = try Fixture(copying: base.fixture)
      let place = TemporaryFolder("backups")
      var count = 0
      let result = Result {
        try fixture.apply("reset", Self.choices, shown: base.plan) {
          $0.backupParent = place.path
          $0.progress = { _ in
            if count == index {
              for name in (try? place.names()) ?? [] {
                try? FileManager.default.removeItem(atPath: place.path(name))
              }
            }
            count += 1
          }
        }
      }
      let after = try fixture.content()
      if case .success(let applied) = result {
        #expect(after == base.new, "\(phase)")
        #expect(FileManager.default.fileExists(atPath: applied.backupFolder), "\(phase)")
      } else {
        #expect(after == base.old, "\(phase)")
      }
    }
  }

  @Test(arguments: State.all) func noRoomForTheBackup(_ state: State) throws {
    let fixture = try state.fixture()
    let before = try fixture.files()
    #expect(throws: (any Error).self) {
      try fixture.apply("reset", Self.choices) { $0.freeBytes = { _ in 20_000 } }
    }
    #expect(try fixture.files() == before)
    let names = try fixture.folder.names()
    #expect(!names.contains { $0.contains("backup") }, "\(names)")
  }
}

/// Places that can't be written. One thread gives root's rights up, as they count for root as little as for nobody.
@Suite struct ReadOnlyTests {
  /// - Parameter rights: of the store's folder and of the backups' folder.
  private static func expectRefusal(store: mode_t, file: mode_t, backups: mode_t) async throws {
    let fixture = try Fixture(.v17)
    let place = TemporaryFolder("backups")
    let shown = try fixture.plan("resync --pull")
    let before = try fixture.files()
    for name in try fixture.folder.names() { chmod(fixture.folder.path(name), file) }
    chmod(fixture.folder.path, store)
    chmod(place.path, backups)
    defer { chmod(fixture.folder.path, 0o700) }
    let (path, parent) = (fixture.path, place.path)
    _ = try await withoutRootRights {
      var applier = Applier(path: path, version: "0.test")
      applier.backupParent = parent
      let error = #expect(throws: (any Error).self) {
        try applier.apply(Fixture.operation("resync --pull"), Choices(), shown: shown)
      }
      #expect(
        error.map { "\($0)".hasSuffix(".") || "\($0)".contains("SQLite code") } == true,
        "\(String(describing: error))")
    }
    chmod(fixture.folder.path, 0o700)
    #expect(try fixture.files() == before)
    #expect(try place.names().isEmpty)
  }

  @Test func readOnlyStore() async throws {
    try await Self.expectRefusal(store: 0o555, file: 0o444, backups: 0o777)
  }

  @Test func readOnlyBackups() async throws {
    try await Self.expectRefusal(store: 0o777, file: 0o666, backups: 0o555)
  }
}
