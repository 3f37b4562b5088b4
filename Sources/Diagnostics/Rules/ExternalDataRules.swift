import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let externalDataMissing = Rule(
    "external-data-missing"
  ) { examination, findings in
    let files = examination.store.externalFiles
    let others = files.otherFolders()
    var omissions = Omissions("All files were looked for")
    var states: Set<String> = []
    var place: String?
    try ExternalReferences(examination).forEach { reference in
      var state = "missing"
      if ExternalFiles.isFileName(reference.file) {
        switch files.file(reference.file, .externalData).state {
        // Core Data keeps small values in the row, so no file is empty by right.
        case .file(bytes: 0): state = "empty"
        case .file: return
        // A file that can't be checked may well be there.
        case .link: return omissions.add(reference.place, "is behind a link, not followed")
        case .unreadable(let reason):
          return omissions.add(reference.place, "is in a file that can't be checked (\(reason))")
        case .missing, .folder, .special: break
        }
      }
      states.insert(state)
      let found = others.first { files.isThere(reference.file, in: $0) }
      place = place ?? found
      findings.add(
        object: reference.holder, subject: "\(reference.place)/\(reference.primaryKey)",
        [
          "uri": .optional(reference.holder), "place": .text(reference.place),
          "pk": .integer(reference.primaryKey), "file": .text(reference.file), "state": .text(state),
          "foundIn": .optional(found),
        ])
    }
    findings.ofAll = [
      .init("states", .text(states.sorted().reversed().joined(separator: " or "))),
      .init("how", .text(place == nil ? "" : "; it is next to the store, in the folder ")),
      .init("foundIn", .text(place ?? "")),
    ]
    if place != nil { findings.remedy = remedyOfOtherFolder }
    findings.omission = omissions.sentence
  }

  private static let remedyOfOtherFolder = """
    The store was renamed without its hidden folder. Close the app, and rename that folder to '.NAME_SUPPORT', where NAME \
    is the store's name without its extension; if there is one already, move the files in _EXTERNAL_DATA over to it.
    """

  static let externalDataOrphaned = Rule(
    "external-data-orphaned"
  ) { examination, findings in
    var names = Set(try examination.store.externalFiles.names(.externalData))
    guard !names.isEmpty else { return }
    try ExternalReferences(examination).forEach { names.remove($0.file) }
    for name in names.sorted() {
      findings.add(subject: name, ["file": .text(name)])
    }
  }
}

/// The values that lie in files of `_EXTERNAL_DATA` next to the store: the app's, and the mirror's copies of records.
struct ExternalReferences {
  struct Reference {
    /// The object's URI; nil for a row of the mirror's.
    var holder: String?
    /// `Person.photo`.
    var place: String
    var table: String
    var primaryKey: Int64
    var file: String
  }

  private struct Column {
    var name: String
    /// By entity number; the mirror's tables have one for all.
    var places: [Int64: String]
    var place: String?
  }

  private let store: CoreDataStore
  private var tables: [(table: String, columns: [Column])] = []

  init(_ examination: Examination) {
    store = examination.store
    let catalog = store.tables
    var columns: [String: [String: Column]] = [:]
    for entity in store.schema.entities {
      guard catalog.holdsObjects(entity.table) else { continue }
      for leaf in entity.attributes.flatMap(\.leaves) where leaf.description.allowsExternalStorage {
        guard let name = leaf.column else { continue }
        columns[entity.table, default: [:]][name, default: Column(name: name, places: [:])].places[
          entity.number] = "\(entity.name).\(leaf.path)"
      }
    }
    for table in FrameworkTable.allCases where examination.tables.has(table, "Z_PK") {
      for attribute in table.attributes
      where attribute.kind == .externalArchive && examination.tables.has(table, attribute.column) {
        columns[table.rawValue, default: [:]][attribute.column] = Column(
          name: attribute.column, places: [:], place: "\(table.rawValue).\(attribute.column)")
      }
    }
    tables = columns.sorted { $0.key < $1.key }.map { table, columns in
      (table, columns.values.sorted { $0.name < $1.name })
    }
  }

  /// Reads the tables that have such columns, and of their values only those that are as short as a file's name.
  func forEach(_ body: (Reference) throws -> Void) throws {
    let names = EntityNames(store)
    for (table, columns) in tables {
      let parts = columns.map { column in
        let name = quotedIdentifier(column.name)
        return (
          name: name,
          condition:
            "typeof(\(name)) = 'blob' AND length(\(name)) IN (37, 38) AND substr(\(name), 1, 1) = x'02'"
        )
      }
      let values = parts.map { "CASE WHEN \($0.condition) THEN \($0.name) END" }
      // The mirror's tables may lack the number, which nothing needs there.
      let entity = columns.contains { $0.place == nil } ? "Z_ENT" : "NULL"
      let statement = try store.connection.prepare(
        """
        SELECT Z_PK, \(entity), \(values.joined(separator: ", ")) FROM main.\(quotedIdentifier(table))
        WHERE \(parts.map(\.condition).joined(separator: " OR "))
        """)
      while try statement.step() {
        let (key, number) = (statement.integer(0), statement.optionalInteger(1))
        for (index, column) in columns.enumerated() {
          guard let place = column.place ?? number.flatMap({ column.places[$0] }),
            case .file(let file) = statement.withBytes(index + 2, { ExternalValue($0) })
          else { continue }
          try body(
            Reference(
              holder: column.place == nil ? names.uri(number, key) : nil, place: place, table: table,
              primaryKey: key, file: file))
        }
      }
    }
  }
}
