package import Lens

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
  func visit(
    _ change: HistoryChange, as what: HistoryInterest, _ findings: inout FindingCollector
  ) throws
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
  package func finish(
    _ tally: ObjectTally, _ findings: inout FindingCollector
  ) throws {
    try finish(&findings)
  }
  package func finish(_ findings: inout FindingCollector) throws {}
}
