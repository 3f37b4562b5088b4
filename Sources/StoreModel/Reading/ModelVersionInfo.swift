package import Archives

/// The VersionInfo.plist of a compiled model (`.momd`): its versions and what identifies them.
package struct ModelVersionInfo: Sendable, Equatable {
  package struct Version: Sendable, Equatable {
    /// The file's name without `.mom`.
    package var name: String
    /// Entity name → version hash.
    package var hashes: [String: [UInt8]]
    /// In base64; only newer compilers write it.
    package var checksum: String?
  }

  /// The current version first, the others by name.
  package var versions: [Version]

  /// From a property list in binary or XML form.
  package init(bytes: [UInt8]) throws(ArchiveError) {
    let list =
      bytes.starts(with: "bplist".utf8)
      ? try BinaryPropertyList.read(bytes) : try XMLPropertyList.read(bytes)
    guard let hashes = list["NSManagedObjectModel_VersionHashes"]?.dictionary else {
      throw ArchiveError("it lists no versions under NSManagedObjectModel_VersionHashes")
    }
    let checksums = list["NSManagedObjectModel_VersionChecksums"]
    let current = list["NSManagedObjectModel_CurrentVersionName"]?.string
    let byName = hashes.entries
      .map { Version(name: $0.key, hashes: Self.hashes(in: $0.value), checksum: checksums?[$0.key]?.string) }
      .sorted { $0.name < $1.name }
    versions = byName.filter { $0.name == current } + byName.filter { $0.name != current }
  }

  /// A dictionary of version hashes; entries that hold no data are left out.
  static func hashes(in list: PropertyList?) -> [String: [UInt8]] {
    var hashes: [String: [UInt8]] = [:]
    for entry in list?.dictionary?.entries ?? [] {
      if let hash = entry.value.data { hashes[entry.key] = hash }
    }
    return hashes
  }
}
