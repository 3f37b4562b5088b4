package enum TablesOnlySchema {
  package static func build(primaryKeys: PrimaryKeyTable, tables: TableCatalog) -> StoreSchema {
    StoreSchema(entities: [], isGuessed: true)
  }
}
