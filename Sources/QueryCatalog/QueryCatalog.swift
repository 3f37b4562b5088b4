/// The saved queries that are built in, in the order in which they are listed: history, records, pending, events, size.
package enum QueryCatalog {
  package static let all: [SavedQuery] = [
    query("changes-by-author", PackageResources.changes_by_author_sql),
    query("changes-by-day", PackageResources.changes_by_day_sql),
    query("changed-properties", PackageResources.changed_properties_sql),
    query("churn", PackageResources.churn_sql),
    query("deleted-objects", PackageResources.deleted_objects_sql),
    query("largest-transactions", PackageResources.largest_transactions_sql),
    query("object-history", PackageResources.object_history_sql),
    query("transactions-without-author", PackageResources.transactions_without_author_sql),
    query("records-by-state", PackageResources.records_by_state_sql),
    query("records-by-zone", PackageResources.records_by_zone_sql),
    query("records-not-uploaded", PackageResources.records_not_uploaded_sql),
    query("pending-by-entity", PackageResources.pending_by_entity_sql),
    query("pending-by-author", PackageResources.pending_by_author_sql),
    query("pending-oldest", PackageResources.pending_oldest_sql),
    query("events-by-day", PackageResources.events_by_day_sql),
    query("failed-exports", PackageResources.failed_exports_sql),
    query("errors-by-code", PackageResources.errors_by_code_sql),
    query("export-durations", PackageResources.export_durations_sql),
    query("table-sizes", PackageResources.table_sizes_sql),
  ]

  /// Queries over the datasets of a fleet, in the order of asking. Engines run them, not this program: `fleet --to` writes
  /// them next to the datasets.
  package static let fleet: [SavedQuery] = [
    query("health", PackageResources.health_sql),
    query("common-findings", PackageResources.common_findings_sql),
    query("blocked-by-cause", PackageResources.blocked_by_cause_sql),
    query("blocked-stores", PackageResources.blocked_stores_sql),
    query("wiped-by-next-launch", PackageResources.wiped_by_next_launch_sql),
    query("pending-ages", PackageResources.pending_ages_sql),
    query("pending-by-reason", PackageResources.pending_by_reason_sql),
    query("errors-by-week", PackageResources.errors_by_week_sql),
    query("history-growth", PackageResources.history_growth_sql),
    query("model-versions", PackageResources.model_versions_sql),
    query("framework-versions", PackageResources.framework_versions_sql),
    query("largest-entities", PackageResources.largest_entities_sql),
    query("writers-without-author", PackageResources.writers_without_author_sql),
    query("duplicate-stores", PackageResources.duplicate_stores_sql),
    query("outliers", PackageResources.outliers_sql),
    query("failures-by-kind", PackageResources.failures_by_kind_sql),
  ]

  private static func query(_ name: String, _ bytes: [UInt8]) -> SavedQuery {
    SavedQuery(name: name, sql: String(decoding: bytes, as: UTF8.self))
  }
}
