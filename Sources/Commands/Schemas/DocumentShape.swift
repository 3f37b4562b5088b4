package import Rendering
package import Values

/// The JSON of one command, for its schema.
package struct DocumentShape: Sendable {
  package typealias Form = DocumentForm

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
