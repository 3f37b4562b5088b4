import Archives
import Base
import SQLite
import StoreModel

/// Makes the tables of an empty store, in the text that Core Data has SQLite keep of them; order and text as
/// measured on real stores.
struct StoreDefinition {
  let connection: Connection
  let schema: ForgedSchema
  let options: ForgeOptions

  func create() throws {
    // Both are fixed once there is a table: https://www.sqlite.org/pragma.html#pragma_auto_vacuum
    try connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
    try connection.execute("PRAGMA journal_mode = \(options.journal == .wal ? "WAL" : "DELETE")")
    // A store that a power cut spoils is made again.
    try connection.execute("PRAGMA synchronous = OFF")
    // The forge decides when the WAL goes into the store.
    try connection.execute("PRAGMA wal_autocheckpoint = 0")
    try connection.inTransaction {
      for table in schema.tables { try connection.execute(table.createStatement) }
      for index in schema.tables.flatMap(\.indexes) { try connection.execute(index.createStatement) }
      try connection.execute(Self.ownTables)
      if options.modelCache != .absent {
        try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
      }
      for statement in historyStatements { try connection.execute(statement) }
      try insertEntities()
      try insertModelCache()
      try MetadataWriter(connection: connection, model: schema.model, options: options).insert()
    }
  }

  private static let ownTables = """
    CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
    CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
    """

  private func insertEntities() throws {
    for entity in schema.entities.entities {
      try connection.execute(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
        [.integer(entity.number), .text(entity.name), .integer(entity.parent ?? 0)])
    }
  }

  private func insertModelCache() throws {
    let content: SQLiteValue
    switch options.modelCache {
    case .absent: return
    case .null: content = .null
    case .whole: content = .blob(ModelCacheWriter.content(of: schema.model))
    case .damaged:
      let whole = ModelCacheWriter.content(of: schema.model)
      content = .blob(Array(whole.prefix(whole.count / 2)))
    }
    try connection.execute("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [content])
  }

  // MARK: History

  private var historyStatements: [String] {
    switch options.history {
    case .none: []
    case .inlineStrings: [changeTable] + Self.inlineStrings + Self.allGenerations
    case .internedStrings: [changeTable] + Self.internedStrings + Self.allGenerations + Self.stringIndexes
    }
  }

  private var changeTable: String {
    let tombstones = (0..<schema.tombstoneColumns).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
    return "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
      + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB"
      + "\(tombstones) )"
  }

  private static let inlineStrings = [
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, "
      + "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )"
  ]

  private static let internedStrings = [
    "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHORTS INTEGER, "
      + "ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, "
      + "ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
    "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
  ]

  private static let allGenerations = [
    "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
    "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
    "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
  ]

  private static let stringIndexes =
    ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"].map {
      "CREATE INDEX ATRANSACTION_\($0)_INDEX ON ATRANSACTION (\($0))"
    } + [
      "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)"
    ]
}

/// Writes `Z_METADATA`: the keys that each framework version was seen to write.
struct MetadataWriter {
  let connection: Connection
  let model: ManagedObjectModel
  let options: ForgeOptions

  func insert() throws {
    try connection.execute(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      [.text(options.uuid), .blob(BinaryPropertyList.write(.dictionary(PropertyListDictionary(entries))))])
  }

  private var entries: [PropertyListDictionary.Entry] {
    let hashes = ModelHashes(model)
    var entries: [PropertyListDictionary.Entry] = [
      .init("NSStoreType", .string("SQLite")),
      .init("_NSAutoVacuumLevel", .string("2")),
      .init("NSPersistenceFrameworkVersion", .integer(options.frameworkVersion)),
      .init("NSStoreModelVersionHashes", .dictionary(hashes.byEntity)),
      .init("NSStoreModelVersionHashesVersion", .integer(3)),
      .init("NSStoreModelVersionIdentifiers", .array(model.versionIdentifiers.map(PropertyList.string))),
    ]
    // First framework of each key, measured on real stores.
    if options.frameworkVersion >= 973 {
      entries.append(.init("NSStoreModelVersionHashesDigest", .string(hashes.digest)))
    }
    if options.frameworkVersion >= 1321 {
      entries.append(.init("NSStoreModelVersionChecksumKey", .string(hashes.checksum)))
    }
    if options.frameworkVersion >= 1522 {
      entries.append(.init("NSPersistenceMaximumFrameworkVersion", .integer(options.frameworkVersion)))
    }
    if options.history == .inlineStrings {
      entries.append(
        .init("_NSStoreAncillaryModelVersionHashesMetadataKey", .dictionary(ModelHashes.history)))
    }
    return entries + options.metadata
  }
}

/// Version hashes of a model. Apple's recipe isn't public; ours has the same form and the same use: equal for
/// equal entities, different for different ones.
struct ModelHashes {
  /// Entity name → 32 bytes.
  let byEntity: PropertyListDictionary
  /// Base64 of 64 bytes.
  let digest: String
  /// Base64 of 32 bytes.
  let checksum: String

  init(_ model: ManagedObjectModel) {
    var entries: [PropertyListDictionary.Entry] = []
    for entity in model.entities.sorted(by: { $0.name < $1.name }) {
      entries.append(.init(entity.name, .data(Self.hash(Self.description(of: entity)))))
    }
    byEntity = PropertyListDictionary(entries)
    let all = entries.flatMap { $0.value.data ?? [] }
    checksum = Self.base64(Self.hash(all))
    digest = Self.base64(Self.hash([1] + all) + Self.hash([2] + all))
  }

  /// Of the framework's own history entities, as the first generation of history kept them.
  static let history = PropertyListDictionary(
    ["CHANGE", "TRANSACTION"].map { .init($0, .data(hash(Array($0.utf8)))) })

  /// What decides whether two versions of an entity store alike.
  private static func description(of entity: EntityDescription) -> [UInt8] {
    var lines = ["\(entity.name) \(entity.superentity ?? "") \(entity.isAbstract)"]
    func add(_ attribute: AttributeDescription, depth: Int) {
      lines.append(
        "\(depth) \(attribute.name) \(attribute.type.rawValue) \(attribute.isOptional) \(attribute.isTransient) "
          + "\(attribute.allowsExternalStorage) \(attribute.preservesValueOnDeletion)")
      for element in attribute.elements { add(element, depth: depth + 1) }
    }
    for attribute in entity.attributes { add(attribute, depth: 0) }
    for relationship in entity.relationships {
      lines.append(
        "\(relationship.name) \(relationship.destination) \(relationship.inverse ?? "") \(relationship.isToMany) "
          + "\(relationship.isOrdered) \(relationship.minCount) \(relationship.maxCount)")
    }
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func hash(_ bytes: [UInt8]) -> [UInt8] { bytes.withUnsafeBytes(SHA256.digest) }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << ((3 - group.count) * 8)
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - place * 6) & 63] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
