import Containers
import Evidence
import Lens
import SQLite
import StoreModel
import Values

/// Whether the store opens with the app's model, and what the migration to it does.
struct MigrationForecast {
  private typealias Step = LaunchForecast.Step
  private(set) var steps: [LaunchForecast.Step] = []
  /// Whether the store is another one afterward.
  private(set) var migrates = false
  private(set) var growth = SchemaGrowth([])
  private let store: CoreDataStore

  /// Whether the migration meets a mirror, or the app begins one with it; nil for neither.
  private let isMirrored: Bool?

  private static let mostStatements = 5

  /// - Parameters:
  ///   - app: nil if the app's model isn't known.
  ///   - assumesCloudKit: whether the app mirrors the store from now on.
  init(_ open: OpenStore, _ app: AppModel?, assumesCloudKit: Bool) throws {
    // Whatever else is read from a damaged file may be wrong, or can't be read.
    let check = try open.opened?.check() ?? open.connection.damage(atMost: 20)
    if let obstacle = try OpeningObstacle(open, check) {
      store = open.store
      isMirrored = nil
      steps = [obstacle.step]
      return
    }
    store = try open.lens()
    isMirrored = try open.mirror() != nil ? true : assumesCloudKit ? false : nil
    var opening = opening(
      hasHistory: open.tables.hasHistory, isWALMissing: open.opened?.files.isWALMissing ?? false,
      check)
    if opening.outcome == .succeeds, let flaw = try OpeningObstacle.atFirstSave(open) { opening = flaw }
    steps = [opening]
    if opening.outcome != .fails { steps.append(try migration(app)) }
  }

  private func opening(hasHistory: Bool, isWALMissing: Bool, _ check: DatabaseCheck) -> Step {
    let missing = store.discrepancies.filter(\.kind.breaksFetches)
    if let first = missing.first {
      let code = LaunchForecast.failedFetch
      let all = missing.flatMap(store.creation)
      return Step(
        .open, .fails, code: code,
        "\(Sentence.begun(first.description)), so the app gets NSCocoaErrorDomain 256 with NSSQLiteErrorDomain 1 as soon as it reads that entity.",
        fix: ["Restore a backup.", SchemaDiscrepancy.creation(all, atMost: Self.mostStatements)]
          .compactMap(\.self).joined(separator: " "),
        reasons: missing.map {
          .init(
            Sentence.begun($0.description) + ".", code: code,
            fix: SchemaDiscrepancy.creation(store.creation(of: $0)))
        })
    }
    let history =
      hasHistory
      ? " It keeps history: opened without NSPersistentHistoryTrackingKey it is read-only." : ""
    let wal = isWALMissing ? " \(StoreFiles.walMissing)" : ""
    let found =
      check.problems.first.map { "SQLite finds no damaged page, but \"\($0)\"." }
      ?? (check.omission == nil ? "SQLite finds no damage." : "SQLite finds no damage in the rest.")
    let unchecked = check.omission.map { "\($0) " } ?? ""
    return Step(.open, .succeeds, "\(unchecked)\(found)\(wal)\(history)", isSure: false)
  }

  private mutating func migration(_ app: AppModel?) throws -> Step {
    guard let app else {
      guard store.model != nil else {
        return Step(
          .migrate, .unknown, "The store keeps no model that can be read. Pass the app's model with --model.",
          isSure: false)
      }
      return Step(
        .migrate, .nothing,
        "Assumes that the app still has the model that wrote the store. To check, pass the app's with --model.",
        isSure: false)
    }
    guard let old = store.model ?? app.storesVersion?.model else {
      return Step(
        .migrate, .fails, code: "134130",
        "The store keeps no model of its own, and the app brings no version that wrote it.", isSure: false,
        fix: "Ship the version of the model that wrote the store in the app's .momd.")
    }
    let isOwn = app.storesVersion?.model == app.current.model
    let changes = ModelChanges(from: old, to: app.current.model).all.filter {
      !isOwn || $0.migration == .nothing
    }
    let migrated = changes.filter { $0.migration != .nothing }
    guard migrated.isEmpty else {
      migrates = true
      growth = SchemaGrowth(migrated)
      var step = try Migration(migrated, old, app, store, isMirrored: isMirrored).step()
      step.because += cautions(changes, app)
      return step
    }
    let name = app.current.name
    let hashes = app.changedHashes(store)
    guard let changed = hashes?.first else {
      return Step(
        .migrate, .nothing, unmigrated(changes, app), isSure: hashes != nil,
        reasons: changes.map { .init("\($0.sentence).") })
    }
    migrates = true
    return Step(
      .migrate, .succeeds,
      "To '\(name)': the version hash of \(changed) differs, for a reason that the model file doesn't show.\(cautions(changes, app))",
      isSure: false)
  }

  private func unmigrated(_ changes: [ModelChange], _ app: AppModel) -> String {
    guard !changes.isEmpty else { return "The store has the app's current model, '\(app.current.name)'." }
    let counted = Sentence.count(changes.count, "change")
    let need = Sentence.form(changes.count, "needs", "need")
    return "To '\(app.current.name)': \(counted) \(need) no migration.\(cautions(changes, app))"
  }

  /// Changes that need no migration, and care all the same.
  private func cautions(_ changes: [ModelChange], _ app: AppModel) -> String {
    let remedies = MigrationRemedies(changes, to: app.current.model)
    return changes.filter { $0.migration == .nothing }.compactMap { change in
      remedies.fix(change).map { " \(change.sentence). \($0)" }
    }.joined()
  }
}
