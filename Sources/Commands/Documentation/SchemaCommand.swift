package import Base
package import Rendering

extension Command {
  static let schema = Command(
    "schema", summary: "print the JSON Schema of a command's JSON", store: .none,
    arguments: [
      .init(
        "COMMAND", kind: .command, isOptional: true,
        help: "the command whose JSON is described; omit it to list all of them")
    ],
    printsRows: false,
    discussion: """
      The schemas are strict: a key that isn't in them is a mistake. '$defs/line' is a line of --format ndjson.
      Objects ('rows', 'show') also have the properties of the store's model.

      Examples:
        storescope schema
        storescope schema doctor > doctor.schema.json
      """,
    formats: Command.textFormats,
    documents: [DocumentForm(store: .never, payload: "commands", SchemaList.fields.keys())]
  ) { invocation in
    guard let name = invocation.argument(0) else { return Outcome(SchemaList.document) }
    guard let shape = DocumentTable.document(of: name) else { throw SchemaList.missing(name) }
    let schema = shape.schema
    var document = Document(command: "schema", blocks: [.verbatim(JSONText.pretty(schema))])
    document.special[.json] = { .json(schema) }
    return Outcome(document)
  }
}

/// The JSON of all commands that print some, in the order of `CommandTable`. A test holds every command's output against
/// its shape.
package enum DocumentTable {
  package static let all = CommandTable.all.filter { !$0.documents.isEmpty }.map {
    DocumentShape($0.name, $0.documents)
  }

  package static func document(of command: String) -> DocumentShape? { all.first { $0.command == command } }
}

/// The commands whose JSON is described.
private enum SchemaList {
  static let fields: [Field<[Command]>] = [
    Field(
      "commands", .list(.object(commandFields.keys())),
      "commands with JSON; with COMMAND, the schema itself is printed"
    ) { $0.map(commandFields.object) }
  ]

  private static let commandFields: [Field<Command>] = [
    Field("command", "the command") { $0.name }, Field("summary", "what it prints") { $0.summary },
  ]

  static var document: Document {
    let commands = DocumentTable.all.compactMap { CommandTable.command(named: $0.command) }
    return Document(
      command: "schema", payload: "commands", fields, of: commands,
      blocks: [
        .heading("Commands with JSON"), .pairs(commands.map { ($0.name, .text($0.summary)) }),
        .text("'storescope schema COMMAND' prints the JSON Schema of one."),
      ])
  }

  static func missing(_ name: String) -> StoreScopeError {
    guard let command = CommandTable.command(named: name) else {
      if FileReader.kind(of: name) == .file {
        return StoreScopeError(
          .notFound, "'\(name)' is a file, and 'schema' is about commands", about: name,
          advice: "'storescope entities \(ShellQuotes.word(name))' shows the schema of a store")
      }
      return StoreScopeError(
        .notFound,
        "There is no command '\(name)'.\(Suggestion.sentence(for: name, in: DocumentTable.all.map(\.command)))",
        about: name, advice: "'storescope schema' lists the commands that print JSON")
    }
    return StoreScopeError(
      .notFound, "'\(command.name)' prints no JSON of its own", about: name,
      advice: "'storescope schema' lists the commands that do")
  }
}

/// The JSON of one command, for its schema.
package struct DocumentShape: Sendable {
  package var command: String
  package var forms: [DocumentForm]

  package init(_ command: String, _ forms: [DocumentForm]) {
    self.command = command
    self.forms = forms
  }

  /// What has no rows but text isn't printed as NDJSON.
  package var hasLines: Bool {
    CommandTable.command(named: command)?.formats.contains(.ndjson) ?? false
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
