import Base
import Lens
import QueryCatalog
import Rendering
import SQLite
import StoreModel

/// What `query` prints.
enum QueryDocument {
  /// The names of the views that every store may have, in lines of a help text.
  static var viewNames: String {
    let text = MirrorViews.documented.map(\.name).joined(separator: ", ") + "."
    return TerminalText.wrapped(text, to: 78)
  }

  static func list(_ queries: [SavedQuery], _ identity: StoreIdentity) -> Document {
    let shown: [DataValue] = queries.map { query in
      [
        "name": .text(query.name), "title": .text(query.title),
        "parameters": .text(
          query.parameters.map { $0.defaultValue == nil ? $0.name : "[\($0.name)]" }.joined(separator: ", ")),
      ]
    }
    return document(
      queriesKey, queries.map(SavedQuery.fields.object), identity,
      [
        .heading("Saved queries"), .table(RowStream(objects: shown)),
        .text(
          "Parameters in brackets have a default; 'query NAME --help' describes them, and '--param NAME=VALUE' sets one."
        ),
        .text("'query --views' lists the views, 'query --functions' the functions."),
      ])
  }

  /// The text of a saved query, ready to be copied to a file of one's own.
  static func sql(of query: SavedQuery, _ identity: StoreIdentity) -> Document {
    let described = (SavedQuery.fields + [SavedQuery.sqlField]).object(of: query)
    let lines = query.sql.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n")
    return document(
      queriesKey, [described], identity, [.verbatim(text.hasSuffix("\n") ? text : text + "\n")])
  }

  private static let queriesKey = Shape.Key(
    "queries", .list(.object((SavedQuery.fields + [SavedQuery.sqlField]).keys())), "saved queries")

  static func document(
    _ key: Shape.Key, _ rows: [DataValue], _ identity: StoreIdentity, _ blocks: [Document.Block]
  ) -> Document {
    Document(
      command: "query", store: identity, fields: [.init(key.name, .array(rows))], payload: key.name,
      blocks: blocks)
  }

  static let forms = [
    DocumentForm(
      "rows of a query", payload: "rows",
      [
        .init("columns", .texts, "the columns, in order; a repeated name gets _2"),
        .init("rows", .list(.open([], "the row, with the query's columns as keys")), "the rows"),
      ]),
    DocumentForm(
      "without a query, and with --list or --show", payload: "queries", [queriesKey]),
    DocumentForm("with --views", payload: "views", [SQLHelp.viewsKey]),
    DocumentForm("with --functions", payload: "functions", [SQLHelp.functionsKey]),
  ]

  static func run(
    _ query: SavedQuery, _ given: [String: String], in open: OpenStore, _ identity: StoreIdentity,
    _ moments: DateParser, _ progress: Progress, _ find: @escaping (String) throws -> ObjectKey
  ) throws -> Document {
    let connection = open.connection
    connection.allowOnlyReading()
    var statement: Statement
    var paths: DottedPaths?
    do {
      (statement, paths) = try UserSQL.compiled(query.sql, in: open.store) {
        (try connection.prepare($0), $1)
      }
    } catch let error as SQLiteError {
      // Files of the store that can't be read are no mistake in the SQL.
      throw error.isFileFailure || error.isInterrupt ? error : failure(error, of: query, in: open.store)
    }
    if open.store.withholdsValues { statement = try openStatement(paths?.sql ?? query.sql, in: open) }
    try QueryParameters.bind(given, to: statement, of: query, in: open, moments, find)
    let rows = QueryRows(statement, names: statement.columnNames.map { paths?.name(of: $0) ?? $0 })
    var stream = RowStream(columns: rows.columns.map { RowStream.Column($0) }, emptyText: "(no rows)") {
      sink in
      do { try rows.produce(into: sink) { progress.step("running the query") } } catch let error
        as SQLiteError
        where error.isMistake || error.isOurRefusal
      {
        throw failure(error, of: query, in: open.store)
      }
    }
    stream = stream.counting("row").showingNull()
    var blocks: [Document.Block] = query.title.isEmpty ? [] : [.heading(query.title)]
    blocks.append(.table(QueryColumns.forPeople(stream, query.sql, open.store)))
    return Document(
      command: "query", store: identity, fields: [.init("rows", rowsAndColumns: stream)], payload: "rows",
      blocks: blocks)
  }

