import Base
package import Lens
import Rendering
import SQLite
package import StoreModel

/// All parts of a store's export, in the order in which the manifest lists them.
package struct ExportPlan: Sendable {
  package var parts: [ExportPart]
  /// Rows that no part holds, a sentence each.
  package var leftOut: [String]

  /// - Parameters:
  ///   - entities: only these; nil for all.
  ///   - predicate: gives what to ask of an entity's objects; nil for all of them.
  ///   - tables: only these tables of the mirror and of history, by the name in SQL or the framework's; nil for all,
  ///     and for history decoded too.
  /// - Throws: `StoreScopeError` where the store has no such entity or table.
  package init(
    _ store: CoreDataStore, entities: [String]? = nil, tables: [String]? = nil,
    predicate: (SchemaEntity) throws -> ObjectPredicate? = { _ in nil }
  ) throws {
    let chosenEntities = try entities?.map(store.entity(named:)) ?? store.schema.entities
    let chosenTables =
      try tables?.map { try FrameworkTableRows(named: $0, in: store) }
      ?? FrameworkTableRows.names(in: store).map { try FrameworkTableRows(named: $0, in: store) }
    var files = FileNames()
    parts = try chosenEntities.map { entity in
      ExportPart(
        content: .entity(number: entity.number), name: entity.name,
        file: "entities/" + files.name(for: entity.name, number: entity.number),
        columns: try Self.columns(of: entity, in: store), predicate: try predicate(entity))
    }
    if tables == nil, try HistoryReader(store) != nil {
      parts.append(
        ExportPart(content: .history, name: "history", file: "history", columns: Self.historyColumns))
    }
    parts += chosenTables.map { table in
      ExportPart(
        content: .table, name: table.table, file: "tables/" + table.table,
        columns: table.columns.map { .init(name: $0.name, type: $0.type) })
    }
    leftOut =
      entities == nil
      ? try Self.rowsOfUnknownEntities(store)
      : parts.compactMap { part in
        part.predicate.map { "Objects of \(part.name) that \($0.text) doesn't match." }
      }
  }

  private static func columns(of entity: SchemaEntity, in store: CoreDataStore) throws -> [ExportPart.Column]
  {
    var types: [String: ExportPart.Column] = [
      "uri": .init(name: "uri", type: "uri"), "pk": .init(name: "pk", type: "integer"),
      "entity": .init(name: "entity", type: "string"),
    ]
    for attribute in entity.attributes {
      let name = ViewNames.key(for: attribute.name)
      types[name] = .init(name: name, type: attribute.description.type.name)
    }
    for relationship in entity.relationships {
      let name = ViewNames.key(for: relationship.name)
      types[name] = .init(
        name: name, type: relationship.description.isToMany ? "references" : "reference",
        destination: relationship.description.destination)
    }
    return try ExportPart.objects(of: entity, in: store).columns.map { column in
      if let relationship = column.keyOf {
        return .init(
          name: column.name, type: "key", destination: types[ViewNames.key(for: relationship)]?.destination)
      }
      return types[column.name] ?? .init(name: column.name, type: "unknown")
    }
  }

  private static let historyTypes = [
    "transaction": "integer", "timestamp": "date", "pk": "integer", "uri": "uri", "properties": "array",
    "tombstone": "object", "unsure": "array",
  ]

  private static let historyColumns = HistoryRows.columns.map { column in
    ExportPart.Column(name: column.name, type: historyTypes[column.name] ?? "string")
  }

  /// Objects whose entity number the model doesn't have are nobody's.
  private static func rowsOfUnknownEntities(_ store: CoreDataStore) throws -> [String] {
    let known = store.schema.entities.map { String($0.number) }.joined(separator: ", ")
    return try Set(store.schema.entities.map(\.table)).sorted().compactMap { table in
      guard store.tables.holdsObjects(table) else { return nil }
      let rows = try store.connection.first(
        "SELECT COUNT(*) FROM main.\(quotedIdentifier(table)) WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(known))"
      ) { Int($0.integer(0)) }
      guard let rows, rows > 0 else { return nil }
      return
        "\(Sentence.count(rows, "row")) of \(table) \(Sentence.form(rows, "has", "have")) an entity number that the model does not have."
    }
  }
}

