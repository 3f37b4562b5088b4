package import Values

/// Rows as values, for a handful of them: one object, a test.
package final class RowCollector: RowSink {
  /// Cells in the columns' order; nil where the row has no such property.
  package private(set) var rows: [[DataValue?]] = []
  private let limit: Int
  private let each: (([DataValue?]) throws -> Bool)?
  private var row: [DataValue?] = []

  package init(limit: Int = .max) {
    self.limit = limit
    each = nil
  }

  /// Keeps none.
  /// - Parameter each: takes each row; false if it wants no more.
  package init(each: @escaping ([DataValue?]) throws -> Bool) {
    limit = .max
    self.each = each
  }

  /// The rows as objects.
  package func objects(columns: [String]) -> [DataValue] {
    rows.map { row in
      .object(zip(columns, row).compactMap { name, value in value.map { DataValue.Member(name, $0) } })
    }
  }

  package func beginRow() { row = [] }

  package func endRow() throws -> Bool {
    if let each { return try each(row) }
    rows.append(row)
    return rows.count < limit
  }

  package func skip() { row.append(nil) }
  package func value(_ value: DataValue) { row.append(value) }
}

extension RowSink {
  /// A row that was collected.
  /// - Returns: whether it wants more.
  package func add(_ row: [DataValue?]) throws -> Bool {
    beginRow()
    for cell in row { cell.map(value) ?? skip() }
    return try endRow()
  }
}
