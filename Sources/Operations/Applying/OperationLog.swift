import Values

/// What was done to a store, in a file beside the backup: one line of JSON.
enum OperationLog {
  static func write(_ applied: Applied, path: String, version: String, at time: CoreDataDate) throws {
    let line: DataValue = [
      "schema": "storescope/log/1", "version": .text(version), "time": .date(time), "store": .text(path),
      "plan": applied.plan.value, "statements": .array(applied.plan.steps.map { .text($0.step.sql) }),
      "backup": .text(applied.backupFolder), "applied": applied.appliedValue,
      "verified": applied.verifiedValue,
    ]
    do { try FileWriter.write(JSONText.compact(line) + "\n", to: applied.log) } catch {
      throw StoreScopeError(
        "The store was changed as planned and the backup is '\(applied.backupFolder)', but the log could not be written: \(error)"
      )
    }
  }
}
