import Lens
import SQLite
import StoreModel

/// What may follow in a statement: keywords, views and tables, their columns, and values where a column has few.
struct SQLCompleter {
  let context: CompletionContext
  /// The entity whose properties are meant where the statement names no table: that of `--where`.
  var entity: CompletionContext.Entity?

  /// What the text's last `kept` characters fewer keep, and what may stand behind them.
  struct Result {
    /// The end of the text that is replaced.
    var replaced: String
    var words: [String]
  }

  func complete(_ text: String) -> Result {
    let sql = SQLTokens(text)
    switch sql.tail {
    case .comment: return Result(replaced: "", words: [])
    case .string(let begun):
      let values = values(of: Self.comparedColumn(sql.tokens))
      return Result(
        replaced: begun,
        words: Self.matching(begun, values).map { String(quotedText($0).dropFirst()) })
    case .name(let begun):
      let names = names(sql.tokens, begun)
      return Result(replaced: begun, words: Self.matching(begun, names).map { Self.doubled($0) + "\"" })
    case .word(let begun):
      let isLowerCase = begun.first?.isLowercase ?? false
      var words = Self.matching(begun, names(sql.tokens, begun)).map(Self.identifier)
      if mayBeKeyword(sql.tokens) {
        let keywords = Self.matching(begun, SQLWords.keywords)
        words += isLowerCase ? keywords.map { $0.lowercased() } : keywords
        words += Self.matching(begun, SQLWords.functions).map { $0 + "(" }
      }
      return Result(replaced: begun, words: Self.unique(words))
    }
  }

  // MARK: - Names

  private func names(_ tokens: [SQLTokens.Token], _ begun: String) -> [String] {
    let sources = sources(tokens)
    if tokens.last == .symbol(".") {
      guard let qualifier = tokens.dropLast().last?.name?.lowercased() else { return [] }
      if qualifier == "main" { return context.tables.map(\.name) }
      if qualifier == "temp" { return context.views.map(\.name) }
      return sources.first { $0.alias == qualifier }?.columns ?? columns(ofTable: qualifier)
    }
    if Self.expectsTable(tokens) {
      return context.views.map(\.name) + context.tables.map(\.name)
    }
    var names = sources.flatMap(\.columns)
    if let entity, sources.isEmpty { names = entity.columns }
    // Before FROM nobody knows which table is meant: any column may be.
    if names.isEmpty, !begun.isEmpty { names = context.views.flatMap(\.columns) }
    return Self.unique(names + (entity == nil ? sources.map(\.name) : []))
  }

  private func mayBeKeyword(_ tokens: [SQLTokens.Token]) -> Bool {
    if tokens.last == .symbol(".") { return false }
    return !Self.expectsTable(tokens)
  }

  private struct Source {
    /// What it goes by in the statement.
    var name: String
    /// The same in small letters.
    var alias: String
    var columns: [String]
  }

  /// The tables that the statement names behind FROM and JOIN.
  private func sources(_ tokens: [SQLTokens.Token]) -> [Source] {
    var sources: [Source] = []
    for (index, token) in tokens.enumerated() {
      guard let table = token.name, Self.expectsTable(Array(tokens[max(0, index - 64)..<index])) else {
        continue
      }
      var next = index + 1
      if tokens.indices.contains(next), tokens[next].keyword == "AS" { next += 1 }
      var name = table
      if tokens.indices.contains(next), let alias = tokens[next].name,
        !SQLWords.isKeyword.contains(alias.uppercased())
      {
        name = alias
      }
      sources.append(
        Source(name: name, alias: name.lowercased(), columns: columns(ofTable: table.lowercased())))
    }
    return sources
  }

  private func columns(ofTable name: String) -> [String] {
    (context.views + context.tables).first { $0.name.lowercased() == name }?.columns ?? []
  }

  /// Whether a table's name is next: behind FROM and JOIN, and behind a comma in what follows FROM.
  private static func expectsTable(_ tokens: [SQLTokens.Token]) -> Bool {
    switch tokens.last {
    case .word(let word): return ["FROM", "JOIN"].contains(word.uppercased())
    case .symbol(","):
      var depth = 0
      for token in tokens.reversed() {
        if token == .symbol(")") { depth += 1 }
        if token == .symbol("(") {
          depth -= 1
          if depth < 0 { return false }
        }
        if depth == 0, let keyword = token.keyword, SQLWords.clauses.contains(keyword) {
          return keyword == "FROM"
        }
      }
      return false
    default: return false
    }
  }

  // MARK: - Values

  /// The column that a string is compared with: `author = '`, `state IN ('a', '`.
  private static func comparedColumn(_ tokens: [SQLTokens.Token]) -> String? {
    let operators: Set<String> = ["IN", "IS", "NOT", "LIKE", "GLOB"]
    var sawOperator = false
    for token in tokens.reversed().prefix(200) {
      switch token {
      case .symbol("="), .symbol("<"), .symbol(">"), .symbol("!"): sawOperator = true
      case .symbol("("), .symbol(","), .literal: continue
      case .word(let word) where operators.contains(word.uppercased()): sawOperator = true
      case .word(let name), .name(let name): return sawOperator ? name.lowercased() : nil
      case .symbol: return nil
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
    let isPlain = name.first.map { !$0.isNumber } ?? false && name.allSatisfy(SQLTokens.isPartOfName)
    return isPlain && !SQLWords.isKeyword.contains(name.uppercased()) && name.lowercased() != "transaction"
      ? name : "\"\(doubled(name))\""
  }

  private static func doubled(_ name: String) -> String {
    name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
  }
}

/// The words of a SELECT: https://www.sqlite.org/lang_select.html, and functions that come with SQLite and the lens.
package enum SQLWords {
  /// Those with which a statement may begin that only reads.
  package static let openings: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  static let keywords = [
    "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", "COLLATE", "CROSS", "DESC", "DISTINCT",
    "ELSE",
    "END", "ESCAPE", "EXCEPT", "EXISTS", "EXPLAIN", "FILTER", "FROM", "GLOB", "GROUP", "HAVING", "IN",
    "INNER",
    "INTERSECT", "IS", "ISNULL", "JOIN", "LEFT", "LIKE", "LIMIT", "MATERIALIZED", "NATURAL", "NOCASE", "NOT",
    "NOTNULL", "NULL", "NULLS", "OFFSET", "ON", "OR", "ORDER", "OUTER", "OVER", "PARTITION", "RECURSIVE",
    "SELECT",
    "THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
  ]

  static let functions =
    [
      "abs", "avg", "coalesce", "count", "date", "datetime", "group_concat", "hex", "ifnull", "iif", "instr",
      "json_each", "json_extract", "julianday", "length", "lower", "ltrim", "max", "min", "nullif", "printf",
      "quote",
      "replace", "round", "row_number", "rtrim", "strftime", "substr", "sum", "time", "total", "trim",
      "typeof",
      "unixepoch", "upper",
    ] + SQLFunction.all.map(\.name)

  /// Words that end the name of a table, and so can't be its alias.
  static let isKeyword = Set(keywords)

  /// Those that begin a part of the statement in which other names are meant.
  static let clauses: Set<String> = [
    "SELECT", "FROM", "JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION",
    "EXCEPT", "INTERSECT", "VALUES", "WITH",
  ]
}
