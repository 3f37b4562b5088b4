import Containers
import Evidence
import Lens
import SQLite
import StoreModel
package import Values

/// Where a store was found, before anybody opened it: a database that may be one.
package struct FoundPlace: Sendable {
  /// What it was found in.
  package enum Container: String, Sendable, CaseIterable {
    case folder, simulator, xcappdata, backup, zip, tar
  }

  /// What can be given to a command: a path, or an address inside a container.
  package let address: String
  package let container: Container
  /// Whose it is, as containers and backups note it; nil if nothing says so.
  package let owner: Owner
  /// A backup's.
  package let domain: String?
  /// Where it lay on the device; nil if that isn't known.
  package let devicePath: String?
  /// As the container notes it; nil if nothing does.
  package let appVersion: String?

  init(
    address: String, container: Container, owner: Owner, domain: String?, devicePath: String?,
    appVersion: String? = nil
  ) {
    self.address = address
    self.container = container
    self.owner = owner
    self.domain = domain
    self.devicePath = devicePath
    self.appVersion = appVersion
  }

  /// For another process.
  package var value: DataValue {
    [
      "address": .text(address), "container": .text(container.rawValue), "app": .optional(owner.app),
      "group": .optional(owner.group), "domain": .optional(domain), "devicePath": .optional(devicePath),
      "appVersion": .optional(appVersion),
    ]
  }

  /// Reads `value`; nil if it is anything else.
  package init?(_ value: DataValue) {
    guard let address = value["address"]?.text,
      let container = value["container"]?.text.flatMap(Container.init(rawValue:))
    else { return nil }
    let owner = value["app"]?.text.map(Owner.app) ?? value["group"]?.text.map(Owner.group)
    self.init(
      address: address, container: container, owner: owner ?? .nobody, domain: value["domain"]?.text,
      devicePath: value["devicePath"]?.text, appVersion: value["appVersion"]?.text)
  }

  /// Of a file of which nothing more is known.
  package init(address: String) {
    self.init(address: address, container: .folder, owner: .nobody, domain: nil, devicePath: nil)
  }
}

/// A store that was found, with what one wants to know before opening it.
@dynamicMemberLookup package struct FoundStore: Sendable {
  package let place: FoundPlace
  package let facts: StoreDigest

  init(_ place: FoundPlace, _ facts: StoreDigest) {
    self.place = place
    self.facts = facts
  }

  package subscript<Value>(dynamicMember member: KeyPath<FoundPlace, Value>) -> Value {
    place[keyPath: member]
  }
}

/// The app or the group of apps to which a store belongs.
package enum Owner: Sendable, Equatable {
  case app(String), group(String), nobody

  package var app: String? { if case .app(let name) = self { name } else { nil } }
  package var group: String? { if case .group(let name) = self { name } else { nil } }
  package var name: String? { app ?? group }

  /// From a container's own note: groups have names like `group.com.example`.
  init(identifier: String?, isGroup: Bool = false) {
    self = identifier.map { isGroup || $0.hasPrefix("group.") ? .group($0) : .app($0) } ?? .nobody
  }
}

/// What the store's own bytes say.
package struct StoreDigest: Sendable {
  package let bytes: Int64
  package let walBytes: Int64
  /// Whether the store uses a -wal and has none, so that newer commits may be missing.
  package let isWALMissing: Bool
  package let uuid: String?
  package let frameworkVersion: Int64?
  package let entities: Int
  /// The layout of its mirror's tables; nil if it isn't mirrored.
  package let mirror: String?
  /// How much the mirror has still to upload; nil if it isn't mirrored, or that can't be counted.
  package let pending: Int?
  package let lastChange: CoreDataDate?
  /// Where that is noted.
  package let lastChangeSource: ChangeSource

  package enum ChangeSource: String, Sendable {
    /// Its last transaction.
    case history
    /// The timestamps of its files, which copying may have changed.
    case files
  }

  /// Nil if the database is no store of Core Data.
  /// - Parameters:
  ///   - location: where its file is; nil if the path leads to it.
  ///   - lacksWAL: whether a -wal is known to be missing.
  /// - Throws: if it can't be read.
  package init?(path: String, at location: String? = nil, lacksWAL: Bool = false) throws {
    let opened = try StoreOpener.open(path: path, at: location)
    guard try opened.connection.hasTable("Z_METADATA") else { return nil }
    let open = try OpenStore(opened, path: path)
    bytes = opened.files.main.size
    walBytes = opened.files.wal?.size ?? 0
    isWALMissing = lacksWAL || opened.files.isWALMissing
    uuid = open.store.metadata.uuid
    frameworkVersion = open.store.metadata.frameworkVersion
    entities = open.store.schema.entities.count
    let mirror = try open.mirror()
    self.mirror = mirror?.layout.rawValue
    pending = mirror.flatMap { try? PendingReader($0, tracesCauses: false).counts.total }
    let newest = max(opened.files.main.modified, opened.files.wal?.modified ?? 0)
    let last = try HistorySummary(open.store, open.tables)?.last
    lastChange = last ?? CoreDataDate(unixSeconds: Double(newest) / 1e9)
    lastChangeSource = last == nil ? .files : .history
    try opened.finish()
  }
}

/// Something that looked like a store or a container, and couldn't be read.
package struct SkippedPlace: Sendable {
  package let address: String
  /// A clause.
  package let because: String
  /// Whether a store is there, or a container of some, as far as anything shows. Not so for what is only called like one.
  package let mayBeStore: Bool

  package init(address: String, because: String, mayBeStore: Bool = true) {
    self.address = address
    self.because = because
    self.mayBeStore = mayBeStore
  }
}
