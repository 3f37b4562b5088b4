import Base
import Diagnostics
import Evidence
import Lens
import Operations
import Rendering

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
    documents: OperationForms.planned + [RepairAdvice.form]
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
  static let form = DocumentForm("without a repair's name", payload: "advice", fields.keys())

  private typealias Advice = (offer: OfferedOperations.Offer, command: String?)
  private typealias Answer = (advice: [Advice], refused: [OfferedOperations.Offer], cautions: FileCautions)

  private static let fields: [Field<Answer>] = [
    Field(
      "advice", .list(.object(adviceFields.keys())),
      "repairs that the doctor's findings call for, the safest first"
    ) { $0.advice.map(adviceFields.object) },
    Field(
      "refused", .list(.object(refusedFields.keys())),
      "repairs that the findings call for and that would be refused"
    ) { $0.refused.map(refusedFields.object) },
    FileCautions.field.of { $0.cautions },
  ]

  private static let adviceFields: [Field<Advice>] = [
    Field("operation", "the repair") { $0.offer.operation.name },
    Field("risk", .words(Risk.self), "what can go wrong") { $0.offer.risk.rawValue },
    Field("does", "what it does") { $0.offer.operation.summary },
    Field("rules", "the findings that it fixes") { $0.offer.rules },
    Field("because", "what was found") { $0.offer.because },
    Field("until", "when its effect shows; null if that is at once") { $0.offer.until },
    Field("command", "shows its plan; null if the store is inside a container") { $0.command },
  ]

  private static let refusedFields: [Field<OfferedOperations.Offer>] = [
    Field("operation", "the repair") { $0.operation.name },
    Field("rules", "the findings that it would fix") { $0.rules },
    Field("because", "why it can't be applied to this store") { $0.refusal ?? "" },
  ]

  static func outcome(_ invocation: Invocation) throws -> Outcome {
    let session = try invocation.store()
    var doctor = Doctor(limit: 0)
    doctor.progress = { text in invocation.progress.step(text) }
    let open = try session.open()
    let cautions = try FileCautions(open.bytes())
    let diagnosis = try doctor.examine(Examination(open))
    let operations = try OfferedOperations(diagnosis.findings, open, cautions)
    let repaired = Set(operations.all.flatMap(\.operation.cures))
    let isInside = session.source.isExtracted
    let advice = operations.offered.map { offer -> Advice in
      let words = offer.operation.name.split(separator: " ")
      let rest = words.dropFirst().joined(separator: " ")
      // Of what is inside a container, only a copy can be changed.
      return (offer, isInside ? nil : "storescope \(words[0]) \(ShellQuotes.word(session.path)) \(rest)")
    }
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
        payload: "advice", fields, of: (advice, operations.refused, cautions), blocks: blocks
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
  private static func answer(_ advice: [Advice], isPlannable: Bool) -> [Document.Block] {
    let repairs = advice.map { offer, command -> (name: String, why: String) in
      let name = command ?? String(offer.operation.name.split(separator: " ").last ?? "")
      let until = offer.until.map { " Its effect shows with \($0)." } ?? ""
      return (name, "Risk: \(offer.risk.rawValue). \(offer.because)\(until)")
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
  fileprivate var rules: [String] { findings.map(\.rule.id) }
  fileprivate var because: String { findings.map(\.message).joined(separator: " ") }
}
