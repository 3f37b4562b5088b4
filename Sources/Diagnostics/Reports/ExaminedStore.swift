/// A store and what came of it, as reports on several stores need it.
package struct ExaminedStore: Sendable {
  package enum Outcome: Sendable {
    case examined(Diagnosis)
    /// It couldn't be read: why, a sentence.
    case failed(String)
  }

  /// As it was given.
  package var path: String
  package var uuid: String?
  package var outcome: Outcome

  package init(path: String, uuid: String?, outcome: Outcome) {
    self.path = path
    self.uuid = uuid
    self.outcome = outcome
  }

  /// For each path its file's name, with as many of its folders as distinguish it from the others.
  static func names(of paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/").filter { $0 != "." } }
    var names = paths
    var left = Set(paths.indices)
    for length in 1...max(1, parts.map(\.count).max() ?? 1) {
      let ends = parts.map { $0.suffix(length).joined(separator: "/") }
      let counts = Dictionary(ends.map { ($0, 1) }, uniquingKeysWith: +)
      for index in left where counts[ends[index]] == 1 && !ends[index].isEmpty {
        names[index] = ends[index]
        left.remove(index)
      }
    }
    return names
  }
}
