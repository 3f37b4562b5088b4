import Lens
import SQLite
import StoreModel
import Values

/// What helps with SQL that names a column which isn't there.
enum ColumnHint {
  static let mark = "no such column: "

  /// A sentence with a blank before it, or nothing.
  /// - Parameter views: those whose columns could have been meant; all where it is empty.
  static func sentence(
    for error: SQLiteError, _ sql: String, views: @autoclosure () throws -> [String], in store: CoreDataStore
  ) throws -> String {
    guard error.message.hasPrefix(mark) else { return "" }
    // Of a word in double quotes SQLite goes on to ask whether a text was meant.
    var word = String(error.message.dropFirst(mark.count))
    if word.hasPrefix("\""), let end = word.dropFirst().firstIndex(of: "\"") {
      word = String(word[word.index(after: word.startIndex)..<end])
    }
    let views = try views()
    let columns = try columns(of: views, in: store)
    if let same = columns.first(where: { $0.lowercased() == word.lowercased() && $0.contains(".") }) {
      return " A name with a dot has to be in double quotes: \(quotedIdentifier(same))."
    }
    let parts = columns.filter { $0.lowercased().hasPrefix(word.lowercased() + ".") }
    if !parts.isEmpty { return " It has parts: \(parts.map(quotedIdentifier).joined(separator: ", "))." }
    if let part = PropertyName.meant(by: word, among: columns), part.contains("."), !word.contains(".") {
      return " It is a part of a composite: write \(quotedIdentifier(part))."
    }
    let last = word.split(separator: ".").last.map(String.init) ?? word
    if ["id", "_id", "z_pk", "rowid", "objectid"].contains(last.lowercased()), columns.contains("pk") {
      return " An object's number is pk, and its address is uri."
    }
    // As other databases call the column of a relationship: `trip_id`, `tripID`.
    let stem = last.replacing(/_?(?:id|ID|pk|fk)$/, with: "").lowercased()
    if stem != last.lowercased(), let key = columns.first(where: { $0.lowercased() == stem }) {
      return " Did you mean '\(key)'?"
    }
    if let renamed = try renamed(word, sql, views, store) { return renamed }
    if let path = KeyPathHint(word, sql, views, store)?.sentence { return path }
    if Suggestion.likeliest(for: last, in: columns) == nil,
      let links = try ofLinks(word, sql, views, store)
    {
      return links
    }
    // `p.nam`: the column of a view that goes by another name there.
    if let other = elsewhere(last, sql, views, store) { return other }
    guard
      let near = Suggestion.likeliest(for: word, in: columns) ?? Suggestion.likeliest(for: last, in: columns)
    else {
      return isMeantAsText(word, in: sql)
        ? " A text is written in single quotes: \(quotedText(word))." : list(columns, of: views)
    }
    return near.contains(".")
      ? " Did you mean \(quotedIdentifier(near))? A name with a dot has to be in double quotes."
      : " Did you mean '\(near)'?"
  }

  /// `Trip.title`, where the statement calls Trip `t`, and `x.title`, where it calls nothing so.
  private static func renamed(
    _ word: String, _ sql: String, _ views: [String], _ store: CoreDataStore
  ) throws -> String? {
    let parts = word.split(separator: ".", maxSplits: 1).map(String.init)
    let sources = StatementTokens(sql).sources(among: views)
    guard parts.count == 2, !sources.isEmpty,
      !sources.contains(where: { $0.name.lowercased() == parts[0].lowercased() })
    else { return nil }
    if let source = sources.first(where: { $0.view.lowercased() == parts[0].lowercased() }) {
      return " The statement calls \(source.view) '\(source.name)': write \(source.name).\(parts[1])."
    }
    // A relationship is no table, and has a hint of its own.
    guard KeyPathHint(word, sql, views, store) == nil else { return nil }
    func first(with column: String) throws -> (view: String, name: String)? {
      try sources.first {
        try columns(of: [$0.view], in: store).contains { $0.lowercased() == column.lowercased() }
      }
    }
    let having = try first(with: parts[1])
    if having != nil, let source = try first(with: parts[0]) {
      return
        " '\(parts[0])' of \(source.view) is a value, not a relationship, and leads to no '\(parts[1])': write \(parts[0])."
    }
    return having.map { " Nothing is called '\(parts[0])' here: write \($0.name).\(parts[1])." }
  }

  /// Whether the word is in double quotes, or something is compared with it.
  private static func isMeantAsText(_ word: String, in sql: String) -> Bool {
    if sql.contains("\"\(word)\"") { return true }
    let tokens = StatementTokens(sql)
    let operators = StatementTokens.comparisonSigns.union(["like", "glob", "between"])
    return tokens.all.indices.contains {
      tokens.isName($0) && tokens.all[$0].text == word.lowercased() && operators.contains(tokens.text($0 - 1))
    }
  }

