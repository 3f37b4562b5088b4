package import Values

extension PageTable {
  /// Objects; the columns are the members that any of them has, in the order of their first use.
  package init(
    _ caption: String, objects: [DataValue], total: Int, command: String, emptyText: String = "None."
  ) {
    let stream = RowStream(objects: objects)
    let names = stream.columns.map(\.name)
    self.init(caption, names, of: objects, total: total, command: command) { object in
      names.map { Cell(object[$0] ?? .null) }
    }
  }

  /// A terminal's table.
  init(_ stream: RowStream) throws {
    let collector = RowCollector()
    try stream.produce(collector)
    self.init("", stream.columns.map(\.name), of: collector.rows, emptyText: try stream.emptyText()) {
      $0.map { $0.map(Cell.init) ?? .empty }
    }
  }

  /// The first rows, for a terminal or an issue.
  func stream(most: Int) -> RowStream {
    let shown = rows.prefix(most)
    var stream = RowStream(
      columns: columns.enumerated().map { .init($1, isNumber: isNumber($0)) },
      rows: shown.map { $0.map(\.value) }, emptyText: emptyText)
    stream.showsAll = true
    if let more = more(after: shown.count) { stream.footer = { _, _, _ in "… " + more } }
    return stream.toTheMinute()
  }
}

extension PageTable.Cell {
  init(_ value: DataValue) {
    switch value {
    case .null: self = .empty
    case .bool(let bool): self = .text(bool ? "yes" : "no")
    case .integer(let number): self = Int(exactly: number).map(Self.count) ?? .text("\(number)")
    case .real(let number): self = .real(number)
    case .date(let date): self = .moment(date)
    case .text(let text): self = text.utf8.count > 40 ? .text(text) : .name(text)
    case .array(let elements): self = .text(elements.map { CellText.of($0) }.joined(separator: ", "))
    case .object, .blob: self = .text("…")
    }
  }
}

extension ListedItem.Grade {
  var tone: Tone {
    switch self {
    case .error: .bad
    case .warning: .waiting
    case .note: .plain
    }
  }
}
