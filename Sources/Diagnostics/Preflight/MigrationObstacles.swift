import Base
import Lens
package import StoreModel

/// Why a migration fails: what Core Data can't infer, then what the store's rows don't allow.
struct MigrationObstacles {
  private let refused: [LaunchForecast.Reason]
  private let byRows: [LaunchForecast.Reason]

  static let notInferred = "134190"

  init(_ changes: [ModelChange], _ model: ModelCandidate, _ store: CoreDataStore) throws {
    let remedies = MigrationRemedies(changes, to: model.model)
    refused = changes.filter { $0.migration == .refused }.map { change in
      LaunchForecast.Reason(
        "Core Data can't infer the mapping to '\(model.name)': \(change.sentence).", code: Self.notInferred,
        fix: remedies.fix(change))
    }
    let rows = RowObstacles(remedies: remedies, name: model.name, store: store)
    byRows = try changes.compactMap(rows.reason)
  }

  /// In the order in which Core Data meets them.
  /// - Parameter renamings: that a mirror doesn't allow.
  func reasons(renamings: [LaunchForecast.Reason]) -> [LaunchForecast.Reason] { refused + renamings + byRows }
}

/// What the store's rows don't allow.
private struct RowObstacles {
  let remedies: MigrationRemedies
  let name: String
  let store: CoreDataStore

  private typealias Reason = LaunchForecast.Reason

  /// Nil if the rows allow the change.
  func reason(_ change: ModelChange) throws -> LaunchForecast.Reason? {
    guard let place = change.older.entity else { return nil }
    switch change.migration {
    case .failsWithRows: return try withRows(change, place)
    case .failsWithNulls: return try withNulls(change, place)
    case .failsWithDuplicates: return try withDuplicates(change, place)
    case .nothing, .inferred, .undocumented, .refused: return nil
    }
  }

  private func withRows(_ change: ModelChange, _ place: String) throws -> LaunchForecast.Reason? {
    let count = try conditions(change).reduce(0) { try $0 + $1.rows() }
    guard count > 0 else { return nil }
    return Reason(
      "\(change.subject) is new in '\(name)' and required\(lacks(change)) and \(place) has \(Sentence.count(count, "row")).",
      code: code(change), fix: remedies.fix(change))
  }

  private func withNulls(_ change: ModelChange, _ place: String) throws -> LaunchForecast.Reason? {
    let rows = conditions(change)
    let count = try change.older.properties.reduce(0) { sum, property in
      try rows.reduce(sum) { try $0 + $1.nulls(in: property) }
    }
    guard count > 0 else { return nil }
    return Reason(
      "\(change.subject) is required in '\(name)'\(lacks(change)) and \(Sentence.count(count, "row of \(place) has", "rows of \(place) have")) no value.",
      code: code(change), fix: remedies.fix(change))
  }

  private func withDuplicates(_ change: ModelChange, _ place: String) throws -> LaunchForecast.Reason? {
    guard let found = try RowConditions(place, in: store)?.duplicates(of: change.older.properties) else {
      return nil
    }
    let values = Sentence.count(found.values, "value that occurs", "values that occur")
    return Reason(
      "\(place) gets a uniqueness constraint on \(change.property ?? "") in '\(name)', and \(Sentence.count(found.rows, "row has", "rows have")) \(values) more than once.",
      code: code(change), fix: remedies.fix(change))
  }

  private func conditions(_ change: ModelChange) -> [RowConditions] {
    change.older.entities.compactMap { RowConditions($0, in: store) }
  }

  private func code(_ change: ModelChange) -> String? { change.migration.errorCode.map { "\($0)" } }

  private func lacks(_ change: ModelChange) -> String {
    remedies.isRelationship(change) ? "" : ", without a default value,"
  }
}

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

/// A removal next to an addition: often a renaming that the model doesn't record.
struct UnrecordedRenaming {
  private let old: String
  /// What the older model's own renaming ID says, which stays the property's identity.
  private let identity: String
  private let new: String

  var advice: String {
    let renaming = old == new ? "'\(new)' is still the same" : "'\(old)' was renamed to '\(new)'"
    return "If \(renaming), set the renaming ID of '\(new)' to '\(identity)'."
  }

  private static let additions: [(removal: ModelChange.Kind, addition: ModelChange.Kind)] = [
    (.entityRemoved, .entityAdded), (.attributeRemoved, .attributeAdded),
    (.relationshipRemoved, .relationshipAdded),
  ]

  /// Entities before properties.
  static func first(in changes: [ModelChange]) -> UnrecordedRenaming? {
    for kinds in additions {
      for added in changes where added.kind == kinds.addition {
        if let found = of(added, in: changes) { return found }
      }
    }
    return nil
  }

  /// The entity or property that is removed where this one is added, or the other way around; a property with the same
  /// type. Nil if there are several, or several to take its place: which one it was would be a guess.
  static func of(_ change: ModelChange, in changes: [ModelChange]) -> UnrecordedRenaming? {
    guard let kinds = additions.first(where: { $0.addition == change.kind || $0.removal == change.kind })
    else { return nil }
    func others(_ kind: ModelChange.Kind, like change: ModelChange) -> [ModelChange] {
      changes.filter { $0.kind == kind && isAlike($0, change) }
    }
    let isAddition = change.kind == kinds.addition
    let found = others(isAddition ? kinds.removal : kinds.addition, like: change)
    guard found.count == 1, others(change.kind, like: found[0]).count == 1 else { return nil }
    let (removed, added) = isAddition ? (found[0], change) : (change, found[0])
    let old = removed.property ?? removed.entity
    return UnrecordedRenaming(
      old: old, identity: removed.older.renamingIdentifier ?? old, new: added.property ?? added.entity)
  }

  /// A property may also move within its hierarchy when it is renamed.
  private static func isAlike(_ one: ModelChange, _ other: ModelChange) -> Bool {
    guard one.property != nil else { return true }
    guard one.hasValues, other.hasValues else { return false }
    return (one.before ?? one.after) == (other.before ?? other.after)
      && !Set(one.older.entities).isDisjoint(with: other.older.entities)
  }
}
