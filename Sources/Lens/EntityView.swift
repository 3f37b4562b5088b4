import SQLite
import StoreModel

/// The SQL of an entity's view: its rows, those of its sub-entities too, with the model's names.
///
/// Columns: `pk`, `uri`, `entity`; attributes by name (dates as ISO 8601, UUIDs as text, leaves of composites as
/// `composite.leaf`); to-one relationships as the target's primary key, so that views join.
struct EntityView {
  let entity: SchemaEntity
  let name: String
  /// The numbers of the entity and of all below it.
  let numbers: [Int64]

  var sql: String {
    var taken = Set(ViewNames.identity)
    var columns = [
      "Z_PK AS \"pk\"", "object_uri(Z_ENT, Z_PK) AS \"uri\"", "entity_name(Z_ENT) AS \"entity\"",
    ]
    func add(_ name: String, _ expression: String) {
      guard taken.insert(name.lowercased()).inserted else { return }
      columns.append("\(expression) AS \(quotedIdentifier(name))")
    }
    for attribute in entity.attributes {
      for leaf in attribute.leaves {
        guard let column = leaf.column else { continue }
        let path = attribute.description.isEnumeration ? attribute.name : leaf.path
        add(ViewNames.column(for: path), expression(for: leaf, column: quotedIdentifier(column)))
      }
    }
    for relationship in entity.relationships {
      if case .toOne(let column, _, _) = relationship.storage {
        add(ViewNames.column(for: relationship.name), quotedIdentifier(column))
      }
    }
    return """
      CREATE TEMP VIEW IF NOT EXISTS \(quotedIdentifier(name)) AS SELECT \(columns.joined(separator: ", "))
      FROM main.\(quotedIdentifier(entity.table))
      WHERE Z_ENT IN (\(numbers.map(String.init).joined(separator: ", ")))
      """
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
