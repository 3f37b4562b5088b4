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
  }

  /// The zone in which Core Data keeps the user's own records, as Apple's documents name it.
  package static let defaultName = "com.apple.coredata.cloudkit.zone"
}
