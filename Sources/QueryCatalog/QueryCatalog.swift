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

  private static func query(_ name: String, _ bytes: [UInt8]) -> SavedQuery {
    SavedQuery(name: name, sql: String(decoding: bytes, as: UTF8.self))
  }
}
