import Lens
import StoreModel
import Values

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
