package import Base
import Evidence
import Lens
import SQLite
import StoreModel

/// The one way to write to a store: lock, check, back up, verify the backup, change in one transaction, compare with the
/// plan, check, log.
package struct Applier {
  package var path: String
  package var modelPath: String?
  /// Where the backup's folder goes; next to the store where nil.
  package var backupParent: String?
  package var version: String
  package var progress: (String) -> Void
  /// The layer of SQLite's between it and the store's files; the system's where nil.
  package var vfs: String?
  /// How many bytes a folder's medium still takes; nil if the system doesn't report it.
  package var freeBytes: (_ folder: String) -> Int64? = Files.freeBytes

  package init(
    path: String, modelPath: String? = nil, backupParent: String? = nil, version: String,
    progress: @escaping (String) -> Void = { _ in }
  ) {
    self.path = path
    self.modelPath = modelPath
    self.backupParent = backupParent
    self.version = version
    self.progress = progress
  }

  /// Does what the plan says, or nothing.
  /// - Parameter shown: the plan that was consented to. Under the lock it is made again, and must come out the same.
  /// - Throws: `StoreScopeError` with the reason; the store is then as it was, unless the sentence doubts that.
  package func apply(_ operation: Operation, _ choices: Choices, shown: Plan) throws -> Applied {
    let locked = try LockedStore(path: path, vfs: vfs)
    defer { locked.close() }
    guard locked.file == shown.subject.file else { throw Plan.changed(path, "it's a different file now") }
    // Ctrl-C stops everything up to the commit.
    locked.connection.onProgress(everyInstructions: 10_000) { !Interruption.isRequested }
    progress("checking the store's integrity")
    let unchecked = try Integrity.check(locked.connection, path: path)
    let target = try Target(
      OpenStore(locked.connection, path: path, resolvedPath: locked.path, modelPath: modelPath),
      file: locked.file)
    let plan = try Planner.plan(operation, choices, on: target)
    guard plan.subject == shown.subject else { throw Plan.changed(path, "it's a different store now") }
    guard plan.isSame(as: shown) else { throw Plan.changed(path, "its plan is different now") }
    guard plan.failed.isEmpty else {
      throw StoreScopeError(
        .refused, operation.name,
        "can't be applied to '\(path)': \(plan.failed.map(\.why).joined(separator: " "))")
    }
    let parent = backupParent ?? StoreParts(path: locked.path).folder
    let notes = Backup.removeIncomplete(of: locked, in: parent)
    try Room.check(for: locked, in: parent, freeBytes)
    let time = Platform.now()
    let backup = try Backup.make(
      of: locked, operation: operation.name, storeUUID: target.store.uuid, in: parent, version: version,
      at: time,
      progress: progress)
    let log: OperationLog
    let changes: [Applied.Change]
    do {
      log = try OperationLog(plan, store: locked.path, backup: backup.folder, version: version, at: time)
      changes = try change(locked, plan, backup, log)
    } catch {
      let isThere = Files.exists(backup.folder)
      throw StoreScopeError(
        error, advice: isThere ? "The backup in '\(backup.folder)' is kept but not needed" : nil)
    }
    var applied = Applied(
      plan: plan, backupFolder: backup.folder, log: log.path, changes: changes,
      checks: [
        "The backup was read back and its hashes match (\(Sentence.count(backup.manifest.files.count, "file"))).",
        "Exactly the planned rows changed, according to SQLite's count and the rows of every table before and after.",
        "SQLite's integrity check passed before and after.\(unchecked.map { " \($0)" } ?? "")",
        "The schema's text is unchanged.",
      ] + notes + backup.notes)
    // The change is committed: nothing that goes wrong from here on may look as if it wasn't.
    if let problem = locked.moveWALIntoStore() {
      applied.checks.append(
        "The change is in the store's -wal, which couldn't be moved into the store (\(problem.message)); the app's next launch does that."
      )
    }
    do { try log.write(applied, at: Platform.now()) } catch {
      applied.checks.append(
        "The change is missing from the log, which couldn't be written: \(error)")
    }
    return applied
  }

  /// - Throws: `StoreScopeError` where it was rolled back, or the commit failed, which the log then says too.
  private func change(_ locked: LockedStore, _ plan: Plan, _ backup: Backup, _ log: OperationLog) throws
    -> [Applied.Change]
  {
    progress("changing the store")
    var isCommitting = false
    do {
      try locked.checkAlone()
      let schema = try Integrity.schemaText(locked.connection)
      return try Change.run(plan, on: locked.connection) {
        try Integrity.check(locked.connection, path: path)
        guard try Integrity.schemaText(locked.connection) == schema else {
          throw StoreScopeError(.failed, "The schema's text changed", outcome: .rolledBack)
        }
        guard BackupFolder.isOne(backup.folder) else {
          throw StoreScopeError(
            .changed, "The backup was removed in the meantime, so everything was rolled back",
            advice: "try again")
        }
        try locked.checkAlone()
        locked.connection.onProgress(everyInstructions: 10_000, nil)
        try Interruption.check()
        isCommitting = true
        Watchdog.hold()
      }
    } catch {
      // All that a commit needs may be in the -wal although its end failed; whoever opens the store next takes it then.
      let failure =
        isCommitting
        ? StoreScopeError(
          .failed,
          "The change of '\(path)' could not be committed, so it may or may not be in the store (\(error.clause))",
          about: path, advice: "check the plan again")
        : isStop(error)
          ? StoreScopeError(
            .failed, "Interrupted: everything was rolled back, and '\(path)' is unchanged", about: path)
          : error as? StoreScopeError
            ?? StoreScopeError(.failed, path, "could not be changed, and was rolled back: \(error)")
      try? log.write(
        isCommitting ? .unknown : .rolledBack, because: failure.description, at: Platform.now())
      throw failure
    }
  }
}

