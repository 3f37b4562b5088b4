import Lens
import StoreModel
import Values

/// Whether the store opens with the app's model, and what the migration to it does.
struct MigrationForecast {
  private typealias Step = LaunchForecast.Step
  private(set) var steps: [LaunchForecast.Step] = []
  /// Whether the store is another one afterward.
  private(set) var migrates = false
  /// Entities that are new afterward or have new properties, which no other version of the app knows.
  private(set) var grown: Set<String> = []
  private let store: CoreDataStore

  /// - Parameter app: nil if the app's model isn't known.
  init(_ open: OpenStore, _ app: AppModel?) throws {
    // Whatever else is read from a damaged file may be wrong, or can't be read.
    if let problem = try Rule.damage(open.connection, atMost: 1).first {
      store = open.store
      steps = [
        Step(
          .open, .fails, code: "NSSQLiteErrorDomain:11", "SQLite's check finds damage: \(problem).",
          isSure: false, fix: Rule.integrityCheckFailed.header.remedy)
      ]
      return
    }
    store = try open.lens()
    let opening = opening(hasHistory: open.tables.hasHistory)
    steps = [opening]
    if opening.outcome != .fails { steps.append(try migration(app)) }
  }

  private func opening(hasHistory: Bool) -> Step {
    if let missing = store.discrepancies.first(where: \.kind.breaksFetches) {
      return Step(
        .open, .fails, code: "134020",
        "\(Sentence.begun(missing.description)), so every fetch of that entity fails.",
        fix: "Restore a backup, or add what is missing with the SQL that Core Data would use.")
    }
    let history =
      hasHistory
      ? " It keeps history: opened without NSPersistentHistoryTrackingKey it is read-only." : ""
    return Step(.open, .succeeds, "SQLite finds no damage.\(history)", isSure: false)
  }

  private mutating func migration(_ app: AppModel?) throws -> Step {
    guard let app else {
      guard store.model != nil else {
        return Step(
          .migrate, .unknown, "The store keeps no model that can be read. Pass the app's with --model.",
          isSure: false)
      }
      return Step(
        .migrate, .nothing,
        "Assumes that the app's model wrote the store. Pass the app's with --model.",
        isSure: false)
    }
    guard let old = store.model ?? app.storesVersion?.model else {
      return Step(
        .migrate, .fails, code: "134130",
        "The store keeps no model of its own, and the app brings no version that wrote it.", isSure: false,
        fix: "Ship the version of the model that wrote the store in the app's .momd.")
    }
    let isOwn = app.storesVersion?.model == app.current.model
    let changes = isOwn ? [] : ModelChanges(from: old, to: app.current.model).all
    let migrated = changes.filter { $0.migration != .nothing }
    guard migrated.isEmpty else {
      migrates = true
      let growth: Set<ModelChange.Kind> = [
        .entityAdded, .attributeAdded, .relationshipAdded, .becamePersistent,
      ]
      grown = Set(migrated.filter { growth.contains($0.kind) }.map(\.entity))
      return try Migration(migrated, old, app, store).step()
    }
    let name = app.current.name
    let hashes = app.changedHashes(store)
    guard let changed = hashes?.first else {
      return Step(
        .migrate, .nothing, "The store has the app's current model, '\(name)'.", isSure: hashes != nil)
    }
    migrates = true
    return Step(
      .migrate, .succeeds,
      "To '\(name)': the version hash of \(changed) differs, for a reason that the model file doesn't show (such as a hash modifier).",
      isSure: false)
  }
}

/// A migration that is needed, and what the store's rows make of it.
private struct Migration {
  private typealias Step = LaunchForecast.Step
  private let changes: [ModelChange]
  private let old: ManagedObjectModel
  private let app: AppModel
  private let store: CoreDataStore

  init(_ changes: [ModelChange], _ old: ManagedObjectModel, _ app: AppModel, _ store: CoreDataStore) {
    self.changes = changes
    self.old = old
    self.app = app
    self.store = store
  }

  private var name: String { app.current.name }

