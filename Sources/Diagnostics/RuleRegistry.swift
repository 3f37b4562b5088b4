/// All rules, in the order in which findings of one severity are listed: from the file to the cloud.
package enum RuleRegistry {
  package static let all: [Rule] = [
    .mirrorSchemaUnknown,
    Rule(PackageResources.record_orphaned_sql),
    Rule(PackageResources.record_orphan_queued_sql),
    Rule(PackageResources.record_name_duplicated_sql),
    Rule(PackageResources.record_object_duplicated_sql),
    Rule(PackageResources.record_entity_unknown_sql),
    Rule(PackageResources.record_entity_mismatch_sql),
    Rule(PackageResources.record_without_zone_sql),
    .recordAssetBroken,
    .objectNotRegistered,
    Rule(PackageResources.record_never_acknowledged_sql),
    Rule(PackageResources.record_transaction_ahead_sql),
    Rule(PackageResources.record_pending_leftover_sql),
    Rule(PackageResources.record_delete_leftover_sql),
    Rule(PackageResources.zone_import_stuck_sql),
    Rule(PackageResources.zone_needs_recovery_sql),
    .zoneUnexpected,
    .linkBroken,
    Rule(PackageResources.link_stuck_sql),
    .importRelationshipStuck,
    .deadTableRows,
    .cloudKitModelIncompatible,
    .recordNearLimit,
  ]

  package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }
}
