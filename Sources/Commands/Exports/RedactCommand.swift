import Base
import Lens
import Redaction
import Rendering
import StoreModel

extension Command {
  static let redact = Command(
    "redact", summary: "make a copy to share: structure, history, mirror state, no values",
    printsRows: false,
    options: [
      OptionDefinition(
        .output, short: "o", value: "COPY", kind: .file, help: "path of the copy (required)"),
      OptionDefinition(
        .keep, value: "WHAT", kind: .choice, choices: RedactionOptions.Kept.words.map(\.word),
        isRepeatable: true,
        help: "keep these values"),
      OptionDefinition(
        .keepLengths, help: "keep the length of strings and plain data"),
      CommonOptions.salt,
    ],
    discussion: """
      Strings, data, UUIDs, numbers and dates are replaced; equal values stay equal. NULL and empty strings are kept.
      So are tables, names of entities, properties and authors, the model, keys and relationships, history with its
      times and change masks, and the mirror's flags, numbers, times and error codes: the doctor's findings are the
      same, except those about the files themselves. Programs in history, and authors named like one, get
      placeholders, unless you pass --keep programs. The model and the schema's SQL still contain what developers
      wrote, such as default values. Problems of the files themselves (a damaged -wal, free pages, damaged indexes)
      aren't copied, nor is the folder NAME_ckAssets.

      Original values are never written to the copy, and the store itself is only read. Frequencies remain visible:
      the most common placeholder stands for the most common value. Anyone who has the salt can test guesses.

      Examples:
        storescope redact App.store -o Shareable.store
        storescope redact App.store -o Shareable.store --keep numbers --keep dates --keep-lengths
      """,
    changes: { _ in true },
    documents: [DocumentForm(payload: "tables", RedactionDocument.fields.keys())]
  ) { invocation in
    guard let copy = invocation.arguments[.output] else {
      throw UsageError.missingArgument("a path for the copy: -o COPY", command: "redact")
    }
    guard copy != "-" else {
      throw UsageError.conflict("'redact' writes a store, which can't go to standard output; give a file.")
    }
    let session = try invocation.store()
    try StoreFileGuard.check(copy, keeping: session.path)
    let identity = try session.identity()
    var options = RedactionOptions()
    if let marks = try invocation.saltedMarks() { options.marks = marks }
    options.keepsLengths = invocation.arguments.has(.keepLengths)
    options.kept = invocation.kept
    let result = try Interruption.explaining {
      try StoreRedaction(session.open(), to: copy, options).run(finish: session.finish) {
        invocation.progress.step($0)
      }
    }
    result.warnings.forEach(invocation.note)
    return .done(
      RedactionDocument(
        result: result, path: copy, options: options, isVerbose: invocation.isVerbose,
        limit: try invocation.limit()
      ).document(identity),
      receipt: "The copy is '\(copy)'.")
  }
}

extension Invocation {
  /// What `--keep` names.
  var kept: RedactionOptions.Kept {
    let words = arguments.all(.keep)
    return RedactionOptions.Kept(RedactionOptions.Kept.words.filter { words.contains($0.word) }.map(\.kept))
  }
}

extension StoreRedaction.Result {
  /// What a person has to know of the copy, a sentence each.
  var warnings: [String] {
    let guess =
      "The store has no model, so only what its columns' names prove to be a key was kept. Other numbers were replaced, keys of relationships among them: pass --model to keep those."
    return (isGuessed ? [guess] : []) + problems
  }
}

/// What `redact` prints.
struct RedactionDocument {
  let result: StoreRedaction.Result
  let path: String
  let options: RedactionOptions
  let isVerbose: Bool
  /// How many tables are shown; nil for a screen of them.
  let limit: Int?

  func document(_ identity: StoreIdentity) -> Document {
    Document(
      command: "redact", store: identity, payload: "tables", Self.fields, of: self,
      blocks: [
        .heading("Redacted copy: \(path)"), .text(summary), .heading("Replaced"),
        .table(isVerbose ? replacedProperties : largestTables),
      ] + more + keys + [
        .text(
          """
          Kept: tables, names of entities, properties and authors, the model, keys and relationships, NULL and empty \
          strings, history and its times, and the mirror's state.\(programs)
          Check it before you share it: 'storescope summary \(path)', 'storescope rows \(path) ENTITY'.
          """)
      ])
  }

  /// The names in history that aren't kept.
  private var programs: String {
    options.kept.contains(.programs)
      ? "" : " Names of programs in history are replaced; --keep programs keeps them."
  }

  /// As many lines as leave the summary on the screen; `--verbose` has one per property.
  private var shownTables: Int { limit ?? 12 }

