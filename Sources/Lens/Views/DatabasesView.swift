import SQLite
import Values

extension MirrorViews {
  /// One row per CloudKit database.
  package var databases: View? {
    guard tables.has(.databases) else { return nil }
    let keys = MirrorDatabase.fields.keys()
    func column(_ name: String) -> String { tables.sql(.databases, name, "d") }
    let token = column("ZCURRENTCHANGETOKEN")
    return View(
      "databases", rows: "CloudKit database that the store is mirrored to",
      [
        .init("name", of: keys, column("ZDATABASENAME")).named(.zone),
        .init("scope", of: keys, Self.scopeName(column("ZDATABASESCOPENUM"))).open,
        .init("hasSubscription", of: keys, tables.flag(.databases, "ZHASSUBSCRIPTIONNUM", "d")).open,
        .init("hasToken", of: keys, "\(token) IS NOT NULL").open,
        .init("token", of: keys, "change_token(\(token))"),
        .init("lastFetch", of: keys, column("ZLASTFETCHDATE")).open,
        .init("row", .integer, "the key of the mirror's row", "d.Z_PK").open,
        .init(
          "scopeNumber", .integer, "the raw value of the scope", column("ZDATABASESCOPENUM"), isShown: false),
        .init("tokenArchive", .blob, "the token as it stands", token, isShown: false),
      ], from: "main.ANSCKDATABASEMETADATA d")
  }
}

extension MirrorDatabase {
  /// A store has one; the limit is for made-up ones.
  private static let limit = 1_000

  private enum Column: Int, ReadColumn {
    case row, name, scopeNumber, hasSubscription, tokenArchive, lastFetch
  }

  static func read(_ connection: Connection, _ views: MirrorViews) throws -> [MirrorDatabase] {
    guard let view = views.databases else { return [] }
    return try connection.rows(view.select(Column.names, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      MirrorDatabase(
        primaryKey: row.integer(Column.row), name: row.optionalName(Column.name),
        rawScope: row.optionalInteger(Column.scopeNumber),
        hasSubscription: row.flag(Column.hasSubscription),
        changeToken: ChangeTokenState(row.optionalBytes(Column.tokenArchive)),
        lastFetch: row.date(Column.lastFetch))
    }
  }
}
