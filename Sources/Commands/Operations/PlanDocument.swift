import Diagnostics
import Lens
import Operations
import Rendering
import SQLite
import Values

/// What a writing command prints.
struct PlanDocument {
  private let plan: Plan
  private let choices: Choices
  /// What the file system says: looked at again, under the lock, when the plan is applied.
  private let surroundings: [Precondition]
  private let isVerbose: Bool

  /// - Parameters:
  ///   - foldsWAL: whether the store has changes in its WAL, which is emptied when the plan is applied.
  ///   - isVerbose: whether conditions that hold are explained.
  init(_ plan: Plan, _ choices: Choices, _ surroundings: [Precondition], foldsWAL: Bool, isVerbose: Bool) {
    var plan = plan
    self.isVerbose = isVerbose
    if foldsWAL, plan.rows > 0 {
      plan.warnings.append(
        "The WAL's content is moved into the store's file: afterward, earlier states (--as-of-commit) exist only in the backup."
      )
    }
    self.plan = plan
    self.choices = choices
    self.surroundings = surroundings
  }

  private var whole: Plan {
    var whole = plan
    whole.preconditions = surroundings + plan.preconditions
    return whole
  }

  /// How far the operation has come.
  enum Stage {
    case planned
    /// The plan is what a person is asked to consent to.
    case awaitsConsent
    case rehearsed(before: StoreReading, after: StoreReading)
    /// - Parameter showsPlan: false where a person has read it just now.
    case applied(Applied, at: String, showsPlan: Bool)
  }

  func document(_ identity: StoreIdentity, command: String, _ stage: Stage = .planned) -> Document {
    var fields: [Document.Field] = [.init("plan", whole.value)]
    var blocks = self.blocks
    switch stage {
    case .planned: blocks.append(.text(closing))
    case .awaitsConsent: break
    case .rehearsed(let before, let after):
      fields.append(.init("rehearsal", ["before": before.value, "after": after.value]))
      blocks += Self.comparison(before, after)
    case .applied(let applied, let path, let showsPlan):
      if !showsPlan { blocks = [] }
      fields += [
        .init("backup", .text(applied.backupFolder)), .init("applied", applied.appliedValue),
        .init("verified", applied.verifiedValue), .init("log", .text(applied.log)),
      ]
      blocks += [
        .heading("Done"),
        .pairs([
          ("store", .text(path)), ("backup", .text(applied.backupFolder)),
          ("log", .text(applied.log)),
          ("checked", .text(applied.checks.joined(separator: " "))),
          ("undo", .text("storescope restore \(ShellQuotes.word(applied.backupFolder))")),
        ]),
      ]
    }
    return Document(command: command, store: identity, fields: fields, blocks: blocks)
  }

  private var blocks: [Document.Block] {
    let heading = Document.Block.heading("Plan: \(plan.operation) (risk: \(plan.risk.rawValue))")
    // It can never be applied to this store, so what it would do helps nobody.
    guard !plan.failed.contains(where: { $0.name == "mirrored" }) else {
      return [heading, .text(plan.failed.map(\.why).joined(separator: " "))]
    }
    var blocks: [Document.Block] = [
      heading,
      .table(
        RowStream(
          objects: plan.steps.map {
            [
              "table": .text($0.step.table), "action": .text($0.step.change.rawValue),
              "rows": .count($0.rows),
              "what": .text($0.step.purpose),
            ]
          },
          emptyText: plan.failed.isEmpty
            ? "(no row would change)" : "(no plan: it can't be applied)")),
      .heading("At the next launch"), .text(plan.effect),
    ]
    if !plan.warnings.isEmpty {
      blocks += [
        .heading("What can go wrong"), .text(plan.warnings.map { "• \($0)" }.joined(separator: "\n")),
      ]
    }
    return blocks + [
      .heading("Conditions"), .pairs(conditions), .heading("Afterward"),
      .pairs([("watch", .text(plan.watch)), ("instead", .text(plan.instead))]),
    ]
  }

  /// Those that don't hold first; those that simply hold by their names.
  private var conditions: [(String, DataValue)] {
    func row(_ word: String, _ precondition: Precondition) -> (String, DataValue) {
      (word, .text("\(precondition.name): \(precondition.why)"))
    }
    let met = whole.preconditions.filter(\.holds)
    let named = isVerbose ? met : met.filter(\.isStated)
    let rest = isVerbose ? [] : met.filter { !$0.isStated }.map(\.name)
    let rows = whole.failed.map { row("NO", $0) } + named.map { row("yes", $0) }
    guard !rest.isEmpty else { return rows }
    return rows + [("met", .text("\(rest.joined(separator: ", ")). --verbose explains them."))]
  }

  private var closing: String {
    let failed = whole.failed.map(\.name)
    if !failed.isEmpty {
      return
        "Can't be applied, and nothing was changed. Conditions not met: \(failed.joined(separator: ", "))."
    }
    if plan.rows == 0 { return "Nothing was changed: there is nothing to do." }
    return "Nothing was changed: --apply makes the change, --rehearse tries it in memory."
  }

  private static func comparison(_ before: StoreReading, _ after: StoreReading) -> [Document.Block] {
    let rules =
      before.findings.map(\.rule)
      + after.findings.map(\.rule).filter { rule in
        !before.findings.contains { $0.rule == rule }
      }
    let findings = rules.map { rule -> DataValue in
      [
        "rule": .text(rule), "before": .count(before.findings.first { $0.rule == rule }?.count ?? 0),
        "after": .count(after.findings.first { $0.rule == rule }?.count ?? 0),
      ]
    }
    return [
      .heading("Rehearsed in memory; nothing was changed"),
      .pairs([
        ("sync before", .text(before.sentence)), ("sync after", .text(after.sentence)),
      ]),
      .table(RowStream(objects: findings, emptyText: "(no findings, before or after)")),
    ]
  }
}
