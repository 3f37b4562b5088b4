import Operations

extension Command {
  static let resync = Command(
    "resync", summary: "make the next launch re-download, re-upload or rescan",
    readsPast: false, printsRows: false,
    options: [
      OptionDefinition(.pull, help: "fetch every zone again"),
      OptionDefinition(.push, help: "upload every live object and link again"),
      OptionDefinition(.rescan, help: "look at all of history again"), OperationOptions.entity,
    ] + OperationOptions.common,
    discussion: """
      Without --apply nothing changes: the plan says what would, what the next launch does then, and what can go wrong.
      With it the store is backed up first, and changed in one transaction that is checked against the plan.
      --entity goes with --push.

      Examples:
        storescope resync App.store --pull
        storescope resync App.store --push --entity Person --rehearse
        storescope resync App.store --rescan --apply --confirm App.store
      """,
    formats: OperationOptions.formats,
    changes: { $0.has(.apply) }
  ) { invocation in
    let arguments = invocation.arguments
    let chosen = [OptionName.pull, .push, .rescan].filter(arguments.has)
    guard chosen.count == 1, let word = chosen.first,
      let operation = OperationRegistry.operation("resync --\(word.rawValue)")
    else {
      throw UsageError.conflict(
        "'resync' needs exactly one of --pull, --push and --rescan. See 'storescope resync --help'.")
    }
    if arguments.has(.entity), word != .push {
      throw UsageError.conflict(
        "'--entity' goes with --push only; --\(word.rawValue) is about the whole store.")
    }
    return try OperationRun(operation, invocation).outcome()
  }
}
