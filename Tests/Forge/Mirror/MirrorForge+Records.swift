import Archives
import Base
import StoreModel

extension MirrorForge {
  /// One of the two columns by which a record names its object.
  package enum LostName: Sendable, CaseIterable {
    case entity, key
  }

  /// Sets a column that names the record's object to NULL, as no framework does.
  package func lose(_ name: LostName, ofRecordOf object: ForgedObject) throws {
    guard let key = ledger.recordKey(of: object) else { return }
    ledger.lose(name, ofRecord: key)
    try commit()
  }

  /// Gives the record the copy that comes back from the server.
  func copyFromServer(_ record: inout MirrorLedger.Record) {
    let object = record.object
    let bytes = MirrorArchives.record(header(of: record)) { writer in values(of: object, writer) }
    record.encodedRecord = MirrorBlob(
      bytes: bytes, key: ledger.newKey(MirrorLedger.Record.encodedRecordAsset))
    record.sentValues = forge.truth[object]?.values ?? [:]
    record.sentTargets = Dictionary(
      toOneTargets(of: object).map { ($0.relationship, $0.recordName) }, uniquingKeysWith: { one, _ in one })
  }

  /// To-one relationships that lead to a record.
  private func toOneTargets(of object: ForgedObject) -> [(relationship: String, recordName: String)] {
    (forge.schema[object.entityNumber]?.relationships ?? []).compactMap { relationship in
      guard case .toOne = relationship.storage,
        let target = forge.truth[object]?.links[relationship.name]?.first,
        let record = ledger.record(of: target)
      else { return nil }
      return (relationship.name, record.name)
    }
  }

  func systemFields(of record: MirrorLedger.Record) -> MirrorBlob {
    MirrorBlob(
      bytes: MirrorArchives.systemFields(header(of: record)),
      key: ledger.newKey(MirrorLedger.Record.systemFieldsAsset))
  }

  func recordType(of object: ForgedObject) -> String {
    let root = forge.schema[object.entityNumber].flatMap { forge.schema[$0.root]?.name }
    return "CD_" + (root ?? object.entity)
  }

  private func header(of record: MirrorLedger.Record) -> MirrorArchives.Header {
    let zone = ledger.zones[record.zone]
    var header = header(
      type: recordType(of: record.object), name: record.name, zone: zone?.name ?? Self.defaultZone,
      owner: zone?.owner ?? Self.ownOwner)
    header.created = record.created ?? header.created
    return header
  }

  func header(type: String, name: String, zone: String, owner: String) -> MirrorArchives.Header {
    // The server counts a record's versions in base 36; two letters do here.
    let letters = names.bytes(2).map { String($0 % 36, radix: 36) }.joined()
    return MirrorArchives.Header(
      type: type, name: name, zone: zone, owner: owner, changeTag: "m" + letters,
      created: forge.clock, modified: forge.clock)
  }

  /// Above this size a value goes to the server as a file of its own; the real limit isn't known.
  private static let assetLimit = 10_000

  /// Fields are named `CD_` and the property:
  /// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
  private func values(
    of object: ForgedObject, _ writer: KeyedArchiveWriter
  ) -> [(String, KeyedArchiveWriter.Reference)] {
    guard let state = forge.truth[object] else { return [] }
    var fields: [(String, KeyedArchiveWriter.Reference)] = [("CD_entityName", writer.string(object.entity))]
    // Encrypted values have a place of their own, which isn't known.
    let encrypted = (forge.schema[object.entityNumber]?.attributes ?? []).filter {
      $0.description.allowsCloudEncryption
    }.map(\.name)
    for (name, value) in state.values.sorted(by: { $0.key < $1.key }) where !encrypted.contains(name) {
      switch value {
      case .null: continue
      case .integer(let value): fields.append(("CD_" + name, writer.integer(value)))
      case .boolean(let value): fields.append(("CD_" + name, writer.integer(value ? 1 : 0)))
      case .real(let value): fields.append(("CD_" + name, writer.real(value)))
      case .text(let value): fields.append(("CD_" + name, writer.string(value)))
      case .date(let value): fields.append(("CD_" + name, writer.date(value)))
      case .bytes(let bytes) where bytes.count > Self.assetLimit:
        let asset = writer.object("CKAsset", fields: [("Size", .integer(Int64(bytes.count)))])
        fields.append(("CD_\(name)_ckAsset", asset))
      case .bytes(let bytes): fields.append(("CD_" + name, writer.data(bytes)))
      // How the framework sends composite attributes isn't known.
      case .composite: continue
      }
    }
    return fields
      + toOneTargets(of: object).map { ("CD_" + $0.relationship, writer.string($0.recordName)) }
  }
}

/// Two objects in a many-to-many relationship, the same whichever end is looked at.
struct LinkedPair: Hashable {
  /// The end whose entity, and then relationship, comes first by name.
  var one: ForgedObject
  var relationship: String
  var other: ForgedObject

