import Base

/// Columns that are asked for by name.
extension Document {
  /// The document with these columns of its rows and nothing else for people.
  /// - Throws: `StoreScopeError` where there is no such column.
  func selecting(_ typed: [String]) throws -> Document {
    guard let place = fields.firstIndex(where: { $0.name == payload }) else { throw hasNoRows }
    let field = fields[place]
    var document = self
    if case .value(let value) = field.content {
      guard case .array = value else { throw hasNoRows }
    }
    let shown = field.content.rows
    // What people see may have columns that the data spell otherwise, and another order.
    let ofPeople = blocks.compactMap { if case .table(let stream) = $0 { stream } else { nil } }
    let known = ([shown] + ofPeople).flatMap { $0.columns.map(\.name) }
    /// With the columns that `*` stands for.
    func allNames(of stream: RowStream) -> [String] {
      let all = stream.columns.map(\.name)
      var chosen: Set<String> = []
      return typed.flatMap { $0 == "*" ? all : [Suggestion.spelled($0, in: known) ?? $0] }
        .filter { chosen.insert($0).inserted }
    }
    let names = allNames(of: shown)
    let unknown = names.first { !known.contains($0) && !($0 == Self.short && known.contains("uri")) }
    if let unknown { throw noColumn(unknown, among: known) }
    if let selected = shown.selecting(names) {
      switch field.content {
      case .objects(_, _, let name):
        document.fields[place] = Field(name, rows: selected)
        document.payload = name
      case .value(.array(let elements)):
        document.fields[place] = Field(field.name, .array(elements.map { $0.selecting(names) }))
      default: document.fields[place].content = field.content.replacingRows { _ in selected }
      }
    }
    // Further tables don't list the rows.
    let tables = ofPeople.prefix(1) + [shown] + ofPeople.dropFirst()
    let table = tables.lazy.compactMap { $0.selecting(allNames(of: $0), isForPeople: true) }.first
    guard let table else {
      throw Self.apart(names, tables.map { $0.columns.map(\.name) })
    }
    document.blocks = [.table(table)]
    return document
  }

  /// An object by its short name, where the data have its URI.
  fileprivate static var short: String { "object" }

  /// Each of the tables has only some of the columns.
  private static func apart(_ names: [String], _ tables: [[String]]) -> StoreScopeError {
    let lacking = tables.compactMap { table in names.first { !table.contains($0) } }
    return StoreScopeError(
      .invalid,
      "\(Set(lacking).sorted().map { "'\($0)'" }.joined(separator: " and ")) can't be listed together",
      about: names.joined(separator: ","),
      advice:
        "choose from \(tables.map { $0.joined(separator: ", ") }.joined(separator: "; or from "))")
  }

  private var hasNoRows: StoreScopeError {
    StoreScopeError(.invalid, command, "has no columns to choose")
  }

  private func noColumn(_ name: String, among known: [String]) -> StoreScopeError {
    var listed: Set<String> = []
    let known = known.filter { listed.insert($0).inserted }
    let most = 30
    let rest = known.count > most ? " and \(known.count - most) more" : ""
    return StoreScopeError(
      .notFound, "There is no column '\(name)'", about: name,
      advice: "Columns: \(known.prefix(most).joined(separator: ", "))\(rest)"
    ).naming(name, among: known)
  }
}

extension DataValue {
  /// The object's members of those names, in that order.
  fileprivate func selecting(_ names: [String]) -> DataValue {
    .object(
      names.compactMap { name in
        self[name].map { Member(name, $0) }
          ?? (name == Document.short ? self["uri"].map { Member(name, $0) } : nil)
      })
  }
}

extension RowStream {
  /// These columns in that order; nil where one isn't there.
  package func selecting(_ names: [String], isForPeople: Bool = false) -> RowStream? {
    var columns: [Column] = []
    var places: [SelectedCells.Place] = []
    for name in names {
      if let place = self.columns.firstIndex(where: { $0.name == name }) {
        columns.append(self.columns[place])
        places.append(.init(column: place, isShort: false))
      } else if name == Document.short, let place = self.columns.firstIndex(where: { $0.name == "uri" }) {
        columns.append(Column(name))
        places.append(.init(column: place, isShort: isForPeople))
      } else {
        return nil
      }
    }
    let produce = self.produce
    var stream = RowStream(columns: columns, emptyText: try emptyText(), count: count) { sink in
      try produce(SelectedCells(places, into: sink))
    }
    stream.prepare = prepare
    stream.impossibleDates = impossibleDates
    let parts = self.parts
    stream.parts = {
      guard var parts = try parts() else { return nil }
      parts.makers = parts.makers.map { maker in
        { part, sink in try maker(part, SelectedCells(places, into: sink)) }
      }
      return parts
    }
    stream.counted = counted
    stream.showsNull = showsNull
    return stream
  }
}

/// Passes on some of each row's cells, in another order.
private final class SelectedCells: RowSink {
  struct Place {
    var column: Int
    /// Whether a URI is passed on as an object's short name.
    var isShort: Bool
  }

  private enum Cell {
    case skipped
    case text([UInt8])
    case uri(prefix: [UInt8], primaryKey: Int64)
    case value(DataValue)
  }

  private let places: [Place]
  private let wanted: Set<Int>
  private let sink: any RowSink
  private var cells: [Int: Cell] = [:]
  private var column = 0

  init(_ places: [Place], into sink: any RowSink) {
    self.places = places
    wanted = Set(places.map(\.column))
    self.sink = sink
  }

  func beginRow() {
    cells.removeAll(keepingCapacity: true)
    column = 0
  }

  func endRow() throws -> Bool {
    sink.beginRow()
    for place in places {
      switch cells[place.column] ?? .skipped {
      case .skipped: sink.skip()
      case .text(let bytes): bytes.withUnsafeBytes(sink.text)
      case .uri(let prefix, let primaryKey): sink.objectURI(prefix: prefix, primaryKey: primaryKey)
      case .value(.text(let text)) where place.isShort && text.hasPrefix("x-coredata://"):
        sink.value(.text(TextForPeople.objectName(ofURI: text)))
      case .value(let value): sink.value(value)
      }
    }
    return try sink.endRow()
  }

  /// What isn't wanted isn't made.
  private func add(_ cell: () -> Cell) {
    if wanted.contains(column) { cells[column] = cell() }
    column += 1
  }

  func skip() { add { .skipped } }
  func text(_ utf8: UnsafeRawBufferPointer) { add { .text(Array(utf8)) } }
  func uuid(_ bytes: UnsafeRawBufferPointer) { add { .value(.optional(Hexadecimal.uuid(bytes))) } }
  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) { add { .value(.blob(summary())) } }
  func value(_ value: DataValue) { add { .value(value) } }

  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    add { .uri(prefix: prefix, primaryKey: primaryKey) }
  }
}
