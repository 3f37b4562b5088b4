package import StoreModel

/// Names in the lens: which view belongs to which entity.
package enum ViewNames {
  /// What is the same in every store: views of history, the mirror and the model, and the tables behind the last ones.
  /// Saved queries and rules rely on these names. A test holds them against the views themselves.
  package static let framework = [
    "transactions", "changes", "records", "links", "zones", "databases", "events", "failures",
    "metadataEntries", "shares", "moveReceipts", "pending", "entities", "properties", "views",
  ]

  static let tables = [
    "lens_properties", "lens_views", "lens_unanalyzed", "lens_unregistered", EventFailure.table,
  ]

  /// The views of entities: their own names, but with underscores behind where SQL would take one for another view
  /// (names differ by more than case in SQL), and with one before where the name is kept for SQLite's own tables
  /// (https://www.sqlite.org/lang_createtable.html).
  package static func views(for entities: [String]) -> [String: String] {
    distinct(entities, taken: Set((framework + tables).map { $0.lowercased() })) { name in
      name.lowercased().hasPrefix("sqlite_") || name.lowercased().hasPrefix("pragma_") ? "_" + name : name
    }
  }

  /// The view of one of the entities.
  package static func view(for entity: String, among entities: [String]) -> String {
    views(for: entities)[entity] ?? entity
  }

  /// A relationship of an entity, and the view that would have its links.
  package struct Link {
    package var entity: SchemaEntity
    package var entityView: String
    package var relationship: SchemaRelationship
    package var view: String
  }

  /// Those of all entities that have a table: `Entity_relationship`, with underscores behind where that is taken.
  package static func links(of store: CoreDataStore) -> [Link] {
    let names = views(for: store.schema.entities.map(\.name))
    var taken = Set((framework + tables + names.values).map { $0.lowercased() })
    return store.schema.entities.filter { store.tables.has($0.table) }.flatMap { entity in
      let view = names[entity.name] ?? entity.name
      return entity.relationships.map { relationship in
        var free = "\(view)_\(relationship.name)"
        while !taken.insert(free.lowercased()).inserted { free += "_" }
        return Link(entity: entity, entityView: view, relationship: relationship, view: free)
      }
    }
  }

  /// The columns that every entity's view begins with.
  package static let identity = ["pk", "uri", "entity"]

  /// A property's key in JSON: its own name, but `property.NAME` where an identity column has it.
  package static func key(for property: String) -> String {
    identity.contains(property) ? "property." + property : property
  }

  /// The properties' columns in a view; there names differ by more than case.
  package static func columns(for properties: [String]) -> [String: String] {
    distinct(properties, taken: Set(identity)) { name in
      identity.contains(name.lowercased()) ? "property." + name : name
    }
  }

  /// Gives each name its own. Those that are free stay as they are, whatever comes before them.
  private static func distinct(
    _ names: [String], taken: Set<String>, spelling: (String) -> String
  ) -> [String: String] {
    var taken = taken
    var result: [String: String] = [:]
    for name in names where result[name] == nil && spelling(name) == name {
      if taken.insert(name.lowercased()).inserted { result[name] = name }
    }
    for name in names where result[name] == nil {
      var free = spelling(name)
      while !taken.insert(free.lowercased()).inserted { free += "_" }
      result[name] = free
    }
    return result
  }
}
