import Archives
import Values

/// Archives as the framework keeps them in the mirror's tables.
package enum Archive {
  package static func historyToken(
    _ transactions: [String: Int64], className: String = "_NSPersistentHistoryToken"
  )
    -> [UInt8]
  {
    let writer = KeyedArchiveWriter()
    let entries = transactions.sorted { $0.key < $1.key }.map {
      (writer.string($0.key), writer.integer($0.value))
    }
    return writer.bytes(
      root: writer.object(
        className, superclasses: ["NSPersistentHistoryToken", "NSObject"],
        fields: [("NSPersistentHistoryTokenDictionary", .reference(writer.dictionary(entries)))]))
  }

  package static func changeToken(_ bytes: [UInt8]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    return writer.bytes(
      root: writer.object(
        "CKServerChangeToken", fields: [("ChangeTokenData", .reference(writer.data(bytes)))]))
  }

  /// The fields at the archive's top, as `encodeSystemFields(with:)` leaves them.
  package static func systemFields(type: String, name: String, values: [String: String] = [:]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let zone = writer.object(
      "CKRecordZoneID",
      fields: [
        ("ZoneName", .reference(writer.string("com.apple.coredata.cloudkit.zone"))),
        ("ownerName", .reference(writer.string("__defaultOwner__"))),
      ])
    let identifier = writer.object(
      "CKRecordID", fields: [("RecordName", .reference(writer.string(name))), ("ZoneID", .reference(zone))])
    var top: [(String, KeyedArchiveWriter.Field)] = [
      ("RecordType", .reference(writer.string(type))), ("RecordID", .reference(identifier)),
      ("ETag", .reference(writer.string("k1"))),
      ("RecordCtime", .reference(writer.date(CoreDataDate(seconds: 1000)))),
      ("RecordMtime", .reference(writer.date(CoreDataDate(seconds: 2000)))),
    ]
    if !values.isEmpty {
      let entries = values.sorted { $0.key < $1.key }.map { (writer.string($0.key), writer.string($0.value)) }
      let store = writer.object(
        "CKRecordValueStore", fields: [("Values", .reference(writer.dictionary(entries)))])
      top.append(("ValueStore", .reference(store)))
    }
    return BinaryPropertyList.write(writer.propertyList(top: top))
  }

  package static func encodedRecord(type: String, name: String) -> [UInt8] {
    compressed(
      systemFields(
        type: type, name: name, values: ["CD_entityName": String(type.dropFirst(3)), "CD_name": "Ann"]))
  }

  /// LZFSE with one raw block, which every reader of it takes.
  package static func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return Array("bvx-".utf8) + size + bytes + Array("bvx$".utf8)
  }
}
