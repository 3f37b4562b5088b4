import Lens
import SQLite
import StoreModel
import SystemCalls
import Values

/// Why a condition finds nothing: the first comparison in it that no object meets, and what the property has instead.
struct UnmetCondition {
  private let tokens: StatementTokens
  private let entity: SchemaEntity
  private let store: CoreDataStore
  private let view: String
  /// The properties by the lower-case names of their columns.
  private let properties: [String: String]

  /// More values aren't compared with the one that was typed.
  private static let mostValues = 1000
  /// In bytes: nobody types a longer one.
  private static let longestValue = 1000
  /// So many values are listed at most; of more, the typed one may be any.
  private static let mostListed = 6

  init(_ predicate: String, _ entity: SchemaEntity, in store: CoreDataStore) {
    tokens = StatementTokens(predicate)
    (self.entity, self.store) = (entity, store)
    view =
      "temp." + quotedIdentifier(ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name)))
    properties = Dictionary(
      View.entityColumns(of: entity).map { ($0.value.lowercased(), $0.key) },
      uniquingKeysWith: { one, _ in one })
  }

  private struct Comparison {
    let name: String
    let path: String
    let attribute: SchemaAttribute
    let sql: String
    /// The text that it is compared with; nil for numbers and several values.
    let text: String?
    let isLike: Bool
  }

  /// A clause; nil if nothing is known.
  var reason: String? {
    get throws {
      for comparison in tokens.all.indices.compactMap(comparison) where try isUnmet(comparison) {
        if let reason = try reason(comparison) { return reason }
      }
      return nil
    }
  }

  private func comparison(at index: Int) -> Comparison? {
    let (left, right): (ClosedRange<Int>, ClosedRange<Int>)
    let isLike = tokens.text(index) == "like"
    if isLike {
      guard let one = tokens.operand(endingAt: index - 1), let other = tokens.operand(beginningAt: index + 1)
      else { return nil }
      (left, right) = (one, other)
    } else {
      guard let found = tokens.comparison(at: index), found.kind != .cases, found.subquery == nil,
        let last = found.others.last
      else { return nil }
      (left, right) = (found.left, last)
    }
    guard left.count == 1, tokens.isName(left.lowerBound), !isNegated(left.lowerBound, index),
      let path = properties[tokens.all[left.lowerBound].text.lowercased()],
      let property = entity.attribute(named: path)
    else { return nil }
    let attribute = property.description.isEnumeration ? property.leaves.first ?? property : property
    let isClosed = tokens.text(right.upperBound + 1) == ")" && tokens.text(index) == "in"
    let typed = right.count == 1 ? tokens.string(right.lowerBound) : nil
    return Comparison(
      name: String(tokens.source(left)), path: path, attribute: attribute,
      sql: String(tokens.source(left.lowerBound...right.upperBound + (isClosed ? 1 : 0))),
      text: isLike || ["=", "=="].contains(tokens.text(index)) ? typed : nil,
      isLike: isLike)
  }

  private func isNegated(_ left: Int, _ comparison: Int) -> Bool {
    tokens.text(left - 1) == "not" || tokens.text(comparison - 1) == "not"
      || ["<>", "!="].contains(tokens.text(comparison))
  }

  private func isUnmet(_ comparison: Comparison) throws -> Bool {
    try store.connection.onlyReading {
      try UserSQL.compiled(comparison.sql, of: entity, in: store) { sql in
        try store.connection.first("SELECT 1 FROM \(view) WHERE (\(sql)) LIMIT 1") { _ in true } == nil
      }
    }
  }

  private func reason(_ comparison: Comparison) throws -> String? {
    let column = quotedIdentifier(View.entityColumns(of: entity)[comparison.path] ?? comparison.path)
    let ends = try store.connection.first("SELECT MIN(\(column)), MAX(\(column)) FROM \(view)") { row in
      row.isNull(0) ? nil : (row.text(0), row.text(1))
    }
    guard let ends = ends ?? nil else { return "no \(entity.name) has a value of \(comparison.name)" }
    switch comparison.attribute.description.type {
    case .string, .uri: return try ofText(comparison, column)
    case .boolean:
      return ends.0 == ends.1
        ? "\(comparison.name) is \(ends.0) in all objects" : "\(comparison.name) is 0 or 1"
    case .date:
      let days = [ends.0, ends.1].map { $0.prefix(10) }
      return days[0] == days[1]
        ? "\(comparison.name) is on \(days[0]) in all objects"
        : "\(comparison.name) is between \(days[0]) and \(days[1])"
    case .integer16, .integer32, .integer64, .decimal, .double, .float:
      if let text = comparison.text, Double(text) == nil, let number = WrittenNumber(text)?.readings.first {
        let written = number.integer.map(String.init) ?? number.real.description
        return "\(comparison.name) is a number: write \(comparison.name) = \(written)"
      }
      // The address of an object, where its relationship is a number.
      if let key = comparison.text?.wholeMatch(of: /.+\/p(\d+)/)?.1, store.schema.isGuessed {
        return "\(comparison.name) is a number: write \(comparison.name) = \(key)"
      }
      if let text = comparison.text, Double(text) == nil {
        let guess = store.schema.isGuessed ? "; its name is guessed from the tables" : ""
        return "\(comparison.name) holds numbers, \(ends.0) to \(ends.1)\(guess)"
      }
      let (low, high) = try exactEnds(column) ?? ends
      return low == high
        ? "\(comparison.name) is \(low) in all objects" : "\(comparison.name) is between \(low) and \(high)"
    default: return nil
    }
  }

  /// The ends with all their digits: SQLite's text has 15, so that the value which was typed could seem to be between them.
  private func exactEnds(_ column: String) throws -> (String, String)? {
    // A Decimal may be kept as either.
    try store.connection.first(
      "SELECT MIN(\(column)), MAX(\(column)) FROM \(view) WHERE typeof(\(column)) IN ('integer', 'real')"
    ) { row in
      func digits(_ index: Int) -> String {
        row.type(index) == .integer ? String(row.integer(index)) : row.real(index).description
      }
      return row.isNull(0) ? nil : (digits(0), digits(1))
    } ?? nil
  }

  // MARK: - Texts

  private func ofText(_ comparison: Comparison, _ column: String) throws -> String? {
    guard let typed = comparison.text else { return nil }
    let name = comparison.name
    let word = comparison.isLike ? typed.filter { $0 != "%" } : typed
    guard !word.isEmpty, word.count <= 200, !comparison.isLike || !word.contains("_") else { return nil }
    // SQLite measures them, as many long ones don't fit into memory; they all become one NULL.
    let found = try store.connection.rows(
      "SELECT DISTINCT CASE WHEN length(CAST(\(column) AS BLOB)) < \(Self.longestValue) THEN \(column) END FROM \(view) WHERE typeof(\(column)) = 'text' LIMIT \(Self.mostValues)"
    ) { $0.isNull(0) ? nil : $0.text(0) }
    let values = found.compactMap(\.self)
    let folded = FoldedText(word)
    let trimmed = folded.trimmed
    let candidates = try values.map { value in
      try Interruption.check()
      return FoldedText(value)
    }
    if word == typed, let index = candidates.firstIndex(where: { trimmed.isSame(as: $0.trimmed) }) {
      let same = values[index]
      return
        "no \(name) is \(quotedText(typed)), but one is \(quotedText(same)): write \(name) = \(quotedText(same))"
    }
    for (value, candidate) in zip(values, candidates) {
      try Interruption.check()
      guard let part = candidate.part(like: folded) else { continue }
      let verb = comparison.isLike ? "is like" : "is"
      return
        "no \(name) \(verb) \(quotedText(typed)), but \(quotedText(value.shortened(to: 40))) has \(part == word ? "it" : quotedText(part)): write \(name) LIKE \(quotedText("%\(part)%"))"
    }
    // One letter is near to every other one.
    let near = word.count > 2 ? Suggestion.nearest(3, to: word, in: values) : []
    if !near.isEmpty {
      return "similar values of \(name): \(near.map(quotedText).joined(separator: ", "))"
    }
    guard found.count <= Self.mostListed, found.allSatisfy({ $0.map { $0.count <= 40 } ?? false }) else {
      return nil
    }
    let list = values.map(quotedText)
    return list.count == 1
      ? "\(name) is \(list[0]) wherever there is one"
      : "\(name) is one of \(list.joined(separator: ", "))"
  }
}

extension String {
  fileprivate func shortened(to length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
