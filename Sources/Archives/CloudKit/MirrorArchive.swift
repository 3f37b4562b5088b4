import Base

/// Opens the mirror's archives: keyed archives, compressed with LZFSE where they hold whole records or shares.
enum MirrorArchive {
  /// A compressed archive may unpack to this many bytes. CloudKit takes records up to 1 MB
  /// (https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer),
  /// but large values of a record stay in the archive until they are sent.
  private static let limit = 64 << 20

  static func open(_ bytes: [UInt8]) throws(ArchiveError) -> KeyedArchive {
    guard !bytes.isEmpty else { throw ArchiveError("there are no bytes") }
    let plain = LZFSE.recognizes(bytes) ? try LZFSE.decode(bytes, limit: limit) : bytes
    return try KeyedArchive(bytes: plain)
  }

  /// Every object that can be reached from the top, the nearest first; each once. At most `limit` of them, as an
  /// archive may be made to hold millions.
  static func objects(in archive: KeyedArchive, limit: Int = 10_000) -> [ArchivedObject] {
    var found = [archive.top]
    var seen: Set<Int> = []
    var next = 0
    while next < found.count, found.count < limit {
      for (_, value) in found[next].fields {
        for object in objects(in: value) where object.index < 0 || seen.insert(object.index).inserted {
          found.append(object)
          if found.count >= limit { return found }
        }
      }
      next += 1
    }
    return found
  }

  private static func objects(in value: ArchivedValue) -> [ArchivedObject] {
    switch value {
    case .object(let object): [object]
    case .list(let list): Array(list.prefix(10_000)).compactMap(\.object)
    default: []
    }
  }
}

/// How far persistent history was read: for each store the number of a transaction.
/// https://developer.apple.com/documentation/coredata/nspersistenthistorytoken
///
/// The mirror keeps one as a keyed archive of the class `_NSPersistentHistoryToken`; app authors report its one field,
/// a dictionary from the store's identifier to the transaction's Z_PK.
package struct HistoryToken: Sendable, Equatable {
  /// Store identifier in capitals → ATRANSACTION.Z_PK.
  package var transactions: [String: Int64]

  /// - Throws: `ArchiveError` where the bytes are no archive, or one of something else.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    let archive = try MirrorArchive.open(bytes)
    guard let root = archive.root else { throw ArchiveError("the archive has no object at its root") }
    guard root.isKind(of: "_NSPersistentHistoryToken") || root.isKind(of: "NSPersistentHistoryToken") else {
      throw ArchiveError("the archive holds \(root.className.map { "a \($0)" } ?? "no object with a class")")
    }
    guard let entries = root["NSPersistentHistoryTokenDictionary"]?.entries else {
      throw ArchiveError("the token has no dictionary of stores")
    }
    var transactions: [String: Int64] = [:]
    for (key, value) in entries {
      guard let identifier = key.string ?? key.uuid, let number = value.integer else {
        throw ArchiveError("the token's dictionary has an entry that isn't an identifier with a number")
      }
      transactions[identifier.uppercased()] = number
    }
    self.transactions = transactions
  }

  /// The transaction up to which that store was read; nil where the token is of other stores.
  package func transaction(ofStore uuid: String) -> Int64? { transactions[uuid.uppercased()] }
}

/// How far a database's or a zone's changes were fetched. What its bytes mean is the server's affair:
/// https://developer.apple.com/documentation/cloudkit/ckserverchangetoken
package struct ServerChangeToken: Sendable, Equatable {
  /// The size of the archive in the store.
  package var archiveBytes: Int
  /// The token's own bytes; empty where the archive holds none that could be found.
  package var bytes: [UInt8]

  /// - Throws: `ArchiveError` where the bytes are no archive, or one of another class.
  package init(archive: [UInt8]) throws(ArchiveError) {
    let keyed = try MirrorArchive.open(archive)
    guard let token = MirrorArchive.objects(in: keyed).first(where: { $0.isKind(of: "CKServerChangeToken") })
    else {
      let name = keyed.root?.className.map { "a \($0)" } ?? "no object with a class"
      throw ArchiveError("the archive holds \(name)")
    }
    archiveBytes = archive.count
    // The key's name isn't public, so whatever data the token has are taken.
    bytes = token["ChangeTokenData"]?.data ?? token.fields.lazy.compactMap(\.value.data).first ?? []
  }
}

/// Version hashes of the app's entities, as the mirror keeps them from its last setup: a keyed archive of a dictionary
/// from names to hashes, as app authors report it.
/// https://developer.apple.com/documentation/coredata/nsmanagedobjectmodel/entityversionhashesbyname
package struct VersionHashes: Sendable, Equatable {
  package var byEntity: [String: [UInt8]]

  /// - Throws: `ArchiveError` where the bytes are no archive, or one of something else.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    let archive = try MirrorArchive.open(bytes)
    guard let entries = archive.root?.entries else { throw ArchiveError("the archive holds no dictionary") }
    var byEntity: [String: [UInt8]] = [:]
    for (key, value) in entries {
      guard let name = key.string, let hash = value.data else {
        throw ArchiveError("the dictionary has an entry that isn't a name with a hash")
      }
      byEntity[name] = hash
    }
    self.byEntity = byEntity
  }
}
