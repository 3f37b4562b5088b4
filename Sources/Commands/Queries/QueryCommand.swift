import Base
import Lens
import QueryCatalog
import Rendering
import StoreModel

extension Command {
  package static let query = Command(
    "query", summary: "SQL over the model's names, or a saved query",
    arguments: [
      .init(
        "NAME|SQL", kind: .query, isOptional: true,
        help: "saved query or one SELECT; - is standard input; omit to list the queries")
    ],
    options: [
      OptionDefinition(
        .param, short: "p", value: "NAME=VALUE", kind: .parameter, isRepeatable: true,
        help: "set the parameter :NAME"),
      OptionDefinition(
        .file, short: "f", value: "FILE", kind: .file, help: "run the SQL in this file; - is standard input"),
      OptionDefinition(.list, help: "list the saved queries, as without an argument"),
      OptionDefinition(.show, help: "print the saved query's SQL instead of running it"),
      OptionDefinition(.views, help: "list the views and their columns, or those of the view NAME"),
      OptionDefinition(.functions, help: "list the SQL functions available in addition to SQLite's"),
      CommonOptions.timeout, CommonOptions.offset,
    ],
    discussion: """
      Each entity is a view with the columns pk, uri, entity, its attributes and its to-one relationships (as the
      target's pk, and RELATIONSHIP_uri). Each to-many relationship is a view Entity_relationship with the columns
      source, target, position, sourceURI and targetURI. The rest is the same in every store:
      \(QueryDocument.viewNames)
      The store's own tables can be read too. Anything that could write or attach is refused.

      SQLite gets the SQL as it is typed, and the result is printed as SQLite gives it.

      Dates are texts in UTC, such as '2026-03-20 12:00:00.000000Z'. They compare and sort by time, also with shorter
      ones: '2026-03-20', '2026-03-20 12:00', datetime('now', '-1 day'). To calculate, use core_data_date(COLUMN) for
      seconds since 2001, unixepoch(COLUMN) or julianday(COLUMN).

      pk('Trip/p1') and uri('Trip/p1') find an object: trip = pk('Trip/p1'). A dot leads to a property of the
      related object: trip.title. It also leads into composites and decoded values: weather.condition, mapStyle.scheme.
      A file and standard input can have several statements, which run in order until one fails.

      'query STORE NAME --help' describes a saved query with its parameters.
      Your own queries are files *.sql in ~/.config/storescope/queries; they override built-in ones of the same name.
      Start with a copy: 'query STORE NAME --show'. Comments at the top describe a query. A parameter without a default
      must be given; its type (\(SavedQuery.Parameter.Kind.allCases.map(\.rawValue).joined(separator: ", "))) is checked:
        -- Title: Trips of a traveler
        -- Shows: one row per trip, newest first.
        -- Param name: the traveler's name
        -- Param since (date): the first day, default 2026-01-01

      Examples:
        storescope query App.store
        storescope query App.store changes-by-author --param since=2026-03-01
        storescope query App.store object-history --param uri=Person/p12
        storescope query App.store "SELECT city, COUNT(*) FROM Person GROUP BY city"
        storescope query App.store -f report.sql --format csv
        echo 'SELECT COUNT(*) FROM Person' | storescope query App.store
        storescope query App.store --views Person
        storescope query App.store churn --show
      """,
    documents: QueryDocument.forms
  ) { invocation in
    let session = try invocation.store()
    let identity = try session.identity()
    let word = invocation.argument(0)
    let modes = [OptionName.list, .show, .views, .functions].filter(invocation.arguments.has)
    guard modes.count < 2 else {
      throw UsageError.conflict(
        "'--\(modes[0].rawValue)' and '--\(modes[1].rawValue)' can't be combined; give one of them.")
    }
    switch modes.first {
    case .views: return Outcome(try SQLHelp.views(of: session.open().openLens(), named: word, identity))
    case .functions: return Outcome(SQLHelp.functions(identity))
    default: break
    }
    let queries = try SavedQueries.all()
    if modes.first == .list { return Outcome(QueryDocument.list(queries, identity)) }
    let file = try invocation.arguments[.file].map(SavedQueries.file)
    if word != nil, file != nil {
      throw UsageError.conflict(
        "'--file' and a query can't be combined; give one of them.")
    }
    guard let word = word ?? file?.name else {
      guard modes.isEmpty else {
        throw UsageError.missingArgument("NAME", command: "query", known: queries.map(\.name))
      }
      return Outcome(QueryDocument.list(queries, identity))
    }
    let saved = file ?? queries.first { $0.name == word }
    if saved == nil, word.contains(/^[.\\]\w/) {
      let name = String(word.prefix { !$0.isWhitespace })
      let meant = Words.command(for: name, in: .shell)?.joined(separator: " ")
      throw StoreScopeError(
        .invalid, word, "is a command of another tool, not SQL.\(meant.map(Suggestion.question) ?? "")")
    }
    guard let query = saved ?? SavedQueries.typed(word), modes.isEmpty || saved != nil else {
      if let store = try? session.open().store, let entity = try? store.entity(named: word) {
        throw UsageError.conflict(
          "'\(word)' is an entity, not a query; 'storescope rows STORE \(ShellQuotes.readable(entity.name))' lists its objects."
        )
      }
      // Whether there is such a file is none of an assistant's business.
      if invocation.assistant == nil, FileReader.kind(of: word) == .file {
        throw UsageError.conflict(
          "'\(word)' is a file; 'storescope query STORE -f \(ShellQuotes.word(word))' runs the SQL in it.")
      }
      throw StoreScopeError(
        .notFound,
        "There is no saved query '\(word)'.\(Suggestion.sentence(for: word, in: queries.map(\.name)))",
        about: word, advice: "'storescope query STORE' lists them; SQL has to be one argument, in quotes")
    }
    if !modes.isEmpty { return Outcome(QueryDocument.sql(of: query, identity)) }
    if let file, SeveralStatements.areIn(file.sql) {
      try SeveralStatements.check(invocation.arguments, "in '\(file.name)'")
      return .shell(
        ShellRequest(
          storePath: session.path, source: session.source, scripts: [.statements(file.sql, from: file.name)]))
    }
    let given = try invocation.arguments.assignments(.param)
    let open = try session.open()
    _ = try session.lensForUser(seconds: invocation.timeout())
    let moments = DateParser(printsLocal: invocation.dates.isLocal)
    return Outcome(
      try QueryDocument.run(query, given, in: open, identity, moments, invocation.progress) {
        try ObjectSearch(invocation).find([$0])
      })
  }
}

