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
