import SQLite
package import SystemCalls
package import Values

/// What an operation would do to one store, worked out and not yet done.
package struct Plan: Sendable {
  package struct CountedStep: Sendable {
    package var step: Step
    package var rows: Int
    /// Of the rows' keys, to tell whether they are still the same.
    var digest: UInt64
    /// See `Step.Rows`.
    var keys: [ClosedRange<Int64>]
  }

  /// The store that a plan was made for. Consent is given to one file, whatever its path leads to later.
  package struct Subject: Sendable, Equatable {
    package var file: FileIdentity?
    /// What Core Data calls the store.
    package var uuid: String?
  }

  package var subject: Subject
  package var operation: String
  package var risk: Risk
  /// What the operation's risk is in most stores.
  package var usualRisk: Risk
  package var preconditions: [Precondition]
  /// Those that change no row are left out.
  package var steps: [CountedStep]
  package var effect: String
  package var warnings: [String]
  /// What to look at afterward, and when another operation is better.
  package var watch: String
  package var instead: String
  /// See `Operation.settled`.
  package var settled: String?

  package var failed: [Precondition] { preconditions.filter { !$0.holds } }
  package var rows: Int { steps.map(\.rows).reduce(0, +) }

  package var value: DataValue {
    [
      "operation": .text(operation), "risk": .text(risk.rawValue),
      "preconditions": .array(
        preconditions.map { ["name": .text($0.name), "holds": .bool($0.holds), "why": .text($0.why)] }),
      "steps": .array(
        steps.map {
          [
            "table": .text($0.step.table), "action": .text($0.step.change.rawValue), "rows": .count($0.rows),
            "purpose": .text($0.step.purpose),
          ]
        }),
      "effect": .text(effect), "warnings": .array(warnings.map(DataValue.text)), "watch": .text(watch),
      "instead": .text(instead),
    ]
  }
}
