/// All rules, in the order in which findings of one severity are listed: from the file to the cloud.
package enum RuleRegistry {
  package static let all: [Rule] = [
    .historyTrackingOff,
    .historyChangeWithoutRow,
    .historyBrokenLink,
    .historyEntityUnknown,
    .historyOfAncillaryEntity,
    .historyClockJump,
    .historyOversizedTransaction,
    .historyUpdateLoop,
    .historyChattySaves,
    .historyEmptyUpdate,
    .historyBloat,
    .historyAuthorMissing,
    .pastWipe,
    Rule(PackageResources.record_orphaned_sql),
    .historyBacklog,
  ]

  package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }
}
