/// Version hashes of the app's entities, as the mirror keeps them from its last setup: a keyed archive of a dictionary
/// from names to hashes, as app authors report it.
/// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/entityversionhashesbyname
package struct VersionHashes: Sendable, Equatable {
  package var byEntity: [String: [UInt8]]

  /// - Throws: `ArchiveError` where the bytes are no archive, or one of something else.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    let archive = try MirrorArchive.open(bytes)
    guard let entries = archive.root?.entries else { throw ArchiveError("the archive holds no dictionary") }
    var byEntity: [String: [UInt8]] = [:]
    for (key, value) in entries {
      guard let name = key.string, let hash = value.data else {
        throw ArchiveError("the dictionary has an entry that isn't a name with a hash")
      }
      byEntity[name] = hash
    }
    self.byEntity = byEntity
  }
}
