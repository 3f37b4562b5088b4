import Lens
import SQLite
import StoreModel

/// What may follow in a statement: keywords, views and tables, their columns, and values where a column has few.
struct SQLCompleter {
  let context: CompletionContext
  /// The entity whose properties are meant where the statement names no table: that of `--where`.
  var entity: CompletionContext.Entity?

  /// Nobody types more; what is pasted beyond it is not looked at.
  private static let longestText = 1 << 16

  /// - Returns: the end of the text that is replaced, and what may stand there.
  func complete(_ text: String) -> (replaced: String, words: [String]) {
    let sql = SQLTokens(String(text.suffix(Self.longestText)))
    // What the text ends with is what is completed.
    let end = sql.tail == .word("") || sql.tail == .comment ? sql.all.count : sql.all.count - 1
    switch sql.tail {
    case .comment: return (replaced: "", words: [])
    case .string(let begun):
      let values = values(of: Self.comparedColumn(sql, end))
      return (
        replaced: begun,
        words: Self.matching(begun, values).map { String(quotedText($0).dropFirst()) }
      )
    case .name(let begun):
      let names = names(sql, end, begun)
      return (replaced: begun, words: Self.matching(begun, names).map { Self.doubled($0) + "\"" })
    case .word(let begun):
      let isLowerCase = begun.first?.isLowercase ?? false
      var words = Self.matching(begun, names(sql, end, begun)).map(Self.identifier)
      if sql.text(end - 1) != ".", !sql.expectsTable(end) {
        let keywords = Self.matching(begun, SQLWords.keywords)
        words += isLowerCase ? keywords.map { $0.lowercased() } : keywords
        words += Self.matching(begun, SQLWords.functions).map { $0 + "(" }
      }
      return (replaced: begun, words: Self.unique(words))
    }
  }

  // MARK: - Names

  private func names(_ sql: SQLTokens, _ end: Int, _ begun: String) -> [String] {
    let sources = sql.sources(to: end)
    if sql.text(end - 1) == "." {
      guard let qualifier = sql.name(end - 2)?.lowercased() else { return [] }
      if qualifier == "main" { return context.tables.map(\.name) }
      if qualifier == "temp" { return context.views.map(\.name) }
      return columns(ofTable: sources.first { $0.name.lowercased() == qualifier }?.table ?? qualifier)
    }
    if sql.expectsTable(end) {
      return context.views.map(\.name) + context.tables.map(\.name)
    }
    var names = sources.flatMap { columns(ofTable: $0.table) }
    if let entity, sources.isEmpty { names = entity.columns }
    // Before FROM nobody knows which table is meant: any column may be.
    if names.isEmpty, !begun.isEmpty { names = context.views.flatMap(\.parts) }
    return Self.unique(names + (entity == nil ? sources.map(\.name) : []))
  }

  private func columns(ofTable name: String) -> [String] {
    (context.views + context.tables).first { $0.name.lowercased() == name.lowercased() }?.parts ?? []
  }

  // MARK: - Values

  /// The column that a string is compared with: `author = '`, `state IN ('a', '`.
  private static func comparedColumn(_ sql: SQLTokens, _ end: Int) -> String? {
    let operators: Set<String> = ["in", "is", "not", "like", "glob"]
    var sawOperator = false
    for index in (0..<end).reversed().prefix(200) {
      let text = sql.text(index)
      if operators.contains(text) || !text.isEmpty && text.allSatisfy({ "=<>!".contains($0) }) {
        sawOperator = true
      } else if let name = sql.name(index) {
        return sawOperator ? name.lowercased() : nil
      } else if sql.kind(index) == .symbol, text != "(", text != "," {
        return nil
      }
    }
    return nil
  }

  private func values(of column: String?) -> [String] {
    switch column {
    case "author": context.authors
    case "zone": context.zones
    case "entity": context.entities.map(\.name)
    case "state": RecordState.allCases.map(\.rawValue)
    case "kind": PendingItem.Kind.allCases.map(\.rawValue)
    case "change": ChangeKind.allCases.map(\.name)
    case "type": MirrorEvent.Kind.allCases.map(\.name)
    default: []
    }
  }

  // MARK: - Words

  static func matching(_ begun: String, _ words: [String]) -> [String] {
    let begun = begun.lowercased()
    return begun.isEmpty ? words : words.filter { $0.lowercased().hasPrefix(begun) }
  }

  static func unique(_ words: [String]) -> [String] {
    var seen: Set<String> = []
    return words.filter { seen.insert($0).inserted }
  }

  /// In quotes where it would not be read as one name without.
  private static func identifier(_ name: String) -> String {
    let isPlain =
      name.first.map { !$0.isNumber } ?? false
      && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    return isPlain && !SQLWords.isKeyword.contains(name.uppercased()) && name.lowercased() != "transaction"
      ? name : "\"\(doubled(name))\""
  }

  private static func doubled(_ name: String) -> String {
    name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
  }
}
