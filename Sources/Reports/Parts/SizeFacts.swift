import Lens
import SQLite
package import StoreModel
import Values

/// What takes the room in the file: tables with their indexes.
package struct SizeFacts {
  package enum Group: String, Sendable, CaseIterable {
    case objects, history, mirror, other
  }

  package struct Table {
    package var name: String
    /// The entities whose objects it holds.
    package var entities: [String]
    package var group: Group
    package var bytes: Int64
    package var indexBytes: Int64

    package var all: Int64 { bytes + indexBytes }
  }

  /// The largest first.
  package var tables: [Table]
  /// Pages that nothing uses.
  package var freeBytes: Int64

  /// Nil where SQLite can't tell: see `TableSizes`.
  package init?(_ store: CoreDataStore, progress: (String) -> Void) throws {
    let connection = store.connection
    let parts = try TableSizes.parts(in: connection) { progress("measuring \($0)") }
    guard let parts else { return nil }
    var tables: [String: Table] = [:]
    for part in parts {
      var table = tables[part.table] ?? Self.table(part.table, store)
      if part.isIndex { table.indexBytes += part.bytes } else { table.bytes += part.bytes }
      tables[part.table] = table
    }
    self.tables = tables.values.sorted { ($1.all, $0.name) < ($0.all, $1.name) }
    let pageSize = try connection.first("PRAGMA main.page_size") { $0.integer(0) } ?? 0
    let free = try connection.first("PRAGMA main.freelist_count") { $0.integer(0) } ?? 0
    freeBytes = free.multipliedReportingOverflow(by: pageSize).partialValue
  }

  private static func table(_ name: String, _ store: CoreDataStore) -> Table {
    let entities = store.schema.entities.filter { $0.table == name }.map(\.name)
    let framework = FrameworkTable(rawValue: name)
    let group: Group =
      if framework?.isHistory == true {
        .history
      } else if framework != nil || name.hasPrefix("ANSCK") {
        .mirror
      } else if !entities.isEmpty || name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true {
        // Join tables of many-to-many relationships are named Z_1NAME.
        .objects
      } else {
        .other
      }
    return Table(name: name, entities: entities, group: group, bytes: 0, indexBytes: 0)
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
