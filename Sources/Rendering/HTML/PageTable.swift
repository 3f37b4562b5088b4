package import Values

/// A table in a page: sorted and filtered by whoever reads it, where scripts run.
package struct PageTable: Sendable {
  package struct Column: Sendable {
    package var name: String
    package var isNumber: Bool

    package init(_ name: String, isNumber: Bool = false) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  package enum Cell: Sendable {
    case empty
    case text(String)
    /// A name out of the store or a code, which is never broken up.
    case name(String)
    case count(Int)
    case bytes(Int64)
    case date(CoreDataDate)
    /// One word with a weight.
    case badge(String, Page.Tone)

    package static func optional(_ date: CoreDataDate?) -> Cell { date.map(Cell.date) ?? .empty }
    package static func optional(_ name: String?) -> Cell { name.map(Cell.name) ?? .empty }
  }

  package var caption: String
  package var columns: [Column]
  package var rows: [[Cell]]
  /// What is said below where there are more rows than these.
  package var more: String?
  /// What stands in place of a table without rows.
  package var emptyText: String

  package init(
    caption: String, columns: [Column], rows: [[Cell]], more: String? = nil, emptyText: String = "None."
  ) {
    self.caption = caption
    self.columns = columns
    self.rows = rows
    self.more = more
    self.emptyText = emptyText
  }
}
