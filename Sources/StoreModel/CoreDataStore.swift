package import SQLite
import Values

/// A store with its model: what every layer above reads.
package final class CoreDataStore {
  /// Where the model came from.
  package enum ModelSource: Sendable, Equatable {
    /// Z_MODELCACHE.
    case cache
    case file(path: String, version: String)
    /// Neither was available: names are guessed from Z_PRIMARYKEY and the columns.
    case tables(because: String)

    package var name: String {
      switch self {
      case .cache: "cache"
      case .file: "file"
      case .tables: "tables"
      }
    }
  }

  package let connection: Connection
  package let path: String
  package let metadata: StoreMetadata
  package let primaryKeys: PrimaryKeyTable
  package let tables: TableCatalog
  package let modelSource: ModelSource
  /// Nil where the schema was read off the tables.
  package let model: ManagedObjectModel?
  package let schema: StoreSchema
  /// Where prediction and table differ.
  package let discrepancies: [SchemaDiscrepancy]
  package let externalFiles: ExternalFiles
  /// What was odd, a sentence each.
  package let notes: [String]

  /// Reads metadata and model. `modelPath` wins over the store's own model.
  /// - Throws: `StoreScopeError` where the database is no Core Data store or the model file is of no use;
  ///   `SQLiteError`.
  /// `resolvedPath` is where the store really lies, where `path` is a link to it: its other files lie there.
  package init(connection: Connection, path: String, resolvedPath: String? = nil, modelPath: String? = nil)
    throws
  {
    self.connection = connection
    self.path = path
    guard let metadata = try StoreMetadata.read(from: connection) else {
      // Those of a new store are in its -wal alone.
      guard try connection.value("SELECT 1 FROM sqlite_master") != nil else {
        throw StoreScopeError(
          .foreign, path, "is an SQLite database without tables; those of a store may be in a missing -wal",
          advice: "copy the store together with its -wal")
      }
      throw StoreScopeError(
        .foreign, path,
        "is an SQLite database without a table Z_METADATA, so Core Data or SwiftData did not write it",
        advice: "look for the app's '.store' or '.sqlite' file, often in Library/Application Support")
    }
    self.metadata = metadata
    let primaryKeys = try PrimaryKeyTable.read(from: connection) ?? PrimaryKeyTable(rows: [])
    self.primaryKeys = primaryKeys
    let tables = try TableCatalog(connection)
    self.tables = tables
    externalFiles = ExternalFiles(storePath: resolvedPath ?? path)

    var notes: [String] = []
    if case .damaged(let why) = metadata.propertyList {
      notes.append("The metadata in Z_METADATA can't be read: \(why).")
    }
    if tables.overlongNames > 0 {
      notes.append(
        "\(Sentence.count(tables.overlongNames, "table or column", "tables and columns")) with names of more than \(LongName.limit) bytes left out: Core Data makes no such names."
      )
    }
    let found = try Self.model(connection, path: path, modelPath, metadata) { model in
      SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: tables).discrepancies.count
    }
    notes += found.problems
    modelSource = found.source
    model = found.model
    if let model {
      let built = SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: tables)
      schema = built.schema
      let isForeign = modelPath != nil && model.isForeign(to: primaryKeys.user.map(\.name))
      discrepancies = isForeign ? [SchemaDiscrepancy(.foreignModel)] : built.discrepancies
    } else {
      schema = TablesOnlySchema.build(primaryKeys: primaryKeys, tables: tables)
      discrepancies = []
    }
    self.notes = notes + discrepancies.map(\.description)
  }

  /// The store's identifier; empty where it has none.
  package var uuid: String { metadata.uuid ?? "" }

  /// The model's version identifiers: the metadata's, or else the model's own.
  package var versionIdentifiers: [String] {
    let identifiers = metadata.versionIdentifiers
    return identifiers.isEmpty ? (model?.versionIdentifiers ?? []).filter { !$0.isEmpty } : identifiers
  }

  /// The entity of that name, or an error that names the nearest one.
  package func entity(named name: String) throws -> SchemaEntity {
    if let entity = schema[name] { return entity }
    let matches = schema.entities.filter { $0.name.lowercased() == name.lowercased() || $0.staleName == name }
    if matches.count == 1 { return matches[0] }
    let names = schema.entities.map(\.name)
    let singular = Suggestion.singulars(of: name).lazy.compactMap { Suggestion.spelled($0, in: names) }.first
    let suggestion =
      singular.map { " Did you mean '\($0)'?" } ?? Suggestion.sentence(for: name, in: names)
    throw StoreScopeError(
      .notFound, path, "has no entity '\(name)'.\(suggestion)",
      advice: suggestion.isEmpty && names.count <= 20
        ? "Entities: \(names.joined(separator: ", "))" : "'storescope entities' lists them all")
  }

  /// Names of the model's entities and of the framework's own: what an object URI may say without telling of a value.
  package var knownEntityNames: Set<String> {
    Set(schema.entities.map(\.name) + primaryKeys.framework.map(\.name))
  }

  /// What an entity number stands for; numbers of the framework's own entities are in Z_PRIMARYKEY only.
  package func entityName(ofNumber number: Int64) -> String {
    schema[number]?.name ?? primaryKeys.framework.first { $0.number == number }?.name ?? "entity \(number)"
  }

  /// Rows of each entity, counted for exactly that entity.
  /// - Parameters:
  ///   - progress: called with each table's name.
  ///   - skip: called with a table that can't be read, and why; without it that is thrown.
  package func rowCounts(
    progress: (String) -> Void = { _ in }, skip: ((String, SQLiteError) -> Void)? = nil
  ) throws -> [Int64: Int] {
    var counts: [Int64: Int] = [:]
    var counted: Set<String> = []
    for entity in schema.entities where counted.insert(entity.table).inserted {
      guard tables.columns(of: entity.table).contains(where: { $0.name == "Z_ENT" }) else { continue }
      progress(entity.table)
      do {
        try connection.forEachRow(
          "SELECT Z_ENT, COUNT(*) FROM main.\(quotedIdentifier(entity.table)) GROUP BY Z_ENT"
        ) { row in
          counts[row.integer(0)] = Int(row.integer(1))
        }
      } catch let error as SQLiteError where !error.isInterrupt {
        guard let skip else { throw error }
        skip(entity.table, error)
      }
    }
    return counts
  }

  private static func model(
    _ connection: Connection, path: String, _ modelPath: String?, _ metadata: StoreMetadata,
    differences: (ManagedObjectModel) -> Int
  ) throws -> (model: ManagedObjectModel?, source: ModelSource, problems: [String]) {
    if let modelPath {
      let candidates = try ModelFile.load(path: modelPath, metadata: metadata).candidates
      // Xcode's XML has no hashes: of several versions the one that fits the tables best is taken.
      let best = candidates.enumerated().min { one, other in
        (differences(one.element.model), one.offset) < (differences(other.element.model), other.offset)
      }
      guard let candidate = candidates.first(where: \.isVerified) ?? best?.element else {
        throw StoreScopeError(
          .notFound, modelPath, "has no model", advice: "give a .mom, .momd or .xcdatamodeld of the app")
      }
      return (candidate.model, .file(path: modelPath, version: candidate.name), candidate.problems)
    }
    let hint = "names are guessed from the tables; pass the app's model with --model PATH"
    switch try ModelCache.read(from: connection) {
    case .decoded(let decoded): return (decoded.model, .cache, decoded.problems)
    case .absent: return (nil, .tables(because: "absent"), ["There is no Z_MODELCACHE: \(hint)."])
    case .empty: return (nil, .tables(because: "empty"), ["Z_MODELCACHE is empty: \(hint)."])
    case .damaged(let why):
      return (
        nil, .tables(because: "damaged"), ["The model in Z_MODELCACHE can't be read (\(why)): \(hint)."]
      )
    }
  }
}
