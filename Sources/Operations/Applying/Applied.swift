package import Values

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
