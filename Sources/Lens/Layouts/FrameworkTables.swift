import SQLite
package import StoreModel

/// Core Data's own tables, the mirror's and history's, that a store really has, with their columns. Everything above
/// asks here before it names a column in SQL, so that what is missing reads as NULL.
package struct FrameworkTables: Sendable {
  /// By the table's name: finding out that a type of ours can be a key takes as long, once, as reading a small table.
  private let columns: [String: Set<String>]
  /// Tables without Z_PK, which no framework makes. Everything in them is named by that key, so they aren't read.
  private let keyless: Set<FrameworkTable>
  /// Tables that look like the mirror's and are of no generation known here, sorted.
  package let unknownTables: [String]
  /// Tables of the betas of iOS 12 and 13, whose names began with `Z`; no framework reads them now.
  package let betaTables: [String]

  package init(_ catalog: TableCatalog) {
    var columns: [String: Set<String>] = [:]
    var keyless: Set<FrameworkTable> = []
    var unknown: [String] = []
    var beta: [String] = []
    for (name, list) in catalog.tables {
      if let table = FrameworkTable(rawValue: name.uppercased()) {
        let names = Set(list.map { $0.name.uppercased() })
        if names.contains("Z_PK") { columns[table.rawValue] = names } else { keyless.insert(table) }
      } else if name.uppercased().hasPrefix("ANSCK") {
        unknown.append(name)
      } else if name.uppercased().hasPrefix("ZNSCK") {
        beta.append(name)
      }
    }
    self.columns = columns
    self.keyless = keyless
    unknownTables = unknown.sorted()
    betaTables = beta.sorted()
  }

  /// With everything that any generation has.
  static let complete = FrameworkTables(
    TableCatalog(
      tables: Dictionary(
        uniqueKeysWithValues: FrameworkTable.allCases.map { table in
          (
            table.rawValue,
            (["Z_PK"] + table.attributes.map(\.column)).map { TableColumn(name: $0, declaredType: "") }
          )
        })))

  package var hasMirror: Bool {
    !unknownTables.isEmpty
      || FrameworkTable.allCases.contains { !$0.isHistory && (has($0) || keyless.contains($0)) }
  }
  package var hasHistory: Bool { has(.transactions) && has(.changes) }

  /// Whether it is there and can be read.
  package func has(_ table: FrameworkTable) -> Bool { columns[table.rawValue] != nil }

  /// Why nothing is read from the table, without a full stop; nil where it is read.
  package func absence(of table: FrameworkTable) -> String? {
    guard !has(table) else { return nil }
    return keyless.contains(table)
      ? "The table \(table.rawValue) has no column Z_PK and isn't read"
      : "The table \(table.rawValue) is missing"
  }

  package func has(_ table: FrameworkTable, _ column: String) -> Bool {
    columns[table.rawValue]?.contains(column) ?? false
  }

  /// SQL for a column of the table that goes by the alias; NULL where this store lacks it.
  package func sql(_ table: FrameworkTable, _ column: String, _ alias: String) -> String {
    has(table, column) ? "\(alias).\(column)" : "NULL"
  }

  /// As `sql`, but NULL for what is no number: SQLite keeps texts in columns of dates and integers
  /// (https://www.sqlite.org/datatype3.html), and reads them as 0, which is a date and a type of event.
  package func number(_ table: FrameworkTable, _ column: String, _ alias: String) -> String {
    let value = sql(table, column, alias)
    return has(table, column) ? "CASE WHEN TYPEOF(\(value)) IN ('integer', 'real') THEN \(value) END" : value
  }

  /// SQL that is 1 where the flag is set, and else 0: app authors report NULL for false in old rows.
  package func flag(_ table: FrameworkTable, _ column: String, _ alias: String) -> String {
    has(table, column) ? "COALESCE(\(alias).\(column) = 1, 0)" : "0"
  }

  /// Columns of attributes that are kept when an object is deleted: `ZTOMBSTONE0`, `ZTOMBSTONE1` ….
  var tombstoneColumns: [String] {
    var columns: [String] = []
    while has(.changes, "ZTOMBSTONE\(columns.count)") { columns.append("ZTOMBSTONE\(columns.count)") }
    return columns
  }

  /// Known attributes' columns that the table has and no generation is known to have, sorted.
  package func unknownColumns(of table: FrameworkTable) -> [String] {
    let known = Set(table.attributes.map(\.column) + ["Z_PK", "Z_ENT", "Z_OPT"])
    return (columns[table.rawValue] ?? []).subtracting(known).sorted()
  }

  /// What this store lacks, or has in addition, compared with a layout that is known in full; a sentence each.
  package func differences(from layout: MirrorLayout) -> [String] {
    var sentences = unknownTables.map { "The table \($0) isn't in any known layout." }
    guard layout.isComplete else { return sentences }
    for table in FrameworkTable.allCases where !table.isHistory {
      if let absence = absence(of: table) {
        if layout.hasAssets || !table.isAsset || keyless.contains(table) { sentences.append(absence + ".") }
        continue
      }
      for attribute in table.attributes where !has(table, attribute.column) {
        let isExpected =
          switch attribute.layouts {
          case .all: true
          case .beforeAssets: !layout.hasAssets
          case .withAssets: layout.hasAssets
          case .some: false
          }
        if isExpected { sentences.append("\(table.rawValue) lacks the column \(attribute.column).") }
      }
      sentences += unknownColumns(of: table).map {
        "\(table.rawValue) has the unknown column \($0)."
      }
    }
    return sentences
  }
}
