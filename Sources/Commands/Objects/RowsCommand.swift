import Lens
import Rendering
import SQLite
import StoreModel
import Values

extension Command {
  package static let rows = Command(
    "rows", summary: "the objects of an entity, decoded, with the model's names",
    arguments: [
      .init("ENTITY", kind: .entity, help: "the entity's name; its sub-entities' objects are shown too")
    ],
    options: [
      OptionDefinition(.exact, help: "exclude sub-entities"),
      OptionDefinition(
        .where, value: "SQL", kind: .condition,
        help: "only rows matching this SQL condition; columns are property names"),
      CommonOptions.timeout,
      OptionDefinition(
        .expand, help: "add all to-many relationships as lists of URIs; --columns adds single ones"),
      OptionDefinition(
        .sort, value: "PROPERTIES", kind: .properties,
        help: "sort by PROPERTY,… (-PROPERTY: descending; rows without a value come last)"),
      OptionDefinition(.reverse, help: "reverse the order (by primary key, or by --sort)"),
    ],
    discussion: """
      In --where, dates compare by time, however they are written: '2026-03-20', '2026-03-20 12:00', 'now', or a
      number as seconds since 2001. Booleans are 0 and 1, and a to-one relationship is the target's primary key, or its
      address: trip = 'Trip/p1'.
      Tables show the entity's own properties; the other formats also include those of its sub-entities.

      Examples:
        storescope rows App.store Person --where "name LIKE 'A%'"
        storescope rows App.store Person --sort -birthday --columns name,birthday
        storescope rows App.store Person --format csv > people.csv
      """
  ) { invocation in
    let session = try invocation.store()
    if let word = invocation.argument(0), ObjectNumbers.isObject(word) {
      throw UsageError.conflict("'\(word)' is an object; 'storescope show STORE \(word)' prints it.")
    }
    let predicate = invocation.arguments[.where]
    let timeout = try invocation.timeout()
    if predicate == nil, invocation.arguments[.timeout] != nil {
      throw UsageError.conflict("'--timeout' is for the SQL of --where; without --where leave it out.")
    }
    let store = try predicate == nil ? session.open().store : session.lensForUser(seconds: timeout)
    let entity = try store.entity(named: invocation.argument(0) ?? "")
    var options = ObjectRows.Options()
    options.includesSubentities = !invocation.arguments.has(.exact)
    options.toMany =
      invocation.arguments.has(.expand) ? .all : .named(Set(try invocation.arguments.columns() ?? []))
    options.isReversed = invocation.arguments.has(.reverse)
    options.predicate = try predicate.map { try Predicate.checked($0, entity, in: store) }
    options.order = invocation.arguments[.sort].map(ObjectRows.Order.parse) ?? []
    let all = try ObjectRows(entity, in: store, options: options)
    options.includesSubentityProperties = false
    options.hasShortIdentity = true
    let own = try ObjectRows(entity, in: store, options: options)
    let emptyText = SQLHabits.emptyText(predicate ?? "", "no objects", in: store)
    return Outcome(
      Document(
        command: "rows", store: try session.identity(),
        fields: [
          .init(
            "rows",
            rows: RowStream(
              all, readers: session.readers, progress: invocation.progress, emptyText: emptyText))
        ],
        payload: "rows",
        blocks: [
          .heading(entity.name),
          .table(
            RowStream(own, readers: session.readers, progress: invocation.progress, emptyText: emptyText)
              .counting("row").showingNull()),
        ]))
  }
}

extension RowStream {
  /// Objects, read while they are printed.
  init(
    _ rows: ObjectRows, readers: @escaping () throws -> [CoreDataStore], progress: Progress,
    emptyText: String = "(none)"
  ) {
    self.init(
      columns: rows.columns.map {
        var column = Column($0.name, isNumber: $0.isNumber, rank: $0.rank)
        column.isObjects = $0.isToMany
        column.isName = $0.isTitle
        return column
      },
      emptyText: emptyText,
      count: rows.count
    ) { sink in
      try Predicate.explained { try rows.produce(into: sink) { progress.step("reading rows") } }
    }
    prepare = { try Predicate.explained(rows.start) }
    parts = { try rows.parts(readers: readers) { progress.phase("reading rows") } }
  }
}

/// The SQL behind `--where`.
enum Predicate {
  /// Runs what reads rows, and says what a condition refuses of a row.
  fileprivate static func explained(_ body: () throws -> Void) throws {
    do { try body() } catch let error as SQLiteError where error.isOurRefusal {
      throw StoreScopeError(.invalid, Sentence.ended(error.message), about: "--where")
    }
  }

  /// The condition with what its dates need. Refuses what isn't one condition over the entity's columns, in words that name
  /// the column or the reason.
  static func checked(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) throws -> String {
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    do {
      return try store.connection.onlyReading {
        try UserSQL.compiled(predicate, of: entity, in: store) { predicate in
          _ = try store.connection.prepare(
            "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE (\n\(predicate)\n)")
          return predicate
        }
      }
    } catch let error as SQLiteError {
      let clause = error.isOurRefusal ? error.message : SQLHabits.clause(about: error, in: predicate)
      if let clause { throw StoreScopeError(.invalid, Sentence.ended(clause), about: predicate) }
      let table = error.message.wholeMatch(of: /no such table: (\w+)/)?.1
      let isOfTable =
        try table.map { name in
          try predicate.contains(Regex("(?i)\\bin\\s+\"?\(name)\\b"))
        } ?? false
      let hint =
        try isOfTable
        ? " A text is written in single quotes."
        : SQLMistake.sentence(for: error, predicate, conditionOf: view, in: store)
          ?? ColumnHint.sentence(for: error, predicate, views: [view], in: store)
      throw StoreScopeError(
        .invalid,
        "The condition '\(predicate)' can't be used on \(entity.name) of '\(store.path)': \(Sentence.ended(error.message))\(hint)",
        about: predicate,
        advice: hint.isEmpty ? "'storescope entities STORE \(entity.name)' lists the properties" : nil)
    }
  }
}
