package import Base

/// What one import brings; used inside `MirrorForge.importChanges`.
package final class MirrorImport {
  let save: Save
  private(set) var inserted: [(object: ForgedObject, name: String?)] = []
  private(set) var updated: [ForgedObject] = []
  private(set) var linked: [(one: ForgedObject, relationship: String, other: ForgedObject)] = []
  private(set) var missing: [Missing] = []

  /// A relationship to an object that isn't here yet.
  struct Missing {
    var object: ForgedObject
    var relationship: String
    var relatedEntity: String
    var relatedRecord: String
    var isManyToMany: Bool
  }

  init(_ save: Save) { self.save = save }

  /// An object that another device made.
  /// - Parameter name: its record's name; one of the forge's where nil.
  package func insert(
    _ entity: String, _ values: [String: ForgeValue] = [:], named name: String? = nil
  ) throws -> ForgedObject {
    let object = try save.insert(entity, values)
    inserted.append((object, name))
    return object
  }

  package func update(_ object: ForgedObject, _ values: [String: ForgeValue]) throws {
    try save.update(object, values)
    updated.append(object)
  }

  package func delete(_ object: ForgedObject) throws {
    if save.contains(object) { try save.delete(object) }
  }

  package func link(_ one: ForgedObject, _ relationship: String, _ other: ForgedObject) throws {
    try save.link(one, relationship, other)
    linked.append((one, relationship, other))
  }

  /// A relationship whose other end hasn't come yet.
  package func linkToMissing(
    _ object: ForgedObject, _ relationship: String, _ relatedEntity: String, record: String,
    isManyToMany: Bool = false
  ) {
    missing.append(
      Missing(
        object: object, relationship: relationship, relatedEntity: relatedEntity, relatedRecord: record,
        isManyToMany: isManyToMany))
  }
}

extension MirrorForge {
  /// One import that succeeds.
  /// - Parameter moreComing: the server has more than this import took.
  @discardableResult
  package func importChanges<R>(
    moreComing: Bool = false, at date: CoreDataDate? = nil, _ body: (MirrorImport) throws -> R
  ) throws -> R? {
    let event = try begin(.import, date)
    guard let zone = homeZone else {
      try end(event, .notInitialised)
      return nil
    }
    let living = ledger.records.values.map(\.object).filter { forge.truth[$0] != nil }
    let (changes, result) = try save(.import) { save in
      let changes = MirrorImport(save)
      return (changes, try body(changes))
    }
    for object in living where forge.truth[object] == nil { forget(object) }
    for (object, name) in changes.inserted where forge.truth[object] != nil {
      ledger.add(.init(object: object, name: name ?? names.uuid(), zone: zone))
    }
    for object in changes.inserted.map(\.object) + changes.updated { copyFromServer(object) }
    for link in changes.linked { addImportedLink(link.one, link.relationship, link.other) }
    try addMissing(changes.missing)
    fetched(moreComing: moreComing)
    try end(event, affected: changes.inserted.count + changes.updated.count)
    return result
  }

  private func copyFromServer(_ object: ForgedObject) {
    guard let key = ledger.recordKey(of: object), var record = ledger.records[key] else { return }
    record.created = record.created ?? forge.clock
    copyFromServer(&record)
    ledger.records[key] = record
  }

  /// Drops the record and the links of an object that the server deleted.
  func forget(_ object: ForgedObject) {
    guard let key = ledger.recordKey(of: object), let name = ledger.records[key]?.name else { return }
    ledger.removeRecord(key)
    ledger.links = ledger.links.filter { $0.value.one.record != name && $0.value.other.record != name }
  }

  private func addMissing(_ missing: [MirrorImport.Missing]) throws {
    guard !missing.isEmpty else { return }
    let operation = ledger.add(
      .init(
        identifier: names.bytes(16), date: forge.clock,
        changeToken: MirrorArchives.changeToken(names.bytes(26))), to: \.operations)
    for item in missing {
      guard let record = ledger.record(of: item.object) else { continue }
      if item.isManyToMany {
        ledger.add(
          MirrorLedger.Link(
            name: names.uuid(), zone: record.zone,
            one: .init(entity: item.object.entity, record: record.name), relationship: item.relationship,
            other: .init(entity: item.relatedEntity, record: item.relatedRecord), isUploaded: true,
            isPending: true), to: \.links)
      } else {
        let zone = ledger.zones[record.zone]
        ledger.add(
          MirrorLedger.PendingRelationship(
            operation: operation, sourceEntity: item.object.entity, record: record.name,
            relationship: item.relationship, relatedEntity: item.relatedEntity,
            relatedRecord: item.relatedRecord, zone: zone?.name ?? Self.defaultZone,
            owner: zone?.owner ?? Self.ownOwner), to: \.pendingRelationships)
      }
    }
  }

  private func fetched(moreComing: Bool) {
    for key in ledger.databases.keys {
      ledger.databases[key]?.changeToken = MirrorArchives.changeToken(names.bytes(26))
      ledger.databases[key]?.lastFetch = forge.clock
    }
    for key in ledger.zones.keys.sorted() {
      ledger.zones[key]?.changeToken = MirrorArchives.changeToken(names.bytes(26))
      ledger.zones[key]?.lastFetch = forge.clock
      if moreComing {
        ledger.zones[key]?.flags.insert("needsImport")
      } else {
        ledger.zones[key]?.flags.remove("needsImport")
      }
    }
  }
}
