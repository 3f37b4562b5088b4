import Lens
import SQLite
import StoreModel
import Values

/// Texts that are compared with dates and that SQL doesn't read, though it's plain what they are: a day that no calendar
/// has, `'2026-02-30'`, and spellings that options take, `'20.03.2026'` and `'Mar 25'`.
enum DateSpelling {
  /// Refuses a comparison of a table's own column of dates with a text, which is always false: it has seconds since 2001.
  static func checkStored(_ tokens: StatementTokens, in store: CoreDataStore) throws {
    lazy var properties = dateProperties(of: store)
    for index in tokens.all.indices {
      guard let comparison = tokens.comparison(at: index) else { continue }
      let operands = [comparison.left] + comparison.others
      guard
        let date = operands.first(where: {
          $0.count == 1 && tokens.kind($0.lowerBound) == .string && isDate(tokens.all[$0.lowerBound].text)
        })
      else { continue }
      for operand in operands where tokens.isName(operand.upperBound) {
        let name = tokens.all[operand.upperBound].text
        guard let property = properties[name.lowercased()] else { continue }
        throw SQLiteError(
          refusal:
            "\(name.uppercased()) has seconds since 2001, which no text equals: compare \(property), or write core_data_date('\(tokens.all[date.lowerBound].text)')"
        )
      }
    }
  }

  private static func isDate(_ text: String) -> Bool {
    DateOrder.isDate(text)
  }

  /// `Trip.startDate` for each column with dates, in lower case; of several entities the first one's.
  private static func dateProperties(of store: CoreDataStore) -> [String: String] {
    var properties: [String: String] = [:]
    for entity in store.schema.entities {
      for leaf in entity.attributes.flatMap(\.leaves) where leaf.description.type == .date {
        guard let column = leaf.column?.lowercased(), properties[column] == nil else { continue }
        properties[column] = "\(entity.name).\(leaf.path)"
      }
    }
    return properties
  }

  /// Refuses them with what to write. `parameters` are the values of parameters by name.
  static func check(
    _ tokens: StatementTokens, _ parameters: [String: String], in store: CoreDataStore
  ) throws {
    let types = DateTypes(tokens, in: store)
    for index in tokens.all.indices {
      guard let comparison = tokens.comparison(at: index) else { continue }
      let operands = [comparison.left] + comparison.others
      guard operands.contains(where: { types.kind($0) == .always }) else { continue }
      for operand in operands where operand.count == 1 {
        let token = tokens.all[operand.lowerBound]
        let name = token.kind == .parameter ? token.text : nil
        guard let text = name.map({ parameters[$0] }) ?? tokens.string(operand.lowerBound),
          !DateOrder.isDate(text), let advice = advice(on: text, of: name)
        else { continue }
        throw SQLiteError(refusal: "a date can't be compared with '\(text)': \(advice)")
      }
    }
  }

  /// - Parameter name: of the parameter whose value it is. One takes no SQL, such as what `'yesterday'` becomes in a statement.
  private static func advice(on text: String, of name: String?) -> String? {
    guard name != nil else { return nil }
    func written(_ date: String) -> String {
      name.map { "write -p \($0)=\(ShellQuotes.word(date))" } ?? "write '\(date)'"
    }
    // Without a year, the last such day is meant.
    return DateParser().parse(text)?.iso8601.map { date in
      let time = date.dropFirst(11).prefix(5)
      return written("\(date.prefix(10))\(time == "00:00" ? "" : " \(time)")")
    }
  }
}
