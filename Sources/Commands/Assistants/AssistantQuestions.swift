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
  private let copies: RedactedCopies

  init(showsValues: Bool, _ folders: AssistantFolders) {
    self.showsValues = showsValues
    self.folders = folders
    copies = RedactedCopies(marks)
  }

  func answer(_ tool: AssistantTool, _ arguments: DataValue?) -> Answer {
    var wording = CommandWording(place: .program)
    do {
      let arguments = try AssistantArguments(arguments, for: tool)
      var store: String?
      if let named = try arguments.text("store") {
        wording.store = named
        store = try folders.path(named)
      }
      return .result(try value(tool, arguments, store))
    } catch {
      let text = (error as? UsageError)?.description ?? "\(error)"
      let list = (error as? StoreScopeError)?.list ?? []
      return .failure(([Sentence.ended(text)] + list).map(wording.worded).joined(separator: "\n"))
    }
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
    words.insert(contentsOf: ["--json"] + (limit.map { ["--limit=\($0 + 1)"] } ?? []), at: 0)
    guard let path else {
      let places = try tool.name == Command.find.name ? find(arguments) : []
      return spelled(try run(command, words + places, of: nil))
    }
    if try arguments.text("model") != nil { words = try replacingModel(words, arguments) }
    var result: DataValue
    if showsValues {
      result = try run(command, words, of: StoreSource(path))
    } else {
      switch tool.privacy {
      case .open: result = try run(command, words, of: StoreSource(path))
      case .copy: result = try run(command, words, of: copies.copy(of: path))
      case .evidence: result = try findings(path, rule: arguments.text("rule"))
      case .places: result = Self.places(try run(command, words, of: StoreSource(path)))
      case .sentences:
        let source = try StoreSource(path)
        result = try masked(run(command, words, of: source), privacy(of: source))
      }
    }
    if let limit, let name = tool.rows { result = Self.cut(result, name, limit) }
    return result
  }

  /// Where to search; what was named has to be where this may look.
  private func find(_ arguments: AssistantArguments) throws -> [String] {
    try arguments.text("path").map { [try folders.path($0)] } ?? folders.places
  }

  private func replacingModel(_ words: [String], _ arguments: AssistantArguments) throws -> [String] {
    let path = try arguments.text("model").map(folders.path) ?? ""
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
  private func findings(_ path: String, rule: String?) throws -> DataValue {
    let source = try StoreSource(path)
    var doctor = Doctor(
      rules: try DoctorArguments.rules(rule.map { [$0] } ?? [], validates: false), limit: 20)
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
          "path": .text(folders.spelled(path)), "uuid": nil,
          "frameworkVersion": .optional(identity.frameworkVersion),
        ],
        "findings": .array(diagnosis.findings.map(\.value)),
        "checked": .array(diagnosis.checked.map(DataValue.text)), "skipped": diagnosis.skippedValue,
      ]
    }
  }

  private func masked(_ value: DataValue, _ privacy: ReportPrivacy) -> DataValue {
    switch value {
    case .text(let text): .text(privacy.sentence(text))
    case .array(let elements): .array(elements.map { masked($0, privacy) })
    case .object(let members):
      .object(
        members.map { member in
          switch member.name {
          // Whoever asks has named it.
          case "path": member
          case "uuid": .init("uuid", .null)
          default: .init(member.name, masked(member.value, privacy))
          }
        })
    default: value
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

  private func spelled(_ value: DataValue) -> DataValue {
    switch value {
    case .text(let text): .text(folders.spelled(text))
    case .array(let elements): .array(elements.map(spelled))
    case .object(let members):
      .object(
        members.map { member in
          member.name == "uuid" && !showsValues
            ? .init("uuid", .null) : .init(member.name, spelled(member.value))
        })
    default: value
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
