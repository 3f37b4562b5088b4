import Base
package import Forge
import SQLite
import StoreModel

/// Fills a forged store with rows and history by the million: giants for the benchmark.
///
/// Values are SQL expressions over `i`, which counts from 0, so that SQLite makes the rows by itself. The truth
/// does not keep them.
package struct BulkForge {
  private let forge: StoreForge

  /// Runs `body` in one transaction without journal; a store left half-filled is of no use.
  package static func fill(_ forge: StoreForge, _ body: (BulkForge) throws -> Void) throws {
    try forge.checkpoint()
    try forge.connection.execute("PRAGMA journal_mode = OFF; PRAGMA cache_size = -400000")
    try forge.connection.inTransaction { try body(BulkForge(forge: forge)) }
    try forge.connection.execute("PRAGMA journal_mode = \(forge.options.journal == .wal ? "WAL" : "DELETE")")
    try forge.connection.execute("PRAGMA cache_size = -2000")
    try forge.checkpoint()
  }

  /// New objects of one entity; returns their primary keys.
  ///
  /// - Parameter values: SQL expressions by the path of an attribute (`title`, `weather.condition`) or the name of a
  ///   to-one relationship, whose expression gives the key of an object of exactly its destination.
  @discardableResult
  package func insert(
    _ entityName: String, count: Int, _ values: [String: String]
  ) throws -> ClosedRange<Int64> {
    guard let entity = forge.schema[entityName], count > 0 else {
      throw StoreScopeError(
        .failed, "Cannot insert \(count) of '\(entityName)': there is no such entity, or nothing to do.")
    }
    let first = (forge.highestKeys[entity.root] ?? 0) + 1
    let last = first + Int64(count) - 1
    var columns = ["Z_PK", "Z_ENT", "Z_OPT"]
    var expressions = ["\(first) + i", "\(entity.number)", "1"]
    for (name, expression) in values.sorted(by: { $0.key < $1.key }) {
      let cells = try self.columns(of: name, in: entity, expression)
      columns += cells.map { quotedIdentifier($0.column) }
      expressions += cells.map(\.expression)
    }
    try run(
      count,
      """
      INSERT INTO \(quotedIdentifier(entity.table)) (\(columns.joined(separator: ", ")))
      SELECT \(expressions.joined(separator: ", ")) FROM counter
      """)
    forge.highestKeys[entity.root] = last
    try forge.connection.execute(
      "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", [.integer(last), .integer(entity.root)])
    return first...last
  }

  private func columns(
    of name: String, in entity: SchemaEntity, _ expression: String
  ) throws -> [(column: String, expression: String)] {
    if let leaf = entity.attributes.flatMap(\.leaves).first(where: { $0.path == name }),
      let column = leaf.column
    {
      return [(column, expression)]
    }
    guard let relationship = entity.relationships.first(where: { $0.name == name }),
      case .toOne(let column, let entityColumn, _) = relationship.storage
    else {
      throw StoreScopeError(
        .failed, "Cannot set '\(name)': \(entity.name) has no such attribute or to-one relationship.")
    }
    let target = entityColumn.map { [($0, "\(relationship.destination)")] } ?? []
    return [(column, expression)] + target
  }

  /// A row for each i from 0 to `count` - 1.
  private func run(_ count: Int, _ insert: String) throws {
    try forge.connection.execute(
      """
      WITH RECURSIVE counter (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM counter WHERE i + 1 < \(count))
      \(insert)
      """)
  }
}

extension BulkForge {
  /// One kind of change, repeated.
  package struct Changes: Sendable {
    package var entity: String
    package var kind: ForgeTruth.Change.Kind
    /// The objects, in turn, from the first again when all had theirs.
    package var keys: ClosedRange<Int64>
    package var count: Int
    package var perTransaction: Int
    /// What updates changed.
    package var properties: Set<String> = []
    package var author: String?
    package var secondsBetweenTransactions = 1.0

    package init(
      _ kind: ForgeTruth.Change.Kind, of entity: String, keys: ClosedRange<Int64>, count: Int,
      perTransaction: Int
    ) {
      self.kind = kind
      self.entity = entity
      self.keys = keys
      self.count = count
      self.perTransaction = perTransaction
    }
  }

  /// History of such changes; the objects' own rows stay as they are.
  package func record(_ changes: Changes) throws {
    guard let entity = forge.schema[changes.entity], changes.count > 0, changes.perTransaction > 0 else {
      throw StoreScopeError(
        .failed, "Cannot record changes of '\(changes.entity)': no such entity, or nothing to do.")
    }
    let history = forge.historyWriter
    let transactions = (changes.count + changes.perTransaction - 1) / changes.perTransaction
    let author = try authorColumn(changes.author, history)
    let firstTransaction = forge.lastTransaction + 1
    try run(
      transactions,
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP, \(author.column))
      SELECT \(firstTransaction) + i, \(HistoryWriter.Entity.transaction),
        \(forge.clock.seconds) + (i + 1) * \(changes.secondsBetweenTransactions), \(author.expression) FROM counter
      """)
    let object = ForgedObject(entity: entity.name, entityNumber: entity.number, primaryKey: 0)
    let mask = Hexadecimal.uppercase(forge.mask(of: object, changes.properties))
    try run(
      changes.count,
      """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS)
      SELECT \(forge.lastChange + 1) + i, \(HistoryWriter.Entity.change), \(changes.kind.rawValue), \(entity.number),
        \(changes.keys.lowerBound) + i % \(changes.keys.count), \(firstTransaction) + i / \(changes.perTransaction),
        \(changes.kind == .update ? "x'\(mask)'" : "NULL") FROM counter
      """)
    forge.lastTransaction += Int64(transactions)
    forge.lastChange += Int64(changes.count)
    forge.clock.seconds += Double(transactions) * changes.secondsBetweenTransactions
    try history.setHighestKey(forge.lastTransaction, HistoryWriter.Entity.transaction, "TRANSACTION")
    try history.setHighestKey(forge.lastChange, HistoryWriter.Entity.change, "CHANGE")
  }

  private func authorColumn(
    _ author: String?, _ history: HistoryWriter
  ) throws -> (column: String, expression: String) {
    if forge.options.history == .inlineStrings {
      return ("ZAUTHOR", author.map(quotedText) ?? "NULL")
    }
    guard let author, case .integer(let key) = try history.interned(author) else {
      return ("ZAUTHORTS", "NULL")
    }
    return ("ZAUTHORTS", "\(key)")
  }
}
