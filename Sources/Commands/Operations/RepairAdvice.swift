import Diagnostics
import Lens
import Operations
import Rendering
import Values

/// Which operations the doctor's findings call for.
enum RepairAdvice {
  static func outcome(_ invocation: Invocation) throws -> Outcome {
    let session = try invocation.store()
    var doctor = Doctor(limit: 0)
    doctor.progress = { text in invocation.progress.step(text) }
    let open = try session.open()
    let cautions = try FileCautions(open.bytes())
    let diagnosis = try doctor.examine(Examination(open))
    let found = diagnosis.findings.map(\.rule.id)
    let target = try Target(open, file: nil)
    let advised = try OperationRegistry.all.filter { !Set($0.cures).isDisjoint(with: found) }
      .map { (operation: $0, risk: try Planner.risk(of: $0, Choices(), on: target)) }
      .enumerated().sorted { ($0.element.risk, $0.offset) < ($1.element.risk, $1.offset) }.map(\.element)
    let repaired = Set(advised.flatMap(\.operation.cures))
    let advice = advised.map { operation, risk -> DataValue in
      let words = operation.name.split(separator: " ")
      let rest = words.dropFirst().joined(separator: " ")
      let reasons = diagnosis.findings.filter { operation.cures.contains($0.rule.id) }
      return [
        "operation": .text(operation.name), "risk": .text(risk.rawValue),
        "does": .text(operation.summary), "rules": .array(reasons.map { .text($0.rule.id) }),
        "because": .text(reasons.map(\.message).joined(separator: " ")),
        // Of what is inside a container, only a copy can be changed.
        "command": session.source.isExtracted
          ? .null : .text("storescope \(words[0]) \(ShellQuotes.word(session.path)) \(rest)"),
      ]
    }
    let isInside = session.source.isExtracted
    var blocks = cautions.damageBlocks
    if advice.isEmpty {
      let none = "No finding calls for a repair. 'storescope repair --help' lists all repairs"
      blocks.append(.text(isInside ? "\(none)." : "\(none), which can be planned anyway."))
    } else {
      blocks += answer(advice, isPlannable: !isInside)
    }
    if isInside {
      blocks += [
        .text("Repairs need a copy of the store, which is inside a container. To copy it out:"),
        .lines([session.source.commandToCopyOut]),
      ]
    }
    if let others = unrepaired(diagnosis.findings.filter { !repaired.contains($0.rule.id) }) {
      blocks.append(.text(others))
    }
    // Damage explains more than a -wal that isn't there.
    if cautions.damage == nil { blocks += cautions.walBlocks }
    return Outcome(
      Document(
        command: "repair", store: try session.identity(),
        fields: [.init("advice", .array(advice)), cautions.field],
        payload: "advice", blocks: blocks
      ).worded(invocation.wording))
  }

  /// What repairs what a rule reports, whose id stands where a repair's name belongs; nil for other words.
  static func hint(forRule word: String) -> String? {
    guard let rule = RuleRegistry.rule(word) else { return nil }
    let names = OperationRegistry.all.filter { $0.cures.contains(rule.id) }.compactMap { operation in
      PathText.rest(of: operation.name, behind: "repair ")
    }
    guard let last = names.last else {
      return "No repair fixes '\(rule.id)'; 'storescope explain \(rule.id)' shows the fix."
    }
    let list = (names.dropLast() + [last]).map { "'\($0)'" }.joined(separator: " or ")
    return "\(list) \(Sentence.form(names.count, "fixes", "fix")) what that rule reports."
  }

  /// The commands, which can be pasted, with the reasons in full.
  private static func answer(_ advice: [DataValue], isPlannable: Bool) -> [Document.Block] {
    let repairs = advice.map { item -> (name: String, why: String) in
      func text(_ key: String) -> String { item[key]?.text ?? "" }
      let name = item["command"]?.text ?? String(text("operation").split(separator: " ").last ?? "")
      return (name, "Risk: \(text("risk")). \(text("because"))")
    }
    let count =
      "\(Sentence.count(repairs.count, "repair")) \(Sentence.form(repairs.count, "applies", "apply"))"
    let plan: [Document.Block] =
      isPlannable ? [.text("A repair shows its plan, and changes nothing without --apply.")] : []
    if repairs.count == 1 {
      return FindDocument.suggestion(count, repairs[0].name) + [.text(repairs[0].why)] + plan
    }
    let list = repairs.flatMap { [.text(""), .lines([$0.name]), .text($0.why)] as [Document.Block] }
    return [.text("\(count), safest first:")] + list + [.text("")] + plan
  }

  /// The errors that remain: who repairs what can be repaired should know of them.
  private static func unrepaired(_ findings: [Finding]) -> String? {
    let errors = findings.filter { $0.rule.severity == .error }
    guard let first = errors.first else { return nil }
    let more = errors.count > 1 ? " (and \(Sentence.count(errors.count - 1, "more error")))" : ""
    return
      "No repair fixes this: \(Sentence.ended(first.rule.title + more)) 'storescope doctor STORE' shows the fix."
  }
}
