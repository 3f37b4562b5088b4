package import StoreModel

/// How little columns say to people: the higher, the sooner a narrow terminal goes without one. Identifiers say least:
/// people know objects by their titles.
package enum ColumnRanks {
  /// Of URIs and names of records, and of to-one relationships' keys.
  private static let (identifier, relationship) = (5, 1)

  static func rank(of attribute: SchemaAttribute) -> Int {
    switch attribute.description.type {
    case .uuid, .uri, .objectID: 4
    case .binary, .transformable, .composite, .undefined: 3
    default: 0
    }
  }

  /// Of the columns of an entity's view.
  package static func ranks(of entity: SchemaEntity) -> [String: Int] {
    var ranks = ["uri": identifier]
    let names = View.entityColumns(of: entity)
    for leaf in entity.attributes.flatMap(\.leaves) {
      if let name = names[leaf.path] { ranks[name] = rank(of: leaf) }
    }
    for relation in entity.relationships {
      if let name = names[relation.name] { ranks[name] = relationship }
      if let name = names[relation.name + "_uri"] { ranks[name] = identifier }
    }
    return ranks
  }

  /// The columns of the entity's view that make its objects' title.
  package static func titles(of entity: SchemaEntity) -> [String] {
    let names = View.entityColumns(of: entity)
    return TitleAttributes.ofTitle(entity).compactMap { names[$0.path] }
  }

  /// Of the framework's views.
  package static let mirror = [
    "uri": identifier, "recordName": identifier, "sourceURI": identifier, "targetURI": identifier,
  ]
}
