/// One object, where a reader needn't look at all of them: the key, and the numbers of the entities that share a table
/// and its keys with the object's own.
package struct ObjectScope: Sendable, Equatable {
  package var entities: ClosedRange<Int64>
  package var primaryKey: Int64

  package init(entities: ClosedRange<Int64>, primaryKey: Int64) {
    self.entities = entities
    self.primaryKey = primaryKey
  }

  /// SQL that holds for rows of the object, over the two columns.
  func condition(entity: String, primaryKey column: String) -> String {
    "\(entity) BETWEEN \(entities.lowerBound) AND \(entities.upperBound) AND \(column) = \(primaryKey)"
  }

  func contains(_ key: ObjectKey) -> Bool {
    key.primaryKey == primaryKey && entities.contains(key.entity)
  }
}
