package import SQLite

/// The rows of Z_PRIMARYKEY: which number each entity has, and the highest key handed out.
package struct PrimaryKeyTable: Sendable, Equatable {
  package struct Row: Sendable, Equatable {
    /// Z_ENT.
    package var number: Int64
    /// Z_NAME; may be an old one after a migration that renamed the entity (measured on a real store).
    package var name: String
    /// Z_SUPER; nil for the root of a hierarchy.
    package var parent: Int64?
    /// Z_MAX, which Core Data keeps up on the root of a hierarchy only.
    package var lastKey: Int64

    package init(number: Int64, name: String, parent: Int64?, lastKey: Int64) {
      self.number = number
      self.name = name
      self.parent = parent
      self.lastKey = lastKey
    }
  }

  /// The numbers from which on entities are the framework's own: history, CloudKit mirroring, index tracking.
  package static let firstFrameworkNumber: Int64 = 16_000

  /// The app's entities, in order of their numbers.
  package var user: [Row]
  /// The framework's entities, in order of their numbers.
  package var framework: [Row]

  /// More than any app has: real stores have under a hundred, a made-up one can have hundreds of thousands.
  static let mostEntities = 5000

  /// Why not all of its rows could be read, in SQLite's words.
  package var damage: String?

  package init(rows: [Row], damage: String? = nil) {
    self.damage = damage
    let rows = rows.sorted { $0.number < $1.number }
    // Numbers begin with 1 in all real stores. Others can't be distinguished from damage, and would make ranges of them huge.
    user = rows.filter { (1..<Self.firstFrameworkNumber).contains($0.number) }
    framework = rows.filter { $0.number >= Self.firstFrameworkNumber }
  }

  /// - Returns: nil where the store has no such table.
  /// - Throws: `SQLiteError`, but for damage to the table: the rows before it count.
  package static func read(from connection: Connection) throws -> PrimaryKeyTable? {
    guard try connection.hasTable("Z_PRIMARYKEY") else { return nil }
    var rows: [Row] = []
    do {
      try connection.forEachRow(
        """
        SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 0 ORDER BY Z_ENT
        LIMIT \(mostEntities + 1)
        """
      ) { row in
        let parent = row.integer(2)
        rows.append(
          Row(
            number: row.integer(0), name: row.name(1), parent: parent == 0 ? nil : parent,
            lastKey: row.integer(3)))
      }
    } catch let error as SQLiteError where error.isDamage {
      return PrimaryKeyTable(rows: rows, damage: error.message)
    }
    return PrimaryKeyTable(rows: rows)
  }
}
