package import Base
import SQLite
package import StoreModel

/// What people recognize objects by: the attribute that an app most likely shows as their name.
///
/// One short line without control characters, at most 60 characters; nil if there is nothing of the kind. It is a value
/// of the user's, so that what hides values must not show it. Keep one of these for many objects: it asks the same
/// statement for each of an entity.
package final class ObjectTitles {
  private let store: CoreDataStore
  private var known: [Int64: Columns?] = [:]
  /// A store has some hundred entities; a hostile one could have every number there is.
  private static let limit = 1000

  private struct Columns {
    var columns: [TitleAttributes.Column]
    var statement: Statement?
  }

  package init(_ store: CoreDataStore) { self.store = store }

  /// Nil also if the object doesn't exist.
  package func title(of key: ObjectKey) throws -> String? {
    guard let found = try columns(of: key.entity), let statement = found.statement else { return nil }
    try statement.bind([.integer(key.primaryKey)])
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return Self.title(of: found.columns.indices.map { statement.text($0) }, found.columns)
  }

  /// The title of a deleted object, from the values that history kept of it.
  package func title(of entity: Int64, tombstone: DataValue) -> String? {
    guard let entity = store.schema[entity], case .object = tombstone else { return nil }
    let columns = TitleAttributes.columns(of: entity)
    return Self.title(of: columns.map { tombstone[$0.path]?.text ?? "" }, columns)
  }

  /// Objects whose title is that text, in any capitals.
  /// - Parameter parts: of how many attributes it is made at least; 2 for what no single value shows, as a person's names.
  /// - Returns: so many at most.
  package func objects(
    titled text: String, of entities: [SchemaEntity], parts least: Int = 2, limit: Int
  ) throws -> [ObjectKey] {
    var objects: [ObjectKey] = []
    for entity in entities where store.tables.holdsObjects(entity.table) && objects.count < limit {
      let parts = TitleAttributes.ofTitle(entity).map { quotedIdentifier($0.column) }
      guard parts.count >= least else { continue }
      let title = parts.map { "trim(\($0))" }.joined(separator: " || ' ' || ")
      objects += try store.connection.rows(
        """
        SELECT Z_ENT, Z_PK FROM main.\(quotedIdentifier(entity.table))
        WHERE Z_ENT = \(entity.number) AND \(title) = ? COLLATE NOCASE ORDER BY Z_PK LIMIT \(limit - objects.count)
        """, [.text(text)]
      ) { ObjectKey(entity: $0.integer(0), primaryKey: $0.integer(1)) }
    }
    return objects
  }

  /// `Entry/p9`, and its title in quotes if it has one.
  package func name(of key: ObjectKey) throws -> String {
    let name = "\(store.entityName(ofNumber: key.entity))/p\(key.primaryKey)"
    guard !store.withholdsValues else { return name }
    return try title(of: key).map { "\(name) \"\($0)\"" } ?? name
  }

  private func columns(of number: Int64) throws -> Columns? {
    if let columns = known[number] { return columns }
    let columns = try prepare(number)
    if known.count < Self.limit { known[number] = .some(columns) }
    return columns
  }

  private func prepare(_ number: Int64) throws -> Columns? {
    guard let entity = store.schema[number], store.tables.holdsObjects(entity.table) else { return nil }
    let columns = TitleAttributes.columns(of: entity)
    guard !columns.isEmpty else { return nil }
    // SQLite looks at the type without reading the value: https://www.sqlite.org/fileformat2.html#record_format
    let values = columns.map { column in
      let name = quotedIdentifier(column.column)
      return "CASE typeof(\(name)) WHEN 'text' THEN substr(\(name), 1, 200) END"
    }
    let sql =
      "SELECT \(values.joined(separator: ", ")) FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?"
    return Columns(columns: columns, statement: try store.connection.prepare(sql))
  }

  /// The first that isn't empty; a person's two names belong together.
  private static func title(of values: [String], _ columns: [TitleAttributes.Column]) -> String? {
    let lines = values.map(line)
    guard let first = lines.firstIndex(where: { !$0.isEmpty }) else { return nil }
    let parts = columns.indices.filter { $0 == first || columns[$0].group == columns[first].group }
    let title = parts.map { lines[$0] }.filter { !$0.isEmpty }.joined(separator: " ")
    return title.count > 60 ? title.prefix(59) + "…" : title
  }

  /// In one line, without what turns or hides text.
  private static func line(_ text: String) -> String {
    let safe = String(
      String.UnicodeScalarView(text.unicodeScalars.map { UTF8Sequence.isUnsafe($0.value) ? " " : $0 }))
    return safe.split(separator: " ").joined(separator: " ")
  }
}

/// Which attributes of an entity make its objects' title, by their names alone.
enum TitleAttributes {
  struct Column: Equatable {
    var path: String
    var column: String
    /// Columns of one group belong together.
    var group: Int
  }

  /// What apps call it, the most likely first.
  private static let names = [
    ["title"], ["name"], ["displayname"], ["fullname"], ["firstname", "lastname"],
    ["givenname", "familyname"],
    ["label"], ["subject"], ["headline"], ["caption"], ["heading"], ["text"], ["content"], ["body"], ["note"],
    ["notes"], ["comment"], ["message"], ["question"], ["summary"],
  ]
  /// Endings of other names, where none of those is there.
  private static let endings = ["title", "name", "label", "subject", "text"]
  /// Last resorts.
  private static let others = [
    "key", "email", "emailaddress", "model", "alias", "symbol", "url", "siteurl", "website",
  ]

  /// At most six, the most likely first.
  static func columns(of entity: SchemaEntity) -> [Column] {
    let texts = entity.attributes.flatMap(\.leaves).filter { leaf in
      leaf.column != nil && [.string, .uri].contains(leaf.description.type)
    }
    let named = columns(texts, names)
    if !named.isEmpty { return named }
    for ending in endings {
      // The shortest says least about something else: `petName` rather than `originalFileName`.
      let matching = texts.filter { name($0).hasSuffix(ending) }
        .min { (name($0).utf8.count, $0.path) < (name($1).utf8.count, $1.path) }
      if let matching { return columns([matching], [[name(matching)]]) }
    }
    return columns(texts, others.map { [$0] })
  }

  /// Those that an object's title is usually made of: the most likely one, and what belongs to it.
  static func ofTitle(_ entity: SchemaEntity) -> [Column] {
    let titles = columns(of: entity)
    return titles.filter { $0.group == titles.first?.group }
  }

  private static func columns(_ texts: [SchemaAttribute], _ groups: [[String]]) -> [Column] {
    let found = groups.enumerated().flatMap { group, names in
      names.compactMap { wanted in
        texts.first { name($0) == wanted }.flatMap { text in
          text.column.map { Column(path: text.path, column: $0, group: group) }
        }
      }
    }
    return Array(found.prefix(6))
  }

  /// Without capitals, which names guessed from columns lack, and without the digits at their end.
  private static func name(_ attribute: SchemaAttribute) -> String {
    var name = attribute.name.lowercased()[...]
    while let last = name.last, last.isNumber || last == "_" { name.removeLast() }
    return String(name)
  }
}
