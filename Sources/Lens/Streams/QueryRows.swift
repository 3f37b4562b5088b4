import Archives
package import SQLite
package import Values

/// The rows of a statement as SQL gives them.
package final class QueryRows {
  /// Each name once: the second `name` is `name_2`.
  package let columns: [String]
  private let statement: Statement
  private let booleans: Set<Int>

  /// - Parameters:
  ///   - names: of the columns, if the statement was compiled from other SQL than the user wrote.
  ///   - booleans: the columns whose 0 and 1 are false and true.
  package init(_ statement: Statement, names: [String]? = nil, booleans: Set<Int> = []) {
    (self.statement, self.booleans) = (statement, booleans)
    let own = statement.columnNames
    columns = Self.distinct(names?.count == own.count ? names ?? own : own)
  }

  private static func distinct(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    let given = Set(names)
    var numbers: [String: Int] = [:]
    return names.map { name in
      var free = name
      while !taken.insert(free).inserted {
        repeat {
          numbers[name, default: 1] += 1
          free = "\(name)_\(numbers[name] ?? 0)"
          // A column that really has that name keeps it.
        } while given.contains(free)
      }
      return free
    }
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
        case .integer where booleans.contains(index) && (0...1).contains(cell.integer):
          sink.bool(cell.integer == 1)
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
