import Base

/// A question that an assistant can ask: a command, and the arguments it takes.
struct AssistantTool: Sendable {
  /// What is asked while values aren't shown.
  enum Privacy: Sendable {
    /// The command itself, whose answers hold no values then.
    case open
    /// The command, whose answer passes `AnswerMask`.
    case masked
    /// The doctor, whose evidence is masked as in a report.
    case evidence
  }

  struct Parameter: Sendable {
    enum Kind: String, Sendable { case string, integer, boolean, object }

    let name: String
    let kind: Kind
    let meaning: String
    var isRequired = false
    var choices: [String] = []
  }

  let name: String
  let title: String
  let description: String
  let privacy: Privacy
  /// The list that `limit` cuts; nil if there is no such argument.
  var rows: String?
  /// What `--limit` is for the command, if it cuts something else there.
  var commandLimit: Int?
  let parameters: [Parameter]
  /// The words of the command, without the store.
  let words: @Sendable (AssistantArguments) throws -> [String]

  static let mostRows = 1000
  static let rowsByDefault = 50
  /// Per finding.
  private static let mostEvidence = 20

  /// With those that several tools share.
  var allParameters: [Parameter] {
    let store = Parameter(
      name: "store", kind: .string,
      meaning: "path of the store, or an address that 'find' returned", isRequired: true)
    let limit = Parameter(
      name: "limit", kind: .integer,
      meaning:
        "how many rows (default \(Self.rowsByDefault), at most \(Self.mostRows)); 'more' is true if there are others"
    )
    return (command?.store == .required ? [store] : []) + parameters + (rows == nil ? [] : [limit])
  }

  var command: Command? { CommandTable.command(named: name) }

  static func named(_ name: String) -> AssistantTool? { all.first { $0.name == name } }

  static let all = [
    AssistantTool(
      name: "find", title: "Find stores",
      description:
        "Find Core Data and SwiftData stores in a folder, a simulator, a backup or an archive. Start here if no path is known.",
      privacy: .open,
      parameters: [
        .init(
          name: "path", kind: .string, meaning: "folder or archive to search (default: the usual places)"),
        .init(
          name: "app", kind: .string, meaning: "only stores with this in the app's identifier or the path"),
        .init(name: "mirrored", kind: .boolean, meaning: "only stores mirrored to CloudKit"),
      ]
    ) { arguments in
      try arguments.option("app") + arguments.flag("mirrored") + ["--"]
    },
    AssistantTool(
      name: "summary", title: "Summarize a store",
      description: "What is in a store: entities with their numbers of rows, history, mirror state, files.",
      privacy: .masked, parameters: []
    ) { _ in [] },
    AssistantTool(
      name: "pending", title: "Pending changes",
      description:
        "Why changes aren't in CloudKit yet: the verdict, and each pending change with its reason.",
      privacy: .masked, rows: "pending", parameters: []
    ) { _ in [] },
    AssistantTool(
      name: "doctor", title: "Check a store",
      description:
        "Problems of a store, the worst first, each with its severity, up to \(mostEvidence) pieces of evidence, and fix.",
      privacy: .evidence, rows: "findings", commandLimit: mostEvidence,
      parameters: [.init(name: "rule", kind: .string, meaning: "check only the rule with this identifier")]
    ) { try $0.option("rule") },
    AssistantTool(
      name: "trace", title: "Trace an object",
      description:
        "The life of one object: its changes, exports and record, why it is or isn't on the server, and where the server's copy differs.",
      privacy: .masked, rows: "steps",
      parameters: [
        .init(
          name: "object", kind: .string, meaning: "Entity/p12, its URI, or its title or another value of it",
          isRequired: true)
      ]
    ) { try ["--"] + $0.words("object") },
    AssistantTool(
      name: "search", title: "Find a value",
      description: """
        Which objects hold a text, number, date or UUID, in any attribute, also inside archives and JSON. Also where values \
        are hidden, it shows whether the text that you pass exists in the store.
        """,
      privacy: .masked, rows: "matches",
      parameters: [
        .init(name: "text", kind: .string, meaning: "what to look for", isRequired: true),
        .init(name: "entity", kind: .string, meaning: "only objects of this entity"),
      ]
    ) { try $0.option("entity") + ["--"] + $0.words("text") },
    AssistantTool(
      name: "rows", title: "List objects",
      description: """
        The objects of an entity, all or those that an NSPredicate matches, as Core Data would. If values are withheld, the \
        predicate may ask for relationships, counts and nil.
        """,
      privacy: .masked, rows: "rows",
      parameters: [
        .init(name: "entity", kind: .string, meaning: "the entity's name", isRequired: true),
        .init(name: "predicate", kind: .string, meaning: "ANY tags.name ==[c] 'temple' AND photo != nil"),
      ]
    ) { try $0.option("predicate") + ["--"] + $0.words("entity") },
    AssistantTool(
      name: "query", title: "Run SQL",
      description: """
        One SELECT over the model's names: each entity is a view with pk, uri, its attributes and to-one relationships; \
        transactions, changes, records, pending, events and more are views too. Call it with list 'views' first: it has \
        the columns that can be asked. If values are withheld, these are keys, URIs, relationships, states, times of \
        history and counts, and SQL that asks for more is refused. Only reading is possible.
        """,
      privacy: .open, rows: "rows",
      parameters: [
        .init(name: "sql", kind: .string, meaning: "one SELECT, or the name of a saved query"),
        .init(name: "parameters", kind: .object, meaning: "values of the SQL's parameters, by their names"),
        .init(
          name: "list", kind: .string, meaning: "instead of running SQL, list what it can use",
          choices: ["views", "queries", "functions"]),
      ]
    ) { arguments in
      let sql = try arguments.words("sql")
      guard let list = try arguments.text("list") else {
        guard !sql.isEmpty else { throw StoreScopeError(.invalid, "'sql' or 'list' is missing") }
        return try arguments.assignments("parameters", for: "param")
          + ["--"] + sql
      }
      guard sql.isEmpty else { throw StoreScopeError(.invalid, "'sql' and 'list' can't be combined") }
      return [list == "queries" ? "--list" : "--\(list)"]
    },
    AssistantTool(
      name: "explain", title: "Explain a term or an error",
      description: """
        The meaning of an error code of Core Data or CloudKit, a rule of 'doctor', or a state or term of \
        mirroring, with advice.
        """,
      privacy: .open,
      parameters: [
        .init(
          name: "word", kind: .string, meaning: "134419, CKErrorDomain:25, token-expired", isRequired: true)
      ]
    ) { try ["--"] + $0.words("word") },
    AssistantTool(
      name: "preflight", title: "Forecast the next launch",
      description:
        "What the app's next launch does to the store, step by step: migrate, set up the mirror, import, export.",
      privacy: .masked,
      parameters: [
        .init(name: "model", kind: .string, meaning: "path of the app's .momd, or of the app bundle"),
        .init(name: "cloudkit", kind: .boolean, meaning: "assume that the app mirrors the store"),
      ]
    ) { try $0.option("model") + $0.flag("cloudkit") },
  ]
}

