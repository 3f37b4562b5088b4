import Base
import Diagnostics
import Lens
import Operations
import Rendering
import SQLite

/// What a writing command prints.
struct PlanDocument {
  private let plan: Plan
  private let choices: Choices
  /// What the file system says: looked at again, under the lock, when the plan is applied.
  private let surroundings: [Precondition]
  private let cautions: FileCautions
  private let mirror: MirrorSummary?
  private let isVerbose: Bool
  /// Where the copy is made that is changed instead of the store; nil without one.
  private let copy: String?
  private let wording: CommandWording?

  /// - Parameters:
  ///   - warnings: what can go wrong because of the store's files and their place.
  ///   - mirror: how sync stands now; nil without a mirror, or if that can't be found out.
  ///   - foldsWAL: whether the store has changes in its WAL, which is emptied when the plan is applied.
  ///   - isVerbose: whether conditions that hold are explained.
  ///   - wording: puts the commands in texts as they can be pasted; nil leaves that to the shell.
  init(
    _ plan: Plan, _ choices: Choices, _ surroundings: [Precondition], _ cautions: FileCautions,
    warnings: [String], mirror: MirrorSummary?, foldsWAL: Bool,
    isVerbose: Bool, copy: String?, wording: CommandWording?
  ) {
    var plan = plan
    plan.preconditions.insert(cautions.condition, at: 0)
    plan.warnings.insert(contentsOf: warnings, at: 0)
    self.cautions = cautions
    self.mirror = mirror
    self.isVerbose = isVerbose
    self.copy = copy
    self.wording = wording
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
    var blocks = self.blocks()
    switch stage {
    case .planned: blocks += [.text(""), .text(closing)]
    case .awaitsConsent: break
    case .rehearsed(let before, let after):
      fields.append(.init("rehearsal", ["before": before.value, "after": after.value]))
      blocks = comparison(before, after) + self.blocks(isShort: !isVerbose)
    case .applied(let applied, let path, let showsPlan):
      if !showsPlan { blocks = [] }
      fields += [
        .init("backup", .text(applied.backupFolder)), .init("applied", applied.appliedValue),
        .init("verified", applied.verifiedValue), .init("log", .text(applied.log)),
      ]
      let before = copy != nil ? [("original", DataValue.text("\(identity.path), unchanged"))] : []
      blocks += [
        .heading("Done"),
        .pairs(
          [("store", .text(path))] + before + [
            ("backup", .text(applied.backupFolder)), ("log", .text(applied.log)),
            ("checked", .text(applied.checks.joined(separator: " "))),
          ]),
      ]
      if copy == nil { blocks += Self.undo(restoring: applied.backupFolder) }
      if plan.rows > 0 {
        blocks.append(
          .text(
            copy != nil
              ? "'storescope help places' shows how the copy gets back to its app."
              : "If this store is a copy, 'storescope help places' shows how it gets back to its app."))
      }
      // It belongs to the file as it was: https://www.sqlite.org/howtocorrupt.html#unlinking
      if cautions.isWALMissing {
        blocks.append(
          .text(
            "If the missing -wal turns up, don't put it next to this file, which it would damage: \(wayBack)")
        )
      }
    }
    let document = Document(command: command, store: identity, fields: fields, blocks: blocks)
    return wording.map(document.worded) ?? document
  }

  /// On a line of its own, which nothing breaks.
  static func undo(restoring folder: String) -> [Document.Block] {
    [.text("To undo this:"), .lines(["storescope restore \(ShellQuotes.word(folder))"])]
  }

  /// Where a -wal that was missing belongs.
  private var wayBack: String {
    copy != nil ? "it belongs to the original." : "restore the backup first, and plan this again."
  }

  /// - Parameter isShort: whether what follows is left out, as what a rehearsal found answers that.
  private func blocks(isShort: Bool = false) -> [Document.Block] {
    let heading = Document.Block.heading("Plan: \(plan.operation) (\(risk))")
    // It can never be applied to this store, so what it would do helps nobody.
    guard !isPointless else {
      return [heading, .text(plan.failed.map(\.why).joined(separator: " "))]
    }
    var blocks = [heading, .text(verdict)]
    if plan.failed.isEmpty, plan.rows == 0, !isVerbose { return blocks + cautions.walBlocks }
    if let obstacle { blocks.append(.text(obstacle)) }
    let instead: [Document.Block] = [.heading("Alternatives"), .text(plan.instead)]
    // Another app that has the store open can be quit; what is wrong with the plan itself keeps it from ever being applied.
    guard plan.failed.isEmpty else { return blocks + cautions.walBlocks + conditions + instead }
    if !plan.steps.isEmpty { blocks += [.text(""), .table(steps)] }
    if !isShort { blocks += [.heading("At the next launch"), .text(plan.effect)] }
    if !plan.warnings.isEmpty { blocks += [.heading("What can go wrong"), Self.list(plan.warnings)] }
    if isShort {
      return blocks + [
        .text(""), .text("Without --rehearse, the plan also shows what the next launch does."),
      ]
    }
    return blocks + conditions + [.heading("Afterward"), .text(watch)] + instead
  }

  /// In the shell, commands are about the store that is open, which the copy isn't.
  private var watch: String {
    guard let copy, wording == nil else { return plan.watch }
    let store = ShellQuotes.readable(copy)
    return "'storescope shell \(store)' opens the copy. In it: \(plan.watch)"
  }

  /// Help gives the usual one, which must not look like a contradiction.
  private var risk: String {
    let isUsual = plan.risk == plan.usualRisk
    return isUsual
      ? "risk: \(plan.risk.rawValue)" : "risk here: \(plan.risk.rawValue), usually \(plan.usualRisk.rawValue)"
  }

