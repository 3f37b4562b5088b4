import Archives
package import Base
import SQLite
import StoreModel

/// Grows a CloudKit mirror in a forged store, and lives the framework's life with it: setups, exports, imports,
/// resets. What it does follows what app authors report of the framework; what it did is its truth.
///
/// ```
/// let mirror = try MirrorForge(forge, layout: .v17)
/// try mirror.setUp()
/// let ann = try mirror.save(author: "app") { try $0.insert("Person", ["name": "Ann"]) }
/// try mirror.export(.failure(.quotaExceeded))
/// mirror.truth.count(.upload) // 1
/// ```
package final class MirrorForge {
  /// https://developer.apple.com/documentation/cloudkit/ckdatabase/scope
  package enum Scope: Int64, Sendable, CaseIterable {
    case `public` = 1
    case `private`, shared

    var databaseName: String {
      switch self {
      case .public: "Public"
      case .private: "Private"
      case .shared: "Shared"
      }
    }
  }

  /// Raw values are those of `NSPersistentCloudKitContainer.EventType`.
  package enum EventKind: Int64, Sendable, CaseIterable {
    case setup, `import`, export
  }

  /// Authors under which the framework itself saves.
  package enum FrameworkAuthor: String, Sendable, CaseIterable {
    case export, `import`, reset, migration, setup, event

    package var name: String { "NSCloudKitMirroringDelegate." + rawValue }
  }

  /// The ways in which apps switch mirroring off, and what they leave in the store.
  package enum Switch: Sendable, CaseIterable {
    case on
    /// The container's CloudKit options are nil until the next launch. History goes on.
    case optionsNil
    /// A container without CloudKit and without history opens the store.
    case plainContainer
    /// A second container without CloudKit saves to the store while the first goes on mirroring.
    case twoContainers
  }

  package let forge: StoreForge
  package let layout: MirrorSchema.Layout
  package let scope: Scope
  /// Whether exports leave a transaction of their own, without changes, in history.
  package var exportsLeaveTransactions = false
  package private(set) var state = Switch.on

  /// Numbers of the entities that are mirrored.
  package let mirrored: Set<Int64>
  package var ledger = MirrorLedger()
  package var token = Token.missing
  package var names: SeededNames
  /// Up to here history was made by `BulkForge`, and the truth has no transactions of it.
  package var lastBulkTransaction: Int64 = 0
  private var written = MirrorLedger()
  private let writer: MirrorRowWriter

  /// Makes the mirror's tables and what the framework writes into them when it first opens the store.
  ///
  /// - Parameter configuration: the model's configuration whose entities are mirrored; all entities where nil.
  package init(
    _ forge: StoreForge, layout: MirrorSchema.Layout, scope: Scope = .private, configuration: String? = nil
  ) throws {
    self.forge = forge
    self.layout = layout
    self.scope = scope
    let members = configuration.flatMap { forge.model.configurations[$0] }
    mirrored = Set(
      forge.schema.entities.filter { !$0.isAbstract && members?.contains($0.name) ?? true }.map(\.number))
    names = SeededNames(seed: "mirror of " + forge.options.uuid)
    writer = MirrorRowWriter(forge.connection, layout)
    try forge.connection.inTransaction { try writer.create() }
    let client = ModelHashes(forge.model).byEntity.entries.map { ($0.key, $0.value.data ?? []) }
    let own = MirrorSchema.tables(layout).map { ($0.entity, SeededNames.hash($0.create)) }
    ledger.set(.init(Key.clientHashes, .archive(MirrorArchives.hashes(client))))
    ledger.set(.init(Key.modelHashes, .archive(MirrorArchives.hashes(own))))
    ledger.set(.init(Key.frameworkVersion, .integer(forge.options.frameworkVersion)))
    ledger.set(.init(Key.needsMigration, .bool(false)))
    try commit()
  }

  /// Keys of the metadata entries; app authors report them.
  package enum Key {
    package static let historyToken = "NSCloudKitMirroringDelegateLastHistoryTokenKey"
    package static let bypassHistory = "NSCloudKitMirroringDelegateBypassHistoryOnExportKey"
    package static let scan = "NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey"
    package static let checkedIdentity = "NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey"
    package static let identityName = "NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey"
    package static let frameworkVersion = "PFCloudKitMetadataFrameworkVersionKey"
    package static let modelHashes = "PFCloudKitMetadataModelVersionHashesKey"
    package static let clientHashes = "PFCloudKitMetadataClientVersionHashesKey"
    package static let needsMigration = "PFCloudKitMetadataNeedsMetadataMigrationKey"
  }

  /// Saves as the app does; with mirroring off, as the app's other container does.
  @discardableResult
  package func save<R>(
    author: String? = nil, at date: CoreDataDate? = nil, _ body: (Save) throws -> R
  ) throws -> R {
    try forge.save(
      author: author, context: state == .twoContainers ? "local" : nil, at: date,
      recordsHistory: state != .plainContainer, body)
  }

  /// Saves under one of the framework's own names; half a second after what was before, where no date is given.
  @discardableResult
  package func save<R>(
    _ author: FrameworkAuthor, at date: CoreDataDate? = nil, _ body: (Save) throws -> R
  ) throws -> R {
    try forge.save(
      author: author.name, context: author.name,
      at: date ?? CoreDataDate(seconds: forge.clock.seconds + 0.5), body)
  }

  package func switchMirroring(_ state: Switch) { self.state = state }

  /// Whether the framework runs at all.
  package var isMirroring: Bool { state == .on || state == .twoContainers }

  /// Writes all rows that changed, in one transaction.
  package func commit() throws {
    try writer.write(written, ledger)
    written = ledger
  }

  /// The moment of something that happens next; the clock goes there.
  package func moment(_ date: CoreDataDate?) -> CoreDataDate {
    let moment = date ?? CoreDataDate(seconds: forge.clock.seconds + 60)
    forge.clock = max(moment, forge.clock)
    return moment
  }
}

