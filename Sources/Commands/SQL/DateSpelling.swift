import Lens
import SQLite
import StoreModel
import Values

/// Texts that are compared with dates and that SQL doesn't read, though it's plain what they are: a day that no calendar
/// has, `'2026-02-30'`, and spellings that options take, `'20.03.2026'` and `'Mar 25'`.
enum DateSpelling {
  /// Refuses them with what to write.
  static func check(_ tokens: StatementTokens, in store: CoreDataStore) throws {
    let names = DateOrder.columns(of: store)
    let types = DateTypes(tokens, dates: names.dates, others: names.others)
    for index in tokens.all.indices {
      guard let comparison = tokens.comparison(at: index) else { continue }
      let operands = [comparison.left] + comparison.others
      guard operands.contains(where: { types.kind($0) == .always }) else { continue }
      for operand in operands where operand.count == 1 && tokens.kind(operand.lowerBound) == .string {
        let text = tokens.all[operand.lowerBound].text
        guard !DateOrder.isDate(text), let advice = advice(on: text) else { continue }
        throw SQLiteError(refusal: "a date can't be compared with '\(text)': \(advice)")
      }
    }
  }

  private static func advice(on text: String) -> String? {
    if let missing = MissingDay(text) { return missing.sentence }
    let forms = SpelledDate.forms(of: text)
    guard let form = forms.first else { return nil }
    if forms.count > 1 { return "it may be \(forms[0]) or \(forms[1]); write one of them" }
    if WrittenDate(form) != nil { return "write '\(form)'" }
    // Without a year, the last such day is meant.
    return TypedMoment().parse(text)?.iso8601.map { date in
      let time = date.dropFirst(11).prefix(5)
      return "write '\(date.prefix(10))\(time == "00:00" ? "" : " \(time)")'"
    }
  }
}
