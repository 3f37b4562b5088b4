import Lens
import SQLite
import StoreModel
import Values

/// Dotted names in SQL that are no columns, as `--columns` and `--sort` take them: `weather.condition`,
/// `mapStyle.scheme`, `companions[0]`, `trip.title`.
enum WrittenPaths {
  /// The SQL with what these names stand for; nil if there is none in it.
  /// - Parameter entity: whose condition it is; nil for a statement.
  static func resolved(_ sql: String, of entity: SchemaEntity?, in store: CoreDataStore) -> String? {
    guard sql.utf8.count < SQLHabits.longest else { return nil }
    let tokens = StatementTokens(sql)
    let chains = tokens.chains
    guard !chains.isEmpty else { return nil }
    let sources = sources(tokens, entity, store)
    var edits: [(place: Range<String.Index>, text: String)] = []
    var named: Set<Int> = []
    for chain in chains {
      let path = tokens.path(chain)
      let meanings = sources.compactMap { source -> PropertyPath? in
        let own = source.name.lowercased() + "."
        let inner = path.lowercased().hasPrefix(own) ? String(path.dropFirst(own.count)) : nil
        // SQLite reads `Trip.title` itself, and not `Entry.weather.condition`.
        if let inner, !inner.contains("."), View.entityColumns(of: source.entity).values.contains(inner) {
          return nil
        }
        return PropertyPath(path, of: source.entity, called: source.name, in: store)
          ?? inner.flatMap { PropertyPath($0, of: source.entity, called: source.name, in: store) }
      }
      // What several tables have is for SQLite to refuse.
      guard meanings.count == 1 else { continue }
      let column = meanings[0].column.map(quotedIdentifier)
      edits.append((tokens.place(of: chain), entity == nil ? column ?? meanings[0].sql : meanings[0].sql))
      // The result's column has the name that was typed.
      guard entity == nil, let result = tokens.unnamedResult(of: chain), result != chain || column == nil,
        named.insert(result.upperBound).inserted
      else { continue }
      let end = tokens.place(of: result).upperBound
      edits.append((end..<end, " AS \(quotedIdentifier(String(tokens.source(result))))"))
    }
    var result = ""
    var start = sql.startIndex
    for edit in edits.sorted(by: { $0.place.lowerBound < $1.place.lowerBound }) {
      result += sql[start..<edit.place.lowerBound] + edit.text
      start = edit.place.upperBound
    }
    return edits.isEmpty ? nil : result + sql[start...]
  }

  static func sources(
    _ tokens: StatementTokens, _ entity: SchemaEntity?, _ store: CoreDataStore
  ) -> [(entity: SchemaEntity, name: String)] {
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    if let entity { return [(entity, views[entity.name] ?? entity.name)] }
    return tokens.sources(among: Array(views.values)).compactMap { source in
      store.schema.entities.first { views[$0.name] == source.view }.map { ($0, source.name) }
    }
  }
}

extension StatementTokens {
  /// Names with others behind a dot, or with an element's number: `a.b`, `a[0]`.
  var chains: [ClosedRange<Int>] {
    var chains: [ClosedRange<Int>] = []
    var index = 0
    while index < all.count {
      defer { index += 1 }
      guard isName(index), text(index - 1) != "." else { continue }
      var last = index
      while true {
        if text(last + 1) == ".", [.word, .name].contains(kind(last + 2)) {
          last += 2
        } else if isElement(last + 1), all[last].range.upperBound == all[last + 1].range.lowerBound {
          last += 1
        } else {
          break
        }
      }
      if last > index, text(last + 1) != "(" { chains.append(index...last) }
      index = last
    }
    return chains
  }

  fileprivate func place(of range: ClosedRange<Int>) -> Range<String.Index> {
    all[range.lowerBound].range.lowerBound..<all[range.upperBound].range.upperBound
  }

  /// The column of a result that an operand is a part of; nil if it is none, or has a name of its own.
  fileprivate func unnamedResult(of operand: ClosedRange<Int>) -> ClosedRange<Int>? {
    var first: Int?
    var depth = 0
    var place = operand.lowerBound - 1
    while !["select", "distinct", "all"].contains(text(place)) {
      guard place > 0, !["from", "where", "on", "by", "having", "limit", "values"].contains(text(place))
      else {
        return nil
      }
      switch text(place) {
      case ")": place = partner(place) ?? place
      case "(": (first, depth) = (nil, depth + 1)
      case ",": first = first ?? place + 1
      default: break
      }
      place -= 1
    }
    let begin = first ?? place + 1
    var last = operand.upperBound
    while last + 1 < all.count {
      switch text(last + 1) {
      case "(": last = partner(last + 1) ?? last + 1
      case ")" where depth > 0: (last, depth) = (last + 1, depth - 1)
      case ",", "from", ")", ";", "union", "except", "intersect":
        if depth == 0 || text(last + 1) != "," { return hasName(begin...last) ? nil : begin...last }
        last += 1
      default: last += 1
      }
    }
    return hasName(begin...last) ? nil : begin...last
  }

  /// Whether a result's column ends with the name that it gets, with or without AS.
  private func hasName(_ column: ClosedRange<Int>) -> Bool {
    let last = column.upperBound
    return column.count > 1 && (isName(last) || kind(last) == .string)
      && (text(last - 1) == "as" || endsValue(last - 1))
  }

  private func isElement(_ index: Int) -> Bool {
    kind(index) == .name && source(index...index).wholeMatch(of: /\[\d+\]/) != nil
  }

  /// As it is written, without quotes and blanks.
  func path(_ chain: ClosedRange<Int>) -> String {
    chain.map { index in
      let written = source(index...index)
      return String(kind(index) == .name && !isElement(index) ? written.dropFirst().dropLast() : written)
    }.joined()
  }
}
