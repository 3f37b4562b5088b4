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
