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
