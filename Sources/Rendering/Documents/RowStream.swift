package import Values

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

  /// The same, with sentences in the last column.
  package func withSentences() -> RowStream {
    var stream = self
    if let last = columns.indices.last { stream.columns[last].isSentence = true }
    return stream
  }

  /// The same; people copy what is in the last column.
  package func withCopiedTexts() -> RowStream {
    var stream = self
    if let last = columns.indices.last { stream.columns[last].isCopied = true }
    return stream
  }

  /// The same; a table goes without columns that have nothing in any row.
  package func leavingOutEmptyColumns() -> RowStream {
    var stream = self
    stream.leavesOutEmpty = true
    return stream
  }

  /// The same, with the number of rows below a table.
  package func counting(_ one: String, _ many: String? = nil) -> RowStream {
    var stream = self
    stream.counted = (one, many ?? one + "s")
    return stream
  }

  /// The same, with NULL shown where people ask for the values themselves.
  package func showingNull() -> RowStream {
    var stream = self
    stream.showsNull = true
    return stream
  }

  /// The same; what that column holds is cut as late as what the first one holds.
  package func naming(_ name: String) -> RowStream {
    var stream = self
    for index in stream.columns.indices where stream.columns[index].name == name {
      stream.columns[index].isName = true
    }
    return stream
  }

  /// The same; a terminal shows that column whole or not at all.
  package func neverCutting(_ name: String) -> RowStream {
    var stream = self
    for index in stream.columns.indices where stream.columns[index].name == name {
      stream.columns[index].isWhole = true
    }
    return stream
  }

  /// The same; a terminal that is too narrow cuts the texts of that column down to this width, and no further.
  package func narrowing(_ name: String, to width: Int) -> RowStream {
    var stream = self
    for index in stream.columns.indices where stream.columns[index].name == name {
      stream.columns[index].leastWidth = width
    }
    return stream
  }

  /// The same; rows go without what these columns have in the row above.
  package func sayingOnce(_ names: String...) -> RowStream {
    var stream = self
    for index in stream.columns.indices where names.contains(stream.columns[index].name) {
      stream.columns[index].isSaidOnce = true
    }
    return stream
  }

  /// The same, with dates to the minute.
  package func toTheMinute() -> RowStream {
    var stream = self
    for index in stream.columns.indices { stream.columns[index].showsMinutes = true }
    return stream
  }

  /// The same; a terminal that is too narrow goes without these columns before all others, the first named first.
  package func leavingOut(_ names: String...) -> RowStream {
    var stream = self
    for (place, name) in names.enumerated() {
      for index in stream.columns.indices where stream.columns[index].name == name {
        stream.columns[index].rank = names.count - place
      }
    }
    return stream
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
