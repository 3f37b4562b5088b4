import Lens
import SQLite
import StoreModel
import Values

/// The SQL behind `--where`.
enum Predicate {
  /// Runs what reads rows, and says what a condition refuses of a row.
  static func explained<R>(_ body: () throws -> R) throws -> R {
    do { return try body() } catch let error as SQLiteError where error.isOurRefusal {
      throw StoreScopeError(.invalid, Sentence.ended(error.message), about: "--where")
    }
  }

  /// The condition as it was typed, with its dotted paths resolved if SQLite can't read them.
  /// - Throws: `StoreScopeError` if it isn't one condition over the entity's columns.
  static func checked(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) throws -> String {
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    let opening = "SELECT 1 FROM temp.\(quotedIdentifier(view)) WHERE (\n"
    do {
      return try store.connection.onlyReading {
        try UserSQL.compiled(predicate, of: entity, in: store) { predicate, _ in
          let statement = try store.connection.prepare("\(opening)\(predicate)\n)")
          if statement.parameterCount > 0 { throw placeholder(statement.parameterNames[0] ?? "?", predicate) }
          return predicate
        }
      }
    } catch let error as SQLiteError {
      // A refusal of ours is about what was typed.
      let skipped = error.isOurRefusal ? 0 : opening.utf8.count
      // SQLite then found our own parenthesis.
      let isAtEnd = (error.offset ?? 0) >= skipped + predicate.utf8.count && !error.isOurRefusal
      let shown = isAtEnd ? SQLiteError(code: error.code, message: "incomplete input") : error
      throw SQLMistake(shown, in: predicate, behind: skipped, of: entity, store).error(about: predicate)
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

  /// What a condition may name, in lower case.
  static func names(in predicate: String?) -> Set<String> {
    guard let predicate else { return [] }
    let tokens = SQLTokens(predicate)
    return Set(tokens.all.indices.filter(tokens.isName).compactMap { tokens.name($0)?.lowercased() })
  }
}
