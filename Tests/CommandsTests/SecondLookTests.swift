import Base
import Commands
import Evidence
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// A2: healthy stores that an app opened, closed and saved meanwhile were called damaged at the first error.
struct SecondLookTests {
  private let folder = TemporaryFolder("second-look")
  private let path: String
  private let damage = SQLiteError(code: 11, message: "database disk image is malformed")

  init() throws {
    path = try DemoStore.copy(in: folder.path)
  }

  /// Opens the store and then does what the test says, as often as that is wanted.
  private func read(mayRepeat: Bool = true, _ body: (Int) throws -> Void) -> (runs: Int, error: (any Error)?)
  {
    var runs = 0
    do {
      try SecondLook.read({ Session(path: path) }, mayRepeat: { mayRepeat }) { session in
        runs += 1
        _ = try session.open()
        try body(runs)
        try session.finish()
      }
    } catch { return (runs, error) }
    return (runs, nil)
  }

  private func change() throws {
    // Another process: what one does to its own locks is another story.
    let result = try Tool.run(
      try #require(LiveWriter.executable), [path, "UPDATE ZPERSON SET Z_OPT = Z_OPT + 1"])
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func changedOnce() {
    let result = read { run in
      if run == 1 {
        try change()
        throw damage
      }
    }
    #expect(result.runs == 2 && result.error == nil, "\(result)")
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func changedEachTime() {
    let result = read { _ in
      try change()
      throw damage
    }
    #expect(result.runs == 3 && result.error is StoreChangedError, "\(result)")
  }

  /// The reader has seen a part already, which can't be taken back.
  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func changedAfterPrinting() {
    let result = read(mayRepeat: false) { _ in
      try change()
      throw damage
    }
    #expect(result.runs == 1 && result.error is StoreChangedError, "\(result)")
  }

  @Test func passing() {
    let result = read { run in if run == 1 { throw damage } }
    #expect(result.runs == 2 && result.error == nil)
  }

  @Test(arguments: [11, 26, 522] as [Int32]) func lasting(code: Int32) {
    let result = read { _ in throw SQLiteError(code: code, message: "no good") }
    #expect(result.runs == 2)
    #expect(result.error.map { "\($0)".contains("SQLite reports 'no good'") } ?? false)
  }

  /// Another look would say the same, perhaps after a long time.
  @Test func once() {
    let errors: [any Error] = [
      UsageError.conflict("No."), InterruptedError(), StoreScopeError(.failed, "No."),
      SQLiteError(code: 1, message: "integer overflow"), SQLiteError(code: 9, message: "interrupted"),
    ]
    for error in errors {
      let result = read { _ in throw error }
      #expect(result.runs == 1 && result.error != nil, "\(error)")
    }
  }
}