  func step() throws -> LaunchForecast.Step {
    let removed = changes.filter { $0.kind == .entityRemoved }
    if removed.count == old.entities.count {
      let rows = try removed.reduce(0) { try $0 + ownRows(of: $1.entity) }
      return Step(
        .migrate, rows > 0 ? .wipes : .unknown,
        """
        '\(name)' has no entity in common with the store: it is another app's model, or all entities were renamed without \
        a renaming ID. A launch that migrates to it removes \
        \(removed.count == 1 ? "the store's only entity" : "all \(removed.count) entities") with \(Sentence.count(rows, "row")).\(renamed)
        """, isSure: false, fix: Self.backup)
    }
    let refused = changes.filter { $0.migration == .refused }
    let held = try changes.compactMap(obstacle)
    if let first = refused.first {
      let reason = "Core Data can't infer the mapping to '\(name)': \(first.sentence)"
      return failed(
        134190, reason, more: refused.count + held.count - 1,
        "Add a mapping model, or migrate in steps that can be inferred (NSStagedMigrationManager).")
    }
    if let first = held.first {
      let losses = try losses()
      // The fix alone only makes the way free for the loss.
      let then =
        losses.isEmpty ? "" : " The migration then goes on, and \(Self.listed(losses)): back the store up."
      return failed(first.code, first.reason, more: held.count - 1, first.fix + then)
    }
    let from = app.storesVersion.map { "From '\($0.name)' to '\(name)'" } ?? "To '\(name)'"
    let losses = try losses()
    if !losses.isEmpty {
      return Step(
        .migrate, .wipes, "\(from): \(Self.listed(losses)).\(renamed)\(remarks)", isSure: false,
        fix: Self.backup)
    }
    if let change = changes.first(where: { $0.migration == .undocumented }) {
      return Step(
        .migrate, .unknown,
        "\(from): Apple doesn't document whether it can be inferred: \(change.sentence).\(remarks)",
        isSure: false, fix: "Try the migration with a copy of the store.")
    }
    return Step(
      .migrate, .succeeds, "\(from): \(Sentence.count(changes.count, "change")) can be inferred.\(remarks)",
      isSure: false)
  }

  private static let backup =
    "Back the store up first. To keep the values, keep what has them, or copy them with a mapping model."

  private func failed(_ code: Int, _ reason: String, more: Int, _ fix: String) -> LaunchForecast.Step {
    let rest = more > 0 ? ", and \(Sentence.count(more, "other obstacle"))" : ""
    return Step(
      .migrate, .fails, code: "\(code)", "\(reason)\(rest).\(remarks)", isSure: app.mappings.isEmpty,
      fix: fix)
  }

  /// What else an app may do than to let Core Data infer the mapping.
  private var remarks: String {
    var remarks: [String] = []
    let removed = changes.count { $0.kind == .entityRemoved }
    if removed * 2 > old.entities.count {
      remarks.append(
        "'\(name)' lacks \(removed) of the store's \(Sentence.count(old.entities.count, "entity", "entities")): it may be another app's model."
      )
    }
    if !app.mappings.isEmpty {
      remarks.append(
        "The app brings mapping models, which may migrate differently: \(app.mappings.joined(separator: ", "))."
      )
    }
    if app.versions > 1, app.storesVersion == nil {
      remarks.append(
        "None of the \(app.versions) versions that the app brings wrote the store, so a staged migration would fail with 134504."
      )
    }
    return remarks.map { " " + $0 }.joined()
  }

  // MARK: What the rows don't allow

