package import Values

/// The copy of a CKRecord that the mirror keeps of what the server has last: a keyed archive in LZFSE.
package struct EncodedRecord: Sendable {
  package var systemFields: RecordSystemFields
  /// The record's own fields by name (`CD_` and the property's, as Apple documents); empty where none were found.
  /// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
  package var fields: [DataValue.Member]
  /// Bytes of the archive, unpacked or not, as they lie in the store.
  package var storedBytes: Int
  private let archive: KeyedArchive

  /// - Throws: `ArchiveError` where the bytes are no archive, or damaged.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    archive = try MirrorArchive.open(bytes)
    storedBytes = bytes.count
    systemFields = RecordSystemFields(archive)
    fields = Self.fields(in: archive)
  }

  /// The whole archive, whatever it holds.
  package var tree: DataValue { ArchiveTree.value(of: archive) }

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
