package import Base

/// A model file or folder that the user named, in any of the forms that Xcode knows.
package enum ModelFile {
  /// Reads `.momd`, `.mom`, `.xcdatamodeld`, `.xcdatamodel`, the file `contents` in the last, or a folder that
  /// holds several `.momd`, as an app's does.
  /// - Parameter metadata: the store's, to choose among versions.
  /// - Returns: the versions that can be the store's model, the most likely first; never empty. More than one remains only
  ///   if nothing distinguishes them but the store's tables: XML holds no version hashes. A single one that is not
  ///   `isVerified` may still be another store's model.
  /// - Throws: where nothing can be read there, or no version is the store's model.
  package static func load(path: String, metadata: StoreMetadata?) throws(StoreScopeError) -> [ModelCandidate]
  {
    let path = Platform.withoutLastSlashes(path)
    switch FileReader.kind(of: path) {
    case .file: return [try candidate(file: path)]
    case .folder: return try candidates(folder: path, metadata)
    case .link, .other:
      throw StoreScopeError(
        .foreign, "the model \(path) is neither a file nor a folder", about: path, advice: advice)
    case nil:
      throw StoreScopeError(
        .notFound, "there is no model at \(path), or it may not be read", about: path, advice: advice)
    }
  }

  private static let advice = "pass a .momd, .mom, .xcdatamodeld or .xcdatamodel"

  private static func candidates(
    folder: String, _ metadata: StoreMetadata?
  ) throws(StoreScopeError) -> [ModelCandidate] {
    let names = try FileReader.names(in: folder)
    if names.contains("contents") {
      let decoded = try ModelSourceReader.read(contents: folder + "/contents")
      return [ModelCandidate(name: stem(of: folder), decoded: decoded, isVerified: false)]
    }
    if names.contains(where: { $0.hasSuffix(".xcdatamodel") }) {
      return try ModelSourceReader.read(xcdatamodeld: folder, names: names, metadata: metadata)
    }
    if names.contains("VersionInfo.plist") || names.contains(where: { $0.hasSuffix(".mom") }) {
      return try CompiledModelReader.read(momd: [folder], metadata: metadata)
    }
    let compiled = names.filter { $0.hasSuffix(".momd") }.map { "\(folder)/\($0)" }
    guard !compiled.isEmpty else {
      throw StoreScopeError(.notFound, "the folder \(folder) holds no model", about: folder, advice: advice)
    }
    return try CompiledModelReader.read(momd: compiled, metadata: metadata)
  }

  /// A file's first bytes tell what it is, whatever its name.
  private static func candidate(file path: String) throws(StoreScopeError) -> ModelCandidate {
    let bytes = try FileReader.bytes(of: path, limit: CompiledModelReader.sizeLimit)
    let decoded: DecodedModel
    if bytes.starts(with: "bplist".utf8) {
      decoded = try CompiledModelReader.read(bytes, path: path)
    } else if bytes.starts(with: "momv2$".utf8) {
      throw StoreScopeError(
        .foreign, plain: path, "is a model in the private optimized form", advice: "pass the .mom next to it")
    } else if bytes.first(where: { !blanks.contains($0) }) == UInt8(ascii: "<") {
      decoded = try ModelSourceReader.read(bytes, path: path)
    } else {
      throw StoreScopeError(.foreign, plain: path, "isn't a model", advice: advice)
    }
    return ModelCandidate(name: name(ofFile: path), decoded: decoded, isVerified: false)
  }

  /// White space and the bytes of a byte order mark, which may stand before XML.
  private static let blanks: Set<UInt8> = [0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf]

  /// `contents` is called after its folder.
  private static func name(ofFile path: String) -> String {
    let parts = path.split(separator: "/")
    return parts.last == "contents" && parts.count > 1
      ? stem(of: String(parts[parts.count - 2])) : stem(of: path)
  }

  /// The last component without its extension.
  static func stem(of path: String) -> String {
    let name = path.split(separator: "/").last ?? Substring(path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return String(name) }
    return String(name[..<dot])
  }
}

