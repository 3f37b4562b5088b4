import Lens
import Redaction
import Rendering
import Values

/// What `redact` prints.
struct RedactionDocument {
  private let result: StoreRedaction.Result
  private let path: String
  private let options: RedactionOptions
  private let isVerbose: Bool
  /// How many tables are shown; nil for a screen of them.
  private let limit: Int?

  init(
    _ result: StoreRedaction.Result, path: String, _ options: RedactionOptions, isVerbose: Bool, limit: Int?
  ) {
    self.limit = limit
    self.isVerbose = isVerbose
    self.result = result
    self.path = path
    self.options = options
  }

  func document(_ identity: StoreIdentity) -> Document {
    Document(
      command: "redact", store: identity,
      fields: [
        .init("copy", .text(path)), .init("copyUUID", .optional(result.uuid)),
        .init("bytes", .integer(result.bytes)), .init("files", .count(result.files)),
        .init("kept", .array(keptWords.map(DataValue.text))),
        .init("keepsLengths", .bool(options.keepsLengths)),
        .init("tables", .array(result.tables.map(value))),
        .init("problems", .array(result.problems.map(DataValue.text))),
      ],
      payload: "tables",
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
            .text(Self.name(of: table)), .text(column.name), .text(kinds(column).joined(separator: ", ")),
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

  private func kinds(_ column: RedactedRows.Column) -> [String] {
    Replaced.allCases.filter { column.replaced[$0] != nil }.map(\.rawValue)
  }

  private func value(_ table: RedactedRows) -> DataValue {
    [
      "name": .text(table.name), "table": .text(table.table), "rows": .count(table.rows),
      "keys": .array(table.keys.map { ["column": .text($0.name), "because": .text($0.proof.rawValue)] }),
      "replaced": .array(
        table.columns.filter { !$0.replaced.isEmpty }.map { column in
          [
            "property": .text(column.name), "kinds": .array(kinds(column).map(DataValue.text)),
            "values": .count(count(column)),
          ]
        }),
    ]
  }
}
