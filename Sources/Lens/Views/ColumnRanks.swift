import Base
package import StoreModel

/// The order in which a narrow terminal leaves columns out: the highest rank goes first, 0 last. People know objects by
/// their titles, so identifiers go first.
package enum ColumnRanks {
  /// URIs and record names.
  private static let identifier = 6
  /// The keys of to-one relationships.
  package static let relationship = 4

  /// Ranks of an entity's attributes, by path, kept longest first: the title and the two dates most likely to place the
  /// object in time (0), states and texts (1), Booleans (2), other numbers and dates (3), data (4), identifiers (5).
  package static func ofAttributes(of entity: SchemaEntity) -> [String: Int] {
    let leaves = entity.attributes.flatMap { [$0] + $0.leaves }
    var ranks = Dictionary(firstOf: leaves.map { ($0.path, rank(of: $0)) })
    let dates = entity.attributes.filter { $0.description.type == .date }
    let likely = dates.enumerated().sorted { (order($1.element), $1.offset) > (order($0.element), $0.offset) }
    for date in likely.prefix(2) { ranks[date.element.path] = 0 }
    for title in TitleAttributes.ofTitle(entity) { ranks[title.path] = 0 }
    return ranks
  }

  private static func rank(of attribute: SchemaAttribute) -> Int {
    let name = attribute.name.lowercased()
    if attribute.description.isEnumeration { return 1 }
    switch attribute.description.type {
    case .uuid, .uri, .objectID: return 5
    case .binary, .transformable, .composite, .undefined: return 4
    case .string: return identifiers.contains(where: name.contains) ? 5 : 1
    case .boolean: return 2
    default: return states.contains(where: name.hasSuffix) ? 1 : 3
    }
  }

  private static let identifiers = ["uuid", "guid", "identifier", "fingerprint", "hash"]
  private static let states = ["state", "status", "rating"]
  /// What names of dates begin with or contain, the most useful date first.
  private static let moments = ["start", "creat", "date", "time", "modif", "updat", "end", "due", "add"]

  private static func order(_ date: SchemaAttribute) -> Int {
    let name = date.name.lowercased()
    return moments.firstIndex(where: name.hasPrefix) ?? moments.firstIndex(where: name.contains).map {
      $0 + 10
    }
      ?? 20
  }

  /// Ranks of the columns of an entity's view, by name.
  package static func ranks(of entity: SchemaEntity) -> [String: Int] {
    var ranks = ["uri": identifier]
    let names = View.entityColumns(of: entity)
    for (path, rank) in ofAttributes(of: entity) {
      if let name = names[path] { ranks[name] = rank }
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

  /// Ranks of the columns of the framework's views, by name.
  package static let mirror = [
    "uri": identifier, "recordName": identifier, "sourceURI": identifier, "targetURI": identifier,
  ]
}
