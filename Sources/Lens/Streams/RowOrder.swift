import Base
import SQLite
import StoreModel

/// A property that rows are sorted by: as it is stored, so that numbers and dates are in their own order, texts without
/// regard to case, and those without a value last.
struct RowOrder {
  /// In SQL.
  private let values: [String]
  private let isDescending: Bool

  init(
    _ order: ObjectRows.Order, _ entity: SchemaEntity, among members: [SchemaEntity], in store: CoreDataStore
  ) throws {
    isDescending = order.isDescending
    switch order.property {
    case "pk", "object", "uri": values = ["Z_PK"]
    case "entity": values = ["Z_ENT"]
    default:
      let property = Suggestion.spelled(order.property, in: members.flatMap(Self.names)) ?? order.property
      // Sub-entities may keep properties of one name in different columns.
      var found: [String] = []
      for member in members {
        guard let value = Self.value(of: property, member, in: store), !found.contains(value) else {
          continue
        }
        found.append(value)
      }
      values = found
    }
    guard values.isEmpty else { return }
    throw Self.refusal(order.property, entity, among: members, in: store)
  }

  func sql(isReversed: Bool) -> String {
    let value = values.count == 1 ? values[0] : "COALESCE(\(values.joined(separator: ", ")))"
    return "\(value) IS NULL, \(value) COLLATE NOCASE\(isDescending != isReversed ? " DESC" : "")"
  }

  /// What helps whoever sorts by what has no order here.
  private static func refusal(
    _ property: String, _ entity: SchemaEntity, among members: [SchemaEntity], in store: CoreDataStore
  ) -> StoreScopeError {
    func error(_ reason: String, _ advice: String) -> StoreScopeError {
      StoreScopeError(
        .notFound, "\(entity.name) of '\(store.path)' can't be sorted by '\(property)'\(reason)",
        about: property, advice: advice)
    }
    func query(_ value: String, as name: String) -> String {
      let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
      let title = ColumnRanks.titles(of: entity).first.map { ", " + Self.quotedIfNeeded($0) } ?? ""
      let sql =
        "SELECT pk\(title), \(value) AS \(name) FROM \(Self.quotedIfNeeded(view)) ORDER BY \(name) DESC"
      return "storescope query STORE \(ShellQuotes.readable(sql))"
    }
    if let relationship = members.lazy.flatMap(\.relationships).first(where: {
      $0.name.lowercased() == property.lowercased()
    }),
      let link = ViewNames.links(of: store).first(where: {
        entity.subtree.contains($0.entity.number) && $0.relationship.name == relationship.name
      })
    {
      let count = "(SELECT COUNT(*) FROM \(Self.quotedIfNeeded(link.view)) WHERE source = pk)"
      return error(
        ": it's a to-many relationship", "This sorts by how many objects it leads to:"
      ).listing(command: query(count, as: "count"))
    }
    let known = members.flatMap(names).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    let end = "." + property.lowercased()
    if let part = known.first(where: { $0.lowercased().hasSuffix(end) }) {
      return error(": it's a part of a composite", "Sort by --sort \(part)")
    }
    if let part = known.first(where: { $0.lowercased().hasPrefix(property.lowercased() + ".") }) {
      return error(": it's a composite", "Sort by one of its parts, such as '\(part)'")
    }
    if let path = DecodedPath(property, of: members) {
      return error(": it's in an archive", "This sorts by it:").listing(
        command: query(path.sql(Self.quotedIfNeeded), as: "value"))
    }
    return error(
      "",
      "Properties: \(known.prefix(30).joined(separator: ", "))\(known.count > 30 ? " and \(known.count - 30) more" : "")"
    ).naming(property, among: known)
  }

  private static func quotedIfNeeded(_ name: String) -> String {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : quotedIdentifier(name)
  }

  private static func value(
    of property: String, _ entity: SchemaEntity, in store: CoreDataStore
  ) -> String? {
    if let column = column(of: property, entity) { return quotedIdentifier(column) }
    guard let path = RelatedPath(property, of: entity, in: store), let column = path.orderColumn else {
      return nil
    }
    return path.sql(column, from: entity.table)
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

    /// `-startDate,title`: the weightiest first; a minus sign means descending, and so does the `desc` of SQL, behind a
    /// blank, a colon or a comma.
    /// - Parameter isProperty: whether there is a property of that name, which may be `desc`.
    package static func parse(_ text: String, isProperty: (String) -> Bool = { _ in false }) -> [Order] {
      var orders: [Order] = []
      for word in text.split(separator: ",") {
        var name = String(word.trimmed)
        if let last = orders.indices.last, let order = name.wholeMatch(of: /(?i)(asc|desc)(ending)?/),
          !isProperty(name)
        {
          if order.1.lowercased() == "desc" { orders[last].isDescending = true }
          continue
        }
        var isDescending = name.hasPrefix("-")
        if isDescending || name.hasPrefix("+") { name.removeFirst() }
        if let match = name.wholeMatch(of: /(?i)(.+?)[ :]\s*(asc|desc)(ending)?/) {
          isDescending = isDescending || match.2.lowercased() == "desc"
          name = String(match.1)
        }
        if name.count > 2, let quote = name.first, quote == name.last, "\"'".contains(quote) {
          name = String(name.dropFirst().dropLast())
        }
        orders.append(Order(property: name, isDescending: isDescending))
      }
      return orders
    }
  }
}
