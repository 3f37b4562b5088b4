import Base
import Evidence
package import Lens
import SQLite
import StoreModel

/// Makes a copy of a store that can be handed to anybody: the same tables, keys, history and mirror state, and other
/// values.
///
/// Row by row each value is replaced before it is written, so that no byte of an original one ever gets into the copy,
/// not into pages that are free later either. The original is only read.
package struct StoreRedaction {
  package struct Result: Sendable {
    /// In the order in which the store has its tables.
    package var tables: [RedactedRows] = []
    /// Files of external storage.
    package var files = 0
    package var bytes: Int64 = 0
    /// The store's identifier in the copy.
    package var uuid: String?
    /// Whether the store has no model, so that keys are known by their columns' names only.
    package var isGuessed = false
    /// What the copy lacks, a sentence each.
    package var problems: [String] = []
  }

  private let store: CoreDataStore
  private let opened: OpenedStore
  private let marks: ValueMarks
  private let copy: StoreParts
  private let copyPath: String
  /// How long the copy may compute. Copying takes a hundredth of that.
  package var secondsAtMost: Double

  /// - Parameter copyPath: the path for the copy; nothing may exist there.
  /// - Throws: `StoreScopeError` where something does.
  package init(
    _ open: OpenStore, to copyPath: String, _ options: RedactionOptions
  ) throws {
    store = open.store
    opened = try open.bytes()
    marks = try ValueMarks(options, store: store)
    copy = StoreParts(path: Platform.absolutePath(copyPath))
    secondsAtMost = 15 + Double(opened.files.main.size) / 50_000
    self.copyPath = copyPath
    if let taken = (copy.present + partials.filter { Files.exists(copy.path(of: $0)) }).first {
      let advice =
        taken.hasSuffix(Self.partialSuffix)
        ? "it's left over from an interrupted run: delete it" : "choose another name"
      throw StoreScopeError(
        .occupied, "The copy can't be made at '\(copyPath)': '\(copy.path(of: taken))' already exists",
        about: copyPath, advice: advice)
    }
    guard FileReader.kind(of: copy.folder) == .folder else {
      throw StoreScopeError(
        .notFound, "The copy can't be made at '\(copyPath)': there is no folder '\(copy.folder)'",
        about: copyPath, advice: "create it first")
    }
  }

  private static let partialSuffix = ".partial"
  private var supportFolder: String { SideFiles.supportFolder(of: copy.name) }
  private var partials: [String] { [copy.name + Self.partialSuffix, supportFolder + Self.partialSuffix] }
  private var walPartial: String { partials[0] + "-wal" }

  /// - Parameters:
  ///   - finish: called when all is read and before the copy gets its name: throws where the reading was no good.
  ///   - progress: what is worked on; called for each row.
  package func run(finish: () throws -> Void, progress: (String) -> Void) throws -> Result {
    let partial = partials.map { copy.path(of: $0) }
    var named: [String] = []
    do {
      var result = try write(to: partial[0], progress)
      let files = try ExternalFilesCopy(marks).run(from: store.externalFiles, to: partial[1]) {
        progress("replacing files")
      }
      result.files = files.count
      result.problems += files.problems
      try finish()
      let place = try OpenFolder(copy.folder, following: true)
      // The -wal last: of one alone, SQLite would take the pages for those of whatever is put next to it.
      let names = [(partials[1], supportFolder), (partials[0], copy.name), (walPartial, copy.name + "-wal")]
      for (part, name) in names where part == partials[0] || Files.exists(copy.path(of: part)) {
        try place.moveNew(part, to: place, as: name)
        named.append(copy.path(of: name))
      }
      place.sync()
      result.bytes = FileReader.size(of: copy.path(of: copy.name)) ?? 0
      return result
    } catch {
      for path in named + partial + [partial[0] + "-journal", partial[0] + "-wal", partial[0] + "-shm"] {
        Files.remove(path)
      }
      throw error
    }
  }

  private func write(to path: String, _ progress: (String) -> Void) throws -> Result {
    let source = store.connection
    // SQLite takes the empty file as it is, with its rights. What the copy keeps is for those who may read the store.
    try FileWriter.write("", to: path, rights: FileRights(like: opened.files.resolvedPath))
    // The schema is the original's, and may call what it likes of SQLite's own functions in an index.
    let target = try Connection(
      path: path, options: OpenOptions(.readWrite(create: true), trustsSchema: true))
    defer { target.close() }
    // Reading stops by itself; CHECKs, stored columns and indexes take what the schema's expressions cost.
    target.limitTime(
      seconds: secondsAtMost,
      reason:
        "making it took more than \(Int(secondsAtMost)) seconds of computing, many times what a store of this size needs; an expression in a CHECK, a column or an index must be the reason"
    )
    target.onProgress(everyInstructions: 10_000) { !Interruption.isRequested }
    for setting in try settings(source) { try target.execute("PRAGMA \(setting)") }
    var result = Result()
    do {
      try target.execute("BEGIN")
      var schema = try SchemaCopy(source, target)
      let cells = CellMarks(marks, store.schema)
      for name in try schema.makeTables() {
        let table = RedactedTable(try SourceTable(name, in: source), in: store)
        // What SQLite itself put there comes from the original as well.
        if name.hasPrefix("sqlite_") { try target.execute("DELETE FROM main.\(quotedIdentifier(name))") }
        result.tables.append(
          try RowCopy(table, cells, from: source, to: target).run { progress("replacing \(table.label)") })
      }
      try schema.makeRest { progress("making \($0)") }
      result.isGuessed = store.schema.isGuessed
      result.problems = schema.problems
      for table in result.tables where table.rowsLeftOut > 0 {
        result.problems.append(
          "\(Sentence.count(table.rowsLeftOut, "row")) of \(table.name) can't be in the copy: placeholders fail its CHECK."
        )
      }
      try FileSizeCopy.adjust(target, to: source)
      try target.execute("COMMIT")
    } catch let error as SQLiteError where !error.isInterrupt || error.isLimit {
      let advice =
        if error.isInterrupt {
          "remove that from a copy of the store"
        } else if error.isDamage {
          "the store is damaged; run 'storescope doctor STORE' for details"
        } else if error.isConstraintFailure {
          "placeholders fail that constraint of the app's schema: try another --salt, and omit --keep-lengths"
        } else {
          "check that the copy's folder is writable and has enough disk space"
        }
      throw StoreScopeError(
        .failed,
        "A copy of '\(store.path)' could not be made at '\(copyPath)': SQLite reports '\(error.message)'",
        about: copyPath, advice: "\(advice). Nothing was left there")
    }
    if opened.files.header.usesWAL { try makeWAL(of: path, target) }
    result.uuid = store.metadata.uuid.map { marks.uris.store($0) }
    return result
  }

  /// The copy has a -wal if the original has one: without it the doctor would rightly say that newer commits may be
  /// missing. All of the copy is in its main file; its -wal only repeats the header.
  private func makeWAL(of path: String, _ target: Connection) throws {
    try target.execute("PRAGMA journal_mode = WAL")
    guard !opened.files.isWALMissing else { return }
    func number(_ pragma: String) throws -> Int64 {
      try target.first("PRAGMA main.\(pragma)") { $0.integer(0) } ?? 0
    }
    let (pageSize, pageCount) = (Int(try number("page_size")), UInt32(clamping: try number("page_count")))
    target.close()
    let isEmpty = (opened.files.wal?.size ?? 0) == 0
    let firstPage = isEmpty ? [] : try FileReader.beginning(of: path, count: pageSize).bytes
    let wal = isEmpty ? [] : WALHeader.wal(repeating: firstPage, pageCount: pageCount)
    try FileWriter.write(
      to: path + "-wal", replacing: true, rights: FileRights(like: opened.files.resolvedPath)
    ) { $0.bytes(wal) }
  }

  /// What is set before a database has its first page.
  private func settings(_ source: Connection) throws -> [String] {
    func value(_ name: String) throws -> String {
      try source.first("PRAGMA main.\(name)") { $0.text(0) } ?? "0"
    }
    return [
      "page_size = \(try value("page_size"))", "encoding = '\(try value("encoding"))'",
      "auto_vacuum = \(try value("auto_vacuum"))",
      // Nobody reads it before it is whole, and one that isn't is thrown away.
      "journal_mode = OFF", "synchronous = FULL",
      "user_version = \(try value("user_version"))", "application_id = \(try value("application_id"))",
      "foreign_keys = OFF",
    ]
  }
}

