import Base
import Evidence
import Lens
import SQLite
import StoreModel

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
    if let obstacle = try OpeningObstacle.step(open, check) {
      store = open.store
      isMirrored = nil
      steps = [obstacle]
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

/// What keeps a store from opening, or from being used at all, whatever model the app has.
enum OpeningObstacle {
  /// Nil if nothing does.
  /// - Parameter check: of the database.
  static func step(_ open: OpenStore, _ check: DatabaseCheck) throws -> LaunchForecast.Step? {
    try files(open) ?? pages(check) ?? metadata(open.store) ?? counters(open.store)
  }

  /// What the doctor finds in a store that opens, and at which the app's first save fails; nil if there is nothing.
  static func atFirstSave(_ open: OpenStore) throws -> LaunchForecast.Step? {
    let examination = try Examination(open)
    if let damage = examination.historyDamage ?? examination.missingStrings {
      return .init(
        .open, .unknown, "\(damage) What Core Data does without it isn't known.", fix: "Restore a backup.")
    }
    let diagnosis = try Doctor(
      rules: [.walDamaged, .countersMissing, .objectIDAboveMax, .mirrorSchemaUnknown], limit: 1
    )
    .examine(examination)
    guard let finding = diagnosis.findings.first else { return nil }
    return .init(
      .open, finding.rule.severity == .error ? .fails : .unknown,
      "\(finding.message) \(finding.rule.nextLaunch)", isSure: false, fix: finding.rule.remedy)
  }

  private static let malformed = "NSSQLiteErrorDomain:11"

  private static func files(_ open: OpenStore) throws -> LaunchForecast.Step? {
    guard let opened = open.opened else { return nil }
    if opened.way == .withoutWAL {
      return .init(
        .open, .fails, code: malformed,
        "The main file is intact, and the -wal next to it isn't its own: SQLite mixes the pages of both, and later writes them to the main file.",
        isSure: false, fix: Rule.walForeign.header.remedy)
    }
    if opened.files.isInWALAlone {
      return .init(
        .open, .wipes,
        "The main file is empty: SQLite deletes the -wal, which holds all data, and the app begins with an empty store.",
        isSure: false, fix: Rule.remedyOfEmptyFile)
    }
    let missing = try opened.missingPages()
    guard missing > 0 else { return nil }
    return .init(
      .open, .fails, code: malformed,
      "The file is \(opened.files.cutOff(missing)).",
      isSure: false, fix: Rule.fileCutOff.header.remedy)
  }

  private static func pages(_ check: DatabaseCheck) -> LaunchForecast.Step? {
    check.ofPages.first.map { problem in
      .init(
        .open, .fails, code: malformed,
        "The file is damaged, and what is in the damaged pages can't be read (SQLite: \(problem)).",
        isSure: false, fix: Rule.integrityCheckFailed.header.remedy)
    }
  }

  private static func metadata(_ store: CoreDataStore) -> LaunchForecast.Step? {
    store.metadata.problem.map { problem in
      .init(
        .open, .fails, code: "134100",
        "\(problem): Core Data can't find out which model wrote the store, and finds the app's incompatible.",
        isSure: false, fix: Rule.metadataUnreadable.header.remedy)
    }
  }

  private static func counters(_ store: CoreDataStore) -> LaunchForecast.Step? {
    let names = store.uncountedEntities.map(\.name)
    guard let first = names.first else { return nil }
    let problem =
      store.countersProblem
      ?? "Z_PRIMARYKEY has no row for \(first)\(names.count > 1 ? " and \(names.count - 1) more" : "")"
    return .init(
      .open, .fails,
      "\(problem): the app crashes at its first insert, or assigns keys again that deleted objects had.",
      isSure: false, fix: Rule.countersMissing.header.remedy)
  }
}

extension SchemaDiscrepancy {
  /// How to bring back what is missing, in sentences; nil if there is no SQL for it.
  static func creation(_ statements: [String], atMost limit: Int = .max) -> String? {
    guard !statements.isEmpty else { return nil }
    let more = statements.count - limit
    let rest = more > 0 ? " and \(Sentence.count(more, "more statement")), in the reasons below" : ""
    return
      "With the app closed, this SQL brings back what is missing, without its values: \(statements.prefix(limit).map { $0 + ";" }.joined(separator: " "))\(rest)"
  }
}
