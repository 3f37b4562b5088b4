package import Values

/// What CloudKit itself keeps of a record: its name, zone, version and dates.
/// https://developer.apple.com/documentation/cloudkit/ckrecord/encodesystemfields(with:)
///
/// The fields stand at the top of the archive, without a root object. Their keys aren't documented; those here are
/// what app authors show of such archives, so each is looked for and none is needed.
package struct RecordSystemFields: Sendable, Equatable {
  package var recordType: String?
  package var recordName: String?
  package var zone: String?
  package var owner: String?
  package var changeTag: String?
  package var created: CoreDataDate?
  package var modified: CoreDataDate?

  private static let createdKeys = ["RecordCtime", "CreationDate"]
  private static let modifiedKeys = ["RecordMtime", "ModificationDate"]
  /// Fields that say when the server made and changed the record.
  package static let timeKeys = createdKeys + modifiedKeys

  package init() {}

  /// - Throws: `ArchiveError` where the bytes are no archive.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    self.init(try MirrorArchive.open(bytes))
  }

  init(_ archive: KeyedArchive) {
    // A record archived as a whole is the root; its system fields alone have none.
    let holders = [archive.top, archive.root].compactMap(\.self)
    func find<T>(_ keys: [String], _ read: (ArchivedValue) -> T?) -> T? {
      for holder in holders {
        for key in keys { if let value = holder[key].flatMap(read) { return value } }
      }
      return nil
    }
    recordType = find(["RecordType"], \.string)
    changeTag = find(["ETag", "RecordChangeTag"], \.string)
    created = find(Self.createdKeys, Self.date)
    modified = find(Self.modifiedKeys, Self.date)
    guard let identifier = find(["RecordID"], \.object) else { return }
    recordName = identifier["RecordName"]?.string
    guard let zoneID = identifier["ZoneID"]?.object else { return }
    zone = zoneID["ZoneName"]?.string
    owner = (zoneID["ownerName"] ?? zoneID["OwnerName"])?.string
  }

  private static func date(_ value: ArchivedValue) -> CoreDataDate? {
    value.date ?? value.real.map(CoreDataDate.init(seconds:))
  }

  package var value: DataValue {
    [
      "recordType": .optional(recordType), "recordName": .optional(recordName), "zone": .optional(zone),
      "owner": .optional(owner), "changeTag": .optional(changeTag), "created": .optional(created),
      "modified": .optional(modified),
    ]
  }
}
