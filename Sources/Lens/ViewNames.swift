/// Names in the lens: which view belongs to which entity.
package enum ViewNames {
  /// Views over the framework's own tables. Their names are taken: saved queries and rules rely on them.
  package static let framework = [
    "entities", "transactions", "changes", "history", "records", "zones", "links", "events",
    "metadata_entries", "pending",
  ]

  /// The view of an entity: its own name, with an underscore behind where SQL would take it for another view
  /// (names differ by more than case in SQL) or for one of SQLite's own tables.
  package static func view(for entity: String, among entities: [String]) -> String {
    let name = entity.lowercased()
    let earlier = entities.prefix { $0 != entity }.map { $0.lowercased() }
    let isTaken =
      framework.contains(name) || earlier.contains(name) || name.hasPrefix("sqlite_")
      || name.hasPrefix("pragma_")
    return isTaken ? entity + "_" : entity
  }

  /// The columns that every entity's view begins with.
  package static let identity = ["pk", "uri", "entity"]

  /// A property's key in JSON: its own name, but `property.NAME` where an identity column has it.
  package static func key(for property: String) -> String {
    identity.contains(property) ? "property." + property : property
  }

  /// A property's column in a view; there names differ by more than case.
  package static func column(for property: String) -> String {
    identity.contains(property.lowercased()) ? "property." + property : property
  }
}