/// Keeps the share that history has of the file, which says whether there is too much of it: marks are shorter than most
/// of what they stand for, history's numbers are as long as before.
struct FileSizeCopy {
  /// Less history than that is never too much.
  private static let leastHistory: Int64 = 5_000_000
  private static let piece: Int64 = 1 << 26
  private static let history: [FrameworkTable] = [.changes, .transactions, .transactionStrings]

  /// Adds free pages of zeros to a copy that is too small. Inside of its transaction, where such pages aren't even
  /// written one by one.
  static func adjust(_ target: Connection, to source: Connection) throws {
    guard let before = try BTreePages.bytes(of: history, in: source), before >= leastHistory,
      let after = try BTreePages.bytes(of: history, in: target)
    else { return }
    let wanted = Double(after) / Double(before) * Double(try bytes(source))
    var missing = Int64(wanted) - (try bytes(target))
    guard missing > 0 else { return }
    try target.execute("CREATE TABLE main.\"storescope free pages\" (content BLOB)")
    while missing > 0 {
      try target.execute(
        "INSERT INTO main.\"storescope free pages\" VALUES (zeroblob(?))", [.integer(min(missing, piece))])
      missing -= piece
    }
    try target.execute("DROP TABLE main.\"storescope free pages\"")
  }

  private static func bytes(_ connection: Connection) throws -> Int64 {
    let pages = try connection.first("PRAGMA main.page_count") { $0.integer(0) } ?? 0
    return pages * (try connection.first("PRAGMA main.page_size") { $0.integer(0) } ?? 0)
  }
}
