package import Base
import SQLite
import StoreModel

/// Which changes are wanted.
package struct HistoryFilter: Sendable, Equatable {
  /// What a transaction says of who saved it, as far as it can be asked for.
  package enum Origin: String, Sendable, CaseIterable {
    case author, process, bundle
  }

  /// Any of these; all where there are none.
  package var origins: [Origin: [String]] = [:]
  /// Only transactions without an author.
  package var hasNoAuthor = false
  package var kinds: Set<ChangeKind> = []
  /// Updates of any of these, by the model's names.
  package var properties: Set<String> = []
  package var entities: ClosedRange<Int64>?
  package var primaryKey: Int64?
  package var since: CoreDataDate?
  package var until: CoreDataDate?
  package var transactions: ClosedRange<Int64>?
  /// Only that part of the transactions.
  var range: KeyRange?

  package init(
    kinds: Set<ChangeKind> = [], entities: ClosedRange<Int64>? = nil, primaryKey: Int64? = nil,
    transactions: ClosedRange<Int64>? = nil
  ) {
    self.kinds = kinds
    self.entities = entities
    self.primaryKey = primaryKey
    self.transactions = transactions
  }

  /// Moments are printed to the microsecond, and what was printed must find what it was printed of.
  private static let printedPrecision = 0.000_000_5

  /// Whether every change passes.
  package var isEmpty: Bool { self == HistoryFilter() }

  /// True where only some changes of a transaction may be meant.
  var looksAtChanges: Bool { entities != nil || primaryKey != nil || !kinds.isEmpty || !properties.isEmpty }

  /// What `ofChanges` asks of the view `changes`.
  static let changeColumns = ["transaction", "entityNumber", "pk", "kind"]

  /// SQL over a view's columns, with the values to bind; empty where all are wanted.
  typealias Condition = (sql: String, values: [SQLiteValue])

  /// Over the view `transactions`.
  var ofTransactions: Condition {
    joined([who, hasNoAuthor ? ("author IS NULL", []) : ("", []), when, numbers])
  }

  /// Over the view `changes`, of which only numbers are asked. Who and when is asked of the transactions: a change
  /// whose transaction is gone has no author and no time.
  func ofChanges(_ transactions: View) -> Condition {
    func saved(_ condition: Condition, _ columns: [String]) -> Condition {
      guard !condition.sql.isEmpty else { return condition }
      let selected = transactions.select(["transaction"] + columns, "WHERE \(condition.sql)")
      return ("\"transaction\" IN (SELECT \"transaction\" FROM (\(selected)))", condition.values)
    }
    var conditions = [saved(who, origins.keys.map(\.rawValue).sorted()), saved(when, ["timestamp"]), numbers]
    if hasNoAuthor {
      let named = saved(("author IS NOT NULL", []), ["author"])
      conditions.append(("COALESCE(\(named.sql), 0) = 0", named.values))
    }
    if let entities {
      conditions.append(
        (
          "entityNumber BETWEEN ? AND ?", [.integer(entities.lowerBound), .integer(entities.upperBound)]
        ))
    }
    if let primaryKey { conditions.append(("pk = ?", [.integer(primaryKey)])) }
    // Only updates have properties.
    let kinds = properties.isEmpty ? kinds : kinds.isEmpty ? [.update] : kinds.intersection([.update])
    if !kinds.isEmpty || !properties.isEmpty {
      let numbers = kinds.map { String($0.rawValue) }.sorted().joined(separator: ", ")
      conditions.append(("kind IN (\(numbers))", []))
    }
    return joined(conditions)
  }

  private var who: Condition {
    joined(
      Origin.allCases.compactMap { origin in
        guard let names = origins[origin], !names.isEmpty else { return nil }
        let places = names.map { _ in "?" }.joined(separator: ", ")
        return ("\(origin.rawValue) IN (\(places))", names.map(SQLiteValue.text))
      })
  }

  private var when: Condition {
    joined([
      since.map { ("timestamp >= ?", [.real($0.seconds - Self.printedPrecision)]) } ?? ("", []),
      until.map { ("timestamp <= ?", [.real($0.seconds + Self.printedPrecision)]) } ?? ("", []),
    ])
  }

  private var numbers: Condition {
    joined([
      transactions.map {
        ("\"transaction\" BETWEEN ? AND ?", [.integer($0.lowerBound), .integer($0.upperBound)])
      } ?? ("", []),
      (range?.condition("\"transaction\"") ?? "", []),
    ])
  }

  private func joined(_ conditions: [Condition]) -> Condition {
    let given = conditions.filter { !$0.sql.isEmpty }
    return (given.map(\.sql).joined(separator: " AND "), given.flatMap(\.values))
  }
}
