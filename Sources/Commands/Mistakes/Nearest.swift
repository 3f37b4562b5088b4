package import Base

/// The one place that names what was probably meant by a name that isn't known, and puts it into words.
extension Suggestion {
  /// The nearest candidate, or the only one that begins with the word, or has it behind a hyphen: `streamName`, where
  /// `stream` was typed; or the one whose plural it is.
  package static func likeliest(for word: String, in candidates: some Sequence<String>) -> String? {
    if let singular = singulars(of: word).lazy.compactMap({ spelled($0, in: candidates) }).first {
      return singular
    }
    if let near = nearest(to: word, in: candidates) { return near }
    guard word.count > 2 else { return nil }
    let begin = word.lowercased()
    for isLonger in [{ $0.hasPrefix(begin) }, { $0.contains("-" + begin) }] as [(String) -> Bool] {
      let longer = Set(candidates.filter { isLonger($0.lowercased()) })
      if longer.count == 1 { return longer.first }
    }
    return nil
  }

  /// ` Did you mean 'x'?`, or nothing: to be put behind a sentence.
  package static func sentence(for word: String, in candidates: some Sequence<String>) -> String {
    likeliest(for: word, in: candidates).map(question) ?? ""
  }

  /// ` Did you mean 'x'?`
  package static func question(_ meant: String) -> String { " Did you mean '\(meant)'?" }

  /// What an error says, with the nearest of the names that it carries.
  package static func description(of error: any Error) -> String {
    guard var error = error as? StoreScopeError, let unknown = error.unknown else { return "\(error)" }
    let near = sentence(for: unknown.name, in: unknown.known)
    if !near.isEmpty { error.problem = Sentence.ended(error.problem) + near }
    return "\(error)"
  }

  /// What an English plural may be the plural of: `entries`, `boxes`, `trips`.
  package static func singulars(of word: String) -> [String] {
    let lowercased = word.lowercased()
    guard lowercased.hasSuffix("s") else { return [] }
    var singulars = [String(word.dropLast())]
    if lowercased.hasSuffix("ies") { singulars.insert(word.dropLast(3) + "y", at: 0) }
    if lowercased.hasSuffix("es") { singulars.append(String(word.dropLast(2))) }
    return singulars
  }
}
