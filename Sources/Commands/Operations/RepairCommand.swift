import Diagnostics
import Evidence
import Lens
import Operations
import Rendering
import Values

extension Command {
  private static let repairs = OperationRegistry.all.filter { $0.name.hasPrefix("repair ") }

  static let repair = Command(
    "repair",
    summary: "fix one problem; without NAME, list the fixes that apply",
    arguments: [
      .init(
        "NAME", kind: .choice, choices: repairs.map { String($0.name.dropFirst("repair ".count)) },
        isOptional: true,
        help: "which repair; omit it to see which apply", hint: RepairAdvice.hint(forRule:))
    ],
    printsRows: false,
    options: [
      OperationOptions.entity, OperationOptions.cloud, OperationOptions.before,
      OperationOptions.discardPendingDeletes,
    ] + OperationOptions.common,
    discussion: """
      Repairs, safest first:
      \(repairs.map { "  \($0.name.dropFirst("repair ".count)): \($0.summary) (usual risk: \($0.risk.rawValue))" }.joined(separator: "\n"))

      Examples:
        storescope repair App.store
        storescope repair App.store raise-max
        storescope repair App.store remove-orphan-records --cloud keep --apply --confirm App.store
      """,
    formats: OperationOptions.formats,
    changes: OperationOptions.applies,
    documents: OperationForms.planned + [OperationForms.advice]
  ) { invocation in
    guard let name = invocation.argument(0), let operation = OperationRegistry.operation("repair \(name)")
    else {
      let given = (OperationOptions.choosing + OperationOptions.common).first {
        invocation.arguments.options[$0.option] != nil
      }
      if let given {
        throw UsageError.conflict(
          "'--\(given.name)' needs a repair's name; 'storescope repair --help' lists them.")
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
    var doctor = Doctor(limit: 0)
    doctor.progress = { text in invocation.progress.step(text) }
    let open = try session.open()
    let cautions = try FileCautions(open.bytes())
    let diagnosis = try doctor.examine(Examination(open))
    let operations = try OfferedOperations(diagnosis.findings, open, cautions)
    let repaired = Set(operations.all.flatMap(\.operation.cures))
    let advice = operations.offered.map { offer -> DataValue in
      let words = offer.operation.name.split(separator: " ")
      let rest = words.dropFirst().joined(separator: " ")
      return [
        "operation": .text(offer.operation.name), "risk": .text(offer.risk.rawValue),
        "does": .text(offer.operation.summary), "rules": offer.rules,
        "because": .text(offer.findings.map(\.message).joined(separator: " ")),
        "until": .optional(offer.until),
        // Of what is inside a container, only a copy can be changed.
        "command": session.source.isExtracted
          ? .null : .text("storescope \(words[0]) \(ShellQuotes.word(session.path)) \(rest)"),
      ]
    }
    let isInside = session.source.isExtracted
    var blocks = cautions.damageBlocks
    if advice.isEmpty, !operations.refused.isEmpty {
      blocks.append(.text("No repair can be applied to this store."))
    } else if advice.isEmpty {
      let none = "No finding calls for a repair. 'storescope repair --help' lists all repairs"
      blocks.append(.text(isInside ? "\(none)." : "\(none), which can be planned anyway."))
    } else {
      blocks += answer(advice, isPlannable: !isInside)
    }
    blocks += operations.refused.map { .text("'\($0.operation.name)' isn't offered. \($0.refusal ?? "")") }
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
        fields: [
          .init("advice", .array(advice)),
          .init(
            "refused",
            .array(
              operations.refused.map {
                [
                  "operation": .text($0.operation.name), "rules": $0.rules,
                  "because": .optional($0.refusal),
                ]
              })), .init("damage", .optional(cautions.damage?.clause)),
        ],
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
      let until = item["until"]?.text.map { " Its effect shows with \($0)." } ?? ""
      return (name, "Risk: \(text("risk")). \(text("because"))\(until)")
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

extension OfferedOperations.Offer {
  fileprivate var rules: DataValue { .array(findings.map { .text($0.rule.id) }) }
}
