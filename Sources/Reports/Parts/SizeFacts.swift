import Lens
import Values

/// What a report says of the file's parts.
extension StoreSize {
  enum Group: String {
    case objects, history, mirror, other
  }

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

extension StoreSize.Table {
  var group: StoreSize.Group {
    switch kind {
    case .entity, .links, .index: .objects
    case .history: .history
    case .mirror: .mirror
    case .other, .free: .other
    }
  }
}