/// The queries that can be called by name: the user's own first, then those that are built in.
package enum SavedQueries {
  static var folder: String { Configuration.folder + "/queries" }

  package static func has(_ name: String) throws -> Bool { try all().contains { $0.name == name } }

  static func all() throws -> [SavedQuery] {
    let own = try ownQueries()
    let names = Set(own.map(\.name))
    return own + QueryCatalog.all.filter { !names.contains($0.name) }
  }

  /// SQL that was typed; nil for a single word, which names a query.
  static func typed(_ text: String) -> SavedQuery? {
    text.contains(where: \.isWhitespace) ? SavedQuery(name: "query", sql: text) : nil
  }

  private static func ownQueries() throws -> [SavedQuery] {
    guard FileReader.kind(of: folder) == .folder else { return [] }
    return try FileReader.names(in: folder).sorted().filter { $0.hasSuffix(".sql") }.map { name in
      let path = folder + "/" + name
      return SavedQuery(name: String(name.dropLast(4)), sql: try text(of: path), path: path)
    }
  }

  /// A query in a file anywhere.
  static func file(_ path: String) throws -> SavedQuery {
    guard path != "-" else {
      throw UsageError.conflict(
        "'--file -' reads standard input outside the shell only, and takes no other query.")
    }
    return SavedQuery(name: path, sql: try text(of: path), path: path)
  }

  private static func text(of path: String) throws -> String {
    String(decoding: try FileReader.bytes(of: path, limit: 1 << 20), as: UTF8.self)
  }
}

/// More than one statement in a file or on standard input: the shell runs them in order.
enum SeveralStatements {
  static func areIn(_ sql: String) -> Bool { SQLTokens(sql).areSeveralStatements }

  /// Refuses options that are for one statement.
  static func check(_ arguments: ParsedArguments, _ place: String) throws(UsageError) {
    let known = Command.shell.allOptions.map(\.option)
    guard let option = arguments.options.keys.first(where: { $0 != .file && !known.contains($0) }) else {
      return
    }
    throw .conflict("'--\(option.rawValue)' is for one statement, and there are several \(place).")
  }
}
