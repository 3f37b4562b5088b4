import Lens
import StoreModel

/// Which values of a statement are dates of the views. SQLite knows it of columns only: what `MAX(timestamp)`,
/// `COALESCE(ended, started)`, `CASE` or a subquery gives has no type of its own.
final class DateTypes {
  enum Kind {
    /// NULL, which says nothing.
    case null
    case never
    /// `date(…)` or `datetime(…)`: a date in another spelling than that of the views.
    case spelled
    case maybe
    case always

    var isDate: Bool { self != .null && self != .never }

    func joined(_ other: Kind) -> Kind {
      if self == .null || self == other { return other }
      return other == .null ? self : .maybe
    }
  }

  private struct Column {
    /// Nil for a star.
    var value: ClosedRange<Int>?
    var name: String?
    var isAlias = false
  }

  private let tokens: StatementTokens
  private let dates: Set<String>
  private let others: Set<String>
  /// By the index of its `SELECT`, the columns of the result; a compound's in all of its parts.
  private var selects: [Int: [[Column]]] = [:]
  /// What a name that the statement gives stands for; nil for what isn't known.
  private(set) var definitions: [String: [ClosedRange<Int>?]] = [:]
  private var known: [String: Kind] = [:]
  /// Names may be made of each other in a chain of any length.
  private var depth = 0
  private static let deepest = 500

  /// - Parameters:
  ///   - dates: names of date columns, in lower case.
  ///   - others: names of columns that are no dates; some may be both, in different views.
  init(_ tokens: StatementTokens, dates: Set<String>, others: Set<String>) {
    (self.tokens, self.dates, self.others) = (tokens, dates, others)
    for index in tokens.all.indices where tokens.text(index) == "select" { define(index) }
    for index in tokens.all.indices where tokens.text(index) == "as" { defineList(index) }
  }

  convenience init(_ tokens: StatementTokens, in store: CoreDataStore) {
    let names = DateOrder.columns(of: store)
    self.init(tokens, dates: names.dates, others: names.others)
  }

  // MARK: - Kinds

  /// A column that has the type and the order of dates by itself.
  func isColumn(_ range: ClosedRange<Int>) -> Bool {
    tokens.isNameChain(range) && dates.contains(tokens.all[range.upperBound].text)
      && definitions[tokens.all[range.upperBound].text] == nil
  }

  /// Whether a view has a column of that name which is no date.
  func isOtherColumn(_ name: String) -> Bool { others.contains(name) }

  func kind(_ range: ClosedRange<Int>) -> Kind {
    guard depth < Self.deepest else { return .maybe }
    depth += 1
    defer { depth -= 1 }
    let (first, last) = (range.lowerBound, range.upperBound)
    // What operators make of a date is none.
    guard tokens.value(beginningAt: first) == range else { return .never }
    if tokens.text(last - 1) == "collate", first < last - 1 { return kind(first...last - 2) }
    switch tokens.text(first) {
    case "+" where first < last: return kind(first + 1...last)
    case "-", "~": return .never
    case "(": return parenthesized(first, last)
    case "case": return branches(first, last)
    case "null": return .null
    default: break
    }
    if tokens.isNameChain(range) { return kind(named: tokens.all[last].text) }
    guard tokens.isName(first), tokens.text(first + 1) == "(", let close = tokens.partner(first + 1) else {
      return .never
    }
    return call(tokens.all[first].text, first + 2, close - 1)
  }

  private func kind(named name: String) -> Kind {
    if let known = known[name] { return known }
    // One that is made of itself, as in a recursive query, adds nothing.
    known[name] = .null
    var kind = Kind.null
    for definition in definitions[name] ?? [] {
      kind = kind.joined(definition.map(self.kind) ?? .maybe)
    }
    if dates.contains(name) {
      kind = kind.joined(others.contains(name) ? .maybe : .always)
    } else if definitions[name] == nil || others.contains(name) {
      kind = kind.joined(.never)
    }
    known[name] = kind
    return kind
  }

  private func parenthesized(_ first: Int, _ last: Int) -> Kind {
    if let select = select(in: first) {
      return joined(columns(select).map { columns in columns.first.flatMap(\.value) })
    }
    // A row value has several.
    guard let list = tokens.list(first + 1, last - 1), list.count == 1 else { return .never }
    return kind(list[0])
  }

  private func branches(_ first: Int, _ last: Int) -> Kind {
    var result = Kind.null
    var next = tokens.first(of: ["then", "else"], from: first + 1, to: last - 1)
    while let branch = next {
      let end = tokens.first(of: ["when", "else"], from: branch + 1, to: last - 1) ?? last
      if branch + 1 < end { result = result.joined(kind(branch + 1...end - 1)) }
      next = tokens.text(end) == "else" ? end : tokens.first(of: ["then"], from: end, to: last - 1)
    }
    return result
  }

