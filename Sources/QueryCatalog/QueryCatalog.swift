/// The saved queries that the binary brings along, in the order in which they are listed.
package enum QueryCatalog {
  package static let all: [SavedQuery] = [
    query("changes-by-author", PackageResources.changes_by_author_sql),
    query("changes-by-day", PackageResources.changes_by_day_sql),
    query("changed-properties", PackageResources.changed_properties_sql),
    query("churn", PackageResources.churn_sql),
    query("deleted-objects", PackageResources.deleted_objects_sql),
    query("largest-transactions", PackageResources.largest_transactions_sql),
    query("object-history", PackageResources.object_history_sql),
    query("table-sizes", PackageResources.table_sizes_sql),
    query("transactions-without-author", PackageResources.transactions_without_author_sql),
  ]

  private static func query(_ name: String, _ bytes: [UInt8]) -> SavedQuery {
    SavedQuery(name: name, sql: String(decoding: bytes, as: UTF8.self))
  }
}
