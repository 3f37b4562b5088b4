/// All rules, in the order in which findings of one severity are listed: from the file to the cloud.
package enum RuleRegistry {
  package static let all: [Rule] = [
    .integrityCheckFailed,
    .walDamaged,
    .walMissing,
    .journalNotWAL,
    .modelCacheMissing,
    .modelCacheDamaged,
    .modelDiffersFromTable,
    .entityNameStale,
    .rowEntityUnknown,
    .objectIDAboveMax,
    .relationshipDangling,
    .relationshipWrongEntity,
    .externalDataMissing,
    .externalDataOrphaned,
    .temporaryObjectID,
    .objectURIDangling,
    .objectURIForeign,
    .objectURIPersisted,
    Rule(PackageResources.record_orphaned_sql),
  ]

  package static func rule(_ id: String) -> Rule? { all.first { $0.id == id } }
}
