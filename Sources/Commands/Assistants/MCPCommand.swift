import Rendering
import SystemCalls

extension Command {
  static let mcp = Command(
    "mcp", summary: "let an assistant ask about stores (Model Context Protocol), without values",
    store: .none,
    arguments: [
      .init(
        "FOLDER", kind: .folder, isOptional: true, isRepeatable: true,
        help: "answer only about what is in these folders (default: whatever you can read)")
    ],
    printsRows: false,
    options: [
      OptionDefinition(.includeValues, help: "show the values in stores, too")
    ],
    discussion: """
      A server that editors and assistants start and talk to over standard input and output. Its tools are \
      \(AssistantTool.all.map(\.name).joined(separator: ", ")). All of them only read.

      Whatever a tool returns goes to the assistant, and so to its provider. Values are replaced by placeholders, as in a
      redacted copy: names of entities, properties, authors and files, counts, times and states remain. 'search' lets
      the assistant check whether a text it guesses is in the store. To answer queries, storescope makes such a copy in a
      folder for temporary files, which only you can read, and deletes it when the server ends.

      Examples:
        storescope mcp ~/Projects
        storescope mcp --include-values Fixtures
      """,
    formats: textFormats
  ) { invocation in
    let folders = try AssistantFolders(invocation.arguments.positionals)
    if !Interruption.isWatched { Interruption.watch() }
    let server = AssistantServer(showsValues: invocation.arguments.has(.includeValues), folders) { bytes in
      bytes.withUnsafeBytes { Platform.write($0, to: 1) }
    }
    server.run { Platform.read(0, into: $0) }
    return Outcome(Document(command: "mcp"))
  }
}
