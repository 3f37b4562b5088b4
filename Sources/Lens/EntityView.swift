import SQLite
package import StoreModel

/// The SQL of an entity's view: its rows, those of its sub-entities too, with the model's names.
///
/// Columns: `pk`, `uri`, `entity`; attributes by name (dates as ISO 8601, UUIDs as text, leaves of composites as
/// `composite.leaf`); to-one relationships as the target's primary key, so that views join.
package struct EntityView {
  let entity: SchemaEntity
  let name: String
  /// The numbers of the entity and of all below it.
  let numbers: [Int64]

  var sql: String {
    let names = Self.columns(of: entity)
    var columns = [
      "Z_PK AS \"pk\"", "object_uri(Z_ENT, Z_PK) AS \"uri\"", "entity_name(Z_ENT) AS \"entity\"",
    ]
    for source in Self.sources(of: entity) {
      guard let name = names[source.property] else { continue }
      let column = quotedIdentifier(source.column)
      let shown = source.attribute.map { expression(for: $0, column: column) } ?? column
      columns.append("\(shown) AS \(quotedIdentifier(name))")
    }
    return """
      CREATE TEMP VIEW IF NOT EXISTS \(quotedIdentifier(name)) AS SELECT \(columns.joined(separator: ", "))
      FROM main.\(quotedIdentifier(entity.table))
      WHERE Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))
      """
  }

  /// The view's columns of attributes (of composites the leaves, by path) and to-one relationships.
  package static func columns(of entity: SchemaEntity) -> [String: String] {
    ViewNames.columns(for: sources(of: entity).map(\.property))
  }

  private struct Source {
    var property: String
    var column: String
    /// Nil for a relationship.
    var attribute: SchemaAttribute?
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
    let relationships = entity.relationships.compactMap { relationship -> Source? in
      guard case .toOne(let column, _, _) = relationship.storage else { return nil }
      return Source(property: relationship.name, column: column)
    }
    return (attributes + relationships).filter { known.insert($0.property).inserted }
  }

  private func expression(for attribute: SchemaAttribute, column: String) -> String {
    switch attribute.description.type {
    case .date: "iso_date(\(column))"
    case .uuid: "uuid_text(\(column))"
    case .binary, .transformable:
      attribute.description.allowsExternalStorage ? "external_data(\(column))" : column
    default: column
    }
  }
}