  /// These give one of their arguments, of some of them the first.
  static let choosers: Set = ["max", "min", "coalesce", "ifnull"]
  private static let ofFirst: Set = [
    "nullif", "likely", "unlikely", "likelihood", "first_value", "last_value", "nth_value", "comparable",
  ]

  private func call(_ name: String, _ first: Int, _ last: Int) -> Kind {
    let start = ["distinct", "all"].contains(tokens.text(first)) ? first + 1 : first
    guard let arguments = tokens.list(start, last), !arguments.isEmpty else { return .never }
    switch name {
    case "iso_date": return .always
    case "date", "datetime": return .spelled
    case "iif", "if": return joined(arguments.dropFirst().map(Optional.some))
    // The third is the default.
    case "lag", "lead": return joined(arguments.enumerated().filter { $0.offset != 1 }.map { $0.element })
    case _ where Self.choosers.contains(name): return joined(arguments)
    case _ where Self.ofFirst.contains(name): return kind(arguments[0])
    default: return .never
    }
  }

  private func joined(_ ranges: [ClosedRange<Int>?]) -> Kind {
    ranges.reduce(.null) { $0.joined($1.map(kind) ?? .maybe) }
  }

  // MARK: - Results

  /// The `SELECT` in these parentheses; nil if they hold something else.
  func select(in open: Int) -> Int? {
    guard ["select", "with"].contains(tokens.text(open + 1)) else { return nil }
    return tokens.first(of: ["select"], from: open + 1)
  }

  /// The values of the first column, one for each part of a compound; a star has none.
  func firstColumn(_ select: Int) -> [ClosedRange<Int>] { columns(select).compactMap { $0.first?.value } }

  private func columns(_ select: Int) -> [[Column]] { selects[select] ?? [] }

  private static let ends: Set = [
    "from", "where", "group", "having", "window", "order", "limit", "union", "except", "intersect", ";",
  ]
  static let compounds: Set = ["union", "except", "intersect"]

  private func define(_ select: Int) {
    // A part behind UNION was found with the first.
    let before = tokens.text(select - 1) == "all" ? select - 2 : select - 1
    guard !Self.compounds.contains(tokens.text(before)) else { return }
    var parts: [[Column]] = []
    var next: Int? = select
    while let start = next {
      let distinct = ["distinct", "all"].contains(tokens.text(start + 1))
      let first = distinct ? start + 2 : start + 1
      let end = end(from: first)
      parts.append((tokens.list(first, end - 1) ?? []).map(column))
      let compound = tokens.first(of: Self.compounds, from: end)
      next = compound.flatMap { tokens.first(of: ["select"], from: $0) }
    }
    selects[select] = parts
    for (place, column) in (parts.first ?? []).enumerated() {
      guard let name = column.name, column.isAlias || parts.count > 1 else { continue }
      definitions[name, default: []] += values(parts, at: place)
    }
  }

  private func end(from first: Int) -> Int {
    var index = first
    while index < tokens.all.count, tokens.text(index) != ")", !Self.ends.contains(tokens.text(index)) {
      index = (tokens.partner(index).map { max($0, index) } ?? index) + 1
    }
    return index
  }

  private func column(_ range: ClosedRange<Int>) -> Column {
    let last = range.upperBound
    if tokens.text(last) == "*" { return Column() }
    if range.count > 1, tokens.isName(last) || tokens.kind(last) == .string {
      let name = tokens.all[last].text.lowercased()
      if tokens.text(last - 1) == "as" {
        return Column(value: range.lowerBound...max(range.lowerBound, last - 2), name: name, isAlias: true)
      }
      if tokens.endsValue(last - 1), tokens.text(last - 1) != "over" {
        return Column(value: range.lowerBound...last - 1, name: name, isAlias: true)
      }
    }
    return Column(value: range, name: tokens.isNameChain(range) ? tokens.all[last].text : nil)
  }

  /// What stands at that place of each part; nil behind a star.
  private func values(_ parts: [[Column]], at place: Int) -> [ClosedRange<Int>?] {
    parts.map { columns in
      columns.prefix(place + 1).contains { $0.value == nil } || place >= columns.count
        ? nil : columns[place].value
    }
  }

  /// `WITH name(a, b) AS (SELECT …)`
  private func defineList(_ index: Int) {
    guard tokens.text(index - 1) == ")", let open = tokens.partner(index - 1), tokens.isName(open - 1) else {
      return
    }
    // A call may have a name as well: `max(at) AS last, (SELECT 1)`.
    var body = index + 1
    if tokens.text(body) == "not" { body += 1 }
    if tokens.text(body) == "materialized" { body += 1 }
    guard tokens.text(body) == "(", let select = select(in: body) else { return }
    for (place, name) in (tokens.list(open + 1, index - 2) ?? []).enumerated() where name.count == 1 {
      definitions[tokens.all[name.lowerBound].text, default: []] += values(columns(select), at: place)
    }
  }
}
