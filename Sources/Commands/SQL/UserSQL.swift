import Lens
import SQLite
import StoreModel

/// SQL that the user wrote. SQLite gets it as it was typed; only if it can't read it, with its dotted paths resolved.
enum UserSQL {
  /// - Parameters:
  ///   - entity: whose columns a condition names; nil for a statement.
  ///   - compile: gets the SQL, and the paths that were resolved in it.
  static func compiled<R>(
    _ sql: String, of entity: SchemaEntity? = nil, in store: CoreDataStore,
    _ compile: (String, DottedPaths?) throws -> R
  ) throws -> R {
    let result: R
    do { result = try compile(sql, nil) } catch let error as SQLiteError
      where error.isMistake
    {
      guard let paths = DottedPaths(sql, of: entity, in: store) else { throw error }
      do { result = try compile(paths.sql, paths) } catch let other as SQLiteError {
        // What is wrong apart from the paths. Its place isn't one in what was typed.
        let isSyntax = other.message.hasSuffix("syntax error")
        throw isSyntax ? error : SQLiteError(code: other.code, message: other.message)
      }
    }
    if store.connection.lastStatementCalls(DateOrder.function) {
      try DateOperands(sql, of: entity, in: store).check()
    }
    return result
  }
}

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

/// The views that a statement names, and their columns.
struct StatementViews {
  struct Column {
    let view: String
    /// What the statement calls the view.
    let source: String
    let name: String
    let type: View.ColumnType?
  }

  let columns: [Column]
  /// All that the store has.
  let names: [String]

  /// - Parameter entity: that of a condition, which names no view.
  init(_ tokens: SQLTokens, of entity: SchemaEntity?, in store: CoreDataStore) throws {
    let sources =
      entity == nil
      ? tokens.sources() : tokens.entities(or: entity, in: store).map { .init(table: $0.name, name: $0.name) }
    let all = try store.connection.rows("SELECT name, \"column\", type FROM temp.views") {
      (view: $0.text(0), name: $0.text(1), type: View.ColumnType(rawValue: $0.text(2)))
    }
    var seen: Set<String> = []
    names = all.map(\.view).filter { seen.insert($0).inserted }
    columns = sources.flatMap { source in
      all.filter { $0.view.lowercased() == source.table.lowercased() }
        .map { Column(view: $0.view, source: source.name, name: $0.name, type: $0.type) }
    }
  }

  /// Of the columns that a name may be, with what the statement calls its view in front or without.
  func types(of path: String) -> [View.ColumnType?] {
    let path = path.lowercased()
    return columns.filter { column in
      let name = column.name.lowercased()
      return name == path || "\(column.source.lowercased()).\(name)" == path
    }.map(\.type)
  }
}
