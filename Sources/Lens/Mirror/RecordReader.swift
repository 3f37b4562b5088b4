import Archives
import SQLite
import StoreModel

/// Streams the records with their states, in the order of their rows.
package struct RecordReader {
  private let store: CoreDataStore
  /// Nil where the store keeps no records.
  private let view: View?
  private let filter: RecordFilter
  /// Whether the archives are read too: types, fields and dates. Takes about a hundred times as long.
  private let decodes: Bool

  init(_ store: CoreDataStore, _ views: MirrorViews, _ filter: RecordFilter, decodesArchives: Bool) {
    self.store = store
    view = views.records
    self.filter = filter
    decodes = decodesArchives
  }

  private enum Column: Int, ReadColumn {
    case row, recordName, zone, entityNumber, entity, pk, uri, state, needsUpload, needsCloudDelete
    case acknowledged, lastExported, pendingExport, objectExists, recordType
  }
  /// Behind the columns.
  private static let archives = [
    "copy", "taggedCopy", "systemFields", "taggedSystemFields", "copyAsset", "systemFieldsAsset",
  ]

  /// How many there are; nil if they must be read, because a state is asked for.
  package func count() throws -> Int? {
    guard filter.states == nil else { return nil }
    guard let view else { return 0 }
    let clause = filter.clause
    return try store.connection.first(
      view.count(["entityNumber", "pk", "recordName"] + filter.columns, clause.sql), clause.values
    ) { Int($0.integer(0)) }
  }

  /// Calls `body` for each record until it returns false.
  package func forEach(_ body: (MirrorRecord) throws -> Bool) throws {
    guard let view else { return }
    let clause = filter.clause
    let columns = Column.names + (decodes ? Self.archives : []) + filter.columns
    let statement = try store.connection.prepare(
      view.select(columns, "\(clause.sql) ORDER BY \"row\""))
    try statement.bind(clause.values)
    while try statement.step() {
      guard try body(record(statement)) else { return }
    }
  }

  /// The object of the first record that has one.
  package func firstObject() throws -> ObjectKey? {
    var object: ObjectKey?
    try forEach { record in
      object = record.object
      return object == nil
    }
    return object
  }

  private func record(_ row: Statement) -> MirrorRecord {
    var record = MirrorRecord(
      primaryKey: row.integer(Column.row), recordName: row.optionalText(Column.recordName),
      zone: row.optionalName(Column.zone),
      entityNumber: row.optionalInteger(Column.entityNumber), entity: row.optionalName(Column.entity),
      objectKey: row.optionalInteger(Column.pk), uri: row.optionalText(Column.uri),
      state: RecordState(rawValue: row.text(Column.state)) ?? .orphan,
      needsUpload: row.flag(Column.needsUpload), needsCloudDelete: row.flag(Column.needsCloudDelete),
      isAcknowledged: row.flag(Column.acknowledged),
      lastExported: row.optionalInteger(Column.lastExported),
      pendingExport: row.optionalInteger(Column.pendingExport), objectExists: row.flag(Column.objectExists),
      recordType: row.optionalText(Column.recordType))
    guard decodes else { return record }
    let first = Column.allCases.count
    let copy = RecordCopy(
      archives: (first..<first + 4).map(row.cell), hasCopy: !row.isNull(first + 4),
      hasSystemFields: !row.isNull(first + 5), store.externalFiles)
    record.fields = copy.fields
    record.systemFields = copy.systemFields
    record.problem = copy.problem
    record.recordType = copy.systemFields?.recordType ?? record.recordType
    return record
  }
}

/// Which records are wanted; all conditions hold at once.
package struct RecordFilter: Sendable, Equatable {
  package var entities: ClosedRange<Int64>?
  package var objectKey: Int64?
  package var recordName: String?
  /// What the name begins with, in any case of A to Z.
  package var recordNameStart: String?
  package var states: Set<RecordState>?
  /// Only records whose object has no row, in a table that is there.
  package var isOfGoneObject = false

  package init(
    entities: ClosedRange<Int64>? = nil, objectKey: Int64? = nil, recordName: String? = nil,
    states: Set<RecordState>? = nil
  ) {
    self.entities = entities
    self.objectKey = objectKey
    self.recordName = recordName
    self.states = states
  }

  /// What the clause asks for in addition to what every record has.
  fileprivate var columns: [String] { isOfGoneObject ? ["objectEntityNumber", "tableExists"] : [] }

  /// `WHERE …` over the view `records`, with the values to bind.
  var clause: (sql: String, values: [SQLiteValue]) {
    var terms: [String] = []
    var values: [SQLiteValue] = []
    if let entities {
      terms.append("entityNumber BETWEEN ? AND ?")
      values += [.integer(entities.lowerBound), .integer(entities.upperBound)]
    }
    if let objectKey {
      terms.append("pk = ?")
      values.append(.integer(objectKey))
    }
    if let recordName {
      terms.append("recordName = ?")
      values.append(.text(recordName))
    }
    if let recordNameStart {
      terms.append("recordName LIKE ? ESCAPE '\\'")
      let escaped = recordNameStart.map { "%_\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
      values.append(.text(escaped + "%"))
    }
    if let states {
      let words = states.map { "'\($0.rawValue)'" }.sorted()
      terms.append("state IN (\(words.joined(separator: ", ")))")
    }
    if isOfGoneObject { terms.append("objectEntityNumber IS NULL AND tableExists") }
    return (terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND "), values)
  }
}

extension Mirror {
  /// The record name that the store has for what somebody typed: exactly that, or else the first in any case, as
  /// UUIDs are read and copied in both. Nil where there is none.
  package func recordName(like word: String) throws -> String? {
    guard let view = views.records else { return nil }
    for collation in ["BINARY", "NOCASE"] {
      let name = try store.connection.first(
        "SELECT recordName FROM (\(view.select(["row", "recordName"]))) WHERE recordName = ? COLLATE \(collation) ORDER BY row LIMIT 1",
        [.text(word)]
      ) { $0.optionalText(0) }
      if let name { return name }
    }
    return nil
  }
}

extension RecordReader {
  package init(_ mirror: Mirror, filter: RecordFilter = RecordFilter(), decodesArchives: Bool = false) {
    self.init(mirror.store, mirror.views, filter, decodesArchives: decodesArchives)
  }
}
