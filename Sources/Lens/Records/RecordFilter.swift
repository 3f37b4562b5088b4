import SQLite

/// Which records are wanted; all conditions hold at once.
package struct RecordFilter: Sendable, Equatable {
  package var entities: ClosedRange<Int64>?
  package var objectKey: Int64?
  package var recordName: String?
  package var states: Set<RecordState>?

  package init(
    entities: ClosedRange<Int64>? = nil, objectKey: Int64? = nil, recordName: String? = nil,
    states: Set<RecordState>? = nil
  ) {
    self.entities = entities
    self.objectKey = objectKey
    self.recordName = recordName
    self.states = states
  }

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
    if let states {
      let words = states.map { "'\($0.rawValue)'" }.sorted()
      terms.append("state IN (\(words.joined(separator: ", ")))")
    }
    return (terms.isEmpty ? "" : "WHERE " + terms.joined(separator: " AND "), values)
  }
}
