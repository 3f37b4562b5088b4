package import Base
package import Evidence
package import Lens
import SQLite
package import StoreModel

/// One store under examination: what every rule may look at.
package final class Examination {
  let open: OpenStore
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?
  /// What "old" and "the future" are measured against: see `Clock`.
  package let clock: Clock
  private let settings: [String: Double]
  /// Whether checks that take long are made too.
  let isThorough: Bool
  /// Whether the app will mirror the store, even if it doesn't yet.
  let assumesCloudKit: Bool

  /// - Parameter settings: thresholds that aren't the default, by `RULE.NAME`.
  package init(
    _ open: OpenStore, settings: [String: Double] = [:], isThorough: Bool = false,
    assumesCloudKit: Bool = false, now: CoreDataDate? = nil
  ) throws {
    self.open = open
    self.settings = settings
    self.isThorough = isThorough
    self.assumesCloudKit = assumesCloudKit
    // Rules ask the views. Without all tables in view, none that does is checked.
    if open.opened?.isSchemaDamaged != true { _ = try open.lens() }
    mirror = try open.mirror()
    try mirror?.readUndamaged()
    clock = try Clock(open.store, mirror, now: now)
  }

  private init(_ other: Examination, _ open: OpenStore) throws {
    self.open = open
    settings = other.settings
    isThorough = other.isThorough
    assumesCloudKit = other.assumesCloudKit
    clock = other.clock
    _ = try open.lens()
    mirror = try open.mirror()
    try mirror?.readUndamaged()
  }

  /// The same examination for another thread; nil where the store is no larger, or can't be opened twice.
  func sibling() throws -> Examination? {
    guard open.isForThreads,
      let open = try open.sibling()
    else { return nil }
    return try Examination(self, open)
  }

  package var store: CoreDataStore { open.store }
  /// How the bytes were opened; nil where only a connection is at hand.
  package var opened: OpenedStore? { open.opened }
  package var tables: FrameworkTables { open.tables }

  /// What is wrong where history lacks one of its two tables, or a column that all frameworks made; nil if nothing is.
  package var historyDamage: String? {
    let halves: [FrameworkTable] = [.changes, .transactions]
    if let left = halves.first(where: tables.has) {
      for half in halves {
        if let absence = tables.absence(of: half) { return Self.isGone(absence, left) }
      }
    }
    guard tables.hasHistory else { return nil }
    let needed: [(FrameworkTable, String)] =
      ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"].map { (.changes, $0) }
      + [(.transactions, "ZTIMESTAMP")]
    return needed.first { !tables.has($0.0, $0.1) }.map {
      "The table \($0.0.rawValue) has no column \($0.1): part of persistent history is gone. Restore the store from a backup."
    }
  }

  /// What is wrong where history lacks its table of strings, which those of 2018 didn't have; nil if nothing is.
  var missingStrings: String? {
    let strings = FrameworkTable.transactionStrings
    guard tables.hasHistory, store.primaryKeys.framework.contains(where: { $0.name == strings.entity }) else {
      return nil
    }
    return tables.absence(of: strings).map { Self.isGone($0, .changes) }
  }

  private static func isGone(_ absence: String, _ left: FrameworkTable) -> String {
    "\(absence), while \(left.rawValue) is there: part of persistent history is gone. Restore the store from a backup."
  }

  /// What a threshold of the rule is now.
  package func setting(_ name: String, of rule: RuleHeader) -> Double {
    settings["\(rule.id).\(name)"] ?? rule.thresholds.first { $0.name == name }?.defaultValue ?? 0
  }
}

extension Mirror {
  /// Damage is what the doctor is for: each rule meets that of the tables that it asks.
  fileprivate func readUndamaged() throws {
    do { try readSmallTables() } catch let error as SQLiteError where error.isDamage {}
  }
}

extension Need {
  /// Why a rule with this need can't be checked; nil where it can.
  func lack(in examination: Examination) -> String? {
    let tables = examination.tables
    switch self {
    case .history: return examination.historyDamage ?? (tables.hasHistory ? nil : Self.noHistory)
    case .mirror: return examination.mirror == nil ? Self.notMirrored : nil
    case .cloudKit:
      return examination.mirror == nil && !examination.assumesCloudKit ? Self.notMirrored : nil
    case .knownLayout:
      guard let mirror = examination.mirror else { return Self.notMirrored }
      return mirror.layout == .unknown ? "The mirror's tables have an unknown layout." : nil
    case .model:
      return examination.store.model == nil
        ? "The store's model can't be read; pass the app's with --model PATH." : nil
    case .table(let table):
      if tables.has(table) { return nil }
      if table.isHistory { return examination.historyDamage ?? Self.noHistory }
      return examination.mirror == nil ? Self.notMirrored : "The store has no table \(table.rawValue)."
    }
  }

  package static let noHistory = "The store keeps no persistent history."
  package static let notMirrored = "The store is not mirrored to CloudKit."
}