/// File names made of entities' names, which may hold anything. On macOS names that differ by case alone are one file.
private struct FileNames {
  private var taken: Set<String> = []

  mutating func name(for entity: String, number: Int64) -> String {
    let plain = String(
      entity.prefix(60).map { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" ? $0 : "_" })
    if !plain.isEmpty, taken.insert(plain.lowercased()).inserted { return plain }
    let numbered = "\(plain)-\(number)"
    taken.insert(numbered.lowercased())
    return numbered
  }
}

/// One file of an export: what it holds and how its rows are made.
package struct ExportPart: Sendable, Equatable {
  package enum Content: Sendable, Equatable {
    /// The objects of exactly this entity.
    case entity(number: Int64)
    /// Every change of persistent history, decoded with the model's names.
    case history
    /// A table of the mirror or of history as it stands, by its name in SQL.
    case table
  }

  package struct Column: Sendable, Equatable {
    package var name: String
    /// An attribute's type as the model calls it, `reference`, `key` and `references` for relationships, or what a
    /// framework's column holds.
    package var type: String
    /// The entity that a relationship leads to.
    package var destination: String?
  }

  package var content: Content
  /// The entity's or the table's; `history`.
  package var name: String
  /// Below the export's folder, without the format's suffix.
  package var file: String
  package var columns: [Column]
  package var predicate: ObjectPredicate?

  /// `entity`, `history` or `table`.
  package var kind: String {
    switch content {
    case .entity: "entity"
    case .history: "history"
    case .table: "table"
    }
  }

  /// Its rows, read from any connection to the store while they are printed.
  func rows(in store: CoreDataStore) throws -> RowStream {
    func stream(
      _ impossibleDates: @escaping (Int) throws -> Set<String>,
      _ produce: @escaping (any RowSink) throws -> Void
    ) -> RowStream {
      var stream = RowStream(columns: columns.map { RowStream.Column($0.name) }, produce: produce)
      stream.impossibleDates = impossibleDates
      return stream
    }
    switch content {
    case .entity(let number):
      guard let entity = store.schema[number] else { break }
      let rows = try Self.objects(of: entity, in: store, predicate)
      return stream(rows.impossibleDates) { try rows.produce(into: $0) {} }
    case .history:
      guard let reader = try HistoryReader(store) else { break }
      let rows = HistoryRows(reader, in: store)
      return stream({ _ in try rows.impossibleDates() }) { try rows.produce(into: $0) {} }
    case .table:
      let rows = try FrameworkTableRows(named: name, in: store)
      return stream(rows.impossibleDates) { try rows.produce(into: $0) {} }
    }
    return RowStream(columns: columns.map { RowStream.Column($0.name) }, rows: [])
  }

  /// The same rows in parts, for several threads; nil where one is enough.
  func parts(in store: CoreDataStore, readers: () throws -> [CoreDataStore]) throws -> RowParts? {
    switch content {
    case .entity(let number):
      try store.schema[number].flatMap {
        try Self.objects(of: $0, in: store, predicate).parts(readers: readers)
      }
    case .history:
      try HistoryReader(store).flatMap { try HistoryRows($0, in: store).parts(readers: readers) }
    case .table: nil
    }
  }

  static func objects(
    of entity: SchemaEntity, in store: CoreDataStore, _ predicate: ObjectPredicate? = nil
  ) throws -> ObjectRows {
    var options = ObjectRows.Options()
    options.predicate = predicate
    options.includesSubentities = false
    options.toMany = .untold
    options.hasReferenceKeys = true
    return try ObjectRows(entity, in: store, options: options)
  }
}
