package import Base

/// The copy of a CKRecord that the mirror keeps of what the server has last: a keyed archive in LZFSE.
package struct EncodedRecord: Sendable {
  package var systemFields: RecordSystemFields
  /// The record's own fields by name (`CD_` and the property's, as Apple documents); empty where none were found.
  /// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
  package var fields: [DataValue.Member]
  /// Bytes of the archive, unpacked or not, as they lie in the store.
  package var storedBytes: Int

  /// - Throws: `ArchiveError` where the bytes are no archive, or damaged.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    let archive = try MirrorArchive.open(bytes)
    storedBytes = bytes.count
    systemFields = RecordSystemFields(archive)
    fields = Self.fields(in: archive)
  }

  /// The names of the fields are public, the place where the archive keeps them isn't: the first dictionary that has
  /// such names is taken.
  private static func fields(in archive: KeyedArchive) -> [DataValue.Member] {
    let limits = DecodingLimits(values: 10_000, bytes: 16 << 20)
    for object in MirrorArchive.objects(in: archive) {
      guard let entries = object.entries else { continue }
      let named = entries.compactMap { entry in entry.key.string.map { (name: $0, value: entry.value) } }
      guard named.contains(where: { $0.name.hasPrefix("CD_") }) else { continue }
      return named.map { DataValue.Member($0.name, ArchiveTree.value(of: $0.value, limits: limits)) }
        .sorted { $0.name < $1.name }
    }
    return []
  }
}

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
}
