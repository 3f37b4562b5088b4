import Operations

extension Command {
  static let reset = Command(
    "reset", summary: "clear all mirror metadata, as a last resort", readsPast: false,
    printsRows: false,
    options: [OperationOptions.serverZone, OperationOptions.discardPendingDeletes] + OperationOptions.common,
    discussion: """
      The data and its history stay; the next launch sets mirroring up anew. Unless the zone on the server is emptied
      as well, every object is there twice afterwards. 'resync' is almost always enough.

      Examples:
        storescope reset App.store --server-zone emptied
        storescope reset App.store --server-zone emptied --rehearse
        storescope reset App.store --server-zone emptied --apply --confirm App.store
      """,
    formats: OperationOptions.formats,
    changes: { $0.has(.apply) }
  ) { invocation in
    try OperationRun(.reset, invocation).outcome()
  }
}
