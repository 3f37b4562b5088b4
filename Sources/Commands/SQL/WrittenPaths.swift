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
    var result = ""
    var start = sql.startIndex
    for chain in chains {
      let path = tokens.path(chain)
      let meanings = sources.compactMap { source -> PropertyPath? in
        let own = source.name.lowercased() + "."
        let inner = path.lowercased().hasPrefix(own) ? String(path.dropFirst(own.count)) : nil
        // SQLite reads `Trip.title` itself.
        if let inner, View.entityColumns(of: source.entity).values.contains(where: { $0 == inner }) {
          return nil
        }
        return PropertyPath(path, of: source.entity, called: source.name, in: store)
          ?? inner.flatMap { PropertyPath($0, of: source.entity, called: source.name, in: store) }
      }
      // What several tables have is for SQLite to refuse.
      guard meanings.count == 1 else { continue }
      let column = entity == nil ? nil : meanings[0].column.map(quotedIdentifier)
      // The result's column has the name that was typed.
      let name =
        meanings[0].column == nil && tokens.isResult(chain) ? " AS \(quotedIdentifier(path))" : ""
      result +=
        sql[start..<tokens.all[chain.lowerBound].range.lowerBound] + (column ?? meanings[0].sql) + name
      start = tokens.all[chain.upperBound].range.upperBound
    }
    return start == sql.startIndex ? nil : result + sql[start...]
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

  /// Whether the operand is a column of a result by itself, so that it has a name there.
  fileprivate func isResult(_ operand: ClosedRange<Int>) -> Bool {
    [",", "select", "distinct", "all"].contains(text(operand.lowerBound - 1))
      && [",", "from"].contains(text(operand.upperBound + 1)) && clause(of: operand.lowerBound) == "select"
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
