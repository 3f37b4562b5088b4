package import Archives
package import Base

/// Reads models that Xcode's compiler made: a `.mom` file, or a `.momd` folder with one for each version.
///
/// The `.omo` files next to them are a private, optimized form of the same models and are left alone.
package enum CompiledModelReader {
  /// One version in a `.momd` folder, and its `.mom` file.
  private typealias Version = (info: ModelVersionInfo.Version, path: String)

  /// Real ones have some hundred kilobytes.
  static let sizeLimit = 256 << 20
  /// Versions that nothing but the store's tables distinguishes are all decoded, which takes many times their size.
  static let ambiguousLimit: Int64 = 8 << 20

  package static func read(mom path: String) throws(StoreScopeError) -> DecodedModel {
    try read(FileReader.bytes(of: path, limit: sizeLimit), path: path)
  }

  static func read(_ bytes: [UInt8], path: String) throws(StoreScopeError) -> DecodedModel {
    do throws(ArchiveError) {
      return try ModelArchiveReader.read(bytes)
    } catch {
      throw StoreScopeError(.damaged, plain: path, "isn't a readable compiled model: \(error)")
    }
  }

  /// The versions of one or several `.momd` folders that make up the store's model.
  ///
  /// Without hashes and checksum in `metadata`, or without a VersionInfo.plist, there is nothing to choose by:
  /// then all versions come, the current one first.
  /// - Throws: where no version, nor several together, is the store's model.
  package static func read(
    momd folders: [String], metadata: StoreMetadata?
  ) throws(StoreScopeError) -> [ModelCandidate] {
    var versions: [Version] = []
    for folder in folders { versions += try self.versions(in: folder) }
    let shown = folders.joined(separator: " and ")
    guard !versions.isEmpty else {
      throw StoreScopeError(.notFound, plain: shown, "holds no compiled model (.mom)")
    }

    let hashes = metadata?.versionHashes ?? [:]
    let checksum = metadata?.versionChecksum
    let canChoose = !hashes.isEmpty || checksum != nil
    guard canChoose, versions.contains(where: { !$0.info.hashes.isEmpty }) else {
      // An old version's `.mom` may have been taken out of the app.
      let present = versions.filter { FileReader.kind(of: $0.path) == .file }
      guard !present.isEmpty else {
        throw StoreScopeError(.notFound, plain: shown, "holds no compiled model (.mom)")
      }
      let bytes = present.reduce(0) { $0 + (FileReader.size(of: $1.path) ?? 0) }
      guard bytes <= ambiguousLimit else {
        throw StoreScopeError(
          .limit, plain: shown,
          "holds \(present.count) versions with \(bytes) bytes, and nothing shows which one is the store's",
          advice: "pass the .mom of one version")
      }
      return try candidates(present, areVerified: false)
    }
    if let version = versions.first(where: { !hashes.isEmpty && $0.info.hashes == hashes })
      ?? versions.first(where: { checksum != nil && $0.info.checksum == checksum })
    {
      return try candidates([version], areVerified: true)
    }
    if let parts = union(of: versions, equalTo: hashes) {
      let all = try candidates(parts, areVerified: true)
      return [all.dropFirst().reduce(all[0]) { $0.merged(with: $1) }]
    }
    throw ModelDifference.refusal(
      of: shown,
      isForeign: versions.allSatisfy { ManagedObjectModel.isForeign($0.info.hashes.keys, to: hashes.keys) },
      "is the one that wrote this store",
      versions.map { ModelDifference.sentence(of: $0.info, against: hashes) })
  }

  /// The current version first. Without a VersionInfo.plist each `.mom` counts as a version without hashes.
  private static func versions(in folder: String) throws(StoreScopeError) -> [Version] {
    let infoPath = folder + "/VersionInfo.plist"
    guard FileReader.kind(of: infoPath) != nil else {
      return try FileReader.names(in: folder).filter { $0.hasSuffix(".mom") }.map { name in
        (.init(name: String(name.dropLast(4)), hashes: [:]), "\(folder)/\(name)")
      }
    }
    let bytes = try FileReader.bytes(of: infoPath, limit: sizeLimit)
    do throws(ArchiveError) {
      // A name with a slash would lead out of the folder.
      return try ModelVersionInfo(bytes: bytes).versions.filter { !$0.name.contains("/") }.map {
        ($0, "\(folder)/\($0.name).mom")
      }
    } catch {
      throw StoreScopeError(.damaged, plain: infoPath, "can't be used to choose a version: \(error)")
    }
  }

  private static func candidates(
    _ versions: [Version], areVerified: Bool
  ) throws(StoreScopeError) -> [ModelCandidate] {
    var candidates: [ModelCandidate] = []
    for version in versions {
      candidates.append(
        ModelCandidate(
          name: version.info.name, decoded: try read(mom: version.path), isVerified: areVerified,
          versionHashes: version.info.hashes))
    }
    return candidates
  }

  /// Versions that together have exactly these hashes, as when an app merges several models into one:
  /// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/init(bymerging:)
  private static func union(of versions: [Version], equalTo hashes: [String: [UInt8]]) -> [Version]? {
    let parts =
      versions
      .filter { !$0.info.hashes.isEmpty && $0.info.hashes.allSatisfy { hashes[$0.key] == $0.value } }
      .sorted { $0.info.hashes.count > $1.info.hashes.count }
    var covered: Set<String> = []
    var used: [Version] = []
    for part in parts where !covered.isSuperset(of: part.info.hashes.keys) {
      covered.formUnion(part.info.hashes.keys)
      used.append(part)
    }
    return !covered.isEmpty && covered.count == hashes.count ? used : nil
  }
}

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