extension AssistantTool {
  /// As `tools/list` describes it: https://modelcontextprotocol.io/specification/2025-11-25/server/tools
  var value: DataValue {
    let properties = allParameters.map { parameter in
      var schema: [DataValue.Member] = [
        .init("type", .text(parameter.kind.rawValue)), .init("description", .text(parameter.meaning)),
      ]
      if !parameter.choices.isEmpty {
        schema.append(.init("enum", .array(parameter.choices.map(DataValue.text))))
      }
      if parameter.name == "limit" {
        schema += [.init("minimum", 1), .init("maximum", .integer(Int64(Self.mostRows)))]
      }
      return DataValue.Member(parameter.name, .object(schema))
    }
    return [
      "name": .text(name), "title": .text(title), "description": .text(description),
      "inputSchema": [
        "type": "object", "properties": .object(properties),
        "required": .array(allParameters.filter(\.isRequired).map { .text($0.name) }),
        "additionalProperties": false,
      ],
      "annotations": ["readOnlyHint": true, "openWorldHint": false],
    ]
  }
}

/// What an assistant passed to a tool, checked against what the tool takes.
struct AssistantArguments {
  private let members: [DataValue.Member]

  init(_ value: DataValue?, for tool: AssistantTool) throws {
    switch value {
    case nil, .null: members = []
    case .object(let given): members = given.filter { $0.value != .null }
    default: throw StoreScopeError(.invalid, "'arguments' has to be an object")
    }
    let parameters = tool.allParameters
    for member in members {
      guard let parameter = parameters.first(where: { $0.name == member.name }) else {
        let known = parameters.map { "'\($0.name)'" }.joined(separator: ", ")
        throw StoreScopeError(.invalid, "'\(tool.name)' has no argument '\(member.name)'; it takes \(known)")
      }
      guard parameter.kind.holds(member.value) else {
        throw StoreScopeError(.invalid, "'\(member.name)' has to be of type \(parameter.kind.rawValue)")
      }
      if !parameter.choices.isEmpty, !parameter.choices.contains(member.value.text ?? "") {
        throw StoreScopeError(
          .invalid, "'\(member.name)' has to be one of \(parameter.choices.joined(separator: ", "))")
      }
    }
    if let missing = parameters.first(where: { $0.isRequired && self[$0.name] == nil }) {
      throw StoreScopeError(.invalid, "'\(missing.name)' is missing: \(missing.meaning)")
    }
  }

  private subscript(name: String) -> DataValue? { members.last { $0.name == name }?.value }

  /// - Throws: for text that no argument of a program can hold, which a 0 would end.
  func text(_ name: String) throws -> String? {
    let text = self[name]?.text
    guard text?.utf8.contains(0) != true else {
      throw StoreScopeError(.invalid, "'\(name)' holds a character with the code 0")
    }
    return text
  }

  func words(_ name: String) throws -> [String] { try text(name).map { [$0] } ?? [] }

  /// In one word with its name, so that no text is taken for an option.
  func option(_ name: String) throws -> [String] { try text(name).map { ["--\(name)=\($0)"] } ?? [] }

  func flag(_ name: String) -> [String] { self[name] == .bool(true) ? ["--\(name)"] : [] }

  func assignments(_ name: String, for option: String) throws -> [String] {
    guard case .object(let members) = self[name] else { return [] }
    return try members.map { member in
      switch member.value {
      case .text(let text) where !text.utf8.contains(0): return "--\(option)=\(member.name)=\(text)"
      case .integer(let number): return "--\(option)=\(member.name)=\(number)"
      case .real(let number): return "--\(option)=\(member.name)=\(number)"
      default: throw StoreScopeError(.invalid, "'\(name)' takes strings and numbers only")
      }
    }
  }

  var limit: Int {
    get throws {
      guard case .integer(let limit) = self["limit"] else { return AssistantTool.rowsByDefault }
      guard (1...Int64(AssistantTool.mostRows)).contains(limit) else {
        throw StoreScopeError(.invalid, "'limit' has to be between 1 and \(AssistantTool.mostRows)")
      }
      return Int(limit)
    }
  }
}

extension AssistantTool.Parameter.Kind {
  fileprivate func holds(_ value: DataValue) -> Bool {
    switch (self, value) {
    case (.string, .text), (.integer, .integer), (.boolean, .bool), (.object, .object): true
    default: false
    }
  }
}
