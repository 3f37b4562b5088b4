import Archives
import StoreModel
import Values

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
