/// One point where the tables of a store, its list of entities and its model disagree.
package struct SchemaDiscrepancy: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case missingTable, unexpectedTable, missingColumn, unexpectedColumn
    /// Z_PRIMARYKEY has another name for the entity's number.
    case staleEntityName
    /// The model's entity has no row in Z_PRIMARYKEY.
    case entityWithoutNumber
    /// A row of Z_PRIMARYKEY has no entity in the model.
    case numberWithoutEntity
    /// Z_PRIMARYKEY gives another number, or another parent, than the numbering rule.
    case numberingDiffers
    /// The model and the store have no entity in common: single differences would say nothing.
    case foreignModel

    /// Fetches name every column of an entity, so one that is missing makes all of them fail.
    package var breaksFetches: Bool {
      [.missingTable, .missingColumn, .foreignModel].contains(self)
    }
  }

  package var kind: Kind
  package var table: String?
  package var column: String?
  package var entity: String?
  /// The property that the column belongs to, where there is one.
  package var property: String?
  /// What the model says where the store says something else.
  package var expected: String?

  package init(
    _ kind: Kind, table: String? = nil, column: String? = nil, entity: String? = nil, property: String? = nil,
    expected: String? = nil
  ) {
    self.kind = kind
    self.table = table
    self.column = column
    self.entity = entity
    self.property = property
    self.expected = expected
  }
}

extension SchemaDiscrepancy: CustomStringConvertible {
  package var description: String {
    let place = [table, column].compactMap { $0 }.joined(separator: ".")
    let owner = [entity, property].compactMap { $0 }.joined(separator: ".")
    let wanted = expected ?? "another"
    return switch kind {
    case .missingTable: "the model needs table \(place) for \(owner), and the store has none"
    case .unexpectedTable: "the store has table \(place), which no entity of the model needs"
    case .missingColumn: "the model needs column \(place) for \(owner), and the table has none"
    case .unexpectedColumn:
      "table \(table ?? "") has column \(column ?? ""), which no property of the model needs"
    case .staleEntityName: "Z_PRIMARYKEY still has entity \(wanted) under an old name, \(owner)"
    case .entityWithoutNumber: "entity \(owner) of the model isn't in Z_PRIMARYKEY"
    case .numberWithoutEntity: "entity \(owner) of Z_PRIMARYKEY isn't in the model"
    case .foreignModel: ModelDifference.noCommonEntity("the model")
    case .numberingDiffers: "Z_PRIMARYKEY places entity \(owner) elsewhere: the model makes it \(wanted)"
    }
  }
}