  /// Why the migration fails, without a period; nil if the store's rows allow the change.
  private func obstacle(_ change: ModelChange) throws -> (code: Int, reason: String, fix: String)? {
    guard let code = change.migration.errorCode, let place = change.older.entity else { return nil }
    let rows = change.older.entities.compactMap { RowConditions($0, in: store) }
    let subject = change.subject
    let isRelationship = app.current.model[change.entity]?.relationships.contains {
      $0.name == change.property
    }
    let renaming = renaming(to: change).map {
      "If '\($0)' was renamed to '\(change.property ?? change.entity)', set the renaming ID of '\(change.property ?? change.entity)' to '\($0)'. If not: "
    }
    let lacks = isRelationship == true ? "" : ", without a default value,"
    let fix =
      isRelationship == true
      ? "Make \(subject) optional." : "Make \(subject) optional, or give it a default value."
    switch change.migration {
    case .failsWithRows:
      let count = try rows.reduce(0) { try $0 + $1.rows() }
      guard count > 0 else { return nil }
      return (
        code,
        "\(subject) is new in '\(name)' and required\(lacks) and \(place) has \(Sentence.count(count, "row"))",
        (renaming ?? "") + fix
      )
    case .failsWithNulls:
      let count = try change.older.properties.reduce(0) { sum, property in
        try rows.reduce(sum) { try $0 + $1.nulls(in: property) }
      }
      guard count > 0 else { return nil }
      return (
        code,
        "\(subject) is required in '\(name)'\(lacks) and \(Sentence.count(count, "row of \(place) has", "rows of \(place) have")) no value",
        fix
      )
    case .failsWithDuplicates:
      guard try RowConditions(place, in: store)?.hasDuplicates(of: change.older.properties) == true else {
        return nil
      }
      return (
        code,
        "\(place) gets a uniqueness constraint (\(change.property ?? "")) in '\(name)', and rows have the same values",
        "Remove the duplicates in the app before the update, or leave the constraint out."
      )
    case .nothing, .inferred, .undocumented, .refused: return nil
    }
  }

  // MARK: What is lost

  private func ownRows(of entity: String) throws -> Int {
    try RowConditions(entity, in: store)?.rows() ?? 0
  }

  /// What removed entities and properties take with them.
  private func losses() throws -> [String] {
    var losses: [String] = []
    // Both sides of a many-to-many relationship have the same links.
    var tables: Set<String> = []
    func lose(_ what: String, _ how: String, _ count: Int, _ noun: String) {
      if count > 0 { losses.append("\(what) \(how) with \(Sentence.count(count, noun))") }
    }
    for change in changes {
      switch change.kind {
      case .entityRemoved: lose(change.entity, "is removed", try ownRows(of: change.entity), "row")
      case .attributeRemoved, .relationshipRemoved, .becameTransient:
        guard let entity = change.older.entity, let property = change.older.properties.first else { continue }
        let how = change.kind == .becameTransient ? "becomes transient" : "is removed"
        let rows = change.older.entities.compactMap { RowConditions($0, in: store) }
        let values = try rows.compactMap { try $0.values(of: property) }
        if !values.isEmpty {
          lose("\(entity).\(property)", how, values.reduce(0, +), "value")
        } else if let links = try rows.first?.links(of: property), tables.insert(links.table).inserted {
          lose("\(entity).\(property)", how, links.count, "link")
        }
      default: break
      }
    }
    return losses
  }

  private static func listed(_ losses: [String]) -> String {
    let most = 3
    let more = losses.count > most ? ", and \(losses.count - most) more" : ""
    return losses.prefix(most).joined(separator: ", ") + more
  }

  /// The property that is removed where this one is added, with the same type.
  private func renaming(to addition: ModelChange) -> String? {
    let removal: [ModelChange.Kind: ModelChange.Kind] = [
      .attributeAdded: .attributeRemoved, .relationshipAdded: .relationshipRemoved,
    ]
    return changes.first {
      $0.kind == removal[addition.kind] && $0.entity == addition.entity && $0.before == addition.after
    }?.property
  }

  /// A removal next to an addition is often a renaming that the model doesn't record.
  private var renamed: String {
    func pair(_ removal: ModelChange.Kind, _ addition: ModelChange.Kind) -> (String, String)? {
      for old in changes where old.kind == removal {
        let new = changes.first {
          $0.kind == addition
            && (removal == .entityRemoved || ($0.entity == old.entity && $0.after == old.before))
        }
        if let new { return (old.property ?? old.entity, new.property ?? new.entity) }
      }
      return nil
    }
    let found =
      pair(.entityRemoved, .entityAdded) ?? pair(.attributeRemoved, .attributeAdded)
      ?? pair(.relationshipRemoved, .relationshipAdded)
    return found.map { " If '\($0)' was renamed to '\($1)', set the renaming ID of '\($1)' to '\($0)'." }
      ?? ""
  }
}
