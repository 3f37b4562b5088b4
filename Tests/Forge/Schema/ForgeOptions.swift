package import Archives

/// What kind of store the forge makes.
package struct ForgeOptions: Sendable {
  /// Which history tables there are. Which framework writes which was measured on real stores.
  package enum History: Sendable {
    case none
    /// Up to 10.13: author and process as text in every transaction.
    case inlineStrings
    /// From 10.15: texts once, in `ATRANSACTIONSTRING`.
    case internedStrings
  }

  package enum ModelCache: Sendable {
    case whole
    /// Cut off in the middle.
    case damaged
    /// The table with a NULL in it.
    case null
    /// No table, as in stores of framework 519 and before.
    case absent
  }

  package enum Journal: Sendable {
    case wal, rollback
  }

  package var uuid: String
  /// `NSPersistenceFrameworkVersion`; also decides which metadata keys are there.
  package var frameworkVersion: Int64
  package var history: History
  package var modelCache: ModelCache
  package var journal: Journal
  /// Keys of the app's own in the store's metadata.
  package var metadata: [PropertyListDictionary.Entry]
  /// Entities whose objects the app keeps out of its history.
  package var entitiesWithoutHistory: Set<String>
  /// The largest value in bytes that an attribute with external storage keeps in its row.
  package var inlineLimit: Int

  package init(
    uuid: String = "5C0E5C0E-0000-4000-8000-000000000001", frameworkVersion: Int64 = 1526,
    history: History = .internedStrings, modelCache: ModelCache = .whole, journal: Journal = .wal,
    metadata: [PropertyListDictionary.Entry] = [], entitiesWithoutHistory: Set<String> = [],
    inlineLimit: Int = 100 * 1024
  ) {
    self.uuid = uuid
    self.frameworkVersion = frameworkVersion
    self.history = history
    self.modelCache = modelCache
    self.journal = journal
    self.metadata = metadata
    self.entitiesWithoutHistory = entitiesWithoutHistory
    self.inlineLimit = inlineLimit
  }
}
