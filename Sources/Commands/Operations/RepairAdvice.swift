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
    let diagnosis = try doctor.examine(Examination(session.open()))
    let found = diagnosis.findings.map(\.rule.id)
    let advised = OperationRegistry.all.filter { !Set($0.cures).isDisjoint(with: found) }
      .enumerated().sorted { ($0.element.risk, $0.offset) < ($1.element.risk, $1.offset) }.map(\.element)
    let advice = advised.map { operation -> DataValue in
      let words = operation.name.split(separator: " ")
      let rest = words.dropFirst().joined(separator: " ")
      let reasons = diagnosis.findings.filter { operation.cures.contains($0.rule.id) }
      return [
        "operation": .text(operation.name), "risk": .text(operation.risk.rawValue),
        "does": .text(operation.summary), "rules": .array(reasons.map { .text($0.rule.id) }),
        "because": .text(reasons.map(\.message).joined(separator: " ")),
        "command": .text("storescope \(words[0]) \(ShellQuotes.word(session.path)) \(rest)"),
      ]
    }
    let shown = advice.map { item -> DataValue in
      [
        "operation": item["operation"] ?? .null, "risk": item["risk"] ?? .null,
        "because": item["because"] ?? .null,
      ]
    }
    let text =
      advice.isEmpty
      ? "No finding calls for a repair. 'repair --help' lists all repairs, which can be planned anyway."
      : "Safest first; each shows a plan and changes nothing without --apply."
    var blocks: [Document.Block] = [.text(text)]
    if !advice.isEmpty { blocks.append(.table(RowStream(objects: shown))) }
    return Outcome(
      Document(
        command: "repair", store: try session.identity(), fields: [.init("advice", .array(advice))],
        payload: "advice", blocks: blocks))
  }
}
