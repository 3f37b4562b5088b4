import Archives
import Base
import StoreModel

/// Archives as the framework keeps them in the mirror's tables. Classes and keys are those that app authors show of
/// such archives.
enum MirrorArchives {
  /// https://developer.apple.com/documentation/coredata/nspersistenthistorytoken
  static func historyToken(_ transactions: [String: Int64]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let entries = transactions.sorted { $0.key < $1.key }.map {
      (writer.string($0.key), writer.integer($0.value))
    }
    return writer.bytes(
      root: writer.object(
        "_NSPersistentHistoryToken", superclasses: ["NSPersistentHistoryToken", "NSObject"],
        fields: [("NSPersistentHistoryTokenDictionary", .reference(writer.dictionary(entries)))]))
  }

  /// https://developer.apple.com/documentation/cloudkit/ckserverchangetoken
  static func changeToken(_ bytes: [UInt8]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    return writer.bytes(
      root: writer.object(
        "CKServerChangeToken", fields: [("ChangeTokenData", .reference(writer.data(bytes)))]))
  }

  /// A dictionary from entity names to hashes.
  static func hashes(_ hashes: [(String, [UInt8])]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    return writer.bytes(root: writer.dictionary(hashes.map { (writer.string($0.0), writer.data($0.1)) }))
  }

  /// A record, or a share, without its values.
  struct Header {
    var type: String
    var name: String
    var zone: String
    var owner: String
    /// The server's version of the record.
    var changeTag: String
    var created: CoreDataDate
    var modified: CoreDataDate
  }

  /// System fields as `encodeSystemFields(with:)` leaves them: at the archive's top, without a root.
  static func systemFields(_ header: Header) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    return BinaryPropertyList.write(writer.propertyList(top: fields(header, writer)))
  }

  /// A whole record with its values, compressed.
  static func record(
    _ header: Header, _ values: (KeyedArchiveWriter) -> [(String, KeyedArchiveWriter.Reference)]
  )
    -> [UInt8]
  {
    let writer = KeyedArchiveWriter()
    let entries = values(writer).map { (writer.string($0.0), $0.1) }
    let store = writer.object(
      "CKRecordValueStore",
      fields: [
        ("RecordValueStoreChangedKeys", .reference(writer.set([]))),
        ("RecordValueStoreValues", .reference(writer.dictionary(entries))),
      ])
    let top = fields(header, writer) + [("ValueStore", .reference(store))]
    return LZFSE.stored(BinaryPropertyList.write(writer.propertyList(top: top)))
  }

  /// A CKShare, compressed: https://developer.apple.com/documentation/cloudkit/ckshare
  static func share(_ header: Header, title: String) -> [UInt8] {
    record(header) { writer in [("cloudkit.title", writer.string(title))] }
  }

  private static func fields(
    _ header: Header, _ writer: KeyedArchiveWriter
  ) -> [(String, KeyedArchiveWriter.Field)] {
    let zone = zoneID(header.zone, header.owner, writer)
    let user = recordID("__defaultOwner__", zoneID("_defaultZone", "__defaultOwner__", writer), writer)
    return [
      ("RecordType", .reference(writer.string(header.type))),
      ("RecordID", .reference(recordID(header.name, zone, writer))),
      ("ETag", .reference(writer.string(header.changeTag))),
      ("RecordCtime", .reference(writer.date(header.created))),
      ("RecordMtime", .reference(writer.date(header.modified))),
      ("CreatorUserRecordID", .reference(user)), ("LastModifiedUserRecordID", .reference(user)),
      ("KnownToServer", .bool(true)), ("WasCached", .bool(false)),
    ]
  }

  private static func recordID(
    _ name: String, _ zone: KeyedArchiveWriter.Reference, _ writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    writer.object(
      "CKRecordID", fields: [("RecordName", .reference(writer.string(name))), ("ZoneID", .reference(zone))])
  }

  private static func zoneID(
    _ name: String, _ owner: String, _ writer: KeyedArchiveWriter
  ) -> KeyedArchiveWriter.Reference {
    writer.object(
      "CKRecordZoneID",
      fields: [
        ("ZoneName", .reference(writer.string(name))), ("ownerName", .reference(writer.string(owner))),
      ])
  }
}
