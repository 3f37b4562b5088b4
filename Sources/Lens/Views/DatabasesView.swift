import SQLite
import Values

extension MirrorViews {
  /// One row per CloudKit database.
  package var databases: View? {
    guard tables.has(.databases) else { return nil }
    func column(_ name: String) -> String { tables.sql(.databases, name, "d") }
    let token = column("ZCURRENTCHANGETOKEN")
    return View(
      "databases", rows: "CloudKit database that the store is mirrored to",
      [
        .init("name", .text, "its name", column("ZDATABASENAME")).named(.zone),
        .init("scope", .text, "public, private or shared", Self.scopeName(column("ZDATABASESCOPENUM"))).open,
        .init(
          "hasSubscription", .bool, "the server announces changes",
          tables.flag(.databases, "ZHASSUBSCRIPTIONNUM", "d")
        ).open,
        .init("hasToken", .bool, "the place in the server's changes is known", "\(token) IS NOT NULL").open,
        .init("token", .json, "the size of that place's archive", "change_token(\(token))"),
        .init("lastFetch", .date, "when it was last fetched", column("ZLASTFETCHDATE")).open,
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

  static func read(_ connection: Connection, _ views: MirrorViews) throws -> [MirrorDatabase] {
    guard let view = views.databases else { return [] }
    let columns = ["row", "name", "scopeNumber", "hasSubscription", "tokenArchive", "lastFetch"]
    return try connection.rows(view.select(columns, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      MirrorDatabase(
        primaryKey: row.integer(0), name: row.optionalName(1), rawScope: row.optionalInteger(2),
        hasSubscription: row.integer(3) == 1, changeToken: ChangeTokenState(row.optionalBytes(4)),
        lastFetch: row.optionalReal(5).map(CoreDataDate.init(seconds:)))
    }
  }
}
