import SQLite
import Values

extension MirrorViews {
  /// One row per record zone.
  package var zones: View? {
    guard tables.has(.zones) else { return nil }
    let keys = MirrorZone.fields.keys()
    func column(_ name: String) -> String { tables.sql(.zones, name, "z") }
    func flag(_ name: String) -> View.Column {
      let isNumber = name.hasPrefix("has")
      return .init(
        name, of: keys, tables.flag(.zones, "Z" + name.uppercased() + (isNumber ? "NUM" : ""), "z"))
    }
    let token = column("ZCURRENTCHANGETOKEN")
    return View(
      "zones", rows: "record zone",
      [
        .init("name", of: keys, column("ZCKRECORDZONENAME")).named(.zone),
        .init("owner", of: keys, column("ZCKOWNERNAME")).named(.owner),
        .init("scope", of: keys, scope(column("ZDATABASE"))).open,
        .init("records", of: keys, "zone_records(z.Z_PK)").open,
        flag("needsImport").open,
        .init("hasToken", of: keys, "\(token) IS NOT NULL").open,
        .init("lastFetch", of: keys, column("ZLASTFETCHDATE")).open,
        .init("token", of: keys, "change_token(\(token))"),
        .init("shareBytes", of: keys, shareBytes),
      ] + MirrorZone.Flags.names.filter { $0 != "needsImport" }.map { flag($0).open } + [
        .init("row", .integer, "the key of the mirror's row", "z.Z_PK").open,
        .init("tokenArchive", .blob, "the token as it stands", token, isShown: false),
      ], from: "main.ANSCKRECORDZONEMETADATA z")
  }

  /// One row per zone that is shared, or whose share must be saved or deleted.
  package var shares: View? {
    guard tables.has(.zones) else { return nil }
    func flag(_ name: String) -> String { tables.flag(.zones, "Z" + name.uppercased(), "z") }
    let flags = ["needsShareUpdate", "needsShareDelete", "needsNewShareInvitation"]
    return View(
      "shares", rows: "zone with a share",
      [
        .init("zone", .text, "the zone's name", tables.sql(.zones, "ZCKRECORDZONENAME", "z")).named(.zone),
        .init("owner", .text, "whose zone it is", tables.sql(.zones, "ZCKOWNERNAME", "z")).named(.owner),
        .init("scope", .text, "public, private or shared", scope(tables.sql(.zones, "ZDATABASE", "z"))),
        .init("shareBytes", .integer, "bytes of the archived share; NULL if it isn't here", shareBytes),
      ] + flags.map { .init($0, .bool, MirrorZone.Flags.meanings[$0] ?? "", flag($0)) } + [
        .init("row", .integer, "the key of the zone's row", "z.Z_PK")
      ],
      from: """
        main.ANSCKRECORDZONEMETADATA z
        WHERE \(shareBytes) IS NOT NULL OR \(flags.map(flag).joined(separator: " OR "))
        """)
  }

  private var shareBytes: String {
    guard tables.has(.encodedShares), tables.has(.zones, "ZENCODEDSHAREASSET") else {
      return "LENGTH(\(tables.sql(.zones, "ZENCODEDSHAREDATA", "z")))"
    }
    let blobs = ["ZBINARYDATA", "ZEXTERNALBINARYDATA"].map { tables.sql(.encodedShares, $0, "a") }
    return """
      (SELECT LENGTH(COALESCE(\(blobs[0]), \(blobs[1]))) FROM main.ANSCKRECORDZONEMETADATAENCODEDSHAREASSET a
        WHERE a.Z_PK = z.ZENCODEDSHAREASSET)
      """
  }
}

extension MirrorZone {
  /// CloudKit allows about a thousand zones; the limit is for made-up stores.
  private static let limit = 100_000

  private enum Column: Int, ReadColumn {
    case row, name, owner, scope, records, tokenArchive, lastFetch, shareBytes
  }

  static func read(_ connection: Connection, _ views: MirrorViews) throws -> [MirrorZone] {
    guard let view = views.zones else { return [] }
    let columns = Column.names
    return try connection.rows(view.select(columns + Flags.names, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      var bits: UInt16 = 0
      for index in Flags.names.indices where row.integer(columns.count + index) == 1 {
        bits |= 1 << UInt16(index)
      }
      return MirrorZone(
        primaryKey: row.integer(Column.row), name: row.optionalName(Column.name),
        owner: row.optionalName(Column.owner),
        scope: row.optionalText(Column.scope).flatMap(DatabaseScope.init(name:)),
        records: Int(row.integer(Column.records)),
        changeToken: ChangeTokenState(row.optionalBytes(Column.tokenArchive)),
        lastFetch: row.date(Column.lastFetch), flags: Flags(rawValue: bits),
        shareBytes: row.optionalInteger(Column.shareBytes).flatMap { Int(exactly: $0) })
    }
  }

  /// Records by the key of their zone.
  static func recordCounts(_ connection: Connection, _ views: MirrorViews) throws -> [Int64: Int] {
    guard let records = views.records else { return [:] }
    var counts: [Int64: Int] = [:]
    try connection.forEachRow(
      """
      SELECT zoneRow, COUNT(*) FROM (\(records.select(["zoneRow"]))) WHERE zoneRow IS NOT NULL
      GROUP BY zoneRow LIMIT \(limit)
      """
    ) { counts[$0.integer(0)] = Int($0.integer(1)) }
    return counts
  }
}
