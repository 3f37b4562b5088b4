import SQLite
import Values

extension MirrorViews {
  /// One row per record zone.
  package var zones: View? {
    guard tables.has(.zones) else { return nil }
    func column(_ name: String) -> String { tables.sql(.zones, name, "z") }
    func flag(_ name: String) -> View.Column {
      let isNumber = name.hasPrefix("has")
      return .init(
        name, .bool, Self.meanings[name] ?? "",
        tables.flag(.zones, "Z" + name.uppercased() + (isNumber ? "NUM" : ""), "z"))
    }
    let token = column("ZCURRENTCHANGETOKEN")
    return View(
      "zones", rows: "record zone",
      [
        .init("name", .text, "the zone's name", column("ZCKRECORDZONENAME")).named(.zone),
        .init("owner", .text, "whose zone it is", column("ZCKOWNERNAME")).named(.owner),
        .init("scope", .text, "public, private or shared", scope(column("ZDATABASE"))).open,
        .init("records", .integer, "records in this zone", "zone_records(z.Z_PK)").open,
        flag("needsImport").open,
        .init("hasToken", .bool, "the place in the server's changes is known", "\(token) IS NOT NULL").open,
        .init("lastFetch", .date, "when it was last fetched", column("ZLASTFETCHDATE")).open,
        .init("token", .json, "the size of that place's archive", "change_token(\(token))"),
        .init(
          "shareBytes", .integer, "bytes of the zone's archived share; NULL if it has none", shareBytes),
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
      ] + flags.map { .init($0, .bool, Self.meanings[$0] ?? "", flag($0)) } + [
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

  private static let meanings = [
    "hasRecordZone": "the zone is known to exist on the server",
    "hasSubscription": "it has a subscription of its own; in practice the database has it",
    "needsImport": "more changes are known to be on the server, or everything has to be fetched again",
    "needsShareUpdate": "its share was edited here",
    "needsShareDelete": "its share was removed here",
    "needsNewShareInvitation": "its owner has to send a new invitation",
    "needsRecoveryFromIdentityLoss": "its encryption keys were lost",
    "needsRecoveryFromZoneDelete": "it was deleted on the server",
    "needsRecoveryFromUserPurge": "the user deleted it in the system's settings",
    "supportsFetchChanges": "the server can list its changes",
    "supportsAtomicChanges": "the server applies changes all or none",
    "supportsRecordSharing": "single records can be shared",
    "supportsZoneSharing": "the whole zone can be shared",
  ]
}

extension MirrorZone {
  /// CloudKit allows about a thousand zones; the limit is for made-up stores.
  private static let limit = 100_000

  static func read(_ connection: Connection, _ views: MirrorViews) throws -> [MirrorZone] {
    guard let view = views.zones else { return [] }
    let columns = ["row", "name", "owner", "scope", "records", "tokenArchive", "lastFetch", "shareBytes"]
    return try connection.rows(view.select(columns + Flags.names, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      var bits: UInt16 = 0
      for index in Flags.names.indices where row.integer(columns.count + index) == 1 {
        bits |= 1 << UInt16(index)
      }
      return MirrorZone(
        primaryKey: row.integer(0), name: row.optionalName(1), owner: row.optionalName(2),
        scope: row.optionalText(3).flatMap(DatabaseScope.init(name:)), records: Int(row.integer(4)),
        changeToken: ChangeTokenState(row.optionalBytes(5)),
        lastFetch: row.optionalReal(6).map(CoreDataDate.init(seconds:)), flags: Flags(rawValue: bits),
        shareBytes: row.optionalInteger(7).flatMap { Int(exactly: $0) })
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
