package import CloudKitMirror
package import Evidence
package import StoreModel
package import Values

/// One store under examination: what every rule may look at.
package final class Examination {
  package let store: CoreDataStore
  /// How the bytes were opened; nil where only a connection is at hand.
  package let opened: OpenedStore?
  /// Nil where the store is not mirrored.
  package let mirror: Mirror?
  package let tables: MirrorTables
  /// What "old" and "the future" are measured against: see `Clock`.
  package let clock: Clock
  private let settings: [String: Double]

  /// - Parameters:
  ///   - store: with the lens and the mirror's views installed.
  ///   - settings: thresholds that aren't the default, by `RULE.NAME`.
  package init(
    _ store: CoreDataStore, opened: OpenedStore?, mirror: Mirror?, settings: [String: Double] = [:],
    now: CoreDataDate? = nil
  ) throws {
    self.store = store
    self.opened = opened
    self.mirror = mirror
    self.settings = settings
    tables = mirror?.tables ?? MirrorTables(store.tables)
    clock = try Clock(store, tables, mirror, now: now)
  }

  /// What a threshold of the rule is now.
  package func setting(_ name: String, of rule: RuleHeader) -> Double {
    settings["\(rule.id).\(name)"] ?? rule.thresholds.first { $0.name == name }?.defaultValue ?? 0
  }
}
