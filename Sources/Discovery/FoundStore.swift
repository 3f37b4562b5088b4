package import Base
import Evidence
import Lens
import SQLite
import StoreModel

/// Where a store was found, before anybody opened it: a database that may be one.
package struct FoundPlace: Sendable {
  /// What it was found in.
  package enum Container: String, FieldWord, Sendable {
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
  /// What a backup calls the store's file: the SHA-1 of domain and path.
  package let fileID: String?
  /// As the container notes it; nil if nothing does.
  package let appVersion: String?
  /// The simulator that it is in, as people know it: `iPhone 17 Pro, iOS 26.1`.
  package let device: String?

  package init(
    address: String, container: Container = .folder, owner: Owner = .nobody, domain: String? = nil,
    devicePath: String? = nil, fileID: String? = nil, appVersion: String? = nil, device: String? = nil
  ) {
    self.address = address
    self.container = container
    self.owner = owner
    self.domain = domain
    self.devicePath = devicePath
    self.fileID = fileID
    self.appVersion = appVersion
    self.device = device
  }

  /// Whether storescope made it: as a backup, or because a restore replaced it.
  package var isOwnCopy: Bool {
    StampedName.isCopy(address) || StoreAddress(address) == nil && StoreFiles.isInOwnBackup(address)
  }

  /// For another process.
  package var value: DataValue {
    let place: [DataValue.Member] = [
      .init("address", .text(address)), .init("container", .text(container.rawValue)),
      .init("domain", .optional(domain)), .init("devicePath", .optional(devicePath)),
      .init("fileID", .optional(fileID)), .init("appVersion", .optional(appVersion)),
      .init("device", .optional(device)),
    ]
    return .object(place + Owner.fields.members(of: owner))
  }

  /// Reads `value`; nil if it is anything else.
  package init?(_ value: DataValue) {
    guard let address = value["address"]?.text,
      let container = value["container"]?.text.flatMap(Container.init(rawValue:))
    else { return nil }
    self.init(
      address: address, container: container, owner: Owner(value), domain: value["domain"]?.text,
      devicePath: value["devicePath"]?.text, fileID: value["fileID"]?.text,
      appVersion: value["appVersion"]?.text, device: value["device"]?.text)
  }
}

/// A store that was found, with what one wants to know before opening it.
@dynamicMemberLookup package struct FoundStore: Sendable {
  package let place: FoundPlace
  package let facts: StoreDigest

  package subscript<Value>(dynamicMember member: KeyPath<FoundPlace, Value>) -> Value {
    place[keyPath: member]
  }
}

/// What the store's own bytes say.
package struct StoreDigest: Sendable {
  package let bytes: Int64
  package let walBytes: Int64
  /// Of the files in its folders; nil if they aren't next to the file that was read, or can't be.
  package let externalBytes: Int64?
  /// Whether the store uses a -wal and has none, so that newer commits may be missing.
  package let isWALMissing: Bool
  package let uuid: String?
  package let frameworkVersion: Int64?
  package let entities: Int
  /// How many objects the app has in it; nil if they can't be counted.
  package let objects: Int?
  /// The layout of its mirror's tables; nil if it isn't mirrored.
  package let mirror: String?
  /// How much the mirror has still to upload; nil if it isn't mirrored, or that can't be counted.
  package let pending: Int?
  package let lastChange: CoreDataDate?
  /// Where that is noted.
  package let lastChangeSource: ChangeSource
  /// Why what is shown of the store may not be all of it, a clause; nil if nothing shows damage.
  package let damage: String?

  package static let sizeFields: [Field<Self>] = [
    Field("bytes", "the size of the main file") { $0.bytes },
    Field("walBytes", "the size of its -wal file") { $0.walBytes },
    Field("externalBytes", "the size of the files in its folders; null in archives and backups") {
      $0.externalBytes
    },
    Field("walMissing", "it uses a -wal file and has none, so newer commits may be missing") {
      $0.isWALMissing
    },
  ]

  package static let fields: [Field<Self>] = [
    Field("uuid", .uuid, "the store's identifier") { $0.uuid },
    Field("frameworkVersion", "the version of Core Data that wrote it last") { $0.frameworkVersion },
    Field("entities", "entities in it") { $0.entities },
    Field("objects", "objects in it; null if they can't be counted") { $0.objects },
    Field("mirror", .words(MirrorLayout.self), "the layout of its mirror; null if it isn't mirrored") {
      $0.mirror
    },
    Field("pending", "pending changes; null if it isn't mirrored, or they can't be counted") { $0.pending },
    Field("lastChange", "the newest change") { $0.lastChange },
    Field("lastChangeSource", "the source of that time") { $0.lastChangeSource },
  ]

  package enum ChangeSource: String, FieldWord, Sendable {
    /// Its last transaction.
    case history
    /// The timestamps of its files, which copying may have changed.
    case files
  }

  /// Nil if the database is no store of Core Data.
  /// - Parameters:
  ///   - location: where its file is; nil if the path leads to it.
  ///   - lostWAL: why its -wal is known to be missing, a clause; nil if it isn't.
  /// - Throws: if it can't be read, or what could show whether it is one is missing.
  package init?(path: String, at location: String? = nil, lostWAL: String? = nil) throws {
    let opened = try StoreOpener.open(path: path, at: location)
    guard try StoreMetadata.read(from: opened.connection) != nil else {
      guard try opened.connection.value("SELECT 1 FROM sqlite_master") == nil,
        let problem = lostWAL ?? Self.uselessWAL(opened.files)
      else { return nil }
      // So is every new store that was copied without its -wal.
      throw StoreScopeError(
        .unreadable, path, "has no tables: they may be in its -wal, and \(problem)",
        advice: "copy the store together with its -wal")
    }
    let open = try OpenStore(opened, path: path)
    damage = try lostWAL ?? opened.damage()?.clause
    bytes = opened.files.main.size
    walBytes = opened.files.wal?.size ?? 0
    // Out of an archive or a backup came only the file and its -wal.
    let folders = location == nil ? try? StoreParts(path: opened.files.resolvedPath).folderSizes() : nil
    externalBytes = folders.map { $0.external.addingClamped($0.assets) }
    isWALMissing = lostWAL != nil || opened.files.isWALMissing
    uuid = open.store.metadata.uuid
    frameworkVersion = open.store.metadata.frameworkVersion
    entities = open.store.schema.entities.count
    objects = try? open.store.objectCount()
    let mirror = damage == nil ? try open.mirror() : try? open.mirror()
    self.mirror = mirror?.layout.rawValue
    // Without all tables, what is left of them says too little.
    let counted = mirror.flatMap { $0.missingTables.isEmpty ? $0 : nil }
    pending = counted.flatMap { try? PendingReader($0, tracesCauses: false).counts.total }
    let newest = max(opened.files.main.modified, opened.files.wal?.modified ?? 0)
    // What is damaged otherwise has been said above.
    let last =
      damage == nil
      ? try HistorySummary(open.store, open.tables)?.last
      : (try? HistorySummary(open.store, open.tables))?.last
    lastChange = last ?? CoreDataDate(unixSeconds: Double(newest) / 1e9)
    lastChangeSource = last == nil ? .files : .history
    try opened.finish()
  }

  /// Why nothing of a -wal can be read, a clause; nil if it can be, or there was none.
  private static func uselessWAL(_ files: StoreFiles) -> String? {
    if files.isWALMissing { return "there is none next to it" }
    return files.hasFramelessWAL ? "that one is cut off or damaged" : nil
  }
}

/// Something that looked like a store or a container, and couldn't be read.
package struct SkippedPlace: HasFields, Sendable {
  package static let fields: [Field<Self>] = [
    Field("address", "the place") { $0.address }, Field("because", "why it can't be read") { $0.because },
  ]

  package let address: String
  /// A clause.
  package let because: String
  /// Whether a store is there, or a container of some, as far as anything shows. Not so for what is only called like one.
  package let mayBeStore: Bool
  /// Whose it is; `nobody` if nothing says so.
  package let owner: Owner
  /// Whether it is a folder, an archive or a backup, and what is in it isn't known.
  package let isContainer: Bool

  package init(
    address: String, because: String, mayBeStore: Bool = true, owner: Owner = .nobody,
    isContainer: Bool = false
  ) {
    self.address = address
    self.because = because
    self.mayBeStore = mayBeStore
    self.owner = owner
    self.isContainer = isContainer
  }

  /// One address has one line, whatever is wrong with it.
  package func adding(_ other: SkippedPlace) -> SkippedPlace {
    SkippedPlace(
      address: address, because: "\(because); \(other.because)",
      mayBeStore: mayBeStore || other.mayBeStore, owner: owner == .nobody ? other.owner : owner,
      isContainer: isContainer || other.isContainer)
  }
}

/// Where a file was on the device.
enum DevicePath {
  /// Tools pack the whole file system, or call its two volumes by numbers; nil for other archives.
  static func inArchive(_ path: String) -> String? {
    if path.hasPrefix("private/var/") { return "/\(path)" }
    for (folder, place) in [("filesystem2/", "/private/var/"), ("filesystem1/", "/")] {
      guard let range = path.firstRange(of: folder) else { continue }
      if range.lowerBound == path.startIndex || path[path.index(before: range.lowerBound)] == "/" {
        return place + path[range.upperBound...]
      }
    }
    return nil
  }

  private static let homes = [
    "HomeDomain", "MediaDomain", "CameraRollDomain", "HealthDomain", "HomeKitDomain",
  ]

  /// Nil for containers of apps: their folders have numbers that a backup doesn't note.
  static func inBackup(_ domain: String, _ path: String) -> String? {
    homes.contains(domain) ? "/private/var/mobile/\(path)" : nil
  }
}
