import SQLite
import StoreModel

/// The columns of a result that are Booleans of entities, as their views have them: people and programs get them as `rows`
/// prints them. SQL has no such type, so that whatever is computed from one is a number.
enum BooleanColumns {
  static let explained = """
    An entity's Boolean prints as true or false; one that is computed or in a UNION prints as 1 or 0, because SQL has no \
    Booleans.
    """

  static func indices(of statement: Statement, _ sql: String, in store: CoreDataStore) -> Set<Int> {
    guard sql.utf8.count < SQLHabits.longest else { return [] }
    let booleans = columns(of: store)
    var found: [(index: Int, table: String)] = []
    for index in 0..<statement.columnCount {
      guard let origin = statement.origin(index), booleans[origin.table]?.contains(origin.column) == true
      else {
        continue
      }
      found.append((index, origin.table.lowercased()))
    }
    guard !found.isEmpty else { return [] }
    let tokens = StatementTokens(sql)
    let words = Set(tokens.all.indices.filter { tokens.kind($0) != .string }.map { tokens.all[$0].text })
    // The other parts of a compound may have any number there.
    guard words.isDisjoint(with: DateTypes.compounds) else { return [] }
    // Of the store's own tables people want to see what is stored.
    return Set(found.filter { !words.contains($0.table) }.map(\.index))
  }

  /// By table.
  private static func columns(of store: CoreDataStore) -> [String: Set<String>] {
    var columns: [String: Set<String>] = [:]
    for entity in store.schema.entities {
      for leaf in entity.attributes.flatMap(\.leaves) where leaf.description.type == .boolean {
        if let column = leaf.column { columns[entity.table, default: []].insert(column) }
      }
    }
    return columns
  }
}
