import Archives
import Base
import Diagnostics
import Lens
import Rendering
import Reports
import StoreModel

/// Answers an assistant's questions, one at a time, by running commands.
final class AssistantQuestions {
  /// What a tool found out, or why it could not.
  enum Answer {
    case result(DataValue)
    case failure(String)
  }

  /// More would fill an assistant's memory.
  static let mostBytes = 128 << 10
  private let settings: AssistantSettings
  private let folders: AssistantFolders
  private let marks: Marks
  private let paths: AssistantPaths
  private let sources = AssistantSources()

  init(_ settings: AssistantSettings) throws {
    self.settings = settings
    folders = try AssistantFolders(settings.folders)
    marks = Marks.withheld(salt: settings.salt)
    paths = AssistantPaths(Marks(salt: settings.salt), settings.names)
  }

  private var showsValues: Bool { settings.showsValues }

  /// The settings with what another one needs to understand what this one has answered.
  var laterSettings: AssistantSettings {
    var later = settings
    later.names = paths.names
    return later
  }

  func answer(_ tool: AssistantTool, _ arguments: DataValue?) -> Answer {
    var wording = CommandWording(place: .program)
    do {
      let arguments = try AssistantArguments(arguments, for: tool)
      var store: String?
      if let named = try arguments.text("store") {
        wording.store = named
        store = try path(named)
      }
      let result = try value(tool, arguments, store)
      // A person chose the device's name, and it is often theirs.
      return .result(
        showsValues
          ? result
          : result.mapTexts { name, text in
            name == "device" && tool.name != Command.query.name
              ? .null : .text(paths.spelled(text, isPath: Self.paths.contains(name ?? "")))
          })
    } catch {
      let text = Suggestion.description(of: error)
      let list = (error as? StoreScopeError)?.list ?? []
      let failure = ([Sentence.ended(text)] + list).map(wording.worded).joined(separator: "\n")
      return .failure(showsValues ? failure : paths.spelled(failure))
    }
  }

  /// Members that are paths, or addresses, and no sentences.
  private static let paths: Set = ["path", "address", "storePath", "devicePath"]

  /// What an assistant named, or was shown.
  private func path(_ named: String) throws -> String {
    try folders.path(showsValues ? named : paths.path(named))
  }

  private func value(
    _ tool: AssistantTool, _ arguments: AssistantArguments, _ path: String?
  ) throws -> DataValue {
    guard let command = tool.command else {
      throw StoreScopeError(.invalid, tool.name, "isn't a command")
    }
    var words = try tool.words(arguments)
    let limit = try tool.rows.map { _ in try arguments.limit }
    // One more shows whether there are more.
    let commandLimit = limit.map { tool.commandLimit ?? $0 + 1 }
    if command.options.contains(where: { $0.option == .timeout }) {
      words.insert("--timeout=\(settings.seconds)", at: 0)
    }
    words.insert(contentsOf: ["--json"] + (commandLimit.map { ["--limit=\($0)"] } ?? []), at: 0)
    guard let path else {
      let places = try tool.name == Command.find.name ? find(arguments) : []
      return try run(command, words + places, of: nil)
    }
    if try arguments.text("model") != nil { words = try replacingModel(words, arguments) }
    let source = try sources.source(of: path)
    var result: DataValue
    switch showsValues ? .open : tool.privacy {
    case .open: result = try run(command, words, of: source)
    case .masked: result = try mask(of: source).masked(run(command, words, of: source))
    // Its evidence is masked where it is found; of the rest, this has no values.
    case .evidence:
      result = try run(command, words, of: source).members([
        "schema", "store", "findings", "checked", "skipped", "asides",
      ])
    }
    if let limit, let name = tool.rows { result = Self.cut(result, name, limit) }
    return result
  }

  /// Where to search; what was named has to be where this may look.
  private func find(_ arguments: AssistantArguments) throws -> [String] {
    try arguments.text("path").map { [try path($0)] } ?? folders.places
  }

  private func replacingModel(_ words: [String], _ arguments: AssistantArguments) throws -> [String] {
    let path = try arguments.text("model").map(path) ?? ""
    return words.map { $0.hasPrefix("--model=") ? "--model=\(path)" : $0 }
  }

  private func run(_ command: Command, _ words: [String], of source: StoreSource?) throws -> DataValue {
    var bytes: [UInt8] = []
    var isTooLong = false
    var environment = CommandEnvironment()
    (environment.storePath, environment.source) = (source?.path, source)
    environment.isQuiet = true
    // What was taken for what, and which file isn't read.
    var asides: [String] = []
    environment.aside = { asides.append($0) }
    environment.assistant = AssistantView(marks: showsValues ? nil : marks)
    environment.output = .memory { piece in
      isTooLong = isTooLong || bytes.count + piece.count > Self.mostBytes
      if !isTooLong { bytes += piece }
    }
    let config = source == nil ? ["--no-config"] : []
    _ = try Application.run(command, config + words, in: environment)
    guard !isTooLong else {
      throw StoreScopeError(
        .limit, "The answer has more than \(Self.mostBytes >> 10) kB",
        advice: "ask for fewer rows with 'limit', or for less with 'query'")
    }
    let answer = try bytes.withUnsafeBytes { try JSONReader.read($0) }
    guard case .object(let members) = answer, !asides.isEmpty else { return answer }
    return .object(members + [.init("asides", .array(asides.map(DataValue.text)))])
  }

  // MARK: - What may be shown

  private func mask(of source: StoreSource) throws -> AnswerMask {
    try SecondLook.read({ Session(source, goesOn: { !Interruption.isRequested }) }) { session in
      let open = try session.open()
      var properties: Set<String> = []
      for entity in open.store.schema.entities {
        properties.formUnion(entity.relationships.map(\.name))
        for attribute in entity.attributes {
          properties.formUnion([attribute.path] + attribute.leaves.map(\.path))
        }
      }
      let mask = AnswerMask(try AssistantView.privacy(of: open, marks), properties: properties)
      try session.finish()
      return mask
    }
  }

  private static func cut(_ answer: DataValue, _ name: String, _ limit: Int) -> DataValue {
    guard case .object(var members) = answer, let index = members.firstIndex(where: { $0.name == name }),
      case .array(let rows) = members[index].value
    else { return answer }
    members[index].value = .array(Array(rows.prefix(limit)))
    return .object(members + [.init("more", .bool(rows.count > limit))])
  }
}

extension DataValue {
  /// Those of an object's members.
  fileprivate func members(_ names: [String]) -> DataValue {
    guard case .object(let members) = self else { return self }
    return .object(members.filter { names.contains($0.name) })
  }

  /// The same with something else for each text, by the name of the member that it is in.
  fileprivate func mapTexts(
    of name: String? = nil, _ change: (_ name: String?, _ text: String) -> DataValue
  ) -> DataValue {
    switch self {
    case .text(let text): change(name, text)
    case .array(let elements): .array(elements.map { $0.mapTexts(of: name, change) })
    case .object(let members):
      .object(members.map { .init($0.name, $0.value.mapTexts(of: $0.name, change)) })
    default: self
    }
  }
}