/// Whether Ctrl-C ended it.
private func isStop(_ error: any Error) -> Bool {
  error is InterruptedError || (error as? SQLiteError)?.isInterrupt ?? false
}

extension Plan {
  static func changed(_ path: String, _ how: String) -> StoreScopeError {
    StoreScopeError(
      .changed, path, "changed after the plan was shown: \(how)",
      advice: "Review the new plan first", outcome: .unchanged)
  }

  /// Whether the same rows would be changed for the same reasons.
  fileprivate func isSame(as other: Plan) -> Bool {
    operation == other.operation && preconditions == other.preconditions
      && steps.map(\.rows) == other.steps.map(\.rows)
      && steps.map(\.digest) == other.steps.map(\.digest)
      && steps.map(\.step.sql) == other.steps.map(\.step.sql)
      && steps.map(\.step.values) == other.steps.map(\.step.values)
  }
}

/// What was done, and what was checked afterward.
package struct Applied: Sendable {
  package struct Change: Sendable, Equatable {
    package var table: String
    package var action: String
    package var rows: Int
  }

  package var plan: Plan
  package var backupFolder: String
  /// The file in which it is written down.
  package var log: String
  /// Rows changed, counted by SQLite while it changed them.
  package var changes: [Change]
  /// What was checked after the change, a sentence each.
  package var checks: [String]

  package var appliedValue: DataValue {
    .array(
      changes.map { ["table": .text($0.table), "action": .text($0.action), "rows": .count($0.rows)] })
  }

  package var verifiedValue: DataValue { .array(checks.map(DataValue.text)) }
}

/// Checks of the database as a whole.
enum Integrity {
  /// - Returns: what wasn't checked, in sentences; nil if all was.
  /// - Throws: `StoreScopeError` with what SQLite found.
  @discardableResult
  static func check(_ connection: Connection, path: String) throws -> String? {
    let check = try connection.damage(isThorough: true, atMost: 3)
    let found = check.problems
    guard found.isEmpty else {
      throw StoreScopeError(
        .damaged, path,
        "fails SQLite's integrity check (\(found.joined(separator: "; "))), so nothing is written to it",
        advice: "restore a backup or try sqlite3's .recover")
    }
    return check.omission
  }

  /// The text of every table, index, view and trigger: Core Data recognizes its tables by it.
  static func schemaText(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT type, name, COALESCE(sql, '') FROM main.sqlite_master ORDER BY type, name") {
      "\($0.text(0)) \($0.text(1)) \($0.text(2))"
    }
  }
}
