import Archives
package import Base
package import SQLite

/// The rows of a statement as SQL gives them.
package final class QueryRows {
  /// Each name once: the second `name` is `name_2`.
  package let columns: [String]
  private let statement: Statement

  /// - Parameter names: of the columns, as they were typed.
  package init(_ statement: Statement, names: [String]) {
    self.statement = statement
    columns = Self.distinct(names)
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
        case .integer: sink.integer(cell.integer)
        case .real: sink.real(cell.real)
        case .text: cell.withBytes(sink.text)
        case .blob: cell.withBytes(sink.blob)
        }
      }
      guard try sink.endRow() else { break }
    }
    statement.reset()
  }
}
