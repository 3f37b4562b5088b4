import Lens
import Rendering
import StoreModel
import Values

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
      let rows = try Self.objects(of: entity, in: store)
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
      try store.schema[number].flatMap { try Self.objects(of: $0, in: store).parts(readers: readers) }
    case .history:
      try HistoryReader(store).flatMap { try HistoryRows($0, in: store).parts(readers: readers) }
    case .table: nil
    }
  }

  static func objects(of entity: SchemaEntity, in store: CoreDataStore) throws -> ObjectRows {
    var options = ObjectRows.Options()
    options.includesSubentities = false
    options.toMany = .untold
    options.hasReferenceKeys = true
    return try ObjectRows(entity, in: store, options: options)
  }
}
