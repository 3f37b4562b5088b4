import Values

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

  static func sentence(name: String, different: Set<String>, count: Int) -> String {
    let limit = 3
    var shown = different.sorted().prefix(limit).joined(separator: ", ")
    if different.count > limit { shown += ", …" }
    return
      "\"\(name)\" differs in \(different.count) of \(Sentence.count(count, "entity", "entities")) (\(shown))"
  }
}
