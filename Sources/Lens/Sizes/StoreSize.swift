package import Base
import Evidence
import SQLite
import StoreModel

/// What uses the bytes of a store's main file. Each page of the file is counted once, for whatever has that page in the
/// database as it is committed, so that all parts together are the file.
///
/// The main file may have fewer pages than the database, whose newest ones are still in the WAL, or more: pages count
/// as far as they have a place in the file.
package struct StoreSize: Sendable {
  /// What a part of the file is for; the raw values are those of JSON.
  package enum Kind: String, FieldWord, Sendable {
    /// Objects: of one entity, and of those below it, which share its table.
    case entity
    /// Links of a many-to-many relationship.
    case links
    case history, mirror
    /// An index of objects or links, full-text and R-tree indexes too.
    case index
    case other
    /// Pages that SQLite will use again.
    case free
  }

  package struct Index: Sendable, Equatable {
    package var name: String
    package var bytes: Int64
  }

  /// A table with its indexes.
  package struct Table: Sendable {
    package var name: String
    package var kind: Kind
    /// What it holds, in the model's words or the framework's; of others the table's name.
    package var label: String
    /// The entities whose objects it holds: the root first.
    package var entities: [String]
    /// Nil if it can't be determined.
    package var rows: Int64?
    package var bytes: Int64
    package var indexes: [Index]

    package var indexBytes: Int64 { indexes.reduce(0) { $0 + $1.bytes } }
    package var all: Int64 { bytes + indexBytes }
  }

  /// What belongs to no table.
  package struct Rest: Sendable, Equatable {
    package var name: String
    package var bytes: Int64
  }

  /// The main file's size.
  package let bytes: Int64
  /// The largest first.
  package private(set) var tables: [Table] = []
  package private(set) var freeBytes: Int64 = 0
  package private(set) var rest: [Rest] = []
  /// Bytes of the database's pages that exist only in the WAL, as the file is shorter.
  package private(set) var beyondFile: Int64 = 0
  /// False where SQLite was built without the table that knows: then all that isn't free is in `rest`.
  package let isMeasured: Bool
  /// What could not be measured, a sentence each.
  package private(set) var problems: [String] = []

  /// - Parameter progress: called with the name of the table that is measured next.
  /// - Throws: `SQLiteError` where the reading was stopped.
  package init(_ open: OpenStore, progress: (String) -> Void = { _ in }) throws {
    let connection = open.connection
    bytes = try open.opened?.files.main.size ?? connection.mainFileSize()
    let pages = try DatabasePages(connection, fileBytes: bytes)
    isMeasured = try BTreePages.canBeRead(connection)
    var owned: Int64 = 0
    if isMeasured {
      owned = try measure(open.store, pages, progress)
    } else {
      problems.append("This build of SQLite can't measure tables, so only free pages are shown separately.")
    }
    addRest(pages, owned: owned)
  }

  private mutating func measure(
    _ store: CoreDataStore, _ pages: DatabasePages, _ progress: (String) -> Void
  ) throws -> Int64 {
    let labels = TableLabels(store, try BTreePages.virtualTables(store.connection))
    var reader = try BTreePages(store.connection, pagesInFile: pages.inFile)
    var known: [String: Int] = [:]
    for tree in try BTreePages.trees(store.connection) {
      progress(tree.table)
      let size = try reader.size(of: tree)
      if let problem = size.problem {
        problems.append(
          "\(tree.name) can't be read to its end (\(problem)), so it may use more than is counted here.")
      }
      let place = known[tree.table] ?? tables.count
      if place == tables.count {
        tables.append(labels.table(tree.table))
        known[tree.table] = place
      }
      let bytes = size.pages * pages.size
      if tree.isIndex {
        tables[place].indexes.append(Index(name: tree.name, bytes: bytes))
      } else {
        tables[place].bytes = bytes
        tables[place].rows = size.problem == nil ? size.rows : nil
      }
    }
    tables.sort { ($1.all, $0.name) < ($0.all, $1.name) }
    return reader.owned
  }

  private mutating func addRest(_ pages: DatabasePages, owned: Int64) {
    beyondFile = (pages.inDatabase - pages.inFile) * pages.size
    let maps = min(pages.maps, pages.inFile - owned)
    var left = pages.inFile - owned - maps
    func add(_ name: String, _ count: Int64) {
      if count > 0 { rest.append(Rest(name: name, bytes: count * pages.size)) }
    }
    add("pointer map", maps)
    let locked = min(pages.locked, left)
    add("lock-byte page", locked)
    left -= locked
    freeBytes = min(left, pages.free) * pages.size
    left -= freeBytes / pages.size
    if isMeasured {
      add("unaccounted", left)
      if left > 0 {
        problems.append(
          "\(Sentence.count(Int(left), "page")) of the file \(Sentence.form(Int(left), "belongs", "belong")) to no table and \(Sentence.form(Int(left), "isn't", "aren't")) free: the file is damaged (see 'doctor')."
        )
      }
    } else {
      add("not measured", left)
    }
    add("pages after the database's end", pages.afterDatabase)
    if pages.incomplete > 0 { rest.append(Rest(name: "incomplete page", bytes: pages.incomplete)) }
  }
}

