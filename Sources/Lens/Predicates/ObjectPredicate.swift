package import Base
import SQLite
package import StoreModel

/// A predicate as Apple's frameworks read it, compiled for the objects of an entity.
package struct ObjectPredicate: Sendable, Equatable {
  /// The words of the language, for completion.
  package static let words: [String] = PredicateParser.words

  /// As it was typed.
  package let text: String
  /// SQL for rows of the entity's table.
  package let condition: String
  /// What Apple's SQLite store has nothing for, so that no app can fetch with this.
  package let lacks: [String]
  /// Whether the answer depends on more of an attribute than whether it is there.
  package let readsValues: Bool
  /// The properties of the entity that it names.
  package let properties: Set<String>

  /// - Parameters:
  ///   - parameters: the texts that stand for `$NAME`, by name.
  ///   - date: reads one as it is typed.
  /// - Throws: `PredicateMistake` for what isn't understood or doesn't exist.
  package init(
    _ text: String, of entity: SchemaEntity, in store: CoreDataStore, parameters: [String: String] = [:],
    date: @escaping (String) -> CoreDataDate? = { WrittenDate($0)?.start }
  ) throws {
    self.text = text
    try PredicateFunctions.install(in: store.connection)
    var compiler = PredicateCompiler(entity, in: store, parameters: parameters, date: date)
    condition = try compiler.keys(PredicateParser.parsed(text))
    if let unused = parameters.keys.sorted().first(where: { !compiler.used.contains($0) }) {
      throw PredicateMistake("$\(unused) doesn't occur here", 0, "Leave out --param \(unused)=…")
    }
    try Self.check(condition, of: entity, in: store)
    (lacks, readsValues, properties) = (compiler.lacks, compiler.readsValues, compiler.properties)
  }

  /// Whether SQLite takes it: https://www.sqlite.org/limits.html
  private static func check(_ condition: String, of entity: SchemaEntity, in store: CoreDataStore) throws {
    do {
      _ = try store.connection.prepare(
        "SELECT 1 FROM main.\(quotedIdentifier(entity.table)) WHERE \(condition)")
    } catch {
      guard error.isMistake || error.isLimit else { throw error }
      throw PredicateMistake("this is too much for SQLite (\(error.message))", 0, "Nest or join less")
    }
  }

  /// The keys of the objects of exactly that entity, in order.
  package func forEachKey(of entity: SchemaEntity, in store: CoreDataStore, _ body: (Int64) -> Void) throws {
    let sql = """
      SELECT Z_PK FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT = \(entity.number) AND \(condition)
      ORDER BY Z_PK
      """
    try store.connection.forEachRow(sql) { body($0.integer(0)) }
  }
}
