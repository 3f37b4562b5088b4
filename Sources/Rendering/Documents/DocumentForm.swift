package import Base

/// One form of a command's JSON: when it is printed, and its keys.
package struct DocumentForm: Sendable {
  package enum Store: Sendable {
    case always, never
    /// Where a model is compared with another one there is none.
    case ifAny
  }

  /// When a document has this form, a clause; empty if there is no other.
  package var condition: String
  /// What stands in `schema`; nil for the command's own name.
  package var kind: String?
  package var store: Store
  /// After `schema` and `store`.
  package var keys: [Shape.Key]
  /// The key whose elements are the lines of NDJSON.
  package var payload: String?
  /// What each line is, if the command prints lines instead of a document.
  package var ownLines: Shape?

  package init(
    _ condition: String = "", kind: String? = nil, store: Store = .always, payload: String? = nil,
    _ keys: [Shape.Key]
  ) {
    self.condition = condition
    self.kind = kind
    self.store = store
    self.keys = keys
    self.payload = payload
  }

  package init(lines condition: String, _ shape: Shape) {
    self.condition = "a line " + condition
    store = .never
    keys = []
    ownLines = shape
  }

  /// All keys of a document.
  package func whole(command: String) -> [Shape.Key] {
    let schema = Shape.Key(
      "schema", .words(["storescope/\(kind ?? command)/1"]), "the document's kind and version")
    let identity = Shape.Key(
      "store", StoreIdentity.shape, "the store that it is about",
      if: store == .ifAny ? "one was read" : nil)
    return [schema] + (store == .never ? [] : [identity]) + keys
  }

  /// What a line of NDJSON is: an element of the payload, or without one all that is there in one line.
  package var line: Shape {
    if let ownLines { return ownLines }
    guard let shape = keys.first(where: { $0.name == payload })?.shape else { return .object(keys) }
    if case .list(let element) = shape { return element }
    return shape
  }
}

extension Document {
  /// - Parameter rows: for the payload, if its rows are made while they are printed.
  package init<Result>(
    command: String, store: StoreIdentity? = nil, payload: String? = nil, _ fields: [Base.Field<Result>],
    of result: Result, rows: RowStream? = nil, head: Head? = nil, blocks: [Block] = []
  ) {
    self.init(
      command: command, store: store, fields: Self.fields(fields, of: result, payload, rows),
      payload: payload, head: head, blocks: blocks)
  }

  package static func fields<Result>(
    _ fields: [Base.Field<Result>], of result: Result, _ payload: String? = nil, _ rows: RowStream? = nil
  ) -> [Field] {
    fields.compactMap { field in
      if field.name == payload, let rows { return Field(field.name, rows: rows) }
      return field.value(result).map { Field(field.name, $0) }
    }
  }
}

extension RowStream {
  /// Rows of one kind.
  package init<Row>(
    _ fields: [Base.Field<Row>], emptyText: String = "(none)", count: @escaping () throws -> Int? = { nil },
    produce: @escaping (any RowSink) throws -> Void
  ) {
    self.init(columns: fields.map { Column($0.name) }, emptyText: emptyText, count: count, produce: produce)
  }
}

extension RowSink {
  /// One row; false when no more are wanted.
  package func push<Row>(_ row: Row, _ fields: [Base.Field<Row>]) throws -> Bool {
    beginRow()
    for field in fields {
      if let cell = field.value(row) { value(cell) } else { skip() }
    }
    return try endRow()
  }
}
