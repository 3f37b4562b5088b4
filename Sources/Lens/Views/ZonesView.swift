package import Base
import SQLite

/// One record zone: https://developer.apple.com/documentation/cloudkit/ckrecordzone
package struct MirrorZone: HasFields, Sendable, Equatable {
  package var primaryKey: Int64
  package var name: String?
  package var owner: String?
  package var scope: DatabaseScope?
  /// Rows of record metadata in this zone.
  package var records: Int
  package var changeToken: ChangeTokenState
  package var lastFetch: CoreDataDate?
  package var flags: Set<Flag>
  /// Bytes of the zone's archived share in the store; nil where it has none.
  package var shareBytes: Int?

  package static let fields: [Field<Self>] = Field.list(
    [
      Field("name", "the zone's name") { $0.name },
      Field("owner", "whose zone it is") { $0.owner },
      Field("scope", "public, private or shared") { $0.scope },
      Field("records", "records in this zone") { $0.records },
      flag(.needsImport),
      Field("hasToken", "the place in the server's changes is known") { $0.changeToken.isPresent },
      Field("lastFetch", "when it was last fetched") { $0.lastFetch },
      Field("token", ChangeTokenState.shape, "the size of that place's archive") { $0.changeToken.value },
      Field("shareBytes", "bytes of the zone's archived share; null if it has none") { $0.shareBytes },
    ], Flag.allCases.filter { $0 != .needsImport }.map(flag))

  private static func flag(_ flag: Flag) -> Field<Self> {
    Field(flag.rawValue, flag.meaning) { $0.flags.contains(flag) }
  }

  /// CloudKit's name for the user who is signed in:
  /// https://developer.apple.com/documentation/cloudkit/ckcurrentuserdefaultname
  package static let currentOwner = "__defaultOwner__"

  /// NULL counts as false, as app authors report it in old rows.
  package enum Flag: String, FieldWord, Sendable {
    case hasRecordZone, hasSubscription, needsImport, needsShareUpdate, needsShareDelete
    case needsNewShareInvitation, needsRecoveryFromIdentityLoss, needsRecoveryFromZoneDelete
    case needsRecoveryFromUserPurge, supportsFetchChanges, supportsAtomicChanges, supportsRecordSharing
    case supportsZoneSharing

    /// Those that say how the zone stands, not what it supports.
    package static let states = allCases.filter { !$0.rawValue.hasPrefix("supports") }

    package static let recovery: Set<Flag> = [
      .needsRecoveryFromIdentityLoss, .needsRecoveryFromZoneDelete, .needsRecoveryFromUserPurge,
    ]

    var meaning: String {
      switch self {
      case .hasRecordZone: "the zone is known to exist on the server"
      case .hasSubscription: "it has a subscription of its own; in practice the database has it"
      case .needsImport:
        "more changes are known to be on the server, or everything has to be fetched again"
      case .needsShareUpdate: "its share was edited here"
      case .needsShareDelete: "its share was removed here"
      case .needsNewShareInvitation: "its owner has to send a new invitation"
      case .needsRecoveryFromIdentityLoss: "its encryption keys were lost"
      case .needsRecoveryFromZoneDelete: "it was deleted on the server"
      case .needsRecoveryFromUserPurge: "the user deleted it in the system's settings"
      case .supportsFetchChanges: "the server can list its changes"
      case .supportsAtomicChanges: "the server applies changes all or none"
      case .supportsRecordSharing: "single records can be shared"
      case .supportsZoneSharing: "the whole zone can be shared"
      }
    }
  }

  /// Names of the flags that are set and say how the zone stands; what it supports does not.
  package var flagNames: [String] { Flag.states.filter(flags.contains).map(\.rawValue) }

  /// The zone in which Core Data keeps the user's own records, as Apple's documents name it.
  package static let defaultName = "com.apple.coredata.cloudkit.zone"
}

extension MirrorViews {
  /// One row per record zone.
  package var zones: View? {
    guard tables.has(.zones) else { return nil }
    let keys = MirrorZone.fields.keys()
    func column(_ name: String) -> String { tables.sql(.zones, name, "z") }
    func flag(_ flag: MirrorZone.Flag) -> View.Column {
      let name = flag.rawValue
      let isNumber = name.hasPrefix("has")
      return .init(
        name, of: keys, tables.flag(.zones, "Z" + name.uppercased() + (isNumber ? "NUM" : ""), "z")
      ).open
    }
    let token = column("ZCURRENTCHANGETOKEN")
    return View(
      "zones", rows: "record zone",
      [
        .init("name", of: keys, column("ZCKRECORDZONENAME")).named(.zone),
        .init("owner", of: keys, column("ZCKOWNERNAME")).named(.owner),
        .init("scope", of: keys, scope(column("ZDATABASE"))).open,
        .init("records", of: keys, "zone_records(z.Z_PK)").open,
        flag(.needsImport),
        .init("hasToken", of: keys, "\(token) IS NOT NULL").open,
        .init("lastFetch", of: keys, column("ZLASTFETCHDATE")).open,
        .init("token", of: keys, "change_token(\(token))"),
        .init("shareBytes", of: keys, shareBytes),
      ] + MirrorZone.Flag.allCases.filter { $0 != .needsImport }.map(flag) + [
        .init("row", .integer, "the key of the mirror's row", "z.Z_PK").open,
        .init("tokenArchive", .blob, "the token as it stands", token, isShown: false),
      ], from: "main.ANSCKRECORDZONEMETADATA z")
  }

  /// One row per zone that is shared, or whose share must be saved or deleted.
  package var shares: View? {
    guard tables.has(.zones) else { return nil }
    func flag(_ flag: MirrorZone.Flag) -> String {
      tables.flag(.zones, "Z" + flag.rawValue.uppercased(), "z")
    }
    let flags: [MirrorZone.Flag] = [.needsShareUpdate, .needsShareDelete, .needsNewShareInvitation]
    return View(
      "shares", rows: "zone with a share",
      [
        .init("zone", .text, "the zone's name", tables.sql(.zones, "ZCKRECORDZONENAME", "z")).named(.zone),
        .init("owner", .text, "whose zone it is", tables.sql(.zones, "ZCKOWNERNAME", "z")).named(.owner),
        .init("scope", .text, "public, private or shared", scope(tables.sql(.zones, "ZDATABASE", "z"))),
        .init("shareBytes", .integer, "bytes of the archived share; NULL if it isn't here", shareBytes),
      ] + flags.map { .init($0.rawValue, .bool, $0.meaning, flag($0)) } + [
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
    let columns = Column.names + Flag.allCases.map(\.rawValue)
    return try connection.rows(view.select(columns, "ORDER BY \"row\" LIMIT \(limit)")) { row in
      let flags = Flag.allCases.enumerated().filter { row.integer(Column.allCases.count + $0.offset) == 1 }
      return MirrorZone(
        primaryKey: row.integer(Column.row), name: row.optionalName(Column.name),
        owner: row.optionalName(Column.owner),
        scope: row.optionalText(Column.scope).flatMap(DatabaseScope.init(name:)),
        records: Int(row.integer(Column.records)),
        changeToken: ChangeTokenState(row.optionalBytes(Column.tokenArchive)),
        lastFetch: row.date(Column.lastFetch), flags: Set(flags.map(\.element)),
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
