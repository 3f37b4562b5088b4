/// One version of a model file, read.
package struct ModelCandidate: Sendable, Equatable {
  /// The version's name, as its file has it without the extension.
  package var name: String
  package var model: ManagedObjectModel
  /// As in `DecodedModel`.
  package var problems: [String]
  /// Its version hashes, or its checksum, are the store's: this is the store's model. Where false nobody knows.
  package var isVerified: Bool

  package init(name: String, decoded: DecodedModel, isVerified: Bool) {
    self.name = name
    model = decoded.model
    problems = decoded.problems
    self.isVerified = isVerified
  }
}
