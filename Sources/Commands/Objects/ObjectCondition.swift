import Base
import Lens
import Rendering
import SQLite
import StoreModel

/// Which objects are asked for, in the two languages there are: `--predicate`, and `--where` with SQL.
struct ObjectCondition {
  let predicate: String?
  let sql: String?
  private let invocation: Invocation

  init(_ invocation: Invocation) throws(UsageError) {
    (predicate, sql) = (try invocation.predicateText(), invocation.arguments[.where])
    self.invocation = invocation
    for (name, text, example) in [
      (OptionName.predicate, predicate, "title == 'x'"), (.where, sql, "title = 'x'"),
    ] {
      guard text?.trimmed.isEmpty == true else { continue }
      throw .conflict(
        "'--\(name.rawValue)' is empty; give a condition such as --\(name.rawValue) \"\(example)\".")
    }
    let arguments = invocation.arguments
    // An assistant's calls all have a limit.
    if isEmpty, arguments[.timeout] != nil, invocation.assistant == nil {
      throw .conflict("'--timeout' is for --predicate and --where; without them leave it out.")
    }
  }

  var isEmpty: Bool { predicate == nil && sql == nil }

  /// The store, to be read for as long as `--timeout` says.
  func store() throws -> CoreDataStore {
    let session = try invocation.store()
    if isEmpty { return try session.open().store }
    let seconds = try invocation.timeout()
    return try sql == nil ? session.limited(seconds: seconds) : session.lensForUser(seconds: seconds)
  }

  /// - Throws: `StoreScopeError` for one that can't be run.
  func apply(to options: inout ObjectRows.Options, of entity: SchemaEntity, in store: CoreDataStore) throws {
    if let predicate {
      let compiled = try invocation.predicate(predicate, of: entity, in: store)
      options.predicate = compiled
      options.asked.formUnion(compiled.properties.map { $0.lowercased() })
    }
    if let sql {
      options.condition = try Self.checked(sql, entity, in: store)
      options.asked.formUnion(Self.names(in: sql))
    }
  }

  /// Runs what reads rows, and says what a condition refuses of a row.
  static func explained<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where error.isOurRefusal {
      throw StoreScopeError(.invalid, Sentence.ended(error.message), about: "--where")
    }
  }

  // MARK: - SQL

  /// The condition as it was typed, with its dotted paths resolved if SQLite can't read them.
  /// - Throws: `StoreScopeError` if it isn't one condition over the entity's columns.
  static func checked(_ sql: String, _ entity: SchemaEntity, in store: CoreDataStore) throws -> String {
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    let opening = "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE (\n"
    do {
      return try store.connection.onlyReading {
        try UserSQL.compiled(sql, of: entity, in: store) { sql, _ in
          let statement = try store.connection.prepare("\(opening)\(sql)\n)")
          if statement.parameterCount > 0 {
            throw placeholder(statement.parameterNames[0] ?? "?", sql)
          }
          return sql
        }
      }
    } catch let error as SQLiteError {
      // A refusal of ours is about what was typed.
      let skipped = error.isOurRefusal ? 0 : opening.utf8.count
      // SQLite then found our own parenthesis.
      let isAtEnd = (error.offset ?? 0) >= skipped + sql.utf8.count && !error.isOurRefusal
      let shown = isAtEnd ? SQLiteError(code: error.code, message: "incomplete input") : error
      let mistake = SQLMistake(shown, in: sql, behind: skipped, of: entity, store)
      let isPredicate = error.isMistake && (try? ObjectPredicate(sql, of: entity, in: store)) != nil
      guard isPredicate, !mistake.isReservedName else { throw mistake.error(about: sql) }
      throw StoreScopeError(
        .invalid, "That is a predicate, not SQL", about: sql,
        advice: "Use --predicate: \(store.command("rows", entity.name, "--predicate", sql))")
    }
  }

  /// SQLite takes a placeholder without a value for NULL, so that the condition finds nothing.
  private static func placeholder(_ name: String, _ sql: String) -> StoreScopeError {
    let isOfShell = name.hasPrefix("$")
    return StoreScopeError(
      .invalid, "'\(name)' in the condition stands for a value, and has none", about: sql,
      advice: isOfShell
        ? "A shell puts a variable's value in only where the condition is in double quotes"
        : "Write the value itself; --predicate and 'query' take --param")
  }

  /// What a condition may name, in lower case.
  private static func names(in sql: String) -> Set<String> {
    let tokens = SQLTokens(sql)
    return Set(tokens.all.indices.filter(tokens.isName).compactMap { tokens.name($0)?.lowercased() })
  }
}

extension CommonOptions {
  /// Taken by the commands that list objects of an entity.
  static let predicate = [
    OptionDefinition(
      .predicate, value: "PREDICATE", kind: .predicate,
      help: "only objects that this NSPredicate matches, as in Core Data; see 'storescope help predicates'"),
    OptionDefinition(
      .param, short: "p", value: "NAME=VALUE", kind: .word, isRepeatable: true,
      help: "the value of $NAME in --predicate"),
  ]
}

extension Invocation {
  /// What `--predicate` has; nil without it.
  func predicateText() throws(UsageError) -> String? {
    guard arguments[.predicate] != nil || arguments.all(.param).isEmpty else {
      throw .conflict("'--param' needs --predicate, whose $NAME it gives a value.")
    }
    return arguments[.predicate]
  }

  /// A predicate, with the values that `--param` gives. Notes are said once, for however many entities it is compiled.
  func predicate(
    _ text: String, of entity: SchemaEntity, in store: CoreDataStore
  ) throws -> ObjectPredicate {
    let parameters = try arguments.assignments(.param)
    let predicate: ObjectPredicate
    do {
      let parser = DateParser(printsLocal: dates.isLocal)
      predicate = try ObjectPredicate(
        text, of: entity, in: store, parameters: parameters, date: { parser.parse($0) })
    } catch let mistake as PredicateMistake { throw mistake.error(in: text) }
    guard assistant?.marks == nil || !predicate.readsValues else {
      throw StoreScopeError(.refused, AssistantView.refusal)
    }
    for lack in predicate.lacks {
      note("your app can't fetch with this: the SQLite store has no \(lack)")
    }
    if isVerbose { note("the predicate runs as: \(predicate.condition)") }
    return predicate
  }
}
