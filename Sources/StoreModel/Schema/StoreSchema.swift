/// The model as it lies in this store: entity numbers, tables and columns.
package struct StoreSchema: Sendable {
  /// In order of their numbers.
  package let entities: [SchemaEntity]
  /// Whether it was read off the tables alone: then property names, types and destinations are guesses.
  package let isGuessed: Bool
  private let indexByNumber: [Int64: Int]
  private let indexByName: [String: Int]

  package init(entities: [SchemaEntity], isGuessed: Bool = false) {
    self.isGuessed = isGuessed
    self.entities = entities.sorted { $0.number < $1.number }
    indexByNumber = Dictionary(
      self.entities.enumerated().map { ($1.number, $0) }, uniquingKeysWith: { first, _ in first })
    indexByName = Dictionary(
      self.entities.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  package subscript(number: Int64) -> SchemaEntity? { indexByNumber[number].map { entities[$0] } }
  package subscript(name: String) -> SchemaEntity? { indexByName[name].map { entities[$0] } }

  /// Numbers of the entities whose objects share a table, and its keys, with the entity's own.
  package func hierarchy(of entity: SchemaEntity) -> ClosedRange<Int64> {
    self[entity.root]?.subtree ?? entity.subtree
  }

  /// The same by the entity's number, which may be none of the model's.
  package func hierarchy(ofNumber number: Int64) -> ClosedRange<Int64> {
    self[number].map(hierarchy) ?? number...number
  }

  /// The entity and all below it, which share its table. A subtree's numbers are contiguous as Core Data gives
  /// them; in a store that somebody renumbered there may be others between.
  package func descendants(of entity: SchemaEntity) -> [SchemaEntity] {
    // All entities are asked for theirs, so none looks through all.
    entities[(indexByNumber[entity.subtree.lowerBound] ?? 0)...].prefix {
      $0.number <= entity.subtree.upperBound
    }.filter {
      entity.subtree.contains($0.number) && $0.root == entity.root && $0.table == entity.table
    }
  }
}
