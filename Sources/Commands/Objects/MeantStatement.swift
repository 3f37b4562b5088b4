import Lens
import SQLite
import StoreModel
import Values

/// What was meant by a statement that SQLite can't read, where that is certain enough to be a statement of its own: with
/// the words of NSPredicate in SQL's, and with dotted names behind a to-many relationship, such as `tags.name`.
struct MeantStatement {
  let sql: String
  /// What SQL has no word for, to be said of it; nil where the words alone differ.
  let reason: String?

  /// Nil for what isn't understood, or wouldn't run either.
  init?(_ sql: String, in store: CoreDataStore) {
    guard sql.utf8.count < SQLHabits.longest else { return nil }
    let sql = sql.replacing(/[\s;]+$/, with: "")
    let worded = MistypedCondition.withoutPredicateWords(sql)
    let linked = Self.linked(worded, in: store)
    guard let meant = linked?.sql ?? (worded == sql ? nil : worded), Self.runs(meant, in: store) else {
      return nil
    }
    (self.sql, reason) = (meant, linked?.reason)
  }

  private static func runs(_ sql: String, in store: CoreDataStore) -> Bool {
    (try? UserSQL.compiled(sql, in: store) { _ = try store.connection.prepare($0) }) != nil
  }

  /// The same with the views of to-many relationships: where such a name is compared, the objects of which any meets the
  /// comparison; elsewhere a row for each pair.
  private static func linked(_ sql: String, in store: CoreDataStore) -> (sql: String, reason: String)? {
    let tokens = StatementTokens(sql)
    let sources = WrittenPaths.sources(tokens, nil, store)
    var replacements: [(tokens: ClosedRange<Int>, text: String)] = []
    var joins: [String] = []
    var leading: [String] = []
    for chain in tokens.chains + tokens.comparedNames {
      let found = sources.lazy.compactMap { source in
        link(tokens.path(chain), from: source.entity, called: source.name, in: store).map { ($0, source) }
      }.first
      guard let (link, source) = found else { continue }
      if !leading.contains(link.name) { leading.append(link.name) }
      if let comparison = tokens.comparison(ofOperand: chain),
        let written = link.keys(comparison, tokens, sources)
          ?? condition(link, comparison, tokens, isName: chain.count == 1, of: source.entity, in: store)
      {
        let key =
          written.hasPrefix("pk ") && sources.count > 1 ? "\(WrittenCondition.quoted(source.name))." : ""
        replacements.append((chain.lowerBound...comparison.upperBound, key + written))
      } else {
        guard let join = link.join else { return nil }
        replacements.append((chain, link.column))
        if !joins.contains(join) { joins.append(join) }
      }
    }
    guard !replacements.isEmpty else { return nil }
    if !joins.isEmpty {
      guard let from = tokens.first(of: ["from"], from: 0) else { return nil }
      let clauses: Set = ["where", "group", "having", "order", "limit", "union", "except", "intersect", ";"]
      let end = (tokens.first(of: clauses, from: from + 1) ?? tokens.all.count) - 1
      replacements.append((end...end, tokens.source(end...end) + " " + joins.joined(separator: " ")))
    }
    var result = ""
    var start = sql.startIndex
    for (range, text) in replacements.sorted(by: { $0.tokens.lowerBound < $1.tokens.lowerBound }) {
      guard tokens.all[range.lowerBound].range.lowerBound >= start else { return nil }
      result += sql[start..<tokens.all[range.lowerBound].range.lowerBound] + text
      start = tokens.all[range.upperBound].range.upperBound
    }
    let names = leading.map { "'\($0)'" }.joined(separator: " and ")
    return (result + sql[start...], "\(names) \(leading.count == 1 ? "leads" : "lead") to several objects")
  }

  /// Nil for what is compared with another column, or with what a subquery finds: only what is written there is a text.
  private static func condition(
    _ link: Link, _ comparison: ClosedRange<Int>, _ tokens: StatementTokens, isName: Bool,
    of entity: SchemaEntity, in store: CoreDataStore
  ) -> String? {
    guard !comparison.contains(where: { [".", "select"].contains(tokens.text($0)) }),
      let condition = WrittenCondition("\(link.path) \(tokens.source(comparison))")
    else { return nil }
    // Behind the relationship's own name, an address may stand.
    return isName
      ? condition.sql(of: entity, in: store) : LinkCondition.sql(condition, of: entity, in: store)
  }

  private struct Link {
    /// The relationship.
    var name: String
    /// Without a table's name in front.
    var path: String
    /// The property of what it leads to, where `join` is joined; nil for what is no single step.
    var join: String?
    var column = ""
    /// The relationship's view, and the number of the root of what it leads to; nil for what goes on behind it.
    var end: (view: String, root: Int64)?

