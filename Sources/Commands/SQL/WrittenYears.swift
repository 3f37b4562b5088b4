import Lens
import SQLite
import StoreModel
import Values

/// Years and months that a date equals, or that end a range: `birthday = 1988` means any time of that year, and nobody
/// asks for its first moment. Behind `<` and `>` they stand for their beginning, as a day does.
enum WrittenYears {
  /// The SQL with the moments that are meant; nil if there is no such comparison in it.
  static func resolved(_ tokens: StatementTokens, in store: CoreDataStore) -> String? {
    let types = DateTypes(tokens, in: store)
    var result = ""
    var start = tokens.sql.startIndex
    for index in tokens.all.indices {
      guard let comparison = tokens.comparison(at: index), let last = comparison.others.last,
        comparison.subquery == nil, let period = period(last, tokens),
        types.kind(comparison.left) == .always,
        tokens.all[comparison.left.lowerBound].range.lowerBound >= start
      else { continue }
      let column = tokens.source(comparison.left)
      let begin = tokens.all[comparison.left.lowerBound].range.lowerBound
      let end = tokens.all[last.upperBound].range.upperBound
      switch tokens.text(index) {
      case "=", "==": result += tokens.sql[start..<begin] + within(column, period)
      case "<>", "!=": result += tokens.sql[start..<begin] + "NOT \(within(column, period))"
      case "between" where comparison.others.count == 2:
        // What stands before the end stays, with NOT and the beginning.
        let behind = tokens.all[last.lowerBound].range.lowerBound
        result += tokens.sql[start..<behind] + quotedText(lastMoment(period))
      default: continue
      }
      start = end
    }
    return start == tokens.sql.startIndex ? nil : result + tokens.sql[start...]
  }

  private static func within(_ column: Substring, _ period: WrittenDate) -> String {
    "(\(column) BETWEEN \(quotedText(iso8601(period.start))) AND \(quotedText(lastMoment(period))))"
  }

  /// Dates are compared to the microsecond.
  private static func lastMoment(_ period: WrittenDate) -> String {
    iso8601(CoreDataDate(seconds: period.end.seconds - 0.000_001))
  }

  private static func iso8601(_ date: CoreDataDate) -> String { date.iso8601 ?? "" }

  private static func period(_ operand: ClosedRange<Int>, _ tokens: StatementTokens) -> WrittenDate? {
    guard operand.count == 1, [.number, .string].contains(tokens.kind(operand.lowerBound)) else { return nil }
    let text = tokens.all[operand.lowerBound].text
    guard let date = WrittenDate(text), [.year, .month].contains(date.unit) else { return nil }
    // Any other number is seconds since 2001.
    if let year = Int(text), !(1900...2100).contains(year) { return nil }
    return date
  }
}
