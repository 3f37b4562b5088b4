import Lens
import SQLite
import StoreModel

/// Dotted names in SQL that are no columns, as `--columns` and `--sort` take them: `trip.title`, `weather.condition`,
/// `mapStyle.scheme`. It is the only thing in SQL that SQLite doesn't read itself.
struct DottedPaths {
  /// With what these names stand for.
  let sql: String
  /// The paths as they were typed, by what they stand for.
  private let paths: [String: Substring]

  /// Nil if there is none in the SQL.
  /// - Parameter entity: whose condition it is; nil for a statement.
  init?(_ sql: String, of entity: SchemaEntity?, in store: CoreDataStore) {
    let tokens = SQLTokens(sql)
    let sources = tokens.entities(or: entity, in: store)
    var result = ""
    var start = sql.startIndex
    var paths: [String: Substring] = [:]
    for path in tokens.paths where path.count > 1 {
      guard let meaning = Self.meaning(tokens.path(path), in: sources, store) else { continue }
      let source = tokens.source(path)
      let column = entity == nil ? meaning.column.map(quotedIdentifier) : nil
      paths[meaning.sql] = source
      result += sql[start..<source.startIndex] + (column ?? meaning.sql)
      start = source.endIndex
    }
    guard !paths.isEmpty else { return nil }
    (self.sql, self.paths) = (result + sql[start...], paths)
  }

  /// A result's column has the name that was typed.
  func name(of column: String) -> String {
    if let path = paths[column] { return String(path) }
    return paths.filter { $0.key.utf8.count < column.utf8.count }.sorted {
      $0.key.utf8.count > $1.key.utf8.count
    }
    .reduce(column) { $0.replacing($1.key, with: $1.value) }
  }

  /// Nil for what SQLite reads itself, and for what several tables have, which is for SQLite to refuse.
  static func meaning(
    _ path: String, in sources: [(entity: SchemaEntity, name: String)], _ store: CoreDataStore
  ) -> PropertyPath? {
    let meanings = sources.compactMap { source -> PropertyPath? in
      let own = source.name.lowercased() + "."
      let inner = path.lowercased().hasPrefix(own) ? String(path.dropFirst(own.count)) : nil
      // SQLite reads `Trip.title` itself, and not `Entry.weather.condition`.
      if let inner, !inner.contains("."), View.entityColumns(of: source.entity).values.contains(inner) {
        return nil
      }
      return PropertyPath(path, of: source.entity, called: source.name, in: store)
        ?? inner.flatMap { PropertyPath($0, of: source.entity, called: source.name, in: store) }
    }
    return meanings.count == 1 ? meanings[0] : nil
  }
}

extension SQLTokens {
  /// The entities whose views the statement names, and what it calls these.
  /// - Parameter entity: that of a condition, which names no view.
  func entities(
    or entity: SchemaEntity?, in store: CoreDataStore
  ) -> [(entity: SchemaEntity, name: String)] {
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    if let entity { return [(entity, views[entity.name] ?? entity.name)] }
    return sources().compactMap { source in
      store.schema.entities.first { views[$0.name]?.lowercased() == source.table.lowercased() }
        .map { ($0, source.name) }
    }
  }
}
