import Lens
import Values

/// What a report says of the file's parts.
extension StoreSize {
  var value: DataValue {
    [
      "freeBytes": .integer(freeBytes),
      "tables": .array(
        tables.map { table in
          [
            "table": .text(table.name), "entities": .array(table.entities.map(DataValue.text)),
            "group": .text(table.group.rawValue), "bytes": .integer(table.bytes),
            "indexBytes": .integer(table.indexBytes),
          ]
        }),
    ]
  }
}
