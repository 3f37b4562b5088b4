import SQLite
package import Values

/// One record zone: https://developer.apple.com/documentation/cloudkit/ckrecordzone
package struct MirrorZone: Sendable, Equatable {
  package var primaryKey: Int64
  package var name: String?
  package var owner: String?
  package var scope: DatabaseScope?
  /// Rows of record metadata in this zone.
  package var records: Int
  package var changeToken: ChangeTokenState
  package var lastFetch: CoreDataDate?
  package var flags: Flags
  /// Bytes of the zone's archived share in the store; nil where it has none.
  package var shareBytes: Int?

  /// NULL counts as false, as app authors report it in old rows.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The zone is known to exist on the server.
    package static let hasRecordZone = Flags(rawValue: 1 << 0)
    /// Of the zone itself; in practice the database has the subscription.
    package static let hasSubscription = Flags(rawValue: 1 << 1)
    /// More changes are known to wait on the server, or everything shall be fetched again.
    package static let needsImport = Flags(rawValue: 1 << 2)
    package static let needsShareUpdate = Flags(rawValue: 1 << 3)
    package static let needsShareDelete = Flags(rawValue: 1 << 4)
    package static let needsNewShareInvitation = Flags(rawValue: 1 << 5)
    package static let needsRecoveryFromIdentityLoss = Flags(rawValue: 1 << 6)
    package static let needsRecoveryFromZoneDelete = Flags(rawValue: 1 << 7)
    package static let needsRecoveryFromUserPurge = Flags(rawValue: 1 << 8)
    package static let supportsFetchChanges = Flags(rawValue: 1 << 9)
    package static let supportsAtomicChanges = Flags(rawValue: 1 << 10)
    package static let supportsRecordSharing = Flags(rawValue: 1 << 11)
    package static let supportsZoneSharing = Flags(rawValue: 1 << 12)

    /// In the order of the bits.
    package static let names = [
      "hasRecordZone", "hasSubscription", "needsImport", "needsShareUpdate", "needsShareDelete",
      "needsNewShareInvitation", "needsRecoveryFromIdentityLoss", "needsRecoveryFromZoneDelete",
      "needsRecoveryFromUserPurge", "supportsFetchChanges", "supportsAtomicChanges", "supportsRecordSharing",
      "supportsZoneSharing",
    ]
  }

  /// The zone in which Core Data keeps the user's own records, as Apple's documents name it.
  package static let defaultName = "com.apple.coredata.cloudkit.zone"

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
