import Lens
import StoreModel

/// Which names in a statement are those that it gives to results, and not columns of the same name:
/// `SELECT t.title AS trip FROM Entry e JOIN Trip t ON e.trip = t.uri` compares Entry's trip.
/// https://www.sqlite.org/lang_select.html
struct ResultNames {
  private let tokens: StatementTokens
  private let names: Set<String>
  /// What the statement calls its views, in lower case.
  private let sources: Set<String>
  /// Columns of the only `SELECT`, in lower case: in a condition they come before its results. Where there are several, a
  /// name may be of any of them.
  private let columns: Set<String>

  init(_ tokens: StatementTokens, in store: CoreDataStore) {
    self.tokens = tokens
    names = Set(DateTypes(tokens, in: store).definitions.keys)
    guard !names.isEmpty else {
      (sources, columns) = ([], [])
      return
    }
    let entities = ViewNames.views(for: store.schema.entities.map(\.name)).values
    let views = entities + ViewNames.links(of: store).map(\.view)
    sources = Set(tokens.sources(among: views).map { $0.name.lowercased() })
    columns =
      tokens.count(of: "select") == 1
      ? Set(
        WrittenPaths.sources(tokens, nil, store).flatMap { View.entityColumns(of: $0.entity).values }
          .map { $0.lowercased() })
      : []
  }

  /// - Parameter index: of a name, the last one behind dots.
  func contains(_ index: Int) -> Bool {
    guard names.contains(tokens.all[index].text) else { return false }
    guard tokens.text(index - 1) == ".", tokens.isName(index - 2) else {
      return !columns.contains(tokens.all[index].text)
    }
    return !sources.contains(tokens.all[index - 2].text)
  }
}
