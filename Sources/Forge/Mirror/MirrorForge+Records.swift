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

  /// The copy of an object's record that comes back from the server.
  func encodedRecord(of record: MirrorLedger.Record) -> MirrorBlob {
    let header = header(of: record)
    let bytes = MirrorArchives.record(header) { writer in values(of: record.object, writer) }
    return MirrorBlob(bytes: bytes, key: ledger.newKey(MirrorLedger.Record.encodedRecordAsset))
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
    for (name, value) in state.values.sorted(by: { $0.key < $1.key }) {
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
    for relationship in forge.schema[object.entityNumber]?.relationships ?? [] {
      guard case .toOne = relationship.storage,
        let target = state.links[relationship.description.name]?.first,
        let record = ledger.record(of: target)
      else { continue }
      fields.append(("CD_" + relationship.description.name, writer.string(record.name)))
    }
    return fields
  }
}
