package import Base

/// Rows that are made while they are printed.
package struct RowStream {
  package struct Column: Sendable, Equatable {
    /// The key in JSON and the heading elsewhere.
    package var name: String
    /// Numbers stand to the right in tables.
    package var isNumber: Bool
    /// People read sentences to their end: as the last column of a table they take as many lines as they need.
    package var isSentence = false
    /// Cut short it says nothing: a terminal shows it whole or not at all.
    package var isWhole = false
    /// People copy it from there: as the last column of a table it is neither cut nor wrapped, but has lines of its own on a
    /// terminal.
    package var isCopied = false
    /// It holds what the row is about, and is cut as late as the first column.
    package var isName = false
    /// Narrower it is of no use; nil for the usual width of a text.
    package var leastWidth: Int?
    /// It holds lists of objects by their URIs, which people know by short names.
    package var isObjects = false
    /// People named it in their question, so that it says something even if it is the same in all rows.
    package var isAsked = false
    /// A row that has the same as the one above it goes without.
    package var isSaidOnce = false
    /// People read its dates to the minute.
    package var showsMinutes = false
    /// The higher, the sooner a terminal that is too narrow goes without it; of equals the last goes first.
    package var rank: Int

    package init(_ name: String, isNumber: Bool = false, rank: Int = 0) {
      self.name = name
      self.isNumber = isNumber
      self.rank = rank
    }
  }

  package var columns: [Column]
  /// Pushes the rows until they are over or the sink wants no more.
  package var produce: (any RowSink) throws -> Void
  /// Starts making them, before anything of the document is printed: what fails at once leaves nothing half printed.
  package var prepare: () throws -> Void = {}
  /// The same rows in parts; nil where they are few or can't be made so. Asked only if all rows are wanted.
  package var parts: () throws -> RowParts? = { nil }
  /// The columns with dates that no calendar has in the first so many rows: the stored numbers get columns of their own,
  /// `NAME.raw`. Asked only by a format that prints all names of columns before the rows.
  package var impossibleDates: (_ limit: Int) throws -> Set<String> = { _ in [] }
  /// How many rows there are in all, where that is known or cheap to count; asked only when not all were shown.
  package var count: () throws -> Int?
  /// What a table says when there is no row; made only then.
  package var emptyText: () throws -> String
  /// Where rows stand for stores, their addresses and what to say of their numbers, if they get some.
  package var numberedStores: (addresses: [String], hint: String)?
  /// What a row is, in the count below a table: `8 rows`. Nil for no count.
  package var counted: (one: String, many: String)?
  /// Whether tables show NULL as `NULL`: where it says something other than an empty text.
  package var showsNull = false
  /// Whether a table goes without columns that have nothing in any row.
  package var leavesOutEmpty = false
  /// How many rows before these were left out on request.
  package var skipped = 0
  /// Whether people see every row, whatever `--limit` says: what it leaves out is left out already.
  package var showsAll = false
  /// The last line below the rows, in place of how many more there are; it gets the number of rows shown, and whether
  /// there are more.
  package var footer: ((Int, Bool, DateText) throws -> String)?

  package init(
    columns: [Column], emptyText: @autoclosure @escaping () throws -> String = "(none)",
    count: @escaping () throws -> Int? = { nil },
    produce: @escaping (any RowSink) throws -> Void
  ) {
    self.columns = columns
    self.emptyText = emptyText
    self.count = count
    self.produce = produce
  }

  private func with(_ change: (inout RowStream) -> Void) -> RowStream {
    var stream = self
    change(&stream)
    return stream
  }

  private func withColumns(_ names: [String], _ change: (inout Column) -> Void) -> RowStream {
    with { stream in
      for index in columns.indices where names.contains(columns[index].name) {
        change(&stream.columns[index])
      }
    }
  }

  private func withLastColumn(_ change: (inout Column) -> Void) -> RowStream {
    with { stream in columns.indices.last.map { change(&stream.columns[$0]) } }
  }

  /// The same, with sentences in the last column.
  package func withSentences() -> RowStream { withLastColumn { $0.isSentence = true } }

  /// The same; people copy what is in the last column.
  package func withCopiedTexts() -> RowStream { withLastColumn { $0.isCopied = true } }

  /// The same; a table goes without columns that have nothing in any row.
  package func leavingOutEmptyColumns() -> RowStream { with { $0.leavesOutEmpty = true } }

  /// The same, with the number of rows below a table.
  package func counting(_ one: String, _ many: String? = nil) -> RowStream {
    with { $0.counted = (one, many ?? one + "s") }
  }

  /// The same, with NULL shown where people ask for the values themselves.
  package func showingNull() -> RowStream { with { $0.showsNull = true } }

  /// The same; what that column holds is cut as late as what the first one holds.
  package func naming(_ name: String) -> RowStream { withColumns([name]) { $0.isName = true } }

  /// The same; a terminal shows that column whole or not at all.
  package func neverCutting(_ name: String) -> RowStream { withColumns([name]) { $0.isWhole = true } }

  /// The same; a terminal that is too narrow cuts the texts of that column down to this width, and no further.
  package func narrowing(_ name: String, to width: Int) -> RowStream {
    withColumns([name]) { $0.leastWidth = width }
  }

  /// The same; rows go without what these columns have in the row above.
  package func sayingOnce(_ names: String...) -> RowStream { withColumns(names) { $0.isSaidOnce = true } }

  /// The same, with dates to the minute.
  package func toTheMinute() -> RowStream { withColumns(columns.map(\.name)) { $0.showsMinutes = true } }

  /// The same; a terminal that is too narrow goes without these columns before all others, the first named first.
  package func leavingOut(_ names: String...) -> RowStream {
    withColumns(names) { column in
      column.rank = names.count - (names.firstIndex(of: column.name) ?? 0)
    }
  }

  /// Rows that are there already.
  package init(columns: [Column], rows: [[DataValue]], emptyText: String = "(none)") {
    self.init(columns: columns, emptyText: emptyText, count: { rows.count }) { sink in
      for row in rows {
        sink.beginRow()
        row.forEach(sink.value)
        if try !sink.endRow() { return }
      }
    }
    impossibleDates = { limit in
      Set(
        columns.indices.filter { index in
          rows.prefix(limit).contains { row in
            if case .date(let date) = row[index] { !date.hasISO8601 } else { false }
          }
        }.map { columns[$0].name })
    }
  }

  /// Objects; the columns are the members that any of them has, in the order of their first use.
  package init(objects: [DataValue], emptyText: String = "(none)") {
    var columns: [Column] = []
    var indexes: [String: Int] = [:]
    for case .object(let members) in objects {
      for member in members {
        let index = indexes[member.name] ?? columns.count
        if index == columns.count { columns.append(Column(member.name)) }
        indexes[member.name] = index
        if member.value.isNumber { columns[index].isNumber = true }
      }
    }
    let names = columns.map(\.name)
    self.init(
      columns: columns, rows: objects.map { object in names.map { object[$0] ?? .null } },
      emptyText: emptyText)
  }
}

extension DataValue {
  package var isNumber: Bool {
    switch self {
    case .integer, .real: true
    default: false
    }
  }
}

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
