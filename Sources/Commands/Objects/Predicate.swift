import Lens
import SQLite
import StoreModel
import SystemCalls
import Values

/// The SQL behind `--where`.
enum Predicate {
  /// Runs what reads rows, and says what a condition refuses of a row.
  static func explained<R>(_ hint: () -> String, _ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where error.isOurRefusal {
      let hint = hint()
      // What is meant says more than which forms there are.
      let problem = hint.isEmpty ? error.message[...] : error.message.prefix { $0 != ":" }
      throw StoreScopeError(.invalid, Sentence.ended(String(problem)) + hint, about: "--where")
    }
  }

  /// The condition with what its dates need. Refuses what isn't one condition over the entity's columns, in words that name
  /// the column or the reason.
  /// - Parameter arguments: those that were typed, for a command with what was meant.
  static func checked(
    _ predicate: String, _ entity: SchemaEntity, _ arguments: ParsedArguments, in store: CoreDataStore
  ) throws -> String {
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    do {
      return try store.connection.onlyReading {
        try UserSQL.compiled(predicate, of: entity, in: store) { predicate in
          let statement = try store.connection.prepare(
            "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE (\n\(predicate)\n)")
          if statement.parameterCount > 0 { throw placeholder(statement.parameterNames[0] ?? "?", predicate) }
          return predicate
        }
      }
    } catch let error as SQLiteError {
      let meant =
        hint(predicate, entity, arguments, in: store)
        ?? respelled(predicate, error, entity, arguments, in: store)
      let clause = error.isOurRefusal ? error.message : SQLHabits.clause(about: error, in: predicate)
      if let clause {
        // A whole command says more than which forms there are.
        let problem = meant == nil ? clause[...] : clause.prefix { $0 != ":" }
        throw StoreScopeError(.invalid, Sentence.ended(String(problem)) + (meant ?? ""), about: predicate)
      }
      let table = error.message.wholeMatch(of: /no such table: (\w+)/)?.1
      let isOfTable =
        try table.map { name in
          try predicate.contains(Regex("(?i)\\bin\\s+\"?\(name)\\b"))
        } ?? false
      let hint =
        try meant
        ?? (isOfTable
          ? " A text is written in single quotes."
          : SQLMistake.sentence(for: error, predicate, conditionOf: view, in: store)
            ?? ColumnHint.sentence(for: error, predicate, views: [view], in: store))
      throw StoreScopeError(
        .invalid,
        "The condition '\(predicate)' can't be used on \(entity.name) of '\(store.path)': \(Sentence.ended(error.message))\(hint)",
        about: predicate,
        advice: hint.isEmpty
          ? "'storescope entities STORE \(ShellQuotes.readable(entity.name))' lists the properties" : nil)
    }
  }

  /// SQLite takes a placeholder without a value for NULL, so that the condition finds nothing.
  private static func placeholder(_ name: String, _ predicate: String) -> StoreScopeError {
    let isOfShell = name.hasPrefix("$")
    return StoreScopeError(
      .invalid, "'\(name)' in the condition stands for a value, and has none", about: predicate,
      advice: isOfShell
        ? "A shell puts a variable's value in only where the condition is in double quotes"
        : "Write the value itself; 'query' takes placeholders, with --param")
  }

  /// What was probably meant by a condition that SQLite can't read, such as one without quotes, with a blank before it;
  /// nil if that isn't known.
  static func hint(
    _ predicate: String, _ entity: SchemaEntity, _ arguments: ParsedArguments, in store: CoreDataStore
  ) -> String? {
    if predicate.contains(/\s(order\s+by|limit)\s/.ignoresCase()),
      let words = RowsWords([OptionName.where.rawValue, predicate], of: entity, given: [:], in: store)
    {
      let meant = RowsWords.command(of: entity, arguments, replacing: words.options)
      return " Did you mean '\(meant)'?"
    }
    let corrected = MistypedCondition.corrected(predicate, of: entity)
    let written = WrittenCondition.sql(corrected, of: entity, in: store)
    guard let sql = written ?? (corrected == predicate ? nil : corrected) else {
      return NumberWords(predicate, entity, in: store).map { " " + $0.sentence }
    }
    guard sql != predicate else { return nil }
    return sentence(sql, entity, arguments, in: store)
  }

