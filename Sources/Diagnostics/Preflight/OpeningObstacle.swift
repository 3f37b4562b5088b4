import Evidence
import Lens
import SQLite
import StoreModel

/// What keeps a store from opening, or from being used at all, whatever model the app has.
struct OpeningObstacle {
  let step: LaunchForecast.Step

  /// Nil if nothing does.
  /// - Parameter check: of the database.
  init?(_ open: OpenStore, _ check: DatabaseCheck) throws {
    guard
      let step = try Self.files(open) ?? Self.pages(check) ?? Self.metadata(open.store)
        ?? Self.counters(open.store)
    else { return nil }
    self.step = step
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