    /// The objects that are linked with one whose key is compared: `e.tags = 3`, `e.tags = g.pk`, `e.tags = g.uri`.
    func keys(
      _ comparison: ClosedRange<Int>, _ tokens: StatementTokens,
      _ sources: [(entity: SchemaEntity, name: String)]
    ) -> String? {
      let first = comparison.lowerBound + 1
      guard let end, ["=", "=="].contains(tokens.text(first - 1)), first <= comparison.upperBound else {
        return nil
      }
      let value = first...comparison.upperBound
      let isKey =
        value.count == 1
        ? tokens.kind(first) == .number
        : value.count == 3 && tokens.isNameChain(value)
          && ["pk", "uri"].contains(tokens.all[value.upperBound].text)
          && sources.contains {
            $0.name.lowercased() == tokens.all[first].text && $0.entity.root == end.root
          }
      guard isKey else { return nil }
      let view = WrittenCondition.quoted(end.view)
      return "pk IN (SELECT source FROM \(view) WHERE target = \(tokens.source(value)))"
    }
  }

  private static func link(
    _ path: String, from entity: SchemaEntity, called source: String, in store: CoreDataStore
  ) -> Link? {
    let parts = path.split(separator: ".").map(String.init)
    // Quoted names may be empty.
    guard let first = parts.first else { return nil }
    // A relationship may be called like the table.
    let isOwn =
      first.lowercased() == source.lowercased()
      && (parts.count > 2 || ViewNames.toMany(first, of: entity, in: store) == nil)
    let steps = isOwn ? Array(parts.dropFirst()) : parts
    var (owner, key) = (entity, "\(WrittenCondition.quoted(source)).pk")
    var names = steps[...]
    if names.count > 2, let led = toOne(names[0], of: entity, in: store) {
      (owner, key) = (led.entity, "\(WrittenCondition.quoted(source)).\(WrittenCondition.quoted(led.column))")
      names = names.dropFirst()
    }
    guard let name = names.first, let link = ViewNames.toMany(name, of: owner, in: store) else { return nil }
    var found = Link(name: link.relationship.name, path: steps.joined(separator: "."))
    let target = store.schema[link.relationship.destination]
    if steps.count == 1 { found.end = target.map { (link.view, $0.root) } }
    guard names.count == 2, let last = names.last, let target,
      let property = Suggestion.spelled(last, in: View.entityColumns(of: target).values)
    else { return found }
    let view = ViewNames.view(for: target.name, among: store.schema.entities.map(\.name))
    let (table, column) = (WrittenCondition.quoted(found.name), WrittenCondition.quoted(property))
    // Another table of the statement may have a column of the same name.
    let aliases = ["source", property].map { WrittenCondition.quoted("\(found.name)_\($0)") }
    found.column = aliases[1]
    found.join = """
      LEFT JOIN (SELECT l.source AS \(aliases[0]), t.\(column) AS \(aliases[1]) \
      FROM \(WrittenCondition.quoted(link.view)) l JOIN \(WrittenCondition.quoted(view)) t ON t.pk = l.target) \
      \(table) ON \(aliases[0]) = \(key)
      """
    return found
  }

  private static func toOne(
    _ name: String, of entity: SchemaEntity, in store: CoreDataStore
  ) -> (entity: SchemaEntity, column: String)? {
    let relationship = entity.relationships.first {
      guard case .toOne = $0.storage else { return false }
      return $0.name.lowercased() == name.lowercased()
    }
    guard let relationship, let target = store.schema[relationship.destination],
      let column = View.entityColumns(of: entity)[relationship.name]
    else { return nil }
    return (target, column)
  }
}

extension StatementTokens {
  /// Names without a dot that are compared with a text.
  fileprivate var comparedNames: [ClosedRange<Int>] {
    all.indices.filter { index in
      guard isName(index), text(index - 1) != ".", let comparison = comparison(ofOperand: index...index)
      else {
        return false
      }
      return comparison.contains { kind($0) == .string }
    }.map { $0...$0 }
  }

  /// The operator behind an operand with what it is compared with.
  fileprivate func comparison(ofOperand operand: ClosedRange<Int>) -> ClosedRange<Int>? {
    let first = operand.upperBound + 1
    let place = text(first) == "not" ? first + 1 : first
    if text(place) == "like" || text(place) == "contains" {
      return self.operand(beginningAt: place + 1).map { first...$0.upperBound }
    }
    if text(first) == "is", text(first + 1) == "null" { return first...first + 1 }
    if text(first) == "is", text(first + 1) == "not", text(first + 2) == "null" { return first...first + 2 }
    guard let comparison = comparison(at: place), comparison.left == operand else { return nil }
    let end = comparison.kind == .list ? partner(place + 1) : comparison.others.last?.upperBound
    return end.map { first...$0 }
  }
}
