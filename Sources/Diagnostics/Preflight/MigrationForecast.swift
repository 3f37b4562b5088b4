import Lens
import StoreModel
import Values

/// Whether the store opens with the app's model, and what the migration to it does.
struct MigrationForecast {
  private typealias Step = LaunchForecast.Step
  private(set) var steps: [LaunchForecast.Step] = []
  /// Whether the store is another one afterward.
  private(set) var migrates = false
  private let store: CoreDataStore
  private let app: AppModel?

  /// - Parameter app: nil if the app's model isn't known.
  init(_ open: OpenStore, _ app: AppModel?) throws {
    store = try open.lens()
    self.app = app
    steps = [opening(hasHistory: open.tables.hasHistory), try migration()]
  }

  private func opening(hasHistory: Bool) -> Step {
    if let missing = store.discrepancies.first(where: \.kind.breaksFetches) {
      return Step(
        .open, .fails, code: "134180",
        "\(Sentence.begun(missing.description)): the store opens, and every fetch of that entity fails.")
    }
    let history =
      hasHistory
      ? " It keeps history: opened without NSPersistentHistoryTrackingKey it is read-only." : ""
    return Step(.open, .succeeds, "The file is readable.\(history)", isSure: false)
  }

  private mutating func migration() throws -> Step {
    guard let app else {
      return Step(
        .migrate, .nothing,
        "Taken for granted: the app brings the model that wrote the store. Pass the app's with --model.",
        isSure: false)
    }
    let name = app.current.name
    if let version = app.storesVersion, version.model == app.current.model {
      return Step(.migrate, .nothing, "The store has the app's current model, '\(name)'.")
    }
    guard let old = store.model ?? app.storesVersion?.model else {
      return Step(
        .migrate, .fails, code: "134130",
        "The store keeps no model of its own, and the app brings no version that wrote it.", isSure: false)
    }
    let changes = ModelChanges(from: old, to: app.current.model).all
    let migrated = changes.filter { $0.migration != .nothing }
    guard !migrated.isEmpty else {
      return Step(.migrate, .nothing, "The store has the app's current model, '\(name)'.")
    }
    migrates = true
    return try step(migrated, from: old, to: name, app)
  }

  private func step(
    _ changes: [ModelChange], from old: ManagedObjectModel, to name: String, _ app: AppModel
  ) throws -> Step {
    func failed(_ change: ModelChange, _ reason: String) -> Step {
      Step(
        .migrate, .fails, code: change.migration.errorCode.map(String.init), "\(reason)\(remarks(app))",
        isSure: app.mappings.isEmpty)
    }
    let removed = changes.filter { $0.kind == .entityRemoved }
    if removed.count == old.entities.count {
      let rows = try removed.reduce(0) { try $0 + ownRows(of: $1.entity) }
      return Step(
        .migrate, rows > 0 ? .wipes : .unknown,
        """
        '\(name)' has no entity in common with the store: it belongs to another app. A launch that migrates to it removes \
        \(removed.count == 1 ? "its only entity" : "all \(removed.count) entities") with \(Sentence.count(rows, "row")).
        """, isSure: false)
    }
    for change in changes where change.migration == .refused {
      return failed(change, "Core Data can't infer the mapping to '\(name)': \(change.sentence).")
    }
    for change in changes where try holds(change) {
      return failed(change, obstacle(change, name))
    }
    let from = app.storesVersion.map { "From '\($0.name)' to '\(name)'" } ?? "To '\(name)'"
    let losses = try losses(changes)
    if !losses.isEmpty {
      return Step(
        .migrate, .wipes, "\(from): \(Self.listed(losses)).\(renamed(changes))\(remarks(app))",
        isSure: false)
    }
    if let change = changes.first(where: { $0.migration == .undocumented }) {
      return Step(
        .migrate, .unknown,
        "\(from): Apple doesn't document whether it can be inferred: \(change.sentence).\(remarks(app))",
        isSure: false)
    }
    return Step(
      .migrate, .succeeds,
      "\(from): \(Sentence.count(changes.count, "change")) can be inferred.\(remarks(app))", isSure: false)
  }

  /// What else an app may do than to let Core Data infer the mapping.
  private func remarks(_ app: AppModel) -> String {
    var remarks: [String] = []
    if !app.mappings.isEmpty {
      remarks.append(
        "The app brings mapping models, which may do it otherwise: \(app.mappings.joined(separator: ", ")).")
    }
    if app.versions > 1, app.storesVersion == nil {
      remarks.append(
        "None of the \(app.versions) versions that the app brings wrote the store: a staged migration fails with 134504."
      )
    }
    return remarks.map { " " + $0 }.joined()
  }

  private func obstacle(_ change: ModelChange, _ name: String) -> String {
    let subject = [change.entity, change.property].compactMap(\.self).joined(separator: ".")
    let place = change.older.entity ?? change.entity
    return switch change.migration {
    case .failsWithRows:
      "\(subject) is new in '\(name)' and required, without a default value, and \(place) has rows."
    case .failsWithNulls:
      "\(subject) is required in '\(name)', without a default value, and rows of \(place) have no value."
    case .failsWithDuplicates:
      "\(place) gets a uniqueness constraint (\(change.property ?? "")) in '\(name)', and rows have the same values."
    case .nothing, .inferred, .undocumented, .refused: "\(change.sentence)."
    }
  }

  /// Whether the store's rows are such that the migration fails.
  private func holds(_ change: ModelChange) throws -> Bool {
    guard let entity = change.older.entity, let rows = RowConditions(entity, in: store) else { return false }
    return switch change.migration {
    case .failsWithRows: try rows.hasRows()
    case .failsWithNulls: try change.older.properties.contains { try rows.hasNull(in: $0) }
    case .failsWithDuplicates: try rows.hasDuplicates(of: change.older.properties)
    case .nothing, .inferred, .undocumented, .refused: false
    }
  }

  // MARK: What is lost

  private func ownRows(of entity: String) throws -> Int {
    try RowConditions(entity, in: store)?.ownRows() ?? 0
  }

  /// What removed entities and properties take with them.
  private func losses(_ changes: [ModelChange]) throws -> [String] {
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
        guard let entity = change.older.entity, let property = change.older.properties.first,
          let rows = RowConditions(entity, in: store)
        else { continue }
        let how = change.kind == .becameTransient ? "becomes transient" : "is removed"
        if let values = try rows.values(of: property) {
          lose("\(entity).\(property)", how, values, "value")
        } else if let links = try rows.links(of: property), tables.insert(links.table).inserted {
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

  /// A removal next to an addition is often a renaming that the model doesn't record.
  private func renamed(_ changes: [ModelChange]) -> String {
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
