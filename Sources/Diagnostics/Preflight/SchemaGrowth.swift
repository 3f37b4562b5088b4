import StoreModel

/// What CloudKit's schema lacks of a newer model, which no other version of the app knows. CloudKit has no renaming IDs;
/// renamed entities and relationships never come so far (`MirroredRenamings`).
struct SchemaGrowth {
  private let added: [ModelChange]
  private let renamed: [ModelChange]

  init(_ changes: [ModelChange]) {
    let additions: Set<ModelChange.Kind> = [
      .entityAdded, .attributeAdded, .relationshipAdded, .becamePersistent,
    ]
    added = changes.filter { additions.contains($0.kind) }
    renamed = changes.filter { $0.kind == .attributeRenamed }
  }

  /// Nil if CloudKit's schema stays as it is.
  /// - Parameter entities: names of those that are mirrored.
  func note(among entities: Set<String>) -> String? {
    let renamed = renamed.filter { entities.contains($0.entity) }
    let news = [
      added.contains { entities.contains($0.entity) } ? "The app's model has new fields" : nil,
      renamed.first.map { first in
        let more = renamed.count > 1 ? " and \(renamed.count - 1) more" : ""
        return "CloudKit takes the renamed \(first.subject)\(more) for a new field"
      },
    ].compactMap(\.self)
    guard !news.isEmpty else { return nil }
    let old = renamed.isEmpty ? "" : " Old versions of the app keep writing the old name."
    return
      "\(news.joined(separator: ", and ")): deploy the schema to CloudKit's production environment before the release, or exports of \(renamed.isEmpty ? "them" : "what is new") fail.\(old)"
  }
}
