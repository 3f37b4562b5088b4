package import Values

/// The copy of a zone's CKShare: a keyed archive in LZFSE.
/// https://developer.apple.com/documentation/cloudkit/ckshare
package struct EncodedShare: Sendable {
  package var systemFields: RecordSystemFields
  package var storedBytes: Int
  private let archive: KeyedArchive

  /// - Throws: `ArchiveError` where the bytes are no archive, or damaged.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    archive = try MirrorArchive.open(bytes)
    storedBytes = bytes.count
    systemFields = RecordSystemFields(archive)
  }

  package var tree: DataValue { ArchiveTree.value(of: archive) }
}
