import Lens
import StoreModel
import Values

/// What helps with SQL that names a table of links which isn't there: `Trip_people`, `t.participants`.
enum LinkTableHint {
  /// A sentence with a blank before it; nil if no entity is named.
  static func sentence(for word: String, _ sql: String, in store: CoreDataStore) -> String? {
    let links = ViewNames.links(of: store)
    let views = Array(ViewNames.views(for: store.schema.entities.map(\.name)).values)
    let sources = StatementTokens(sql).sources(among: views)
    guard let mark = word.lastIndex(where: { "._".contains($0) }) else { return nil }
    let owner = word[..<mark].lowercased()
    let name = word[word.index(after: mark)...].lowercased()
    let source = sources.first { $0.name.lowercased() == owner }
    guard let view = source?.view ?? views.first(where: { $0.lowercased() == owner }) else { return nil }
    let own = links.filter { $0.entityView == view }
    if let link = own.first(where: { $0.relationship.name.lowercased() == name }) {
      if case .toOne = link.relationship.storage {
        return
          " '\(link.relationship.name)' of \(view) is a to-one relationship: write \(source?.name ?? view).\(link.relationship.name).PROPERTY, without a JOIN."
      }
      return
        " The view of '\(link.relationship.name)' is \(link.view), with the columns source and target: JOIN \(link.view) l ON l.source = \(source?.name ?? view).pk."
    }
    let toMany = own.filter {
      if case .toOne = $0.relationship.storage { false } else { $0.relationship.storage != .none }
    }
    return toMany.isEmpty
      ? " \(view) has no to-many relationships; 'storescope query STORE --views' lists all views."
      : " \(view) has \(toMany.map(\.view).joined(separator: ", ")), with the columns source and target."
  }
}
