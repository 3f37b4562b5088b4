import Values

/// How a version of a model differs from the store's, in words.
enum ModelDifference {
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
