import Base
import Evidence

/// What is done to a store, in a file next to the backup, a line of JSON each: first what is about to be done, then what
/// came of it. If a run was killed, the second is missing.
package struct OperationLog {
  private let file: AppendedFile

  var path: String { file.path }

  private static let ending = ".log"

  /// The backup that a log lies next to; nil if the path isn't a log's.
  package static func backup(ofLog path: String) -> String? {
    path.hasSuffix(ending) ? String(path.dropLast(ending.count)) : nil
  }

  /// Writes what is about to be done.
  /// - Throws: `StoreScopeError`; nothing may be done then.
  init(_ plan: Plan, store: String, backup: String, version: String, at time: CoreDataDate) throws {
    file = try AppendedFile(path: backup + Self.ending, like: store)
    do {
      try file.append(
        Self.line(
          "about to apply", time,
          [
            .init("version", .text(version)), .init("store", .text(store)), .init("plan", plan.value),
            .init("statements", .array(plan.steps.map { .text($0.step.sql) })),
            .init("backup", .text(backup)),
          ]))
    } catch {
      file.remove()
      throw error
    }
    (try? OpenFolder(StoreParts(path: path).folder, following: true))?.sync()
  }

  /// How a change failed: the commit itself leaves it open.
  enum Failure: String {
    case rolledBack = "rolled back"
    case unknown = "commit failed"
  }

  func write(_ failure: Failure, because reason: String, at time: CoreDataDate) throws {
    try file.append(Self.line(failure.rawValue, time, [.init("because", .text(reason))]))
  }

  /// - Throws: `StoreScopeError` if it can't be written, which leaves the store changed.
  func write(_ applied: Applied, at time: CoreDataDate) throws {
    try file.append(
      Self.line(
        "applied", time,
        [.init("applied", applied.appliedValue), .init("verified", applied.verifiedValue)]))
  }

  private static func line(_ state: String, _ time: CoreDataDate, _ fields: [DataValue.Member]) -> String {
    let head: [DataValue.Member] = [
      .init("schema", "storescope/log/1"), .init("state", .text(state)), .init("time", .date(time)),
    ]
    return JSONText.compact(.object(head + fields)) + "\n"
  }
}
