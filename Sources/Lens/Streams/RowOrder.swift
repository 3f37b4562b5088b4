import SQLite
import StoreModel
import Values

/// A property that rows are sorted by: as it is stored, so that numbers and dates are in their own order, texts without
/// regard to case, and those without a value last.
struct RowOrder {
  private let columns: [String]
  private let isDescending: Bool

  init(
    _ order: ObjectRows.Order, _ entity: SchemaEntity, among members: [SchemaEntity], in store: CoreDataStore
  ) throws {
    isDescending = order.isDescending
    switch order.property {
    case "pk", "object", "uri": columns = ["Z_PK"]
    case "entity": columns = ["Z_ENT"]
    default:
      let property = Suggestion.spelled(order.property, in: members.flatMap(Self.names)) ?? order.property
      // Sub-entities may keep properties of one name in different columns.
      var found: [String] = []
      for member in members {
        guard let column = Self.column(of: property, member), !found.contains(column) else { continue }
        found.append(column)
      }
      columns = found
    }
    guard columns.isEmpty else { return }
    let known = members.flatMap(Self.names)
    let names = known.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let isComposite = known.contains { $0.hasPrefix(order.property + ".") }
    throw StoreScopeError(
      .notFound,
      "\(entity.name) of '\(store.path)' can't be sorted by '\(order.property)'.\(Suggestion.sentence(for: order.property, in: known))",
      about: order.property,
      advice: isComposite
        ? "Sort by one of its parts, such as '\(known.first { $0.hasPrefix(order.property + ".") } ?? "")'"
        : "Properties: \(names.prefix(30).joined(separator: ", "))\(names.count > 30 ? " and \(names.count - 30) more" : "")"
    )
  }

  func sql(isReversed: Bool) -> String {
    let names = columns.map(quotedIdentifier)
    let value = names.count == 1 ? names[0] : "COALESCE(\(names.joined(separator: ", ")))"
    return "\(value) IS NULL, \(value) COLLATE NOCASE\(isDescending != isReversed ? " DESC" : "")"
  }

  private static func column(of property: String, _ entity: SchemaEntity) -> String? {
    for attribute in entity.attributes {
      if attribute.name == property, attribute.description.isEnumeration {
        return attribute.leaves.first?.column
      }
      if let leaf = attribute.leaves.first(where: { $0.path == property }) { return leaf.column }
    }
    guard let relationship = entity.relationships.first(where: { $0.name == property }),
      case .toOne(let column, _, _) = relationship.storage
    else { return nil }
    return column
  }

  private static func names(of entity: SchemaEntity) -> [String] {
    entity.attributes.flatMap { $0.description.isEnumeration ? [$0.name] : $0.leaves.map(\.path) }
      + entity.relationships.map(\.name)
  }
}

extension ObjectRows {
  /// A property to sort by.
  package struct Order: Sendable, Equatable {
    package var property: String
    package var isDescending: Bool

    /// `-startDate,title`: the weightiest first; a minus sign means descending, and so does the `desc` of SQL.
    package static func parse(_ text: String) -> [Order] {
      text.split(separator: ",").map { word in
        var name = String(word.trimmed)
        var isDescending = name.hasPrefix("-")
        if isDescending { name.removeFirst() }
        if let match = name.wholeMatch(of: /(?i)(.+?)[ :]\s*(asc|desc)(ending)?/) {
          isDescending = isDescending || (match.2.lowercased() == "desc")
          name = String(match.1)
        }
        return Order(property: name, isDescending: isDescending)
      }
    }
  }
}
