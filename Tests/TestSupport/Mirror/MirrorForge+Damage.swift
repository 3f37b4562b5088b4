package import Forge
package import Values

/// What happens to a mirror from outside, or rarely: only tests need it.
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

  /// Loses the user's name and keeps that there was one, as an edit of the store by hand does: the next setup takes
  /// the account for another one.
  package func forgetAccountName() throws {
    ledger.removeEntry(Key.identityName)
    try commit()
  }

  /// A share of somebody else's, accepted on this device.
  package func acceptShare(from owner: String, at date: CoreDataDate? = nil) throws {
    _ = moment(date)
    let name = "com.apple.coredata.cloudkit.share." + names.uuid()
    let zone = addZone(name, owner: owner)
    ledger.zones[zone]?.flags = ["hasRecordZone", "needsImport", "supportsFetchChanges"]
    let share = shareArchive(name, owner, "Shared")
    ledger.zones[zone]?.share = share
    try commit()
  }

  /// Edits the share of a zone, for instance its participants.
  package func editShare(ofZone name: String) throws { try flagShare(ofZone: name, "needsShareUpdate") }

  package func stopSharing(zone name: String) throws { try flagShare(ofZone: name, "needsShareDelete") }

  private func flagShare(ofZone name: String, _ flag: String) throws {
    for key in ledger.zones.keys where ledger.zones[key]?.name == name && ledger.zones[key]?.share != nil {
      ledger.zones[key]?.flags.insert(flag)
    }
    try commit()
  }

  /// Names of the zones that have a share, in the order in which they were made.
  package var sharedZones: [String] {
    ledger.zones.sorted { $0.key < $1.key }.filter { $0.value.share != nil }.map(\.value.name)
  }

  /// Damage that comes from outside: a restored file, a tool, an edit by hand.
  package enum TokenDamage: Sendable, CaseIterable {
    /// The entry is gone.
    case missing
    /// The token is of another store, as after a change of the store's UUID.
    case foreign
    /// The token names a transaction that is still to come, as where history was put back to an older state.
    case ahead
    case unreadable
  }

  package func damageToken(_ damage: TokenDamage) throws {
    switch damage {
    case .missing: setToken(.missing)
    case .foreign: setToken(.foreign)
    case .ahead: setToken(.transaction(forge.lastTransaction + 7))
    case .unreadable: setToken(.unreadable)
    }
    try commit()
  }
}
