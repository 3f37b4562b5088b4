package import Values

/// The JSON of one command: its forms, each with its keys.
package struct DocumentShape: Sendable {
  package struct Form: Sendable {
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

    init(lines condition: String, _ shape: Shape) {
      self.init("a line " + condition, store: .never, [])
      ownLines = shape
    }

    /// All keys of a document.
    package func whole(command: String) -> [Shape.Key] {
      [Shape.Key("schema", .words(["storescope/\(kind ?? command)/1"]), "the document's kind and version")]
        + (store == .never
          ? []
          : [
            Shape.Key(
              "store", SharedShapes.store, "the store that it is about",
              if: store == .ifAny ? "one was read" : nil)
          ]) + keys
    }

    /// What a line of NDJSON is: an element of the payload, or without one all that is there in one line.
    package var line: Shape {
      if let ownLines { return ownLines }
      guard let shape = keys.first(where: { $0.name == payload })?.shape else { return .object(keys) }
      if case .list(let element) = shape { return element }
      return shape
    }
  }

  package var command: String
  package var forms: [Form]

  package init(_ command: String, _ forms: [Form]) {
    self.command = command
    self.forms = forms
  }

  /// What has no rows but text isn't printed as NDJSON.
  package var hasLines: Bool {
    CommandTable.command(named: command)?.formats.contains(.ndjson) ?? false
  }

  init(
    _ command: String, store: Form.Store = .always, payload: String? = nil, _ keys: [Shape.Key]
  ) {
    self.init(command, [Form(store: store, payload: payload, keys)])
  }

  /// JSON Schema, draft 2020-12: https://json-schema.org/draft/2020-12
  package var schema: DataValue {
    var writer = SchemaWriter()
    let schemas = forms.filter { $0.ownLines == nil }.map { writer.document($0, command: command) }
    if hasLines {
      let lines = forms.map { writer.schema($0.line) }
      writer.define("line", SchemaWriter.any(of: lines, "A line of --format ndjson."))
    }
    var members: [DataValue.Member] = [
      .init("$schema", "https://json-schema.org/draft/2020-12/schema"),
      .init("title", .text("storescope/\(command)/1")),
      .init(
        "description",
        .text(
          """
          What 'storescope \(command) --json' prints. With --columns, rows have only the columns that were chosen. \
          Later versions may have more keys; a key that changes its meaning gets another number in 'schema'.
          """)),
    ]
    if case .object(let whole) = SchemaWriter.any(of: schemas, nil) { members += whole }
    return .object(members + [.init("$defs", .object(writer.definitions))])
  }
}
