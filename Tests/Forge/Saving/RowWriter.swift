import SQLite
import StoreModel

/// Writes the rows of a save: objects, links, highest keys.
struct RowWriter {
  let connection: Connection
  let schema: ForgedSchema

  func write(_ save: Save) throws {
    for object in save.inserted { try insert(object, save.truth) }
    for object in save.updated { try update(object, save.truth) }
    for state in save.deleted { try delete(state.object) }
    for link in save.touchedLinks { try write(link, save.truth) }
    for (root, key) in save.highestKeys.sorted(by: { $0.key < $1.key }) {
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX <> ?1", [.integer(key), .integer(root)])
    }
  }

  private func insert(_ object: ForgedObject, _ truth: ForgeTruth) throws {
    guard let state = truth[object], let table = table(of: object) else { return }
    let cells = cells(of: state, truth)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + cells.map { quotedIdentifier($0.column) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      [.integer(object.primaryKey), .integer(object.entityNumber), .integer(state.version)]
        + cells.map(\.value))
  }

  private func update(_ object: ForgedObject, _ truth: ForgeTruth) throws {
    guard let state = truth[object], let table = table(of: object) else { return }
    let cells = cells(of: state, truth)
    let sets = ["Z_OPT = ?"] + cells.map { "\(quotedIdentifier($0.column)) = ?" }
    try connection.execute(
      "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE Z_PK = ?",
      [.integer(state.version)] + cells.map(\.value) + [.integer(object.primaryKey)])
  }

  private func delete(_ object: ForgedObject) throws {
    guard let table = table(of: object) else { return }
    try connection.execute("DELETE FROM \(table) WHERE Z_PK = ?", [.integer(object.primaryKey)])
  }

  private func table(of object: ForgedObject) -> String? {
    schema.entities[object.entityNumber].map { quotedIdentifier($0.table) }
  }

  /// All cells of the object's row but the first three.
  private func cells(
    of state: ForgeTruth.Object, _ truth: ForgeTruth
  ) -> [(column: String, value: SQLiteValue)] {
    var cells: [(column: String, value: SQLiteValue)] = []
    for attribute in schema.entities[state.object.entityNumber]?.attributes.flatMap(\.leaves) ?? [] {
      if let column = attribute.column { cells.append((column, state.cells[column] ?? .null)) }
    }
    for end in schema.ends.all(of: state.object) {
      guard case .toOne(let column, let entityColumn, let orderColumn) = end.storage else { continue }
      let target = state.links[end.name]?.first
      cells.append((column, target.map { .integer($0.primaryKey) } ?? .null))
      if let entityColumn {
        cells.append((entityColumn, target.map { .integer($0.entityNumber) } ?? .null))
      }
      if let orderColumn {
        let key = target.flatMap { target in
          end.inverse.flatMap { truth[target]?.orderKeys[$0]?[state.object] }
        }
        cells.append((orderColumn, key.map { .integer($0) } ?? .null))
      }
    }
    return cells
  }

  // MARK: Many-to-many links

  /// Makes a join table's row what the truth says of the link. Both ends of a link come here and write the same
  /// row; those of a relationship that is its own inverse write one row each.
  private func write(_ link: Save.TouchedLink, _ truth: ForgeTruth) throws {
    guard case .join(let table, let own, let other, let orderColumn) = link.end.storage else { return }
    let keys: [SQLiteValue] = [.integer(link.owner.primaryKey), .integer(link.member.primaryKey)]
    let columns = [own, other].map(quotedIdentifier)
    let quoted = quotedIdentifier(table)
    guard truth[link.owner]?.links[link.end.name]?.contains(link.member) == true else {
      try connection.execute("DELETE FROM \(quoted) WHERE \(columns[0]) = ? AND \(columns[1]) = ?", keys)
      return
    }
    try connection.execute(
      "INSERT OR IGNORE INTO \(quoted) (\(columns.joined(separator: ", "))) VALUES (?, ?)", keys)
    if let orderColumn, let key = truth[link.owner]?.orderKeys[link.end.name]?[link.member] {
      try connection.execute(
        "UPDATE \(quoted) SET \(quotedIdentifier(orderColumn)) = ? WHERE \(columns[0]) = ? AND \(columns[1]) = ?",
        [.integer(key)] + keys)
    }
  }
}