  private var largestTables: RowStream {
    RowStream(
      columns: [
        .init("table"), .init("values", isNumber: true), .init("properties", isNumber: true),
        .init("such as"),
      ],
      rows: tables.sorted { count($0) > count($1) }.prefix(shownTables).map { table in
        let replaced = table.columns.filter { !$0.replaced.isEmpty }
        return [
          .text(Self.name(of: table)), .count(count(table)), .count(replaced.count),
          .text(replaced.map(\.name).joined(separator: ", ")),
        ]
      }, emptyText: "(no table has values)")
  }

  private var more: [Document.Block] {
    guard !isVerbose, !tables.isEmpty else { return [] }
    let rest = tables.count - shownTables
    return [
      .text(
        rest > 0
          ? "… \(Sentence.count(rest, "more table")); --verbose lists every property."
          : "--verbose lists every property.")
    ]
  }

  private var replacedProperties: RowStream {
    RowStream(
      columns: [.init("table"), .init("property"), .init("what"), .init("values", isNumber: true)],
      rows: tables.flatMap { table in
        table.columns.filter { !$0.replaced.isEmpty }.map { column in
          [
            .text(Self.name(of: table)), .text(column.name),
            .text(Self.kinds(column).map(\.rawValue).joined(separator: ", ")),
            .count(count(column)),
          ]
        }
      }, emptyText: "(no table has values)")
  }

  private static func name(of table: RedactedRows) -> String {
    FrameworkTable(rawValue: table.table.uppercased())?.nameForPeople ?? table.name
  }

  private func count(_ table: RedactedRows) -> Int { table.replaced.values.reduce(0, +) }
  private func count(_ column: RedactedRows.Column) -> Int { column.replaced.values.reduce(0, +) }

  /// Nobody can check the guesses but who knows the app.
  private var keys: [Document.Block] {
    guard result.isGuessed else { return [] }
    let kept = result.tables.flatMap { table in
      table.keys.map { [DataValue.text(table.table), .text($0.name), .text($0.proof.rawValue)] }
    }
    return [
      .heading("Kept as keys"),
      .table(
        RowStream(
          columns: [.init("table"), .init("column"), .init("because")], rows: kept,
          emptyText: "(only Core Data's own keys)")),
    ]
  }

  private var tables: [RedactedRows] { result.tables.filter { !$0.replaced.isEmpty } }

  private var keptWords: [String] {
    RedactionOptions.Kept.words.filter { options.kept.contains($0.kept) }.map(\.word)
  }

  private var summary: String {
    let count = tables.reduce(0) { $0 + self.count($1) }
    var text = "\(Sentence.count(count, "value")) replaced in \(Sentence.count(tables.count, "table"))"
    if result.files > 0 {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      let folder = SideFiles.supportFolder(of: name)
      text +=
        ", and \(Sentence.count(result.files, "file")) in '\(folder)', the hidden folder that belongs to the copy"
    }
    if !keptWords.isEmpty { text += "; kept as they are: \(keptWords.joined(separator: ", "))" }
    return text + "."
  }

  private static func kinds(_ column: RedactedRows.Column) -> [Replaced] {
    Replaced.allCases.filter { column.replaced[$0] != nil }
  }

  static let fields: [Field<Self>] = [
    Field("copy", "the copy") { $0.path },
    Field("copyUUID", .uuid, "the copy's own identifier") { $0.result.uuid },
    Field("bytes", "its size") { $0.result.bytes },
    Field("files", "files of external values next to it") { $0.result.files },
    Field(
      "kept", .list(.words(RedactionOptions.Kept.words.map(\.word))), "what --keep leaves as it is"
    ) { $0.keptWords },
    Field("keepsLengths", "whether placeholders are as long as what they stand for") {
      $0.options.keepsLengths
    },
    Field("tables", .list(.object(tableFields.keys())), "the tables") {
      $0.result.tables.map(tableFields.object)
    },
    Field("problems", "what couldn't be read, one sentence each") { $0.result.problems },
  ]

  private static let tableFields: [Field<RedactedRows>] = [
    Field("name", "what it holds") { $0.name }, Field("table", "its name in SQL") { $0.table },
    Field("rows", "its rows") { $0.rows },
    Field("keys", .list(.object(keyFields.keys())), "columns that are kept as keys") {
      $0.keys.map(keyFields.object)
    },
    Field("replaced", .list(.object(columnFields.keys())), "what was replaced in it") {
      $0.columns.filter { !$0.replaced.isEmpty }.map(columnFields.object)
    },
  ]

  private static let keyFields: [Field<(name: String, proof: KeyProof)>] = [
    Field("column", "the column") { $0.name },
    Field("because", .words(KeyProof.self), "why") { $0.proof.rawValue },
  ]

  private static let columnFields: [Field<RedactedRows.Column>] = [
    Field("property", "the property") { $0.name },
    Field("kinds", .list(.words(Replaced.self)), "what was replaced") { kinds($0).map(\.rawValue) },
    Field("values", "how many values") { $0.replaced.values.reduce(0, +) },
  ]
}
