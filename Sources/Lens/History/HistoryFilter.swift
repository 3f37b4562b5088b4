import SQLite
import StoreModel
package import Values

/// Which changes are wanted.
package struct HistoryFilter: Sendable, Equatable {
  package enum Author: Sendable, Equatable {
    case named(String)
    case missing
  }

  package var author: Author?
  package var entities: ClosedRange<Int64>?
  package var primaryKey: Int64?
  package var since: CoreDataDate?
  package var until: CoreDataDate?
  package var transactions: ClosedRange<Int64>?

  package init(
    author: Author? = nil, entities: ClosedRange<Int64>? = nil, primaryKey: Int64? = nil,
    since: CoreDataDate? = nil, until: CoreDataDate? = nil, transactions: ClosedRange<Int64>? = nil
  ) {
    self.author = author
    self.entities = entities
    self.primaryKey = primaryKey
    self.since = since
    self.until = until
    self.transactions = transactions
  }

  /// Moments are printed to the microsecond, and what was printed must find what it was printed of.
  private static let printedPrecision = 0.000_000_5

  /// True where only some changes of a transaction may be meant.
  var looksAtChanges: Bool { entities != nil || primaryKey != nil }

  /// SQL over a view's columns, with the values to bind; empty where all are wanted.
  typealias Condition = (sql: String, values: [SQLiteValue])

  /// Over the view `transactions`.
  var ofTransactions: Condition {
    joined([who, when, numbers])
  }

  /// Over the view `changes`, of which only numbers are asked. Who and when is asked of the transactions: a change
  /// whose transaction is gone has no author and no time.
  func ofChanges(_ transactions: View) -> Condition {
    func saved(_ condition: Condition) -> Condition {
      guard !condition.sql.isEmpty else { return condition }
      let columns = transactions.select(["transaction", "author", "timestamp"], "WHERE \(condition.sql)")
      return ("\"transaction\" IN (SELECT \"transaction\" FROM (\(columns)))", condition.values)
    }
    let whose: Condition
    if author == .missing {
      let named = saved(("author IS NOT NULL", []))
      whose = ("COALESCE(\(named.sql), 0) = 0", named.values)
    } else {
      whose = saved(who)
    }
    var object: [Condition] = []
    if let entities {
      object.append(
        (
          "entityNumber BETWEEN ? AND ?", [.integer(entities.lowerBound), .integer(entities.upperBound)]
        ))
    }
    if let primaryKey { object.append(("pk = ?", [.integer(primaryKey)])) }
    return joined([whose] + object + [saved(when), numbers])
  }

  private var who: Condition {
    switch author {
    case .named(let name): ("author = ?", [.text(name)])
    case .missing: ("author IS NULL", [])
    case nil: ("", [])
    }
  }

  private var when: Condition {
    joined([
      since.map { ("timestamp >= ?", [.real($0.seconds - Self.printedPrecision)]) } ?? ("", []),
      until.map { ("timestamp <= ?", [.real($0.seconds + Self.printedPrecision)]) } ?? ("", []),
    ])
  }

  private var numbers: Condition {
    transactions.map {
      ("\"transaction\" BETWEEN ? AND ?", [.integer($0.lowerBound), .integer($0.upperBound)])
    } ?? ("", [])
  }

  private func joined(_ conditions: [Condition]) -> Condition {
    let given = conditions.filter { !$0.sql.isEmpty }
    return (given.map(\.sql).joined(separator: " AND "), given.flatMap(\.values))
  }
}
