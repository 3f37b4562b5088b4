/// All operations, the harmless first.
package enum OperationRegistry {
  package static let all: [Operation] = [
    .clearEvents, .raiseMax, .registerMissing, .pull, .rescan, .clearImportLeftovers, .removeDuplicateRecords,
    .pruneHistory, .push, .removeOrphanRecords, .detachEntity, .reset,
  ]

  package static func operation(_ name: String) -> Operation? { all.first { $0.name == name } }
}
