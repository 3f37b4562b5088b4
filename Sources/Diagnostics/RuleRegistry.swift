/// All rules, in the order in which findings of one severity are listed: from the file to the cloud.
package enum RuleRegistry {
  package static let all: [Rule] = [
    .tokenMissing,
    .tokenExpired,
    .tokenForeignStore,
    .identityHalfRecorded,
    Rule(PackageResources.record_orphaned_sql),
    Rule(PackageResources.metadata_key_duplicated_sql),
    Rule(PackageResources.metadata_control_left_sql),
    .modelChangedSinceSetup,
    .frameworkNewerThanKnown,
    .eventSetupFailing,
    .eventExportFailing,
    .eventImportFailing,
    .eventThrottled,
    .eventQuotaExceeded,
    .eventAccountProblem,
    .eventZoneDeleted,
    Rule(PackageResources.event_never_ended_sql),
    .eventExportStale,
  ]

  package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }
}
