/// Works out where a model's properties lie in a store.
package enum SchemaBuilder {
  /// The schema by the naming rules alone. `numbering` is by rule where none is given.
  package static func predict(model: ManagedObjectModel, numbering: EntityNumbering? = nil)
    -> SchemaPrediction
  {
    SchemaPrediction(model, numbering ?? EntityNumbering(model: model))
  }

  /// The schema by the naming rules, checked against the store's tables. Where they differ the table is right:
  /// what it lacks has no column and no storage.
  package static func build(
    model: ManagedObjectModel, primaryKeys: PrimaryKeyTable, tables: TableCatalog
  ) -> (schema: StoreSchema, discrepancies: [SchemaDiscrepancy]) {
    let joined = numbering(of: model, primaryKeys)
    let check = SchemaCheck(SchemaPrediction(model, joined.0), against: tables)
    return (check.schema, joined.1 + check.discrepancies)
  }

  /// The schema by the naming rules, with the numbers that the store has given.
  static func prediction(of model: ManagedObjectModel, _ primaryKeys: PrimaryKeyTable) -> SchemaPrediction {
    SchemaPrediction(model, numbering(of: model, primaryKeys).0)
  }

  private static func numbering(
    of model: ManagedObjectModel, _ primaryKeys: PrimaryKeyTable
  ) -> (EntityNumbering, [SchemaDiscrepancy]) {
    primaryKeys.user.isEmpty
      ? (EntityNumbering(model: model), []) : EntityNumbering.joining(model, primaryKeys)
  }
}
