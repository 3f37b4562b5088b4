import SQLite

/// A join table as its columns alone tell it: `Z_2BOOKS (Z_2AUTHORS, Z_5BOOKS)` links entity 2's `books` with
/// entity 5's `authors`. A column bears the number of the entity whose keys it holds and the other side's name
/// for it.
struct GuessedJoinTable {
  struct Side {
    var owner: Int64
    var name: String
    var destination: Int64
    var ownColumn: String
    var otherColumn: String
    var orderColumn: String?
  }

  var table: String
  var sides: [Side]

  static func all(in catalog: TableCatalog, numbers: Set<Int64>) -> [GuessedJoinTable] {
    catalog.modelTables.compactMap { table in
      guard table.hasPrefix("Z_"), GuessedProperties.numbered(table.dropFirst(2)) != nil else { return nil }
      return GuessedJoinTable(table, catalog.columns(of: table).map(\.name), numbers)
    }
  }

  private init?(_ table: String, _ columns: [String], _ numbers: Set<Int64>) {
    let orders = columns.filter { $0.contains("FOK_") }
    let keys = columns.filter { !$0.contains("FOK_") }
    guard keys.count == 2, let first = Self.parse(keys[0], numbers) else { return nil }
    self.table = table
    if keys[1] == "REFLEXIVE" {
      sides = [
        Side(
          owner: first.number, name: first.name, destination: first.number, ownColumn: keys[0],
          otherColumn: keys[1], orderColumn: orders.first)
      ]
      return
    }
    guard let second = Self.parse(keys[1], numbers) else { return nil }
    func order(beside column: String) -> String? {
      let name = "Z_FOK_" + column.dropFirst(2)
      return orders.contains(name) ? name : nil
    }
    sides = [
      Side(
        owner: first.number, name: second.name, destination: second.number, ownColumn: keys[0],
        otherColumn: keys[1], orderColumn: order(beside: keys[1])),
      Side(
        owner: second.number, name: first.name, destination: first.number, ownColumn: keys[1],
        otherColumn: keys[0], orderColumn: order(beside: keys[0])),
    ]
  }

  private static func parse(_ column: String, _ numbers: Set<Int64>) -> (number: Int64, name: String)? {
    guard column.hasPrefix("Z_"), let (number, rest) = GuessedProperties.numbered(column.dropFirst(2)),
      !rest.isEmpty, numbers.contains(number)
    else { return nil }
    return (number, rest.lowercased())
  }
}
