/// What the framework wipes, and when, as app authors report it.
extension MirrorForge {
  /// The token's transaction is gone: all that was mirrored is deleted, to be fetched again.
  func wipeAfterExpiredHistory() throws {
    try deleteRegistered()
    ledger.zones = [:]
    setToken(.missing)
    try commit()
  }

  /// Another account, or none: nothing of the old one's may stay.
  func wipeForOtherAccount() throws {
    try delete(forge.truth.objects.keys.filter { mirrored.contains($0.entityNumber) })
    removeRecordsAndLinks()
    ledger.analyzerStates = [:]
    ledger.operations = [:]
    for key in ledger.zones.keys {
      ledger.zones[key]?.changeToken = nil
      ledger.zones[key]?.lastFetch = nil
      ledger.zones[key]?.share = nil
      ledger.zones[key]?.flags = []
    }
    for key in ledger.databases.keys {
      ledger.databases[key]?.changeToken = nil
      ledger.databases[key]?.lastFetch = nil
      ledger.databases[key]?.hasSubscription = false
    }
    setToken(.missing)
    ledger.removeEntry(Key.checkedIdentity)
    ledger.removeEntry(Key.identityName)
    try commit()
  }

  package func removeRecordsAndLinks() {
    for key in ledger.records.keys { ledger.removeRecord(key) }
    ledger.links = [:]
    ledger.pendingRelationships = [:]
  }

  /// Deletes all objects that have a record, as the framework does.
  package func deleteRegistered() throws {
    try delete(ledger.records.values.map(\.object).filter { forge.truth[$0] != nil })
    removeRecordsAndLinks()
  }

  private func delete(_ objects: [ForgedObject]) throws {
    try save(.reset) { save in
      for object in objects.sorted(by: Self.isBefore) where save.contains(object) { try save.delete(object) }
    }
  }
}
