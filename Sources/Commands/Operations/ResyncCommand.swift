import Operations

extension Command {
  static let resync = Command(
    "resync", summary: "make the next launch re-download, re-upload or rescan",
    readsPast: false, printsRows: false,
    options: [
      OptionDefinition(.pull, help: "fetch every zone again"),
      OptionDefinition(.push, help: "upload every live object and link again"),
      OptionDefinition(.rescan, help: "process all of history again"), OperationOptions.entity,
    ] + OperationOptions.common,
    discussion: """
      Without --apply nothing changes: the plan shows what would change, what the next launch then does, and what can go
      wrong. With --apply the store is backed up first, then changed in one transaction that is checked against the
      plan. --entity works with --push only.

      Examples:
        storescope resync App.store --pull
        storescope resync App.store --push --entity Person --rehearse
        storescope resync App.store --rescan --apply --confirm App.store
      """,
    formats: OperationOptions.formats,
    changes: OperationOptions.applies
  ) { invocation in
    let arguments = invocation.arguments
    let chosen = [OptionName.pull, .push, .rescan].filter(arguments.has)
    guard let word = chosen.first, let operation = OperationRegistry.operation("resync --\(word.rawValue)")
    else {
      throw UsageError.conflict(
        "'resync' needs one of these for the next launch. Each shows a plan and changes nothing without --apply; 'storescope preflight STORE' shows what happens without any:",
        list: [
          // Nothing breaks these lines: they fit 80 columns.
          "--pull    download everything again, if the server has what this store lacks",
          "--push    upload every object again, if this store has what the server lacks",
          "--rescan  process all of history again, if changes were skipped",
        ])
    }
    guard chosen.count == 1 else {
      throw UsageError.conflict("'--pull', '--push' and '--rescan' can't be combined.")
    }
    if arguments.has(.entity), word != .push {
      throw UsageError.conflict(
        "'--entity' works with --push only; --\(word.rawValue) affects the whole store.")
    }
    return try OperationRun(operation, invocation).outcome()
  }
}
