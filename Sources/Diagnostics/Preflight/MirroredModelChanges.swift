package import StoreModel

/// Renamings in a store that has the tables of a mirror. Core Data refuses those of entities and relationships: older
/// versions of the app couldn't read the new records. https://github.com/partout-io/passepartout/issues/586
package struct MirroredRenamings {
  /// Those that are refused. App authors report it, and Apple doesn't document it: none is certain.
  let reasons: [LaunchForecast.Reason]
  /// What isn't known, in sentences; nil if all is.
  let doubt: String?

  /// What is renamed and may not be.
  package static func refused(in changes: [ModelChange]) -> [ModelChange] {
    changes.filter { [.entityRenamed, .relationshipRenamed].contains($0.kind) }
  }

  /// - Parameter isMirrored: false if the app only begins to mirror the store.
  init(_ changes: [ModelChange], isMirrored: Bool) {
    let renamed = Self.refused(in: changes)
    guard isMirrored else {
      reasons = []
      doubt = ModelChange.listed(renamed).map {
        "Once a store is mirrored, Core Data refuses to rename entities and relationships (134110); whether it does when mirroring begins isn't known: \($0)."
      }
      return
    }
    reasons = renamed.map {
      LaunchForecast.Reason(
        "\($0.sentence), and a mirrored store doesn't allow that: \"CloudKit integration forbids renaming\".",
        code: "134110",
        fix:
          "Keep the name '\($0.before ?? "")', or add the new \($0.property == nil ? "entity" : "relationship") next to the old one and copy the values in the app."
      )
    }
    doubt = ModelChange.listed(changes.filter { $0.kind == .attributeRenamed }).map {
      "Whether Core Data renames an attribute of a mirrored store isn't known; of entities and relationships it refuses to: \($0)."
    }
  }
}

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
