/// An entity or a property, which keeps its values when it is renamed.
protocol Renamable {
  var name: String { get }
  var renamingIdentifier: String? { get }
}

extension Renamable {
  /// What it is called whatever the version.
  var canonicalName: String { renamingIdentifier ?? name }
}

extension EntityDescription: Renamable {}
extension AttributeDescription: Renamable {}
extension RelationshipDescription: Renamable {}

/// What is the same in two versions. Each has one counterpart: of several with one renaming identifier, the one that also
/// kept its name, then the first.
struct RenamingPairs<Element: Renamable> {
  /// In the newer model's order, what was removed last, by its name.
  let all: [(old: Element?, new: Element?)]

  init(_ old: [Element], _ new: [Element]) {
    var rest = Dictionary(grouping: old, by: \.canonicalName)
    func take(for new: Element, keepsName: Bool) -> Element? {
      let found = rest[new.canonicalName]?.firstIndex { !keepsName || $0.name == new.name }
      return found.flatMap { rest[new.canonicalName]?.remove(at: $0) }
    }
    let same = new.map { take(for: $0, keepsName: true) }
    let kept = zip(same, new).map { old, new in (old ?? take(for: new, keepsName: false), Element?.some(new))
    }
    all = kept + rest.values.joined().sorted { $0.name < $1.name }.map { ($0, nil) }
  }
}
