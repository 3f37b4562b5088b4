import Rendering
import Values

/// Values as cells of a page's table.
enum PageCells {
  static func cell(_ value: DataValue) -> PageTable.Cell {
    switch value {
    case .null: .empty
    case .bool(let bool): .text(bool ? "yes" : "no")
    case .integer(let number): Int(exactly: number).map(PageTable.Cell.count) ?? .text("\(number)")
    case .real(let number): .text("\(number)")
    case .date(let date): .date(date)
    case .text(let text): text.utf8.count > 40 ? .text(text) : .name(text)
    case .array(let elements): .text(elements.map(plain).joined(separator: ", "))
    case .object, .blob: .text("…")
    }
  }

  private static func plain(_ value: DataValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: "…"
    }
  }
}
