package import Base
import SQLite

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

/// What can go wrong when the app runs again after an operation.
package enum Risk: String, Sendable, CaseIterable, Comparable {
  case none, low, medium, high

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package static func < (one: Self, other: Self) -> Bool { one.order < other.order }
}

/// Something that must be so before anything is written.
package struct Precondition: Sendable, Equatable {
  package var name: String
  package var holds: Bool
  /// One sentence: what was found, and where it doesn't hold, what to do.
  package var why: String
  /// It holds because somebody said so, and must be read again before they consent.
  package var isStated: Bool
  /// It doesn't hold because something wasn't chosen yet.
  package var isOpen: Bool

  package init(_ name: String, holds: Bool, isStated: Bool = false, isOpen: Bool = false, _ why: String) {
    self.name = name
    self.holds = holds
    self.isStated = isStated
    self.isOpen = isOpen
    self.why = why
  }
}
