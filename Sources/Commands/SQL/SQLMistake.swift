import Lens
import SQLite
import StoreModel
import Values

/// The likely fix of a mistake, from what SQLite says about it: its words name the symptom only.
/// https://www.sqlite.org/lang.html
struct SQLMistake {
  private let message: String
  private let sql: String
  private let tokens: StatementTokens
  private let offset: Int?
  private let store: CoreDataStore
  /// Of a condition, the view whose objects it selects.
  private let view: String?

  /// A sentence with a blank before it; nil where there is nothing to add.
  static func sentence(
    for error: SQLiteError, _ sql: String, conditionOf view: String? = nil, in store: CoreDataStore
  ) throws -> String? {
    // People don't type longer SQL.
    guard sql.utf8.count < 100_000 else { return nil }
    let mistake = SQLMistake(
      message: error.message, sql: sql, tokens: StatementTokens(sql),
      offset: error.sql == sql ? error.offset : nil, store: store, view: view)
    return try mistake.sentence().map { " " + $0 }
  }

  private func sentence() throws -> String? {
    if let match = message.wholeMatch(of: /no such function: (.+)/) { return try function(String(match.1)) }
    if let match = message.wholeMatch(of: /wrong number of arguments to function (.+)\(\)/) {
      return try arguments(of: String(match.1))
    }
    if let match = message.wholeMatch(of: /ambiguous column name: (?:.*\.)?(.+)/) {
      return try ambiguous(String(match.1))
    }
    if let match = message.wholeMatch(of: /near "(.+)": syntax error/) { return syntax(String(match.1)) }
    if message.hasPrefix("misuse of aggregate") { return aggregate }
    if let match = message.wholeMatch(of: /misuse of window function (\w+)\(\)/) {
      return "Write \(match.1)() OVER (ORDER BY pk)."
    }
    if message.contains("HAVING") {
      return "HAVING needs GROUP BY; a condition on single rows belongs in WHERE."
    }
    if message.hasPrefix("sub-select returns") {
      return "Select one column there, such as pk, instead of several."
    }
    if message.hasPrefix("no tables specified") {
      return "Add FROM and an entity, as in: SELECT * FROM \(entity)"
    }
    if message == "row value misused", let number = sql.firstMatch(of: /\b\d{1,3}(,\d{3})+\b/) {
      return "A number is written without commas: \(number.0.replacing(",", with: ""))."
    }
    return message == "incomplete input" ? missing(after: tokens.all.count - 1) : nil
  }

  /// One of the store's, for examples.
  private var entity: String {
    store.schema.entities.first.map { ViewNames.view(for: $0.name, among: store.schema.entities.map(\.name)) }
      ?? "ENTITY"
  }

  // MARK: - Functions

  private func function(_ name: String) throws -> String {
    let all = try store.connection.rows("SELECT DISTINCT name FROM pragma_function_list") { $0.text(0) }
    let known = SQLFunction.all.map(\.name) + all.filter { !SQLFunction.ofViews.contains($0) }
    let near = Suggestion.nearest(to: name, in: known).map { "Did you mean '\($0)'? " } ?? ""
    return near + "'storescope query STORE --functions' lists the functions in addition to SQLite's."
  }

  private func arguments(of name: String) throws -> String? {
    let counts = try store.connection.rows(
      "SELECT DISTINCT narg FROM pragma_function_list WHERE name = ? AND narg >= 0 ORDER BY narg",
      [.text(name.lowercased())]
    ) { $0.integer(0) }
    guard let last = counts.last else { return nil }
    let list = counts.map(String.init).joined(separator: " or ")
    return "\(name) takes \(list) \(last == 1 ? "argument" : "arguments")."
  }

  private static let aggregates: Set = [
    "count", "sum", "total", "avg", "min", "max", "group_concat", "json_group_array", "json_group_object",
  ]

  private var aggregate: String {
    if let view {
      let link = ViewNames.links(of: store).first { $0.entityView == view }?.view ?? "ENTITY_RELATIONSHIP"
      return
        "A condition looks at one object at a time; count what is related to it with (SELECT COUNT(*) FROM \(link) WHERE source = pk)."
    }
    let isNested = tokens.all.indices.contains { index in
      guard Self.aggregates.contains(tokens.text(index)), let close = tokens.partner(index + 1) else {
        return false
      }
      return (index + 2..<max(close, index + 2)).contains {
        Self.aggregates.contains(tokens.text($0)) && tokens.text($0 + 1) == "("
      }
    }
    return isNested
      ? "One aggregate can't be inside another: put the inner one into a subquery."
      : "Put this condition into HAVING, after GROUP BY."
  }

