import Archives
package import SQLite
package import Values

/// The rows of a statement as SQL gives them.
package final class QueryRows {
  package let columns: [String]
  private let statement: Statement

  package init(_ statement: Statement) {
    self.statement = statement
    columns = statement.columnNames
  }

  package func produce(into sink: any RowSink, step: () -> Void) throws {
    statement.reset()
    while try statement.step() {
      step()
      sink.beginRow()
      for index in columns.indices {
        let cell = statement.cell(index)
        switch cell.type {
        case .null: sink.null()
        case .integer: sink.integer(cell.integer)
        case .real: sink.real(cell.real)
        case .text:
          // A view's dates come as texts; people see fewer digits of them.
          cell.withBytes { bytes in
            if let date = ISO8601.written(bytes) { sink.date(date) } else { sink.text(bytes) }
          }
        case .blob: cell.withBytes(sink.blob)
        }
      }
      guard try sink.endRow() else { break }
    }
    statement.reset()
  }
}
