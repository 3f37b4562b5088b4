package import Values

/// What the framework wipes, and when, as app authors report it.
extension MirrorForge {
  /// The server says in an import that the private zone is gone: data stay, all copies from the server go, and the
  /// next export looks at all of history again.
  package func zoneWasDeleted(at date: CoreDataDate? = nil) throws {
    let event = try begin(.import, date)
    for key in ledger.records.keys {
      ledger.records[key]?.encodedRecord = nil
      ledger.records[key]?.systemFields = nil
    }
    for key in ledger.links.keys {
      ledger.links[key]?.systemFields = nil
      ledger.links[key]?.isUploaded = false
    }
    for key in ledger.zones.keys {
      ledger.zones[key]?.changeToken = nil
      ledger.zones[key]?.flags.subtract(["hasRecordZone", "hasSubscription"])
    }
    setToken(.missing)
    ledger.set(.init(Key.bypassHistory, .bool(true)))
    try end(event, .zoneNotFound)
  }

  /// The user deleted the app's data in the iCloud settings: what was mirrored goes here as well, and the zones.
  package func userPurgedZone(at date: CoreDataDate? = nil) throws {
    let event = try begin(.import, date)
    try deleteRegistered()
    ledger.zones = [:]
    try end(event, .userDeletedZone)
  }

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

  /// What the mirror knows of the server goes, data stay; all objects get new records.
  package func resetMetadata() throws {
    removeRecordsAndLinks()
    for key in ledger.zones.keys {
      ledger.zones[key]?.changeToken = nil
      ledger.zones[key]?.flags.subtract([
        "hasRecordZone", "hasSubscription", "supportsAtomicChanges", "supportsFetchChanges",
        "supportsRecordSharing",
      ])
    }
    for key in ledger.databases.keys {
      ledger.databases[key]?.changeToken = nil
      ledger.databases[key]?.hasSubscription = false
    }
    setToken(.missing)
    try commit()
  }

  private func removeRecordsAndLinks() {
    for key in ledger.records.keys { ledger.removeRecord(key) }
    ledger.links = [:]
    ledger.pendingRelationships = [:]
  }

  private func deleteRegistered() throws {
    try delete(ledger.records.values.map(\.object).filter { forge.truth[$0] != nil })
    removeRecordsAndLinks()
  }

  private func delete(_ objects: [ForgedObject]) throws {
    try save(.reset) { save in
      for object in objects.sorted(by: Self.isBefore) where save.contains(object) { try save.delete(object) }
    }
  }
}