  // MARK: - Names

  private func ambiguous(_ column: String) throws -> String? {
    let sources = try tokens.sources(among: ColumnHint.views(for: sql, in: store)).filter { source in
      try ColumnHint.columns(of: [source.view], in: store).contains { $0.lowercased() == column.lowercased() }
    }
    guard sources.count > 1 else { return nil }
    let names = sources.map { "\($0.name).\(column)" }
    return
      "Write \(names.dropLast().joined(separator: ", ")) or \(names[names.count - 1])."
  }

  // MARK: - Syntax

  private static let clauses = ["where", "group", "having", "order", "limit"]

  private func syntax(_ word: String) -> String? {
    guard let stop = stop(at: word) else { return nil }
    let (text, before) = (tokens.text(stop), tokens.text(stop - 1))
    let shown = tokens.source(stop...stop)
    let (opened, closed) = (tokens.count(of: "("), tokens.count(of: ")"))
    // A semicolon ends what would otherwise be incomplete input.
    if text == ";", opened <= closed, stop > 0, !tokens.endsValue(stop - 1) {
      return missing(after: stop - 1)
    }
    if stop == 0, view == nil {
      return text == "from"
        ? "A statement begins with SELECT: SELECT * \(sql.prefix(60).trimmed)"
        : "A statement begins with SELECT or WITH. 'storescope entities STORE' lists the entities."
    }
    if before == ",", Self.clauses.contains(text) || text == "from" || text == ")" {
      return "Leave out the comma before '\(shown)'."
    }
    if text == ")", closed > opened { return "Leave out this ')': it closes nothing." }
    if ["group", "order"].contains(before) { return "Write \(before.uppercased()) BY \(shown)." }
    if before == "top" { return "Write LIMIT \(shown) at the end instead of TOP." }
    if let place = Self.clauses.firstIndex(of: text),
      tokens.all[..<stop].indices.contains(where: { Self.clauses[(place + 1)...].contains(tokens.text($0)) })
    {
      return "The order is WHERE, GROUP BY, HAVING, ORDER BY, LIMIT."
    }
    if opened > closed { return "A parenthesis isn't closed: ) is missing." }
    let isValue = [.string, .number, .name].contains(tokens.kind(stop)) || tokens.isName(stop)
    if isValue, stop > 0, tokens.endsValue(stop - 1) {
      return
        "An operator or a comma is missing between '\(tokens.source(stop - 1...stop - 1))' and '\(shown)'."
    }
    let operators = StatementTokens.comparisonSigns.union(["and", "or", "not", "like", "in", ","])
    if operators.contains(before), !isValue { return "A value is missing after '\(before.uppercased())'." }
    return nil
  }

  /// Where SQLite stopped.
  private func stop(at word: String) -> Int? {
    let places = tokens.all.indices.filter { tokens.source($0...$0) == word }
    guard let offset else { return places.first }
    return places.first {
      sql.utf8.distance(from: sql.startIndex, to: tokens.all[$0].range.lowerBound) >= offset
    }
      ?? places.last
  }

  private func missing(after last: Int) -> String? {
    tokens.all.indices.contains(last) ? "Something is missing after '\(tokens.source(last...last))'." : nil
  }
}

extension StatementTokens {
  private static let behindTables: Set = [
    "left", "right", "inner", "cross", "natural", "full", "outer", "window", "indexed",
  ]

  /// The views that the statement reads, each with the name that its columns go by there: `Trip`, or `t` of `Trip t`.
  func sources(among views: [String]) -> [(view: String, name: String)] {
    all.indices.compactMap { index in
      guard isName(index),
        ["from", "join"].contains(text(index - 1)) || text(index - 1) == "," && clause(of: index) == "from",
        let view = views.first(where: { $0.lowercased() == all[index].text })
      else { return nil }
      let next = text(index + 1) == "as" ? index + 2 : index + 1
      let hasAlias =
        isName(next) && !Self.behindTables.contains(text(next)) && ![".", "("].contains(text(next - 1))
      return (view, hasAlias ? String(source(next...next)) : view)
    }
  }

  /// The word that begins the part of a statement in which a token stands; a parenthesis within a call or a list.
  func clause(of index: Int) -> String {
    let beginnings: Set = ["select", "from", "where", "on", "by", "having", "limit", "values", "case", "("]
    var place = index - 1
    while place >= 0 {
      if beginnings.contains(text(place)) { return text(place) }
      place = min(partner(place) ?? place, place) - 1
    }
    return ""
  }
}