  /// With a mistyped property spelled right.
  private static func respelled(
    _ predicate: String, _ error: SQLiteError, _ entity: SchemaEntity, _ arguments: ParsedArguments,
    in store: CoreDataStore
  ) -> String? {
    guard error.message.hasPrefix(ColumnHint.mark) else { return nil }
    let word = error.message.dropFirst(ColumnHint.mark.count)
    guard word.wholeMatch(of: /\w+(\.\w+)*/) != nil,
      let near = Suggestion.likeliest(for: String(word), in: View.entityColumns(of: entity).values)
    else { return nil }
    // Every second part is in quotes.
    let parts = predicate.split(separator: "'", omittingEmptySubsequences: false).enumerated().map {
      place, part -> String in
      guard place.isMultiple(of: 2) else { return String(part) }
      return String(part).replacing(/\w+(?:\.\w+)*/) {
        $0.0 == word ? WrittenCondition.quoted(near) : String($0.0)
      }
    }
    return sentence(parts.joined(separator: "'"), entity, arguments, in: store)
  }

  /// Nil if it is no condition.
  private static func sentence(
    _ sql: String, _ entity: SchemaEntity, _ arguments: ParsedArguments, in store: CoreDataStore
  ) -> String? {
    guard isMet(sql, entity, in: store) != nil else { return nil }
    let meant = RowsWords.command(of: entity, arguments, replacing: [(.where, sql)])
    return " Did you mean '\(meant)'?"
  }

  /// Whether any object meets the condition; nil if SQLite can't read it.
  static func isMet(_ sql: String, _ entity: SchemaEntity, in store: CoreDataStore) -> Bool? {
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    return try? store.connection.onlyReading {
      try UserSQL.compiled(sql, of: entity, in: store) { sql in
        try store.connection.first(
          "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE (\n\(sql)\n) LIMIT 1"
        ) { _ in true } ?? false
      }
    }
  }

  /// What to say of a year without quotes, which may be meant to its end; nil where there is none.
  static func note(_ predicate: String, _ entity: SchemaEntity) -> String? {
    guard predicate.utf8.count < SQLHabits.longest else { return nil }
    let tokens = StatementTokens(predicate)
    let dates = Set(
      View.entityColumns(of: entity).filter { entity.attribute(named: $0.key)?.description.type == .date }
        .values.map { $0.lowercased() })
    for index in tokens.all.indices {
      guard let comparison = tokens.comparison(at: index), comparison.left.count == 1,
        let other = comparison.others.first(where: { $0.count == 1 })?.lowerBound,
        ["<=", ">"].contains(tokens.text(index)), tokens.kind(other) == .number,
        let year = Int(tokens.all[other].text), (1900...2100).contains(year),
        dates.contains(tokens.all[comparison.left.lowerBound].text)
      else { continue }
      return "\(year) stands for the beginning of the year here, '\(year)-01-01'."
    }
    return nil
  }

  /// What a condition may name, in lower case.
  static func names(in predicate: String?) -> Set<String> {
    guard let predicate, predicate.utf8.count < SQLHabits.longest else { return [] }
    let tokens = StatementTokens(predicate)
    return Set(tokens.all.indices.filter(tokens.isName).map { tokens.all[$0].text.lowercased() })
  }

  /// What is said where no object meets a condition, and why.
  /// - Throws: `InterruptedError`.
  static func emptyText(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) throws -> String
  {
    let text = SQLHabits.emptyText(predicate, "no objects", in: store)
    guard text == "(no objects)", predicate.utf8.count < SQLHabits.longest else { return text }
    // That is a note already, and the reason.
    guard DayEnds(predicate, entity, in: store).note == nil else { return text }
    let paths = WrittenPaths.resolved(predicate, of: entity, in: store) ?? predicate
    // An explanation isn't worth a failure.
    let reason = try? UnmetCondition(paths, entity, in: store).reason
    try Interruption.check()
    return reason.flatMap { $0 }.map { "(no objects: \($0))" } ?? text
  }
}
