import SQLite
package import StoreModel

extension View {
  /// One row per object: the entity's own and those of its sub-entities, with the model's names. Dates and UUIDs
  /// are text, leaves of composites `composite.leaf`; to-one relationships are the target's primary key, so that
  /// views join, and `RELATIONSHIP_uri` its URI.
  static func entity(_ entity: SchemaEntity, named name: String, in store: CoreDataStore) -> View {
    let numbers = store.schema.descendants(of: entity).map { String($0.number) }.joined(separator: ", ")
    let names = entityColumns(of: entity)
    var columns = [
      Column("pk", .integer, "the object's primary key", "Z_PK").open,
      Column("uri", .uri, "the object's URI", "object_uri(Z_ENT, Z_PK)").open,
      Column("entity", .text, "the object's own entity", "entity_name(Z_ENT)").open,
    ]
    for source in sources(of: entity) {
      guard let name = names[source.property] else { continue }
      columns.append(column(name, source, in: store))
    }
    return View(
      name, rows: "object of \(entity.name)", columns,
      from: "main.\(quotedIdentifier(entity.table)) WHERE Z_ENT IN (\(numbers))")
  }

  /// The view's columns of attributes (of composites the leaves, by path), to-one relationships and their URIs.
  package static func entityColumns(of entity: SchemaEntity) -> [String: String] {
    ViewNames.columns(for: sources(of: entity).map(\.property))
  }

  private struct Source {
    var property: String
    var column: String
    var attribute: SchemaAttribute?
    /// Of a relationship whose target's URI this is.
    var target: (relationship: SchemaRelationship, entityColumn: String?)?
  }

  /// What the view shows, each property once.
  private static func sources(of entity: SchemaEntity) -> [Source] {
    var known: Set<String> = []
    let attributes = entity.attributes.flatMap { attribute in
      attribute.leaves.compactMap { leaf in
        leaf.column.map {
          Source(
            property: attribute.description.isEnumeration ? attribute.name : leaf.path, column: $0,
            attribute: leaf)
        }
      }
    }
    var uris: [Source] = []
    let relationships = entity.relationships.compactMap { relationship -> Source? in
      guard case .toOne(let column, let entityColumn, _) = relationship.storage else { return nil }
      uris.append(
        Source(
          property: relationship.name + "_uri", column: column, target: (relationship, entityColumn)))
      return Source(property: relationship.name, column: column)
    }
    return (attributes + relationships + uris).filter { known.insert($0.property).inserted }
  }

  private static func column(_ name: String, _ source: Source, in store: CoreDataStore) -> Column {
    let stored = quotedIdentifier(source.column)
    if let target = source.target {
      let destination = String(target.relationship.destination)
      let entity = target.entityColumn.map { "COALESCE(\(quotedIdentifier($0)), \(destination))" }
      return Column(
        name, .uri, "the URI of what \(target.relationship.name) leads to",
        "object_uri(\(entity ?? destination), \(stored))"
      ).open
    }
    guard let attribute = source.attribute else {
      return Column(name, .integer, "the primary key of what the relationship leads to", stored).open
    }
    let meaning = "the attribute \(attribute.path)"
    switch attribute.description.type {
    case .date: return Column(name, .date, meaning, stored)
    case .uuid: return Column(name, .uuid, meaning, stored)
    case .binary, .transformable:
      let isExternal = attribute.description.allowsExternalStorage
      return Column(name, .blob, meaning, isExternal ? "external_data(\(stored))" : stored)
    case .string, .uri: return Column(name, .text, meaning, stored)
    case .integer16, .integer32, .integer64: return Column(name, .integer, meaning, stored)
    case .decimal, .double, .float: return Column(name, .real, meaning, stored)
    case .boolean: return Column(name, .bool, meaning, stored)
    case .undefined, .objectID, .composite: return Column(name, .any, meaning, stored)
    }
  }
}

extension View {
  /// One row per pair of objects that a to-many relationship links.
  /// - Returns: nil where the store doesn't keep such links.
  static func link(
    _ relationship: SchemaRelationship, of entity: SchemaEntity, named name: String, in store: CoreDataStore
  ) -> View? {
    let numbers = store.schema.descendants(of: entity).map { String($0.number) }.joined(separator: ", ")
    guard store.tables.holdsObjects(entity.table) else { return nil }
    let owner = "main.\(quotedIdentifier(entity.table)) s"
    let source: String
    let position: String
    switch relationship.storage {
    case .toMany(let table, let column, _, let orderColumn, _):
      guard store.tables.holdsObjects(table) else { return nil }
      source = """
        main.\(quotedIdentifier(table)) t JOIN \(owner) ON s.Z_PK = t.\(quotedIdentifier(column))
        WHERE s.Z_ENT IN (\(numbers))
        """
      position = orderColumn.map { "t.\(quotedIdentifier($0))" } ?? "NULL"
    case .join(let table, let ownColumn, let otherColumn, let orderColumn):
      guard let destination = store.schema[relationship.destination],
        store.tables.holdsObjects(destination.table)
      else { return nil }
      source = """
        main.\(quotedIdentifier(table)) j JOIN \(owner) ON s.Z_PK = j.\(quotedIdentifier(ownColumn))
        JOIN main.\(quotedIdentifier(destination.table)) t ON t.Z_PK = j.\(quotedIdentifier(otherColumn))
        WHERE s.Z_ENT IN (\(numbers))
        """
      position = orderColumn.map { "j.\(quotedIdentifier($0))" } ?? "NULL"
    case .toOne, .none: return nil
    }
    return View(
      name, rows: "link from \(entity.name) by \(relationship.name)",
      [
        Column("source", .integer, "the primary key of the object that has the relationship", "s.Z_PK").open,
        Column("target", .integer, "the primary key of the object it leads to", "t.Z_PK").open,
        Column(
          "position", .integer, "orders the targets of one source, with gaps; NULL if they have no order",
          position
        ).open,
        Column("sourceURI", .uri, "the source's URI", "object_uri(s.Z_ENT, s.Z_PK)").open,
        Column("targetURI", .uri, "the target's URI", "object_uri(t.Z_ENT, t.Z_PK)").open,
      ], from: source)
  }
}
