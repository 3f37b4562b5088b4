import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let relationshipDangling = Rule(
    "relationship-dangling"
  ) { examination, findings in
    var search = LinkSearch(examination.store, .dangling)
    try search.run(&findings)
  }

  static let relationshipWrongEntity = Rule(
    "relationship-wrong-entity"
  ) { examination, findings in
    var search = LinkSearch(examination.store, .wrongEntity)
    try search.run(&findings)
  }
}

/// Finds the links of the app's relationships that something is wrong with. Reads each table once for all its
/// relationships.
struct LinkSearch {
  enum Fault {
    /// No such row.
    case dangling
    /// A row of an entity that the relationship doesn't lead to.
    case wrongEntity
  }

  /// 64 MB for the keys of all tables together.
  private static let keyLimit = 32 << 20

  private let store: CoreDataStore
  private let fault: Fault
  private let names: EntityNames
  private var keysLeft = keyLimit
  private var targets: [String: RowEntities] = [:]

  init(_ store: CoreDataStore, _ fault: Fault) {
    self.store = store
    self.fault = fault
    names = EntityNames(store)
  }

  mutating func run(_ findings: inout FindingCollector) throws {
    let byTable = Dictionary(grouping: KeyColumn.all(in: store), by: \.table)
    for (table, keys) in byTable.sorted(by: { $0.key < $1.key }) { try search(table, keys, &findings) }
    for table in JoinTable.all(in: store) { try search(table, &findings) }
  }

  private mutating func rows(of target: LinkTarget) throws -> RowEntities {
    if let known = targets[target.table] { return known }
    let rows = try RowEntities(target.table, in: store, keysLeft: &keysLeft)
    targets[target.table] = rows
    return rows
  }

  /// Where the link is of the kind that is searched, what it leads to.
  private func found(
    _ row: Statement, _ column: Int, _ target: LinkTarget, _ rows: RowEntities, entity: Int64? = nil
  ) throws -> RowEntities.Answer? {
    let type = row.type(column)
    guard type != .null else { return nil }
    let answer: RowEntities.Answer = type == .integer ? try rows[row.integer(column)] : .noRow
    switch (answer, fault) {
    case (.noRow, .dangling): return answer
    case (.row(let number), .wrongEntity):
      guard let number else { return answer }
      return target.numbers.contains(number) && entity ?? number == number ? nil : answer
    default: return nil
    }
  }

  // MARK: To-one relationships

  private mutating func search(
    _ table: String, _ keys: [KeyColumn], _ findings: inout FindingCollector
  ) throws {
    let targets = try keys.map { try rows(of: $0.target) }
    let columns = keys.flatMap {
      [quotedIdentifier($0.column), $0.entityColumn.map(quotedIdentifier) ?? "NULL"]
    }
    let statement = try store.connection.prepare(
      "SELECT Z_PK, Z_ENT, \(columns.joined(separator: ", ")) FROM main.\(quotedIdentifier(table))")
    while try statement.step() {
      let owner = statement.integer(1)
      for (index, key) in keys.enumerated() where key.owners.contains(owner) {
        let column = 2 + index * 2
        guard
          let answer = try found(
            statement, column, key.target, targets[index], entity: statement.optionalInteger(column + 1))
        else { continue }
        add(
          key.relationship, names.uri(owner, statement.integer(0)), "\(table)/\(statement.text(0))",
          key.target,
          statement, column, answer, &findings)
      }
    }
  }

  // MARK: Many-to-many relationships

  private mutating func search(_ table: JoinTable, _ findings: inout FindingCollector) throws {
    let ends = try table.ends.map { (end: $0, rows: try rows(of: $0.target)) }
    let columns = ends.map { quotedIdentifier($0.end.column) }.joined(separator: ", ")
    let statement = try store.connection.prepare(
      "SELECT \(columns) FROM main.\(quotedIdentifier(table.table))")
    while try statement.step() {
      for (index, (end, rows)) in ends.enumerated() where fault != .dangling || !end.mayBeDead {
        guard let answer = try found(statement, index, end.target, rows) else { continue }
        var owner: String?
        let other = statement.integer(1 - index)
        if case .row(let number) = try ends[1 - index].rows[other] { owner = names.uri(number, other) }
        add(
          table.relationship, owner, "\(table.table)/\(statement.text(0))/\(statement.text(1))", end.target,
          statement, index, answer, &findings)
      }
    }
  }

  private func add(
    _ relationship: String, _ uri: String?, _ subject: String, _ target: LinkTarget, _ row: Statement,
    _ column: Int, _ answer: RowEntities.Answer, _ findings: inout FindingCollector
  ) {
    var found: [DataValue.Member] = []
    if case .row(let number) = answer { found = [.init("entity", .optional(number.map(store.entityName)))] }
    findings.add(
      object: uri, subject: subject,
      [
        "uri": .optional(uri), "relationship": .text(relationship), "destination": .text(target.entity),
        "key": row.type(column) == .integer ? .integer(row.integer(column)) : .text(row.text(column)),
      ], members: found)
  }
}

/// Which entity the rows of one table are of, by their keys.
///
/// Core Data hands out keys in a row, so the numbers of a table lie in one array of two bytes a key: a look into the
/// table for each link, all over its pages, takes ten times as long. Where keys lie too far apart it is looked up all
/// the same.
final class RowEntities {
  enum Answer: Equatable {
    case noRow
    /// Nil where the number is none that an entity can have.
    case row(Int64?)
  }

  private static let none: UInt16 = 0
  private static let odd = UInt16.max

  private var numbers: [UInt16] = []
  private var statement: Statement?

  /// - Parameters:
  ///   - table: one that has Z_PK and Z_ENT.
  ///   - keysLeft: for how many keys there is memory; what this table takes is taken off.
  init(_ table: String, in store: CoreDataStore, keysLeft: inout Int) throws {
    let name = quotedIdentifier(table)
    let highest = try store.connection.first("SELECT MAX(Z_PK) FROM main.\(name)") { $0.integer(0) } ?? 0
    guard highest >= 0, highest < keysLeft else {
      statement = try store.connection.prepare("SELECT Z_ENT FROM main.\(name) WHERE Z_PK = ?")
      return
    }
    numbers = Array(repeating: Self.none, count: Int(highest) + 1)
    keysLeft -= numbers.count
    try store.connection.forEachRow("SELECT Z_PK, Z_ENT FROM main.\(name)") { row in
      guard let key = Int(exactly: row.integer(0)), numbers.indices.contains(key) else { return }
      let number = row.integer(1)
      numbers[key] = (1..<Int64(Self.odd)).contains(number) ? UInt16(number) : Self.odd
    }
  }

  subscript(key: Int64) -> Answer {
    get throws {
      if let statement {
        defer { statement.reset() }
        try statement.bind([.integer(key)])
        guard try statement.step() else { return .noRow }
        let number = statement.integer(0)
        return .row((1..<Int64(Self.odd)).contains(number) ? number : nil)
      }
      guard let place = Int(exactly: key), numbers.indices.contains(place) else { return .noRow }
      let number = numbers[place]
      return number == Self.none ? .noRow : .row(number == Self.odd ? nil : Int64(number))
    }
  }
}
