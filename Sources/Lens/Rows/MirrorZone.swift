package import Values

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
  package var flags: Flags
  /// Bytes of the zone's archived share in the store; nil where it has none.
  package var shareBytes: Int?

  package static let fields: [Field<Self>] = Field.list(
    [
      Field("name", "the zone's name") { $0.name },
      Field("owner", "whose zone it is") { $0.owner },
      Field("scope", "public, private or shared") { $0.scope },
      Field("records", "records in this zone") { $0.records },
      flag("needsImport"),
      Field("hasToken", "the place in the server's changes is known") { $0.changeToken.isPresent },
      Field("lastFetch", "when it was last fetched") { $0.lastFetch },
      Field("token", ChangeTokenState.shape, "the size of that place's archive") { $0.changeToken.value },
      Field("shareBytes", "bytes of the zone's archived share; null if it has none") { $0.shareBytes },
    ], Flags.names.filter { $0 != "needsImport" }.map(flag))

  private static func flag(_ name: String) -> Field<Self> {
    let bit = Flags(rawValue: 1 << UInt16(Flags.names.firstIndex(of: name) ?? 0))
    return Field(name, Flags.meanings[name] ?? "") { $0.flags.contains(bit) }
  }

  /// CloudKit's name for the user who is signed in:
  /// https://developer.apple.com/documentation/cloudkit/ckcurrentuserdefaultname
  package static let currentOwner = "__defaultOwner__"

  /// NULL counts as false, as app authors report it in old rows.
  package struct Flags: OptionSet, Sendable {
    package let rawValue: UInt16
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The zone is known to exist on the server.
    package static let hasRecordZone = Flags(rawValue: 1 << 0)
    /// Of the zone itself; in practice the database has the subscription.
    package static let hasSubscription = Flags(rawValue: 1 << 1)
    /// More changes are known to wait on the server, or everything has to be fetched again.
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

    package static let recovery: Flags = [
      .needsRecoveryFromIdentityLoss, .needsRecoveryFromZoneDelete, .needsRecoveryFromUserPurge,
    ]

    /// In the order of the bits.
    package static let names = [
      "hasRecordZone", "hasSubscription", "needsImport", "needsShareUpdate", "needsShareDelete",
      "needsNewShareInvitation", "needsRecoveryFromIdentityLoss", "needsRecoveryFromZoneDelete",
      "needsRecoveryFromUserPurge", "supportsFetchChanges", "supportsAtomicChanges", "supportsRecordSharing",
      "supportsZoneSharing",
    ]

    static let meanings = [
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

  /// The zone in which Core Data keeps the user's own records, as Apple's documents name it.
  package static let defaultName = "com.apple.coredata.cloudkit.zone"
}
