import Lens
import QueryCatalog
import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

extension Command {
  package static let query = Command(
    "query", summary: "SQL over the model's names, or a saved query",
    arguments: [
      .init(
        "NAME|SQL", kind: .query, isOptional: true,
        help: "a saved query's name, or one SELECT; nothing lists them")
    ],
    options: [
      OptionDefinition(
        .param, short: "p", value: "NAME=VALUE", kind: .parameter, isRepeatable: true,
        help: "the value of the parameter :NAME"
      ),
      CommonOptions.timeout,
    ],
    discussion: """
      Each entity is a view with the columns pk, uri, entity, its attributes and its to-one relationships (as the
      target's pk, and RELATIONSHIP_uri). Each to-many relationship is a view Entity_relationship with the columns
      source, target, position, sourceURI and targetURI. The rest is the same in every store:
      \(QueryDocument.views)
      'SELECT * FROM views' lists all views with their columns and what they say. The store's own tables can be read
      too. Anything that could write or attach is refused.
      Dates are UTC. They compare and sort by time, however they are written: '2026-03-20', '2026-03-20 12:00',
      '2026-03-20T12:00:00+01:00', 'now', or a number as seconds since 2001. Anything else is refused.
      Own queries are files *.sql in ~/.config/storescope/queries; they win over saved ones of the same name. Comments
      at a file's top say what it is for; a parameter without a default has to be given:
        -- Title: Trips of a traveller
        -- Shows: one row a trip, newest first.
        -- Param name: the traveller's name
        -- Param since: the first day, default 2026-01-01

      Examples:
        storescope query App.store
        storescope query App.store changes-by-author --param since=2026-03-01
        storescope query App.store "SELECT city, COUNT(*) FROM Person GROUP BY city"
      """
  ) { invocation in
    let session = try invocation.store()
    let queries = try SavedQueries.all()
    guard let word = invocation.argument(0) else {
      return Outcome(QueryDocument.list(queries, try session.identity()))
    }
    let store = try session.lensForUser(seconds: invocation.timeout())
    let parameters = try QueryDocument.parameters(invocation.arguments.all(.param))
    let query: SavedQuery
    if let saved = queries.first(where: { $0.name == word }) {
      query = saved
    } else if word.contains(where: \.isWhitespace) {
      query = SavedQuery(name: "query", sql: word)
    } else {
      throw StoreScopeError(
        .notFound,
        "There is no saved query '\(word)'.\(Suggestion.sentence(for: word, in: queries.map(\.name)))",
        about: word, advice: "'storescope query STORE' lists them; SQL has to be one argument, in quotes")
    }
    return Outcome(
      try QueryDocument.run(query, parameters, in: store, try session.identity(), invocation.progress))
  }
}

/// What `query` prints.
enum QueryDocument {
  /// The names of the views that every store may have, in two lines of a help text.
  static var views: String {
    let names = MirrorViews.documented.map(\.name)
    let half = (names.count + 1) / 2
    return names.prefix(half).joined(separator: ", ") + ",\n" + names.dropFirst(half).joined(separator: ", ")
      + "."
  }

  static func list(_ queries: [SavedQuery], _ identity: StoreIdentity) -> Document {
    let listed: [DataValue] = queries.map { query in
      [
        "name": .text(query.name), "title": .text(query.title), "shows": .text(query.shows),
        "parameters": .array(
          query.parameters.map { parameter in
            [
              "name": .text(parameter.name), "meaning": .text(parameter.meaning),
              "default": .optional(parameter.defaultValue),
            ]
          }),
      ]
    }
    let shown: [DataValue] = queries.map { query in
      [
        "name": .text(query.name), "title": .text(query.title),
        "parameters": .text(query.parameters.map(\.name).joined(separator: ", ")),
      ]
    }
    return Document(
      command: "query", store: identity, fields: [.init("queries", .array(listed))], payload: "queries",
      blocks: [.heading("Saved queries"), .table(RowStream(objects: shown))])
  }

