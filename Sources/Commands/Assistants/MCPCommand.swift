import Base
import Rendering

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

/// What a server for assistants was started with, and what its processes pass on to each other.
struct AssistantSettings: Sendable {
  var showsValues: Bool
  /// Those it may look into; empty for all.
  var folders: [String]
  /// How long SQL may take.
  var seconds = defaultSeconds
  /// The same in all answers, so that a placeholder of one can be recognized in the next.
  var salt: [UInt8] = {
    var generator = SystemRandomNumberGenerator()
    return (0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }()
  /// Of people, by the marks that were shown for them.
  var names: [String: String] = [:]

  /// Assistants give up on a tool after about a minute.
  static let defaultSeconds = 30
}

extension AssistantSettings {
  var value: DataValue {
    [
      "values": .bool(showsValues), "folders": .array(folders.map(DataValue.text)),
      "seconds": .count(seconds), "salt": .array(salt.map { .integer(Int64($0)) }),
      "names": .object(names.map { .init($0.key, .text($0.value)) }),
    ]
  }

  init?(_ value: DataValue) {
    guard case .bool(let showsValues)? = value["values"], case .array(let folders)? = value["folders"],
      case .integer(let seconds)? = value["seconds"], case .array(let salt)? = value["salt"],
      case .object(let names)? = value["names"]
    else { return nil }
    self.showsValues = showsValues
    self.folders = folders.compactMap(\.text)
    self.seconds = Int(clamping: seconds)
    self.salt = salt.compactMap { if case .integer(let byte) = $0 { UInt8(clamping: byte) } else { nil } }
    self.names = Dictionary(names.map { ($0.name, $0.value.text ?? "") }) { first, _ in first }
  }
}
