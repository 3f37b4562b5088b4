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
      OptionDefinition(.includeValues, help: "show the values in stores, too"),
      OptionDefinition(
        .timeout, value: "SECONDS", kind: .number,
        help:
          "end SQL that takes longer, and other calls after twice as long (default: \(AssistantSettings.defaultSeconds))"
      ),
    ],
    discussion: """
      A server that editors and assistants start and talk to over standard input and output. Its tools are \
      \(AssistantTool.all.map(\.name).joined(separator: ", ")). All of them only read.

      Whatever a tool returns goes to the assistant, and so to its provider. Values are withheld: '[withheld text]' and the
      like stand for them, and SQL that asks for them is refused. Names of entities and properties, object
      URIs, relationships, counts, times and states are shown as they are, and names of authors, programs, zones and
      files where they tell of no person; the others get marks, such as 'author-1c2d3e4f5a6b'. 'search' lets the assistant check whether a text
      it guesses is in the store.

      Examples:
        storescope mcp ~/Projects
        storescope mcp --include-values Fixtures
      """,
    formats: textFormats
  ) { invocation in
    let folders = invocation.arguments.positionals
    _ = try AssistantFolders(folders)
    if !Interruption.isWatched { Interruption.watch() }
    var settings = AssistantSettings(showsValues: invocation.arguments.has(.includeValues), folders: folders)
    if let seconds = try invocation.arguments.number(.timeout) {
      guard (1...86_400).contains(seconds) else {
        throw UsageError.conflict(
          "'--timeout' takes 1 to 86400 seconds: no call of an assistant may go on for good.")
      }
      settings.seconds = seconds
    }
    let server = AssistantServer(settings) { bytes in
      !Platform.isReaderGone(1) && bytes.withUnsafeBytes { Platform.write($0, to: 1) }
    }
    server.run(input: 0)
    return Outcome(Document(command: "mcp"))
  }
}
