import SQLite
import StoreModel

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
