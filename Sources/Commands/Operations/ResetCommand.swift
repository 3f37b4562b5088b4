import Operations

extension Command {
  static let reset = Command(
    "reset", summary: "clear all mirror metadata, as a last resort", readsPast: false, printsRows: false,
    options: [OperationOptions.serverZone, OperationOptions.discardPendingDeletes] + OperationOptions.common,
    discussion: """
      The data and its history are kept; the next launch sets up mirroring from scratch. Unless the zone on the server
      is emptied too, every object exists twice afterward. 'resync' is almost always enough.

      Examples:
        storescope reset App.store --server-zone emptied
        storescope reset App.store --server-zone emptied --rehearse
        storescope reset App.store --server-zone emptied --apply --confirm App.store
      """,
    formats: OperationOptions.formats,
    changes: OperationOptions.applies,
    documents: OperationForms.planned
  ) { invocation in
    try OperationRun(.reset, invocation).outcome()
  }
}
