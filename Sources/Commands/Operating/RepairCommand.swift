import CloudKitMirror
import Diagnostics
import Operations
import Rendering
import Values

extension Command {
  private static let repairs = OperationRegistry.all.filter { $0.name.hasPrefix("repair ") }

  static let repair = Command(
    "repair",
    summary: "mend one thing (shows a plan first); without a name, what the doctor's findings call for",
    arguments: [
      .init(
        "NAME", kind: .choice, choices: repairs.map { String($0.name.dropFirst("repair ".count)) },
        isOptional: true,
        help: "which repair; nothing gives advice")
    ],
    options: [
      OperationOptions.entity, OperationOptions.cloud, OperationOptions.before,
      OperationOptions.discardPendingDeletes,
    ] + OperationOptions.common,
    discussion: """
      Repairs, the harmless first:
      \(repairs.map { "  \($0.name.dropFirst("repair ".count)): \($0.summary) (risk: \($0.risk.rawValue))" }.joined(separator: "\n"))

      Examples:
        storescope repair App.store
        storescope repair App.store raise-max
        storescope repair App.store remove-orphan-records --cloud keep --apply --confirm App.store
      """
  ) { invocation in
    guard let name = invocation.argument(0), let operation = OperationRegistry.operation("repair \(name)")
    else {
      let given = (OperationOptions.choosing + OperationOptions.common).first {
        invocation.arguments.has($0.name)
      }
      if let given {
        throw UsageError.conflict(
          "'--\(given.name)' goes with a repair's name; 'storescope repair --help' lists them.")
      }
      return try RepairAdvice.outcome(invocation)
    }
    return try OperationRun(operation, invocation).outcome()
  }
}

/// Which operations the doctor's findings call for.
enum RepairAdvice {
  static func outcome(_ invocation: Invocation) throws -> Outcome {
    let session = try invocation.store()
    let store = try session.lens()
    var doctor = Doctor(limit: 0)
    doctor.progress = { text in invocation.progress.step(text) }
    let diagnosis = try doctor.examine(Examination(store, opened: session.opened(), mirror: Mirror(store)))
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
        "command": .text("storescope \(words[0]) \(session.path) \(rest)"),
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
      ? "Nothing that the doctor found calls for one of the repairs; 'storescope doctor' says what it found."
      : "The safest first; each shows a plan, and changes nothing without --apply."
    var blocks: [Document.Block] = [.text(text)]
    if !advice.isEmpty { blocks.append(.table(RowStream(objects: shown))) }
    return Outcome(
      Document(
        command: "repair", store: try session.identity(), fields: [.init("advice", .array(advice))],
        payload: "advice", blocks: blocks))
  }
}
