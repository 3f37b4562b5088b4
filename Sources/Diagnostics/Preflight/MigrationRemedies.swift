package import StoreModel
import Values

/// What a migration across the differences of two models needs from who makes the app.
package struct MigrationRemedies: Sendable {
  private let changes: [ModelChange]
  /// The newer one.
  private let model: ManagedObjectModel

  /// - Parameter changes: all differences: a renaming shows as two of them.
  package init(_ changes: [ModelChange], to model: ManagedObjectModel) {
    self.changes = changes
    self.model = model
  }

  /// A sentence or two that begin with what the change needs; `isNeeded` is false if it needs nothing.
  package func remedy(_ change: ModelChange) -> (text: String, isNeeded: Bool) {
    if let fix = fix(change) { return (fix, true) }
    return change.migration == .nothing
      ? ("Nothing: the store opens as it is.", false) : ("Nothing: lightweight migration does it.", false)
  }

  /// Nil if it needs nothing.
  func fix(_ change: ModelChange) -> String? {
    switch change.migration {
    case .refused: "Add a mapping model, or migrate in steps that can be inferred (NSStagedMigrationManager)."
    case .undocumented: "Try the migration with a copy of the store."
    case .failsWithRows, .failsWithNulls: withRenaming(change, "\(Sentence.begun(waysOut(of: change))).")
    case .failsWithDuplicates:
      "Remove the duplicates in the app before the update, or leave the constraint out."
    case .nothing: fixOfUnmigrated(change.kind)
    case .inferred:
      withRenaming(
        change,
        change.removesValues
          ? "To keep \(change.kind == .entityRemoved ? "its objects" : "its values"), keep it in the model, or copy them with a mapping model."
          : nil)
    }
  }

  /// The store opens, and still not all is well.
  private func fixOfUnmigrated(_ kind: ModelChange.Kind) -> String? {
    switch kind {
    case .encryptionChanged:
      "If the field is deployed to CloudKit's production environment, its encryption can't be changed: keep it, and add a new attribute instead."
    case .transformerChanged: "The new transformer must read the values that the old one wrote."
    default: nil
    }
  }

  private func withRenaming(_ change: ModelChange, _ fix: String?) -> String? {
    guard let renaming = UnrecordedRenaming.of(change, in: changes) else { return fix }
    return fix.map { "\(renaming.advice) Otherwise, \($0.prefix(1).lowercased() + $0.dropFirst())" }
      ?? renaming.advice
  }

  /// In the middle of a sentence.
  private func waysOut(of change: ModelChange) -> String {
    "make \(change.subject) optional" + (isRelationship(change) ? "" : ", or give it a default value")
  }

  func isRelationship(_ change: ModelChange) -> Bool {
    model[change.entity]?.relationships.contains { $0.name == change.property } == true
  }
}
