import Diagnostics
import Lens
import Operations

/// Which operations a store's findings call for, and which of them it would refuse.
struct OfferedOperations {
  struct Offer {
    let operation: Operation
    let risk: Risk
    let findings: [Finding]
    /// Why it can't be applied, a sentence; nil if it can.
    let refusal: String?

    /// Until when its findings stay, if that is longer than until it was applied.
    var until: String? {
      Set(findings.map { operation.leaves[$0.rule.id] }).count == 1
        ? findings.first.flatMap { operation.leaves[$0.rule.id] } : nil
    }
  }

  /// The least risky first.
  let all: [Offer]

  var offered: [Offer] { all.filter { $0.refusal == nil } }
  var refused: [Offer] { all.filter { $0.refusal != nil } }

  init(_ findings: [Finding], _ open: OpenStore, _ cautions: FileCautions) throws {
    let target = try Target(open, file: nil)
    all = try OperationRegistry.all.compactMap { operation in
      let cured = findings.filter { operation.cures.contains($0.rule.id) }
      guard !cured.isEmpty else { return nil }
      guard cautions.condition.holds else {
        return Offer(
          operation: operation, risk: operation.risk, findings: cured, refusal: cautions.condition.why)
      }
      let (risk, refusal) = try Planner.offer(operation, on: target)
      return Offer(operation: operation, risk: risk, findings: cured, refusal: refusal)
    }
    .enumerated().sorted { ($0.element.risk, $0.offset) < ($1.element.risk, $1.offset) }.map(\.element)
  }

  /// What to add to the fix of a rule whose operations are all refused.
  func note(on rule: String) -> String {
    let curing = all.filter { $0.operation.cures.contains(rule) }
    let refusals = curing.compactMap(\.refusal)
    guard let why = refusals.first, refusals.count == curing.count else { return "" }
    return " '\(curing[0].operation.name)' can't be applied to this store: \(why)"
  }
}
