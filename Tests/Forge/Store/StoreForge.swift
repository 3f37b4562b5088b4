package import Archives
package import Base
package import SQLite
package import StoreModel

/// Makes a Core Data store and writes to it as the framework does, remembering the truth of all it wrote.
///
/// ```
/// let forge = try StoreForge(path: path, model: model)
/// let ann = try forge.save(author: "app") { try $0.insert("Person", ["name": "Ann"]) }
/// try forge.save { try $0.update(ann, ["name": "Anne"]) }
/// try forge.close(leaving: .wal)
/// ```
package final class StoreForge {
  /// What stands next to the store when it is closed.
  package enum Leftovers: Sendable {
    /// All is in the store, as after a checkpoint.
    case nothing
    /// The -wal with what was not checkpointed, and its index, as an app leaves them that is killed.
    case wal
    /// The -wal without its index, as in a copy.
    case walWithoutIndex
    /// A -wal of no bytes and its index, as Apple's SQLite leaves them after a checkpoint.
    case emptyWAL
  }

  package let path: String
  package let options: ForgeOptions
  package let model: ManagedObjectModel
  /// For what no app does to its store: damage, foreign tables, edits that leave no history.
  package let connection: Connection
  package private(set) var truth = ForgeTruth()

  let forged: ForgedSchema
  private var encoder: ValueEncoder
  package var highestKeys: [Int64: Int64] = [:]
  /// Numbers of the last transaction and change in the history, and the time of the last save.
  package var lastTransaction: Int64 = 0
  package var lastChange: Int64 = 0
  package var clock: CoreDataDate
  private var isClosed = false

  /// Makes an empty store. There must be no file at `path` yet, and none of SQLite's next to it.
  package init(path: String, model: ManagedObjectModel, options: ForgeOptions = ForgeOptions()) throws {
    for suffix in [""] + SideFiles.suffixes where Files.exists(path + suffix) {
      throw StoreScopeError(
        .occupied,
        "Cannot make a store at '\(path)': there is already a file '\(path + suffix)', which stays as it is",
        about: path, advice: "choose another folder")
    }
    self.path = path
    self.options = options
    self.model = model
    forged = ForgedSchema(model)
    encoder = ValueEncoder(
      files: ExternalFileWriter(storePath: path, uuid: options.uuid), inlineLimit: options.inlineLimit)
    // Where a save names no time: a minute after the one before.
    clock = CoreDataDate(unixSeconds: 1_772_355_600)  // 2026-03-01 09:00 UTC
    var openOptions = OpenOptions(.readWrite(create: true), trustsSchema: true)
    openOptions.keepsWAL = true
    connection = try Connection(path: path, options: openOptions)
    try StoreDefinition(connection: connection, schema: forged, options: options).create()
    try checkpoint()
  }

  /// Entity numbers, tables and columns.
  package var schema: StoreSchema { forged.entities }

  /// Writes into this store's history.
  package var historyWriter: HistoryWriter {
    HistoryWriter(connection: connection, schema: forged, generation: options.history)
  }

  /// The mask of an update that changed these properties.
  package func mask(of object: ForgedObject, _ properties: Set<String>) -> [UInt8] {
    forged.mask(of: object, properties)
  }

  package func uri(of object: ForgedObject) -> String { object.uri(storeUUID: options.uuid) }

  /// Runs `body` and writes what it did as one transaction of SQLite's and one of the history.
  ///
  /// - Parameters:
  ///   - date: the transaction's timestamp; if nil, a minute after the last one.
  ///   - recordsHistory: false for what history never sees, such as batch SQL.
  @discardableResult
  package func save<R>(
    author: String? = nil, bundle: String? = nil, process: String? = nil, context: String? = nil,
    at date: CoreDataDate? = nil, recordsHistory: Bool = true, _ body: (Save) throws -> R
  ) throws -> R {
    let save = Save(schema: forged, truth: truth, encoder: encoder, highestKeys: highestKeys)
    let result = try body(save)
    let transaction = ForgeTruth.Transaction(
      number: lastTransaction + 1, timestamp: date ?? CoreDataDate(seconds: clock.seconds + 60),
      author: author, bundle: bundle, process: process, context: context)
    save.finish()
    let changes = save.changes(
      in: transaction.number, after: lastChange, without: options.entitiesWithoutHistory)
    let isRecorded = recordsHistory && options.history != .none && !changes.isEmpty
    try connection.inTransaction {
      try RowWriter(connection: connection, schema: forged).write(save)
      guard isRecorded else { return }
      try historyWriter.write(transaction, changes, save)
    }
    truth = save.truth
    encoder = save.encoder
    highestKeys = save.highestKeys
    clock = transaction.timestamp
    if isRecorded {
      truth.transactions.append(transaction)
      truth.changes += changes
      lastTransaction = transaction.number
      lastChange += Int64(changes.count)
    }
    for file in save.abandonedFiles { encoder.files.remove(file) }
    return result
  }

  /// A transaction without changes: of the framework's own, that touched none of the app's objects.
  func recordEmptyTransaction(author: String) throws {
    guard options.history != .none else { return }
    let transaction = ForgeTruth.Transaction(
      number: lastTransaction + 1, timestamp: CoreDataDate(seconds: clock.seconds + 0.25), author: author,
      bundle: nil, process: nil, context: nil)
    try connection.inTransaction {
      try historyWriter.write(transaction, [])
    }
    truth.transactions.append(transaction)
    lastTransaction = transaction.number
    clock = transaction.timestamp
  }

  /// Drops transactions and their changes, as an app does that prunes its history.
  /// - Returns: how many transactions went.
  @discardableResult
  package func dropHistory(_ numbers: ClosedRange<Int64>) throws -> Int {
    let count = truth.transactions.count { numbers.contains($0.number) }
    try connection.inTransaction {
      for statement in [
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID BETWEEN ? AND ?",
        "DELETE FROM ATRANSACTION WHERE Z_PK BETWEEN ? AND ?",
      ] {
        try connection.execute(statement, [.integer(numbers.lowerBound), .integer(numbers.upperBound)])
      }
    }
    truth.transactions.removeAll { numbers.contains($0.number) }
    truth.changes.removeAll { numbers.contains($0.transaction) }
    return count
  }

  /// Adds or replaces keys in the store's metadata, in a transaction of its own.
  package func setMetadata(_ entries: [PropertyListDictionary.Entry]) throws {
    let old = try connection.first("SELECT Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1") { $0.bytes(0) } ?? []
    let kept = try BinaryPropertyList.read(old).dictionary?.entries ?? []
    let list = PropertyListDictionary(entries + kept)
    try connection.execute(
      "UPDATE Z_METADATA SET Z_PLIST = ? WHERE Z_VERSION = 1",
      [.blob(BinaryPropertyList.write(.dictionary(list)))])
  }

  /// Moves what is in the WAL into the store, and cuts the WAL to nothing. Never happens by itself before `close`.
  package func checkpoint() throws {
    if options.journal == .wal { try connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
  }

  /// Ends the work; the forge can't be used afterward. Without this call the store is left as by `.wal`.
  package func close(leaving leftovers: Leftovers = .nothing) throws {
    guard !isClosed else { return }
    isClosed = true
    if leftovers == .nothing || leftovers == .emptyWAL { try checkpoint() }
    connection.close()
    // Nobody else has the store open, and an empty WAL holds nothing.
    if leftovers == .nothing { Files.remove(path + "-wal") }
    if leftovers == .nothing || leftovers == .walWithoutIndex { Files.remove(path + "-shm") }
  }
}
