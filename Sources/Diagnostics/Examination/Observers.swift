import Base
package import Lens
package import StoreModel

/// What an observer of history wants to see. What nobody wants is neither read nor passed on.
package struct HistoryInterest: OptionSet, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Every transaction before its changes.
  static let beginnings = Self(rawValue: 1)
  /// Every transaction after its changes, also one without any.
  static let ends = Self(rawValue: 2)
  /// Changes of the app's objects, whose entity the store knows.
  static let objects = Self(rawValue: 4)
  /// Those of them that are updates in a transaction that exists.
  static let updates = Self(rawValue: 8)
  /// Those of them that name no changed property.
  static let emptyUpdates = Self(rawValue: 16)
  /// Changes whose transaction is gone.
  static let withoutTransaction = Self(rawValue: 32)
  /// Changes of the framework's own entities, and of numbers that no entity has.
  static let strangeEntities = Self(rawValue: 64)
  /// How many of the app's objects each transaction made and deleted, after its changes.
  static let totals = Self(rawValue: 128)
}

/// Watches history go by, oldest first, and says what it finds: on the way or in the end.
package protocol HistoryObserver: AnyObject {
  var interest: HistoryInterest { get }
  func begin(_ transaction: HistoryTransaction)
  /// - Parameters:
  ///   - what: that one interest of the observer for which it is called; a change of several comes several times.
  func visit(_ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector) throws
  /// `counts` is what the transaction did.
  func end(
    _ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector
  ) throws
  /// After the last change: what has to see history again for the rule, knowing what this one has learned; nil if this
  /// one can finish. So no more than a few bits are remembered of each of millions of objects.
  func successor() throws -> (any HistoryObserver)?
  /// Not called for transactions that made and deleted nothing.
  func visit(_ totals: [ObjectTally.Totals], of transaction: HistoryTransaction)
  /// - Parameter tally: by how much entities grew; all zero if nobody is interested in totals.
  func finish(_ tally: ObjectTally, _ findings: inout FindingCollector) throws
  /// For observers that keep no tally.
  func finish(_ findings: inout FindingCollector) throws
}

extension HistoryObserver {
  package func begin(_ transaction: HistoryTransaction) {}
  package func visit(
    _ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector
  ) throws {}
  package func end(
    _ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector
  ) throws {}
  package func successor() throws -> (any HistoryObserver)? { nil }
  package func visit(_ totals: [ObjectTally.Totals], of transaction: HistoryTransaction) {}
  package func finish(_ tally: ObjectTally, _ findings: inout FindingCollector) throws {
    try finish(&findings)
  }
  package func finish(_ findings: inout FindingCollector) throws {}
}

/// How many objects of each entity history makes and deletes. The pass itself counts, as it may see many millions of
/// changes, and observers want totals.
package struct ObjectTally {
  /// What one transaction did with the objects of one entity.
  package struct Totals {
    var entity: Int64
    var inserts: Int
    var deletes: Int
    /// Inserts less deletes since history began, up to the transaction's end.
    var growth: Int
  }

  /// By entity number: inserts less deletes since history began, of all authors.
  private(set) var growth: [Int]
  private var inserts: [Int]
  private var deletes: [Int]
  /// Entities of which the current transaction made or deleted something.
  private var touched: [Int] = []

  init(entities count: Int) {
    growth = [Int](repeating: 0, count: count)
    inserts = growth
    deletes = growth
  }

  /// - Parameter isOfTransaction: false if nobody knows who made it.
  mutating func insert(_ entity: Int, isOfTransaction: Bool) {
    growth[entity] += 1
    guard isOfTransaction else { return }
    touch(entity)
    inserts[entity] += 1
  }

  mutating func delete(_ entity: Int) {
    touch(entity)
    deletes[entity] += 1
    growth[entity] -= 1
  }

  private mutating func touch(_ entity: Int) {
    if inserts[entity] == 0, deletes[entity] == 0 { touched.append(entity) }
  }

  /// Those of the current transaction, which ends here.
  mutating func takeTotals() -> [Totals] {
    guard !touched.isEmpty else { return [] }
    defer {
      for entity in touched {
        inserts[entity] = 0
        deletes[entity] = 0
      }
      touched.removeAll(keepingCapacity: true)
    }
    return touched.map {
      Totals(entity: Int64($0), inserts: inserts[$0], deletes: deletes[$0], growth: growth[$0])
    }
  }
}

/// Watches every object URI go by that was found in a value, in the order of tables and rows.
package protocol ValueObserver: AnyObject {
  func visit(_ reference: FoundReference, _ findings: inout FindingCollector) throws
}

/// An object URI inside of a value.
package struct FoundReference {
  /// Who keeps the value.
  package enum Keeper: Sendable {
    /// An object of the app's.
    case object
    /// A row of the CloudKit mirror's.
    case mirror
    /// What history keeps of an object that was deleted.
    case tombstone
    /// The store's metadata, in which apps keep keys of their own.
    case metadata
  }

  package var keeper: Keeper
  /// The URI of the object that keeps it; nil where that is none, or a row of an unknown entity.
  package var holder: String?
  /// The number of the entity that keeps it; nil where a framework's table does.
  package var entity: Int64?
  /// Where in it: `Person.preferences.recent[0]`.
  package var place: String
  /// As it was found.
  package var text: String
  package var uri: ObjectURI
}
