import Lens
import SQLite
import StoreModel

/// Refuses date columns in arithmetic, and in comparisons with a number. They are texts: SQLite would calculate with the
/// year, and take every number for less.
struct DateOperands {
  private let tokens: SQLTokens
  private let entity: SchemaEntity?
  private let store: CoreDataStore

  init(_ sql: String, of entity: SchemaEntity?, in store: CoreDataStore) {
    (tokens, self.entity, self.store) = (SQLTokens(sql), entity, store)
  }

  func check() throws {
    let paths = tokens.paths.filter(isBesideNumber)
    guard !paths.isEmpty else { return }
    let views = try StatementViews(tokens, of: entity, in: store)
    let entities = tokens.entities(or: entity, in: store)
    let results = results
    for path in paths {
      let name = tokens.path(path)
      guard !results.contains(name), isDate(name, views, entities) else { continue }
      let column = tokens.source(path)
      let error = DateOrder.refusal(of: String(column))
      let offset = tokens.sql.utf8.distance(from: tokens.sql.startIndex, to: column.startIndex)
      throw SQLiteError(refusal: error.message, sql: tokens.sql, offset: offset)
    }
  }

  /// A result may be called like a column, and be none: `unixepoch(started) AS started`, `WITH t(started) AS (…)`.
  private var results: Set<String> {
    var results: Set<String> = []
    for index in tokens.all.indices where tokens.text(index) == "as" {
      if let name = tokens.name(index + 1) { results.insert(name) }
      guard tokens.text(index - 1) == ")", tokens.text(index + 1) == "(" else { continue }
      for place in (0..<index - 1).reversed() {
        guard tokens.text(place) != "(" else { break }
        if let name = tokens.name(place) { results.insert(name) }
      }
    }
    return results
  }

  private func isDate(
    _ path: String, _ views: StatementViews, _ entities: [(entity: SchemaEntity, name: String)]
  ) -> Bool {
    let types = views.types(of: path)
    guard types.isEmpty else { return types.allSatisfy { $0 == .date } }
    return DottedPaths.meaning(path, in: entities, store)?.attribute?.description.type == .date
  }

  private static let calculations: Set = ["+", "-", "*", "/"]
  private static let comparisons: Set = ["=", "==", "<>", "!=", "<", "<=", ">", ">=", "is"]

  /// In parentheses and as the first argument of MAX and MIN too.
  private func isBesideNumber(_ path: ClosedRange<Int>) -> Bool {
    var (first, last) = (path.lowerBound, path.upperBound)
    while true {
      let (before, behind) = (tokens.text(first - 1), tokens.text(last + 1))
      if Self.calculations.contains(behind) || before == "-" { return true }
      if Self.calculations.contains(before), tokens.endsValue(first - 2) { return true }
      if Self.comparisons.contains(before), tokens.kind(first - 2) == .number { return true }
      if isCompared(behind: last + 1) { return true }
      guard before == "(", behind == ")" else { return false }
      (first, last) = (first - 1, last + 1)
      if ["max", "min"].contains(tokens.text(first - 1)) {
        first -= 1
      } else if tokens.isName(first - 1) {
        return false
      }
    }
  }

  private func isCompared(behind index: Int) -> Bool {
    let start = tokens.text(index) == "not" ? index + 1 : index
    switch tokens.text(start) {
    case let sign where Self.comparisons.contains(sign):
      return isNumber(tokens.text(start + 1) == "not" ? start + 2 : start + 1)
    case "between":
      return isNumber(start + 1) || tokens.text(start + 2) == "and" && isNumber(start + 3)
    case "in": return tokens.text(start + 1) == "(" && isNumber(start + 2)
    default: return false
    }
  }

  private func isNumber(_ index: Int) -> Bool {
    tokens.kind(["+", "-"].contains(tokens.text(index)) ? index + 1 : index) == .number
  }
}
