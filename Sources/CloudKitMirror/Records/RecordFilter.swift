import SQLite

/// Which records are wanted; all conditions hold at once.
package struct RecordFilter: Sendable, Equatable {
  package var entities: ClosedRange<Int64>?
  package var objectKey: Int64?
  package var recordName: String?
  package var states: Set<RecordState>?
  /// Only those flagged for upload, which includes those to be deleted on the server.
  package var isFlagged = false

  package init(
    entities: ClosedRange<Int64>? = nil, objectKey: Int64? = nil, recordName: String? = nil,
    states: Set<RecordState>? = nil, isFlagged: Bool = false
  ) {
    self.entities = entities
    self.objectKey = objectKey
    self.recordName = recordName
    self.states = states
    self.isFlagged = isFlagged
  }

  /// ` WHERE …` over the record `m`, with the values to bind. The state isn't in it: SQL doesn't know it.
  func clause(_ tables: MirrorTables) -> (sql: String, values: [SQLiteValue]) {
    var terms: [String] = []
    var values: [SQLiteValue] = []
    if let entities {
      terms.append("\(tables.sql(.records, "ZENTITYID", "m")) BETWEEN ? AND ?")
      values += [.integer(entities.lowerBound), .integer(entities.upperBound)]
    }
    if let objectKey {
      terms.append("\(tables.sql(.records, "ZENTITYPK", "m")) = ?")
      values.append(.integer(objectKey))
    }
    if let recordName {
      terms.append("\(tables.sql(.records, "ZCKRECORDNAME", "m")) = ?")
      values.append(.text(recordName))
    }
    if isFlagged { terms.append("\(tables.flag(.records, "ZNEEDSUPLOAD", "m")) = 1") }
    return (terms.isEmpty ? "" : " WHERE " + terms.joined(separator: " AND "), values)
  }
}
