import Lens
import StoreModel

/// Which names of a statement may be those that it gives itself, to the results of a subquery or of a common table
/// expression. A name that stands for a result of the whole statement isn't one: SQLite first looks for a column of that
/// name. https://www.sqlite.org/lang_select.html
struct SubqueryResults {
  private let tokens: StatementTokens
  private let names: Set<String>
  /// What the statement calls the store's entities.
  private let entities: Set<String>

  init(_ tokens: StatementTokens, in store: CoreDataStore) {
    self.tokens = tokens
    let subqueries = tokens.all.indices.compactMap { open -> ClosedRange<Int>? in
      guard tokens.text(open) == "(", ["select", "with"].contains(tokens.text(open + 1)) else { return nil }
      return tokens.partner(open).map { open...$0 }
    }
    let definitions = DateTypes(tokens, in: store).definitions
    names = Set(
      definitions.filter { _, values in
        values.contains { value in
          value.map { value in subqueries.contains { $0.contains(value.lowerBound) } } ?? true
        }
      }.keys)
    let views = Array(ViewNames.views(for: store.schema.entities.map(\.name)).values)
    entities = Set(tokens.sources(among: views).map { $0.name.lowercased() })
  }

  /// Whether the name that ends there may be one. `e.trip` isn't, where `e` is an entity.
  func mayBe(_ name: Int) -> Bool {
    guard names.contains(tokens.all[name].text) else { return false }
    return tokens.text(name - 1) != "." || name < 2 || !entities.contains(tokens.all[name - 2].text)
  }
}
