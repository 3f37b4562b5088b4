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
    let shown = advice.map { item -> DataValue in
      [
        "operation": item["operation"] ?? .null, "risk": item["risk"] ?? .null,
        "because": item["because"] ?? .null,
      ]
    }
    let all = "No finding calls for a repair. 'storescope repair --help' lists all repairs"
    let text =
      session.source.isExtracted
      ? "\(advice.isEmpty ? "\(all)." : "Safest first.") They need a copy of the store, which is inside a container. To copy it out:"
      : advice.isEmpty
        ? "\(all), which can be planned anyway."
        : "Safest first; each shows a plan and changes nothing without --apply."
    var blocks = cautions.damageBlocks + [.text(text)]
    if session.source.isExtracted { blocks.append(.lines([session.source.commandToCopyOut])) }
    if let others = unrepaired(diagnosis.findings.filter { !repaired.contains($0.rule.id) }) {
      blocks.append(.text(others))
    }
    // Damage explains more than a -wal that isn't there.
    if cautions.damage == nil { blocks += cautions.walBlocks }
    if !advice.isEmpty { blocks.append(.table(RowStream(objects: shown))) }
    return Outcome(
      Document(
        command: "repair", store: try session.identity(),
        fields: [.init("advice", .array(advice)), cautions.field],
        payload: "advice", blocks: blocks
      ).worded(invocation.wording))
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