/// Identifiers and tokens that look random and are the same in every run.
package struct SeededNames {
  private let seed: String
  private var count = 0

  init(seed: String) { self.seed = seed }

  /// Up to 32 bytes.
  package mutating func bytes(_ size: Int) -> [UInt8] {
    count += 1
    return Array(Self.hash("\(seed) \(count)").prefix(size))
  }

  /// In capitals, as CloudKit's record names are.
  package mutating func uuid() -> String {
    bytes(16).withUnsafeBytes { Hexadecimal.uuid($0) } ?? ""
  }

  static func hash(_ text: String) -> [UInt8] { Array(text.utf8).withUnsafeBytes(SHA256.digest) }
}

extension MirrorForge {
  /// The zone in which Core Data keeps the user's own records.
  static let defaultZone = "com.apple.coredata.cloudkit.zone"
  static let publicZone = "_defaultZone"
  package static let ownOwner = "__defaultOwner__"

  /// The record name of the iCloud user that `setUp` takes where none is named.
  package static let someAccount = "_6f1d3c52e8b94a07"

  /// The framework's setup at launch: it settles whose account this is, and makes database and zone.
  ///
  /// An account other than the one of before ends with 134405 and the loss of all that was mirrored.
  /// - Parameters:
  ///   - account: the record name of the iCloud user; nil where nobody is signed in.
  ///   - failure: what else goes wrong.
  package func setUp(
    account: String? = MirrorForge.someAccount, failing failure: MirrorFailure? = nil,
    at date: CoreDataDate? = nil
  ) throws {
    let event = try begin(.setup, date)
    if let failure { return try end(event, failure) }
    let isChecked = ledger.entry(Key.checkedIdentity) != nil
    let known = identityName
    if let known, account == nil || account != known {
      try wipeForOtherAccount()
      return try end(event, .accountChanged)
    }
    if isChecked, known == nil, account != nil {
      try wipeForOtherAccount()
      return try end(event, .accountChanged)
    }
    guard let account else { return try end(event, .noAccount) }
    ledger.set(.init(Key.checkedIdentity, .bool(true)))
    ledger.set(.init(Key.identityName, .text(account)))
    makeDatabaseAndZone()
    try end(event)
  }

  var identityName: String? {
    guard case .text(let name)? = ledger.entry(Key.identityName)?.value else { return nil }
    return name
  }

  private func makeDatabaseAndZone() {
    let database = ledger.databases.keys.min() ?? ledger.add(.init(scope: scope), to: \.databases)
    ledger.databases[database]?.hasSubscription = scope != .public
    // What others share comes with their zones.
    guard scope != .shared else { return }
    let zone = homeZone ?? addZone(scope == .public ? Self.publicZone : Self.defaultZone)
    ledger.zones[zone]?.flags.formUnion(["hasRecordZone"])
    if scope == .private {
      ledger.zones[zone]?.flags.formUnion([
        "supportsAtomicChanges", "supportsFetchChanges", "supportsRecordSharing", "supportsZoneSharing",
      ])
    }
  }

  @discardableResult
  package func addZone(_ name: String, owner: String = MirrorForge.ownOwner) -> Int64 {
    let database = ledger.databases.keys.min() ?? ledger.add(.init(scope: scope), to: \.databases)
    return ledger.add(.init(name: name, owner: owner, database: database), to: \.zones)
  }

  /// The zone of new records: the default one, or the first that others share.
  package var homeZone: Int64? {
    let names = [Self.defaultZone, Self.publicZone]
    return ledger.zones.keys.sorted().first { names.contains(ledger.zones[$0]?.name ?? "") }
      ?? (scope == .shared ? ledger.zones.keys.min() : nil)
  }
}
