import Base
package import SQLite

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
  /// What is wrong with Z_PRIMARYKEY as a whole, a sentence without its full stop; nil if it has rows.
  package let countersProblem: String?
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
  /// Whether sentences leave out what objects hold.
  package var withholdsValues = false

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
    let counters = try PrimaryKeyTable.read(from: connection)
    let primaryKeys = counters ?? PrimaryKeyTable(rows: [])
    self.primaryKeys = primaryKeys
    func check(_ count: Int, _ what: String) throws {
      let most = PrimaryKeyTable.mostEntities
      guard count > most else { return }
      throw StoreScopeError(
        .limit, path, "has more than \(Sentence.number(most)) \(what), more than any app has",
        advice: "check where it comes from")
    }
    try check(primaryKeys.user.count + primaryKeys.framework.count, "entities")
    var tableCount = 0
    try connection.forEachSchemaRow(
      "SELECT 1 FROM main.sqlite_schema WHERE type = 'table' LIMIT \(PrimaryKeyTable.mostEntities + 1)"
    ) { _ in tableCount += 1 }
    try check(tableCount, "tables")
    let tables = try TableCatalog(connection)
    self.tables = tables
    externalFiles = ExternalFiles(storePath: resolvedPath ?? path)

    var notes: [String] = []
    if let problem = metadata.problem {
      notes.append("\(problem): Core Data can't determine the store's model.")
    }
    if tables.overlongNames > 0 {
      notes.append(
        "\(Sentence.count(tables.overlongNames, "table or column", "tables and columns")) with names of more than \(LongName.limit) bytes left out: Core Data makes no such names."
      )
    }
    let objectTables = tables.modelTables.filter(tables.holdsObjects)
    countersProblem =
      if let counters {
        if let damage = counters.damage {
          "Z_PRIMARYKEY can't be read (\(damage))"
        } else {
          counters.user.isEmpty && !objectTables.isEmpty ? "Z_PRIMARYKEY is empty" : nil
        }
      } else {
        objectTables.isEmpty ? nil : "There is no table Z_PRIMARYKEY"
      }
    if let countersProblem { notes.append("\(countersProblem): no entity has a key counter.") }
    let found = try Self.model(connection, path: path, modelPath, metadata) { model in
      SchemaBuilder.build(model: model, primaryKeys: primaryKeys, tables: tables).discrepancies.count
    }
    notes += found.problems
    modelSource = found.source
    model = found.model
    try check(model?.entities.count ?? 0, "entities in its model")
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

  /// The SQL that brings back what is missing, as Core Data would make it; empty if nothing is, or if it can't be added.
  package func creation(of missing: SchemaDiscrepancy) -> [String] {
    guard let model, let name = missing.table else { return [] }
    let tables = SchemaBuilder.prediction(of: model, primaryKeys).tables
    switch (missing.kind, missing.column) {
    case (.missingTable, _): return tables.first { $0.name == name }?.creation ?? []
    case (.missingColumn, let column?):
      // A join table may be called otherwise.
      let own = tables.filter { $0.name == name }
      return (own.isEmpty ? tables : own).lazy.compactMap { $0.addition(of: column, to: name) }.first ?? []
    default: return []
    }
  }

  /// Entities that the store should number and count keys of, and that Z_PRIMARYKEY lacks. A model that was given may
  /// have entities that the store never had.
  package var uncountedEntities: [SchemaEntity] {
    if countersProblem != nil { return schema.entities }
    return discrepancies.filter { $0.kind == .entityWithoutNumber }.compactMap { $0.entity }
      .filter { modelSource == .cache || metadata.versionHashes[$0] != nil }.compactMap { schema[$0] }
  }

  /// The store's identifier; empty where it has none.
  package var uuid: String { metadata.uuid ?? "" }

  /// Whether it is a copy that `redact` made, whose values are placeholders: its identifier is one as well.
  package var isRedacted: Bool { metadata.uuid.map(Marks.isPlaceholder) ?? false }

  /// The model's version identifiers: the metadata's, or else the model's own.
  package var versionIdentifiers: [String] {
    let identifiers = metadata.versionIdentifiers
    return identifiers.isEmpty ? (model?.versionIdentifiers ?? []).filter { !$0.isEmpty } : identifiers
  }

  /// The entity of that name, or an error with those there are.
  package func entity(named name: String) throws -> SchemaEntity {
    if let entity = schema[name] { return entity }
    let matches = schema.entities.filter { $0.name.lowercased() == name.lowercased() || $0.staleName == name }
    if matches.count == 1 { return matches[0] }
    let names = schema.entities.map(\.name)
    throw StoreScopeError(
      .notFound, path, "has no entity '\(name)'",
      advice: names.count <= 20
        ? "Entities: \(names.joined(separator: ", "))" : "'storescope entities STORE' lists them all"
    ).naming(name, among: names)
  }

  /// Throws what the app meets as well if it reads an entity whose table is gone, or without its keys; of a view in its
  /// place, reading throws.
  package func requireTable(of entity: SchemaEntity) throws {
    let lacks = !tables.has(entity.table)
    let isKeyless = !tables.columns(of: entity.table).contains { $0.name == "Z_PK" }
    guard lacks || isKeyless, !connection.isIgnoredView(entity.table) else { return }
    let lack = lacks ? "table \(entity.table)" : "column \(entity.table).Z_PK"
    throw StoreScopeError(
      .lacking, path,
      "has no \(lack), which the model needs for \(entity.name): the app gets NSCocoaErrorDomain 256 with NSSQLiteErrorDomain 1 as soon as it reads one",
      advice: "'storescope preflight STORE' has the SQL that brings it back")
  }

  /// Names of the model's entities and of the framework's own: what an object URI may say without telling of a value.
  package var knownEntityNames: Set<String> {
    Set(schema.entities.map(\.name) + primaryKeys.framework.map(\.name))
  }

  /// Names of the model's relationships.
  package var relationshipNames: Set<String> {
    Set(schema.entities.flatMap(\.relationships).map(\.name))
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

  /// Objects of all entities, which SQLite counts faster than those of each.
  package func objectCount() throws -> Int {
    let holding = Set(schema.entities.map(\.table)).filter(tables.holdsObjects)
    return try holding.reduce(0) { sum, table in
      let rows = try connection.first("SELECT COUNT(*) FROM main.\(quotedIdentifier(table))") {
        $0.integer(0)
      }
      return sum + Int(rows ?? 0)
    }
  }

  /// Whether no entity has any objects, which takes no counting.
  package func isEmpty() throws -> Bool {
    try Set(schema.entities.map(\.table)).filter(tables.has).allSatisfy {
      try connection.value("SELECT 1 FROM main.\(quotedIdentifier($0)) LIMIT 1") == nil
    }
  }

  private static func model(
    _ connection: Connection, path: String, _ modelPath: String?, _ metadata: StoreMetadata,
    differences: (ManagedObjectModel) -> Int
  ) throws -> (model: ManagedObjectModel?, source: ModelSource, problems: [String]) {
    if let modelPath {
      let candidates = try ModelFile.load(path: modelPath, metadata: metadata)
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