  static func parameters(_ words: [String]) throws(UsageError) -> [String: String] {
    var parameters: [String: String] = [:]
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .conflict("'--param' takes NAME=VALUE, not '\(word)'.")
      }
      parameters[String(parts[0])] = String(parts[1])
    }
    return parameters
  }

  static func run(
    _ query: SavedQuery, _ given: [String: String], in store: CoreDataStore, _ identity: StoreIdentity,
    _ progress: Progress
  ) throws -> Document {
    store.connection.allowOnlyReading()
    var statement: Statement
    do {
      statement = try store.connection.prepare(query.sql)
      let defaults = query.parameters.compactMap { parameter in
        parameter.defaultValue.map { (parameter.name, $0) }
      }
      let values = given.merging(defaults) { given, _ in given }
      if let ordered = DateComparisons.ordered(query.sql, values, in: store) {
        statement = (try? store.connection.prepare(ordered)) ?? statement
      }
    } catch {
      throw StoreScopeError(
        .invalid,
        "The query can't be run on '\(store.path)': \(Sentence.ended(error.message))\(try hint(error, query.sql, in: store))",
        about: query.name)
    }
    try bind(given, to: statement, of: query)
    let rows = QueryRows(statement)
    let stream = RowStream(
      columns: rows.columns.map { RowStream.Column($0) }, emptyText: "(no rows)"
    ) { sink in
      try rows.produce(into: sink) { progress.step("running the query") }
    }
    var blocks: [Document.Block] = query.title.isEmpty ? [] : [.heading(query.title)]
    blocks.append(.table(stream))
    return Document(
      command: "query", store: identity, fields: [.init("rows", rowArrays: stream)], payload: "rows",
      blocks: blocks)
  }

  private static func bind(
    _ given: [String: String], to statement: Statement, of query: SavedQuery
  ) throws {
    let names = statement.parameterNames.map { name in name.map { String($0.dropFirst()) } ?? "?" }
    if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
      throw StoreScopeError(
        .invalid, "The query has no parameter '\(unknown)'.\(Suggestion.sentence(for: unknown, in: names))",
        about: unknown, advice: "It has: \(names.isEmpty ? "none" : names.joined(separator: ", "))")
    }
    for (index, name) in names.enumerated() {
      let value = given[name] ?? query.parameters.first { $0.name == name }?.defaultValue
      guard let value else {
        throw StoreScopeError(
          .invalid, "The query needs a value for '\(name)'", about: name,
          advice: "give it with --param \(name)=VALUE")
      }
      try statement.bind(.text(value), at: index + 1)
    }
  }

  private static func hint(_ error: SQLiteError, _ sql: String, in store: CoreDataStore) throws -> String {
    let mark = "no such table: "
    guard error.message.hasPrefix(mark) else {
      return try ColumnHint.sentence(for: error, columns: ColumnHint.columns(for: sql, in: store))
    }
    let word = String(error.message.dropFirst(mark.count))
    // Views of tables that this store lacks aren't there either.
    let names = (store.schema.entities.map(\.name) + ViewNames.framework).filter { $0 != word }
    return Suggestion.sentence(for: word, in: names)
  }
}

/// What helps with SQL that names a column which isn't there.
enum ColumnHint {
  private static let mark = "no such column: "

  /// A sentence with a blank before it, or nothing. `columns` are those that could have been meant.
  static func sentence(for error: SQLiteError, columns: @autoclosure () throws -> [String]) rethrows -> String
  {
    guard error.message.hasPrefix(mark) else { return "" }
    // Of a word in double quotes SQLite goes on to ask whether a text was meant.
    var word = String(error.message.dropFirst(mark.count))
    if word.hasPrefix("\""), let end = word.dropFirst().firstIndex(of: "\"") {
      word = String(word[word.index(after: word.startIndex)..<end])
    }
    let columns = try columns()
    if let same = columns.first(where: { $0.lowercased() == word.lowercased() }) {
      return " A name with a dot has to be in double quotes: \(quotedIdentifier(same))."
    }
    // `p.nam`: the column of a view that goes by another name there.
    let last = word.split(separator: ".").last.map(String.init) ?? word
    guard
      let near = Suggestion.nearest(to: word, in: columns) ?? Suggestion.nearest(to: last, in: columns)
    else { return "" }
    return near.contains(".")
      ? " Did you mean \(quotedIdentifier(near))? A name with a dot has to be in double quotes."
      : " Did you mean '\(near)'?"
  }

  /// The columns of the lens's views that the SQL names; of all of them where it names none.
  static func columns(for sql: String, in store: CoreDataStore) throws -> [String] {
    let text = sql.lowercased()
    let views = try store.connection.rows(
      "SELECT name FROM sqlite_temp_master WHERE type = 'view' ORDER BY rowid"
    ) { $0.text(0) }
    let named = views.filter { text.contains($0.lowercased()) }
    var known: Set<String> = []
    return (named.isEmpty ? views : named).flatMap { view in
      // A view over a damaged table has no columns to offer.
      let statement = try? store.connection.prepare("SELECT * FROM temp.\(quotedIdentifier(view))")
      return statement?.columnNames ?? []
    }.filter { known.insert($0).inserted }
  }
}

/// The queries that can be called by name: the user's own first, then those that came along.
enum SavedQueries {
  static var folder: String { Configuration.folder + "/queries" }

  static func all() throws -> [SavedQuery] {
    let own = try ownQueries()
    let names = Set(own.map(\.name))
    return own + QueryCatalog.all.filter { !names.contains($0.name) }
  }

  private static func ownQueries() throws -> [SavedQuery] {
    guard FileReader.kind(of: folder) == .folder else { return [] }
    return try FileReader.names(in: folder).sorted().filter { $0.hasSuffix(".sql") }.map { name in
      let bytes = try FileReader.bytes(of: folder + "/" + name, limit: 1 << 20)
      return SavedQuery(name: String(name.dropLast(4)), sql: String(decoding: bytes, as: UTF8.self))
    }
  }
}