  private var conditions: [Document.Block] {
    guard isVerbose else { return [] }
    return [
      .heading("Conditions"), .pairs(whole.preconditions.map { ($0.holds ? "yes" : "NO", .text($0.why)) }),
    ]
  }

  /// Whether it is about a mirror, and there is none.
  private var isPointless: Bool { plan.failed.contains { $0.name == "mirrored" } }

  private static func list(_ sentences: [String]) -> Document.Block {
    .text(sentences.map { "• \($0)" }.joined(separator: "\n"))
  }

  /// Whether it can be applied, and what stands in the way; then what was stated, which must be read again.
  private var verdict: String {
    let stated = whole.preconditions.filter { $0.holds && $0.isStated }.map(\.why)
    let failed = whole.failed.map(\.why)
    let first =
      switch failed.count {
      case 0 where plan.rows == 0: "There is nothing to do: \(plan.settled ?? "no row would change")."
      case 0:
        "Can be applied: \(Sentence.count(plan.rows, "row")) \(Sentence.form(plan.rows, "changes", "change")), after a backup."
      case 1: "Can't be applied. \(failed[0])"
      default: "Can't be applied:\n" + failed.map { "• \($0)" }.joined(separator: "\n")
      }
    return ([first] + stated).joined(separator: "\n")
  }

  /// What blocks sync whatever the plan does: a run that fails for a reason outside of the store.
  private var obstacle: String? {
    guard let mirror, mirror.verdict.state == .blocked,
      let obstacle = mirror.verdict.obstacles.first(where: { $0.kind != nil })
    else { return nil }
    let subject =
      obstacle.kind == .export ? "Uploads are" : obstacle.kind == .import ? "Imports are" : "Sync is"
    return "\(subject) blocked in any case: \(obstacle.cause). \(obstacle.fix)"
  }

  private var steps: RowStream {
    RowStream(
      objects: plan.steps.map { step in
        let table = step.step.table
        // Nothing but the framework's tables and Core Data's counters of keys is ever changed.
        let place = FrameworkTable(rawValue: table)?.nameForPeople ?? "key counters"
        return .object(
          [
            .init("rows", .count(step.rows)), .init("action", .text(step.step.change.rawValue)),
            .init("in", .text(isVerbose ? table : place)),
            .init("what", .text(step.step.purpose)),
          ])
      }
    ).withSentences()
  }

  private var closing: String {
    let met = whole.preconditions.count(where: \.holds)
    let conditions =
      isVerbose || isPointless || (whole.failed.isEmpty && plan.rows == 0)
      ? ""
      : whole.failed.isEmpty
        ? "All \(met) conditions hold; --verbose lists them.\n"
        : "The other \(Sentence.count(met, "condition")) \(Sentence.form(met, "holds", "hold")); --verbose lists them.\n"
    if !whole.failed.isEmpty || plan.rows == 0 { return "\(conditions)Nothing was changed." }
    return "\(conditions)Nothing was changed: --apply makes the change, --rehearse tries it in memory."
  }

  // MARK: - Rehearsal

  private func comparison(_ before: StoreReading, _ after: StoreReading) -> [Document.Block] {
    let rules =
      before.findings.map(\.rule)
      + after.findings.map(\.rule).filter { rule in
        !before.findings.contains { $0.rule == rule }
      }
    let findings = rules.map { rule -> DataValue in
      let counts = [before, after].map { $0.findings.first { $0.rule == rule }?.count ?? 0 }
      // What it finds is in the files, which stay as they are, or in rows that are gone.
      let problem = before.unchecked[rule] == nil ? after.unchecked[rule] : nil
      return [
        "rule": .text(rule), "before": .count(counts[0]), "after": problem == nil ? .count(counts[1]) : "?",
        "result": .text(problem.map { "unknown: \($0)" } ?? result(rule, counts[0], counts[1])),
      ]
    }
    var blocks: [Document.Block] = [
      .heading("Rehearsed in memory: \(plan.operation); nothing was changed"),
      .pairs([
        ("sync before", .text(before.sentence)), ("sync after", .text(after.sentence)),
      ]),
      .text(""),
      .table(RowStream(objects: findings, emptyText: "(no findings, before or after)").withSentences()),
    ]
    if let cause = before.verdict.obstacles.first(where: { $0.kind != nil })?.cause, deletes(.events) {
      blocks.append(
        .text(
          "What blocks sync now (\(cause)) isn't fixed by this: only the event log that shows it is deleted.")
      )
    }
    return blocks
  }

  private func deletes(_ table: FrameworkTable) -> Bool {
    plan.steps.contains { $0.step.table == table.rawValue && $0.step.change == .delete }
  }

  /// Whether a finding was fixed, or can only not be seen any more.
  private func result(_ rule: String, _ before: Int, _ after: Int) -> String {
    let operation = OperationRegistry.operation(plan.operation)
    if after >= before, let until = operation?.leaves[rule] {
      return (after > before ? "intended: " : "") + "goes away with \(until)"
    }
    if before == after { return "unchanged" }
    if after > before { return before == 0 ? "new" : "more" }
    if let log = RuleRegistry.rule(rule)?.header.log, deletes(log) {
      return "not fixed: the \(log == .events ? "event log" : "history") that shows it is deleted"
    }
    let isCured = operation?.cures.contains(rule) ?? false
    return after > 0 ? "fewer" : isCured ? "fixed" : "doesn't apply anymore"
  }
}