  /// - Throws: `StoreScopeError` if the SQL, which is right, asks for values.
  private static func openStatement(_ sql: String, in open: OpenStore) throws -> Statement {
    let tokens = SQLTokens(sql)
    // It compares whatever columns there are, so that with fewer of them it means something else.
    guard !tokens.all.indices.contains(where: { tokens.text($0) == "natural" }) else {
      throw StoreScopeError(.refused, "NATURAL JOIN: \(AssistantView.refusal)")
    }
    do { return try open.openStatement(sql) } catch let error as SQLiteError
      where !error.isFileFailure && !error.isInterrupt
    {
      let name = error.message.firstMatch(
        of: /no such (?:column|table|function): (.+)|using column (\S+) |(?:reading|function) (\S+) isn't/)
      let what = name.flatMap { $0.1 ?? $0.2 ?? $0.3 }?.split(separator: ".").last.map { "\($0): " } ?? ""
      throw StoreScopeError(.refused, what + AssistantView.refusal)
    }
  }

  /// What is wrong with the SQL, and where if it is in the user's own file.
  private static func failure(
    _ error: SQLiteError, of query: SavedQuery, in store: CoreDataStore
  ) -> any Error {
    let place = query.path.map { path in
      guard let offset = error.offset, query.sql.utf8.count >= offset else { return "\(path): " }
      return "\(path):\(1 + query.sql.utf8.prefix(offset).count { $0 == UInt8(ascii: "\n") }): "
    }
    let isView = error.message.hasPrefix("cannot modify ") && error.message.hasSuffix(" because it is a view")
    if let word = writingWord(query.sql) ?? (isView ? "changing a view" : nil) {
      // SQLite sees that a view can't be changed before it asks whether it may be.
      let what = error.isRefusal ? error.message : "only reading is allowed here, so \(word) is refused"
      return StoreScopeError(
        .refused, (place ?? "") + what, about: query.path ?? query.name,
        advice: "'repair', 'resync' and 'reset' fix a store, and only the app changes its objects")
    }
    if error.message.hasSuffix("another one follows"), let next = error.sql {
      let next = next.drop(while: \.isWhitespace)
      let text = next.prefix(40) + (next.count > 40 ? "…" : "")
      return StoreScopeError(
        .invalid, "\(place ?? "")Only one statement runs at a time, and '\(text)' follows the first.",
        about: query.path ?? query.name,
        advice: query.path.map { "'storescope query STORE -f \(ShellQuotes.word($0))' runs them all" }
          ?? "run them one by one, or pipe them all into 'storescope query STORE'")
    }
    return SQLMistake(error, in: query.sql, store).error(at: place ?? "", about: query.path ?? query.name)
  }

  private static func writingWord(_ sql: String) -> String? {
    let word = SQLTokens(sql).text(0).uppercased()
    return ["INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER"].contains(word) ? word : nil
  }
}

/// How people see the columns of a query that asks for all there are.
private enum QueryColumns {
  /// With the title first, and identifiers to be left out first. Columns that somebody listed stay as they are.
  static func forPeople(_ stream: RowStream, _ sql: String, _ store: CoreDataStore) -> RowStream {
    let tokens = SQLTokens(sql)
    let asksForAll = tokens.all.indices.contains { tokens.text($0) == "*" && tokens.text($0 - 1) == "select" }
    guard asksForAll, let name = tokens.sources().first?.table.lowercased() else { return stream }
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    let entity = store.schema.entities.first { views[$0.name]?.lowercased() == name }
    let ranks = entity.map(ColumnRanks.ranks) ?? ColumnRanks.mirror
    var shown = stream
    let titles = entity.map(ColumnRanks.titles) ?? []
    for index in shown.columns.indices {
      shown.columns[index].rank = ranks[shown.columns[index].name] ?? 0
      shown.columns[index].isName = titles.contains(shown.columns[index].name)
    }
    guard shown.columns.first?.name == "pk" else { return shown }
    let names = shown.columns.dropFirst().map(\.name)
    return shown.selecting(["pk"] + names.filter(titles.contains) + names.filter { !titles.contains($0) })
      ?? shown
  }
}
