/// Terms that people come across when a store syncs.
package enum Terms {
  /// The store as a file and its history; records and zones; syncing, and how it fails; what the next launch does; this
  /// tool's own words; the words for states, kinds, flags and layouts; and the errors of SwiftData, which have no codes.
  static let all = [
    PackageResources.terms_history_txt, PackageResources.terms_records_txt,
    PackageResources.terms_syncing_txt, PackageResources.terms_launch_txt, PackageResources.terms_tool_txt,
    PackageResources.terms_states_txt, PackageResources.swiftdata_txt,
  ].flatMap(Explanation.terms)

  /// What to know first, in the order of reading.
  package static let essential = [
    "object", "persistent history", "transaction", "transaction author", "history token", "unanalyzed",
    "mirroring delegate", "record", "record name", "record zone", "share", "event", "pending upload",
    "pending cloud delete", "uploaded", "unregistered", "orphaned record", "verdict", "finding", "resync",
    "repair", "purge", "backup", "redacted copy",
  ]
}