  /// Who has what the named views lack: another entity, or a view of links.
  private static func elsewhere(
    _ word: String, _ sql: String, _ named: [String], _ store: CoreDataStore
  ) -> String? {
    let name = word.lowercased()
    let links = ViewNames.links(of: store).filter {
      guard $0.relationship.name.lowercased() == name else { return false }
      return switch $0.relationship.storage {
      case .toMany, .join: true
      case .toOne, .none: false
      }
    }
    func hint(_ link: ViewNames.Link) -> String {
      if let statement = joined(link, sql) {
        return
          " '\(link.relationship.name)' of \(link.entity.name) is a to-many relationship: write \(statement)"
      }
      return
        " '\(link.relationship.name)' of \(link.entity.name) is a to-many relationship: join the view \(link.view), which has the columns source and target."
    }
    // Another entity may have one of the same name.
    if let link = links.first(where: { named.contains($0.entityView) }) { return hint(link) }
    let entities = store.schema.entities
    let views = ViewNames.views(for: entities.map(\.name))
    let owners = entities.filter { View.entityColumns(of: $0).values.contains { $0.lowercased() == name } }
    // Sub-entities have what their parent has.
    let highest = owners.filter { owner in !owners.contains { $0.number == owner.parent } }
    if !highest.isEmpty {
      let names = highest.prefix(3).compactMap { views[$0.name] }.joined(separator: ", ")
      return " '\(word)' is a property of \(names)\(highest.count > 3 ? " and others" : "")."
    }
    return links.first.map(hint)
  }

  /// The statement, if what it lacks is that an object is among those of the to-many relationship.
  private static func joined(_ link: ViewNames.Link, _ sql: String) -> String? {
    let tokens = StatementTokens(sql)
    let name = link.relationship.name.lowercased()
    guard tokens.sources(among: [link.entityView]).count == 1,
      let index = tokens.all.indices.first(where: { tokens.isName($0) && tokens.all[$0].text == name }),
      ["=", "=="].contains(tokens.text(index + 1)), tokens.text(index - 1) != ".",
      let value = tokens.operand(beginningAt: index + 2), value.count == 1
    else { return nil }
    // What an address asks for is a statement that was meant.
    guard tokens.kind(value.lowerBound) == .number else { return nil }
    let place = tokens.all[index].range.lowerBound..<tokens.all[value.upperBound].range.upperBound
    return sql[..<place.lowerBound]
      + "pk IN (SELECT source FROM \(link.view) WHERE target = \(tokens.source(value)))"
      + sql[place.upperBound...]
  }

  /// What a view of links has: all such views have the same columns, and none of what the objects have.
  private static func ofLinks(
    _ word: String, _ sql: String, _ views: [String], _ store: CoreDataStore
  ) throws -> String? {
    let parts = word.split(separator: ".")
    let sources = StatementTokens(sql).sources(among: views)
    let owner = sources.first { parts.count > 1 && $0.name.lowercased() == parts[0].lowercased() }
    guard let source = owner ?? (sources.count == 1 ? sources.first : nil),
      let link = ViewNames.links(of: store).first(where: { $0.view == source.view }),
      let target = store.schema[link.relationship.destination]
    else { return nil }
    let view = quotedIfNeeded(ViewNames.view(for: target.name, among: store.schema.entities.map(\.name)))
    return
      "\(list(try columns(of: [link.view], in: store), of: [link.view])) For properties of \(target.name), add JOIN \(view) ON \(view).pk = \(source.name).target."
  }

  static func quotedIfNeeded(_ name: String) -> String {
    name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } ? name : quotedIdentifier(name)
  }

  /// What there is instead, of one view.
  private static func list(_ columns: [String], of views: [String]) -> String {
    guard views.count == 1, !columns.isEmpty else { return "" }
    let most = 12
    let more = columns.count - most
    return " \(views[0]) has \(columns.prefix(most).joined(separator: ", "))"
      + (more > 0 ? " and \(more) more; 'storescope query STORE --views \(views[0])' lists them." : ".")
  }

  /// The lens's views that the SQL reads, each once. A column may be called like another view.
  static func views(for sql: String, in store: CoreDataStore) throws -> [String] {
    let all = try allViews(store)
    let read = Set(StatementTokens(sql).sources(among: all).map(\.view))
    return all.filter(read.contains)
  }

  private static func allViews(_ store: CoreDataStore) throws -> [String] {
    try store.connection.rows("SELECT name FROM sqlite_temp_master WHERE type = 'view' ORDER BY rowid") {
      $0.text(0)
    }
  }

  static func columns(of views: [String], in store: CoreDataStore) throws -> [String] {
    var known: Set<String> = []
    return try (views.isEmpty ? allViews(store) : views).flatMap { view in
      // A view over a damaged table has no columns to offer.
      let statement = try? store.connection.prepare("SELECT * FROM temp.\(quotedIdentifier(view))")
      return statement?.columnNames ?? []
    }.filter { known.insert($0).inserted }
  }
}
