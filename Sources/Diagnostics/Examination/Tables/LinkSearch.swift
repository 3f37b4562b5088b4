import SQLite
import StoreModel
import Values

/// Finds the links of an app's relationships that something is wrong with. Reads each table once for all its
/// relationships, with a look-up by key for each link, and keeps nothing.
struct LinkSearch {
  enum Fault {
    /// No such row.
    case dangling
    /// A row of an entity that the relationship doesn't lead to.
    case wrongEntity
  }

  /// As many conditions as one statement takes with ease: https://www.sqlite.org/limits.html
  private static let columnsAtOnce = 40

  private let store: CoreDataStore
  private let fault: Fault
  private var objects: ObjectNames

  init(_ store: CoreDataStore, _ fault: Fault) {
    self.store = store
    self.fault = fault
    objects = ObjectNames(store)
  }

  mutating func run(_ findings: inout FindingCollector) throws {
    let byTable = Dictionary(grouping: KeyColumn.all(in: store), by: \.table)
    for (_, keys) in byTable.sorted(by: { $0.key < $1.key }) {
      for start in stride(from: 0, to: keys.count, by: Self.columnsAtOnce) {
        try search(Array(keys[start..<min(keys.count, start + Self.columnsAtOnce)]), &findings)
      }
    }
    for table in JoinTable.all(in: store) { try search(table, &findings) }
  }

  private func condition(_ target: LinkTarget, _ key: String, entityColumn: String? = nil) -> String {
    switch fault {
    case .dangling: "\(key) IS NOT NULL AND \(target.isMissing(key))"
    case .wrongEntity: "\(key) IS NOT NULL AND \(target.isWrong(key, entityColumn: entityColumn))"
    }
  }

  // MARK: To-one relationships

  private mutating func search(_ keys: [KeyColumn], _ findings: inout FindingCollector) throws {
    let parts = keys.map { key in
      let column = "s." + quotedIdentifier(key.column)
      let entityColumn = key.entityColumn.map { "s." + quotedIdentifier($0) }
      return (
        column: column,
        condition:
          "(\(key.owners.condition("s.Z_ENT")) AND \(condition(key.target, column, entityColumn: entityColumn)))",
        entity: key.target.entityNumber(column)
      )
    }
    let columns = parts.flatMap { [$0.column, $0.condition, $0.entity] }
    let sql = """
      SELECT s.Z_PK, s.Z_ENT, \(columns.joined(separator: ", ")) FROM main.\(quotedIdentifier(keys[0].table)) s
      WHERE \(parts.map(\.condition).joined(separator: " OR "))
      """
    let statement = try store.connection.prepare(sql)
    while try statement.step() {
      let uri = objects.uri(statement.optionalInteger(1), statement.optionalInteger(0))
      for (index, key) in keys.enumerated() where statement.integer(index * 3 + 3) != 0 {
        add(
          key.relationship, uri, subject: "\(key.table)/\(statement.text(0))", target: key.target.entity,
          statement, key: index * 3 + 2, entity: index * 3 + 4, &findings)
      }
    }
  }

  // MARK: Many-to-many relationships

  private mutating func search(_ table: JoinTable, _ findings: inout FindingCollector) throws {
    let ends = table.ends.map { end in
      let column = "j." + quotedIdentifier(end.column)
      let isUsual = end.mayBeDead && fault == .dangling
      return (
        column: column, condition: isUsual ? "0" : "(\(condition(end.target, column)))",
        entity: end.target.entityNumber(column)
      )
    }
    let columns = ends.flatMap { [$0.column, $0.condition, $0.entity] }
    let sql = """
      SELECT \(columns.joined(separator: ", ")) FROM main.\(quotedIdentifier(table.table)) j
      WHERE \(ends.map(\.condition).joined(separator: " OR "))
      """
    let statement = try store.connection.prepare(sql)
    while try statement.step() {
      for (index, end) in table.ends.enumerated() where statement.integer(index * 3 + 1) != 0 {
        let other = (1 - index) * 3
        let uri = objects.uri(statement.optionalInteger(other + 2), statement.optionalInteger(other))
        add(
          table.relationship, uri, subject: "\(table.table)/\(statement.text(0))/\(statement.text(3))",
          target: end.target.entity, statement, key: index * 3, entity: index * 3 + 2, &findings)
      }
    }
  }

  private func add(
    _ relationship: String, _ uri: String?, subject: String, target: String, _ row: Statement, key: Int,
    entity: Int, _ findings: inout FindingCollector
  ) {
    var members: [DataValue.Member] = [
      .init("uri", .optional(uri)), .init("relationship", .text(relationship)),
      .init("destination", .text(target)),
      .init("key", row.type(key) == .integer ? .integer(row.integer(key)) : .text(row.text(key))),
    ]
    if fault == .wrongEntity, let number = row.optionalInteger(entity) {
      members.append(.init("entity", .text(store.entityName(ofNumber: number))))
    }
    findings.add(object: uri, subject: subject, members)
  }
}
