import Archives
import SystemCalls
import Values

extension ModelSourceReader {
  /// Xcode's own models stay below some megabytes.
  private static let sizeLimit = 64 << 20

  static func read(contents path: String) throws(StoreScopeError) -> DecodedModel {
    try read(FileReader.bytes(of: path, limit: sizeLimit), path: path)
  }

  static func read(_ bytes: [UInt8], path: String) throws(StoreScopeError) -> DecodedModel {
    do throws(ArchiveError) {
      return try read(bytes)
    } catch {
      throw StoreScopeError(.damaged, plain: path, "isn't a readable model: \(error)")
    }
  }

  /// The versions of an `.xcdatamodeld` folder whose entities have the store's names, the current version first.
  /// Without version hashes in `metadata` all of them.
  /// - Parameter names: what the folder holds.
  static func read(
    xcdatamodeld folder: String, names: [String], metadata: StoreMetadata?
  ) throws(StoreScopeError) -> [ModelCandidate] {
    let current = currentVersion(of: folder)
    var candidates: [ModelCandidate] = []
    let versions = names.filter { $0.hasSuffix(".xcdatamodel") }
    let bytes = versions.reduce(0) { $0 + (FileReader.size(of: "\(folder)/\($1)/contents") ?? 0) }
    guard versions.count == 1 || bytes <= CompiledModelReader.ambiguousLimit else {
      throw StoreScopeError(
        .limit, plain: folder,
        "holds \(versions.count) versions with \(bytes) bytes, more than are compared with the store",
        advice: "pass the .xcdatamodel of one version")
    }
    for name in versions.filter({ $0 == current }) + versions.filter({ $0 != current }) {
      let decoded = try read(contents: "\(folder)/\(name)/contents")
      candidates.append(ModelCandidate(name: ModelFile.stem(of: name), decoded: decoded, isVerified: false))
    }
    let expected = Set(metadata?.versionHashes.keys.map { $0 } ?? [])
    guard !expected.isEmpty else { return candidates }
    let fitting = candidates.filter { Set($0.model.entities.map(\.name)) == expected }
    guard fitting.isEmpty else { return fitting }
    guard candidates.contains(where: { !$0.model.isForeign(to: expected) }) else {
      throw StoreScopeError(
        .foreign, ModelDifference.noCommonEntity("the model \(folder)"), about: folder,
        advice: "pass the store's own model")
    }
    let differences = candidates.map { candidate in
      let names = Set(candidate.model.entities.map(\.name))
      return ModelDifference.sentence(
        name: candidate.name, different: names.symmetricDifference(expected),
        count: names.union(expected).count)
    }
    throw StoreScopeError(
      .foreign,
      "no version of the model \(folder) has the entities of this store: \(differences.joined(separator: "; "))",
      about: folder, advice: "pass the model of the app's version that wrote it")
  }

  /// The file is missing where there is one version only; a damaged one costs no more than the order.
  private static func currentVersion(of folder: String) -> String? {
    guard let bytes = try? FileReader.bytes(of: folder + "/.xccurrentversion", limit: 1 << 20),
      let list = try? XMLPropertyList.read(bytes)
    else { return nil }
    return list["_XCCurrentVersionName"]?.string
  }
}