extension StoreSize {
  /// One line of what a file is made of; all of them add up to the file.
  package struct Part: HasFields, Sendable, Equatable {
    package var kind: Kind
    package var name: String
    package var bytes: Int64
    package var rows: Int64?
    /// The table in SQL; nil for what isn't one.
    package var table: String?
    /// All entities whose objects these are, where they are more than one.
    package var entities: [String] = []

    package static let fields: [Field<Self>] = [
      Field("kind", "what the part is for") { $0.kind },
      Field("name", "the entity, table or index") { $0.name }, Field("bytes", "its size") { $0.bytes },
      Field("rows", "its rows") { $0.rows }, Field("table", "its table") { $0.table },
      Field("entities", "the entities whose objects are in it, the root first") { $0.entities },
    ]
  }

  /// The largest first. Indexes of objects and links are parts of their own; history's and the mirror's count with
  /// their tables.
  package var parts: [Part] {
    var parts: [Part] = []
    for table in tables {
      let hasOwnIndexes = [.entity, .links].contains(table.kind)
      parts.append(
        Part(
          kind: table.kind, name: table.label, bytes: hasOwnIndexes ? table.bytes : table.all,
          rows: table.rows, table: table.name, entities: table.entities))
      guard hasOwnIndexes else { continue }
      parts += table.indexes.map { Part(kind: .index, name: $0.name, bytes: $0.bytes, table: table.name) }
    }
    parts += rest.map { Part(kind: .other, name: $0.name, bytes: $0.bytes) }
    if freeBytes > 0 { parts.append(Part(kind: .free, name: "free pages", bytes: freeBytes)) }
    return parts.enumerated().sorted { ($1.element.bytes, $0.offset) < ($0.element.bytes, $1.offset) }
      .map(\.element)
  }
}

/// Which pages there are.
private struct DatabasePages {
  let size: Int64
  /// Pages of the database as it is committed.
  let inDatabase: Int64
  /// Those of them that have a place in the main file.
  let inFile: Int64
  /// Pages of the file behind them: the database became smaller, and that is still in the WAL, or they were never
  /// committed.
  let afterDatabase: Int64
  /// Bytes at the file's end that are less than a page.
  let incomplete: Int64
  let free: Int64
  /// https://www.sqlite.org/fileformat2.html#pointer_map_or_ptrmap_pages
  let maps: Int64
  /// https://www.sqlite.org/fileformat2.html#the_lock_byte_page
  let locked: Int64

  init(_ connection: Connection, fileBytes: Int64) throws {
    func number(_ pragma: String) throws -> Int64 {
      max(0, try connection.first("PRAGMA main.\(pragma)") { $0.integer(0) } ?? 0)
    }
    let size = max(512, try number("page_size"))
    let pagesOfFile = fileBytes / size
    self.size = size
    inDatabase = try number("page_count")
    inFile = min(inDatabase, pagesOfFile)
    afterDatabase = pagesOfFile - inFile
    incomplete = fileBytes % size
    free = try number("freelist_count")
    let isMapped = try number("auto_vacuum") != 0
    // A map page follows the first page, and then as many pages as it has entries of five bytes; Core Data reserves no
    // bytes of a page.
    maps = isMapped && inFile > 1 ? (inFile - 2) / (size / 5 + 1) + 1 : 0
    locked = inFile > 0x4000_0000 / size ? 1 : 0
  }
}

/// What a table's rows are.
private struct TableLabels {
  private var entities: [String: [SchemaEntity]] = [:]
  private var links: [String: String] = [:]
  private let virtualTables: [String]
  private static let known = [
    "SQLITE_SCHEMA": "schema", "Z_MODELCACHE": "model", "Z_METADATA": "metadata",
    "Z_PRIMARYKEY": "entity numbers",
  ]

  init(_ store: CoreDataStore, _ virtualTables: [String]) {
    self.virtualTables = virtualTables
    entities = Dictionary(grouping: store.schema.entities, by: { $0.table.uppercased() })
    for entity in store.schema.entities {
      for relationship in entity.relationships where !relationship.isInherited {
        guard case .join(let table, _, _, _) = relationship.storage, links[table.uppercased()] == nil else {
          continue
        }
        links[table.uppercased()] = "\(entity.name).\(relationship.name)"
      }
    }
  }

  func table(_ name: String) -> StoreSize.Table {
    var table = StoreSize.Table(
      name: name, kind: .other, label: name, entities: [], rows: nil, bytes: 0, indexes: [])
    let upper = name.uppercased()
    if let own = entities[upper] {
      // Roots have lower numbers than what is below them.
      let sorted = own.sorted { $0.number < $1.number }.map(\.name)
      (table.kind, table.label, table.entities) = (.entity, sorted.first ?? name, sorted)
    } else if let framework = FrameworkTable(rawValue: upper) {
      (table.kind, table.label) = (framework.isHistory ? .history : .mirror, framework.sizeLabel)
    } else if upper.hasPrefix("ANSCK") || upper.hasPrefix("ZNSCK") {
      table.kind = .mirror
    } else if let link = links[upper] {
      (table.kind, table.label) = (.links, link)
    } else if upper.hasPrefix("Z_"), upper.dropFirst(2).first?.isNumber == true {
      // Join tables are named Z_1NAME; this one is of no relationship that the model has now.
      table.kind = .links
    } else if let known = Self.known[upper] {
      table.label = known
    } else if virtualTables.contains(where: { name.hasPrefix($0 + "_") }) {
      table.kind = .index
    }
    return table
  }
}

extension FrameworkTable {
  fileprivate var sizeLabel: String {
    switch self {
    case .changes: "changes"
    case .transactions: "transactions"
    case .transactionStrings: "authors and processes"
    default: entity
    }
  }
}
