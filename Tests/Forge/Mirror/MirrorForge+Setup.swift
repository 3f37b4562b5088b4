package import Values

extension MirrorForge {
  /// The zone in which Core Data keeps the user's own records.
  static let defaultZone = "com.apple.coredata.cloudkit.zone"
  static let publicZone = "_defaultZone"
  package static let ownOwner = "__defaultOwner__"

  /// The record name of the iCloud user that `setUp` takes where none is named.
  package static let someAccount = "_6f1d3c52e8b94a07"

  /// The framework's setup at launch: it settles whose account this is, and makes database and zone.
  ///
  /// An account other than the one of before ends with 134405 and the loss of all that was mirrored.
  /// - Parameters:
  ///   - account: the record name of the iCloud user; nil where nobody is signed in.
  ///   - failure: what else goes wrong.
  package func setUp(
    account: String? = MirrorForge.someAccount, failing failure: MirrorFailure? = nil,
    at date: CoreDataDate? = nil
  ) throws {
    let event = try begin(.setup, date)
    if let failure { return try end(event, failure) }
    let isChecked = ledger.entry(Key.checkedIdentity) != nil
    let known = identityName
    if let known, account == nil || account != known {
      try wipeForOtherAccount()
      return try end(event, .accountChanged)
    }
    if isChecked, known == nil, account != nil {
      try wipeForOtherAccount()
      return try end(event, .accountChanged)
    }
    guard let account else { return try end(event, .noAccount) }
    ledger.set(.init(Key.checkedIdentity, .bool(true)))
    ledger.set(.init(Key.identityName, .text(account)))
    makeDatabaseAndZone()
    try end(event)
  }

  var identityName: String? {
    guard case .text(let name)? = ledger.entry(Key.identityName)?.value else { return nil }
    return name
  }

  private func makeDatabaseAndZone() {
    let database = ledger.databases.keys.min() ?? ledger.add(.init(scope: scope), to: \.databases)
    ledger.databases[database]?.hasSubscription = scope != .public
    // What others share comes with their zones.
    guard scope != .shared else { return }
    let zone = homeZone ?? addZone(scope == .public ? Self.publicZone : Self.defaultZone)
    ledger.zones[zone]?.flags.formUnion(["hasRecordZone"])
    if scope == .private {
      ledger.zones[zone]?.flags.formUnion([
        "supportsAtomicChanges", "supportsFetchChanges", "supportsRecordSharing", "supportsZoneSharing",
      ])
    }
  }

  @discardableResult
  package func addZone(_ name: String, owner: String = MirrorForge.ownOwner) -> Int64 {
    let database = ledger.databases.keys.min() ?? ledger.add(.init(scope: scope), to: \.databases)
    return ledger.add(.init(name: name, owner: owner, database: database), to: \.zones)
  }

  /// The zone of new records: the default one, or the first that others share.
  package var homeZone: Int64? {
    let names = [Self.defaultZone, Self.publicZone]
    return ledger.zones.keys.sorted().first { names.contains(ledger.zones[$0]?.name ?? "") }
      ?? (scope == .shared ? ledger.zones.keys.min() : nil)
  }
}