/// One version of a model file, read.
package struct ModelCandidate: Sendable, Equatable {
  /// The version's name, as its file has it without the extension.
  package var name: String
  package var model: ManagedObjectModel
  /// As in `DecodedModel`.
  package var problems: [String]
  /// Its version hashes, or its checksum, are the store's: this is the store's model. Where false nobody knows.
  package var isVerified: Bool
  /// By entity, as VersionInfo.plist has them; empty if nothing next to the model has them. What isn't in a model's
  /// description changes them, too: https://developer.apple.com/documentation/coredata/nsentitydescription/versionhashmodifier
  package var versionHashes: [String: [UInt8]]

  package init(
    name: String, decoded: DecodedModel, isVerified: Bool, versionHashes: [String: [UInt8]] = [:]
  ) {
    self.versionHashes = versionHashes
    self.name = name
    model = decoded.model
    problems = decoded.problems
    self.isVerified = isVerified
  }

  /// Both as one, as an app may merge its models; of two entities with one name the first counts:
  /// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/init(bymerging:)
  package func merged(with other: ModelCandidate) -> ModelCandidate {
    var merged = self
    let names = Set(model.entities.map(\.name))
    merged.name += " + \(other.name)"
    merged.model.entities += other.model.entities.filter { !names.contains($0.name) }
    merged.model.versionIdentifiers += other.model.versionIdentifiers.filter {
      !model.versionIdentifiers.contains($0)
    }
    merged.model.configurations.merge(other.model.configurations) { $0.union($1) }
    merged.problems += other.problems
    merged.versionHashes.merge(other.versionHashes) { first, _ in first }
    merged.isVerified = isVerified && other.isVerified
    return merged
  }
}

/// A model as read from its archive or XML.
package struct DecodedModel: Sendable, Equatable {
  package var model: ManagedObjectModel
  /// What was wrong or missing and was left out or guessed, one clause each; empty for a sound model.
  package var problems: [String]

  package init(model: ManagedObjectModel, problems: [String] = []) {
    self.model = model
    self.problems = problems
  }
}

extension ManagedObjectModel {
  /// Whether it has none of the store's entities, not even under a former name.
  func isForeign(to storesEntities: some Sequence<String>) -> Bool {
    Self.isForeign(entities.flatMap { [$0.name, $0.canonicalName] }, to: storesEntities)
  }

  /// The same of a model of which only the names of its entities are known.
  static func isForeign(_ entities: some Sequence<String>, to storesEntities: some Sequence<String>) -> Bool {
    let known = Set(storesEntities)
    return !known.isEmpty && known.isDisjoint(with: entities)
  }

  /// Whether it has none of the entities of the store's model.
  package func isForeign(to storesModel: ManagedObjectModel) -> Bool {
    isForeign(to: storesModel.entities.flatMap { [$0.name, $0.canonicalName] })
  }
}

/// How a version of a model differs from the store's, in words.
package enum ModelDifference {
  /// What stands in the place of all differences where they are no differences between versions: a clause.
  package static func noCommonEntity(_ model: String, with other: String = "the store") -> String {
    "\(model) has no entity in common with \(other): it is probably another app's model"
  }

  /// For example: `"Books 2" differs in 2 of 5 entities (Author, Book)`.
  static func sentence(of version: ModelVersionInfo.Version, against hashes: [String: [UInt8]]) -> String {
    let names = Set(version.hashes.keys).union(hashes.keys)
    let different = names.filter { version.hashes[$0] != hashes[$0] }
    return sentence(name: version.name, different: different, count: names.count)
  }

  /// Why none of a model's versions is taken for the store's.
  /// - Parameter lack: what all of them lack, behind "no version of the model".
  static func refusal(
    of model: String, isForeign: Bool, _ lack: String, _ differences: [String]
  ) -> StoreScopeError {
    isForeign
      ? StoreScopeError(
        .foreign, noCommonEntity("the model \(model)"), about: model, advice: "pass the store's own model")
      : StoreScopeError(
        .foreign, "no version of the model \(model) \(lack): \(differences.joined(separator: "; "))",
        about: model, advice: "pass the model of the app's version that wrote it")
  }

  static func sentence(name: String, different: Set<String>, count: Int) -> String {
    let limit = 3
    var shown = different.sorted().prefix(limit).joined(separator: ", ")
    if different.count > limit { shown += ", …" }
    return
      "\"\(name)\" differs in \(different.count) of \(Sentence.count(count, "entity", "entities")) (\(shown))"
  }
}