  init(_ one: ForgedObject, _ end: RelationshipEnd, _ other: ForgedObject, recordNames: (String, String)) {
    let inverse = end.inverse ?? end.name
    let isFirst =
      end.name == inverse ? recordNames.0 <= recordNames.1 : end.name < inverse
    (self.one, self.other) = isFirst ? (one, other) : (other, one)
    relationship = isFirst ? end.name : inverse
  }
}

extension MirrorForge {
  /// Makes link rows for new pairs of the objects, and flags those whose pair is gone.
  func updateLinks(of objects: Set<ForgedObject>) {
    var present: [LinkedPair: MirrorLedger.Link] = [:]
    for object in objects.sorted(by: Self.isBefore) {
      for (pair, link) in pairs(of: object) { present[pair] = link }
    }
    var known: [LinkedPair: Int64] = [:]
    let touched = Set(objects.compactMap { ledger.record(of: $0)?.name })
    for key in ledger.links.keys.sorted() {
      guard let link = ledger.links[key] else { continue }
      if let pair = pair(of: link) { known[pair] = key }
      guard touched.contains(link.one.record) || touched.contains(link.other.record), !link.isPending else {
        continue
      }
      if !link.needsDelete, pair(of: link).map({ present[$0] == nil }) ?? true {
        ledger.links[key]?.needsDelete = true
        ledger.links[key]?.isUploaded = false
      }
    }
    let new = present.filter { known[$0.key] == nil || ledger.links[known[$0.key] ?? 0]?.needsDelete == true }
    for (pair, link) in new.sorted(by: { $0.value.name < $1.value.name }) {
      if let key = known[pair] {
        // Cut and made again before the row was dropped.
        ledger.links[key]?.needsDelete = false
        ledger.links[key]?.isUploaded = false
      } else {
        var link = link
        link.name = names.uuid()
        ledger.add(link, to: \.links)
      }
    }
  }

  /// An object's pairs, each with the row that would stand for it; its name is only good to sort by.
  private func pairs(of object: ForgedObject) -> [(LinkedPair, MirrorLedger.Link)] {
    guard let state = forge.truth[object], let own = ledger.record(of: object) else { return [] }
    var pairs: [(LinkedPair, MirrorLedger.Link)] = []
    for end in forge.forged.ends.all(of: object) {
      guard case .join = end.storage else { continue }
      for member in state.links[end.name] ?? [] {
        guard let related = ledger.record(of: member) else { continue }
        let pair = LinkedPair(object, end, member, recordNames: (own.name, related.name))
        pairs.append((pair, link(pair, zone: own.zone)))
      }
    }
    return pairs
  }

  private func link(_ pair: LinkedPair, zone: Int64) -> MirrorLedger.Link {
    let names = [pair.one, pair.other].map { ledger.record(of: $0)?.name ?? "" }
    return MirrorLedger.Link(
      name: "\(names[0]) \(pair.relationship) \(names[1])", zone: zone,
      one: .init(entity: pair.one.entity, record: names[0]), relationship: pair.relationship,
      other: .init(entity: pair.other.entity, record: names[1]))
  }

  /// Nil where one of the records is gone.
  func pair(of link: MirrorLedger.Link) -> LinkedPair? {
    guard let one = ledger.object(named: link.one.record),
      let other = ledger.object(named: link.other.record),
      let end = forge.forged.ends[one, link.relationship]
    else { return nil }
    return LinkedPair(one, end, other, recordNames: (link.one.record, link.other.record))
  }

  /// The server takes new links and forgets removed ones, whose rows go with the next save.
  func sendLinks() {
    for key in ledger.links.keys.sorted() {
      guard let link = ledger.links[key], !link.isUploaded else { continue }
      ledger.links[key]?.isUploaded = true
      guard !link.needsDelete else { continue }
      let fields = linkSystemFields(link)
      ledger.links[key]?.systemFields = fields
    }
  }

  func linkSystemFields(_ link: MirrorLedger.Link) -> MirrorBlob {
    let zone = ledger.zones[link.zone]
    let header = header(
      type: "CDMR", name: link.name, zone: zone?.name ?? Self.defaultZone, owner: zone?.owner ?? Self.ownOwner
    )
    return MirrorBlob(
      bytes: MirrorArchives.systemFields(header), key: ledger.newKey(MirrorLedger.Link.systemFieldsAsset))
  }

  /// Adds the row of a pair that came from the server, where there is none.
  func addImportedLink(_ one: ForgedObject, _ relationship: String, _ other: ForgedObject) {
    guard let end = forge.forged.ends[one, relationship], let own = ledger.record(of: one),
      let related = ledger.record(of: other)
    else { return }
    let pair = LinkedPair(one, end, other, recordNames: (own.name, related.name))
    guard !ledger.links.values.contains(where: { self.pair(of: $0) == pair }) else { return }
    var link = link(pair, zone: own.zone)
    link.name = names.uuid()
    link.isUploaded = true
    link.systemFields = linkSystemFields(link)
    ledger.add(link, to: \.links)
  }
}
