import Archives
import Diagnostics
import Lens
import Rendering
import Reports
import StoreModel
import SystemCalls
import Values

/// Answers an assistant's questions, one at a time, by running commands: on the store, or on its redacted copy.
final class AssistantQuestions {
  /// What a tool found out, or why it could not.
  enum Answer {
    case result(DataValue)
    case failure(String)
  }

  /// More would fill an assistant's memory.
  static let mostBytes = 128 << 10
  /// Assistants give up on a tool after about a minute.
  static let mostSeconds = 30

  private let showsValues: Bool
  private let folders: AssistantFolders
  /// The same in all answers, so that a placeholder of one can be recognized in the next.
  private let marks = Marks.random()
  private let paths: AssistantPaths
  private let sources = AssistantSources()
  private let copies: RedactedCopies

  init(showsValues: Bool, _ folders: AssistantFolders) {
    self.showsValues = showsValues
    self.folders = folders
    paths = AssistantPaths(marks)
    copies = RedactedCopies(marks)
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
        showsValues ? result : result.mapTexts { $0 == "device" ? .null : .text(paths.spelled($1)) })
    } catch {
      let text = (error as? UsageError)?.description ?? "\(error)"
      let list = (error as? StoreScopeError)?.list ?? []
      let failure = ([Sentence.ended(text)] + list).map(wording.worded).joined(separator: "\n")
      return .failure(showsValues ? failure : paths.spelled(failure))
    }
  }

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
    words.insert(contentsOf: ["--json"] + (commandLimit.map { ["--limit=\($0)"] } ?? []), at: 0)
    guard let path else {
      let places = try tool.name == Command.find.name ? find(arguments) : []
      let result = try run(command, words + places, of: nil)
      return showsValues ? result : result.mapTexts { $0 == "uuid" ? .null : .text($1) }
    }
    if try arguments.text("model") != nil { words = try replacingModel(words, arguments) }
    let source = try sources.source(of: path)
    var result: DataValue
    if showsValues {
      result = try run(command, words, of: source)
    } else {
      switch tool.privacy {
      case .open: result = try run(command, words, of: source)
      case .copy: result = try run(command, words, of: copies.copy(of: source))
      case .evidence:
        result = try findings(source, rule: arguments.text("rule"), evidence: commandLimit ?? 0)
      case .places: result = Self.places(try run(command, words, of: source))
      case .sentences: result = try masked(run(command, words, of: source), privacy(of: source))
      }
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
    return try bytes.withUnsafeBytes { try JSONReader.read($0) }
  }

  // MARK: - What may be shown

  private func privacy(of source: StoreSource) throws -> ReportPrivacy {
    try SecondLook.read({ Session(source, goesOn: { !Interruption.isRequested }) }) { session in
      let privacy = try self.privacy(of: session.open())
      try session.finish()
      return privacy
    }
  }

  private func privacy(of open: OpenStore) throws -> ReportPrivacy {
    ReportPrivacy(
      marks, of: open.store, zones: try open.mirror()?.zones ?? [], sharedNames: try? SharedNames(open.store))
  }

  /// As `doctor` has them, and as a report shows them: of a copy, those about the files would be missing.
  private func findings(_ source: StoreSource, rule: String?, evidence: Int) throws -> DataValue {
    var doctor = Doctor(
      rules: try DoctorArguments.rules(rule.map { [$0] } ?? [], validates: false), limit: evidence)
    doctor.progress = { _ in }
    return try SecondLook.read({ Session(source, goesOn: { !Interruption.isRequested }) }) { session in
      let open = try session.open()
      // Before all else: once SQLite has met a damaged page, it makes no views.
      let examination = try Examination(open)
      let privacy = try privacy(of: open)
      let diagnosis = try doctor.examine(examination).masked(privacy)
      let identity = try session.identity()
      try session.finish()
      return [
        "schema": "storescope/doctor/1",
        "store": [
          "path": .text(source.path), "uuid": nil,
          "frameworkVersion": .optional(identity.frameworkVersion),
        ],
        "findings": .array(diagnosis.findings.map(\.value)),
        "checked": .array(diagnosis.checked.map(DataValue.text)), "skipped": diagnosis.skippedValue,
      ]
    }
  }

  private func masked(_ value: DataValue, _ privacy: ReportPrivacy) -> DataValue {
    value.mapTexts { name, text in
      switch name {
      // Whoever asks has named it.
      case "path": .text(text)
      case "uuid": .null
      default: .text(privacy.sentence(text))
      }
    }
  }

  /// Without what was found there, and without the objects' names.
  private static func places(_ answer: DataValue) -> DataValue {
    func places(_ list: DataValue?) -> DataValue {
      guard case .array(let matches) = list else { return [] }
      return .array(
        matches.map { match in
          [
            "entity": match["entity"] ?? .null, "pk": match["pk"] ?? .null,
            "property": match["property"] ?? .null,
          ]
        })
    }
    return [
      "schema": answer["schema"] ?? .null, "store": ["path": answer["store"]?["path"] ?? .null],
      "matches": places(answer["matches"]), "deleted": places(answer["deleted"]),
    ]
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
