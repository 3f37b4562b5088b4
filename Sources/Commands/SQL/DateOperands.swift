import Lens
import SQLite
import StoreModel

/// Refuses date columns in arithmetic, and in comparisons with a number. They are texts: SQLite would calculate with the year, and take
/// every number for less.
struct DateOperands {
  private let tokens: SQLTokens
  private let views: StatementViews
  private let entities: [(entity: SchemaEntity, name: String)]
  private let store: CoreDataStore

  init(_ sql: String, of entity: SchemaEntity?, in store: CoreDataStore) throws {
    tokens = SQLTokens(sql)
    views = try StatementViews(tokens, of: entity, in: store)
    entities = tokens.entities(or: entity, in: store)
    self.store = store
  }

  func check() throws {
    // A result may be called like a column, and be none: unixepoch(started) AS started.
    let results = Set(tokens.all.indices.filter { tokens.text($0 - 1) == "as" }.compactMap(tokens.name))
    for path in tokens.paths where isBesideNumber(path) {
      guard !results.contains(tokens.path(path)), isDate(tokens.path(path)) else { continue }
      let column = tokens.source(path)
      let error = DateOrder.refusal(of: String(column))
      let offset = tokens.sql.utf8.distance(from: tokens.sql.startIndex, to: column.startIndex)
      throw SQLiteError(refusal: error.message, sql: tokens.sql, offset: offset)
    }
  }

  private func isDate(_ path: String) -> Bool {
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
