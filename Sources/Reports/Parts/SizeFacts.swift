import Lens
import Values

/// What a report says of the file's parts.
extension StoreSize {
  static let reportFields: [Field<StoreSize>] = [
    Field("freeBytes", "free pages") { $0.freeBytes },
    Field("tables", .list(.object(tableFields.keys())), "tables with their sizes") {
      $0.tables.map(tableFields.object)
    },
  ]

  private static let tableFields: [Field<Table>] = [
    Field("table", "the table") { $0.name }, Field("entities", "its entities") { $0.entities },
    Field("group", "what it is for") { $0.group }, Field("bytes", "its size") { $0.bytes },
    Field("indexBytes", "the size of its indexes") { $0.indexBytes },
  ]
}
