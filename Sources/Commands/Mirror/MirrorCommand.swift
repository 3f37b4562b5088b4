import Lens
import Rendering
import Values

extension Command {
  static let mirror = Command(
    "mirror", summary: "the CloudKit mirror: databases, zones, metadata, history token",
    options: [
      OptionDefinition(
        .table, value: "NAME", kind: .table,
        help: "one table of the mirror or of history, decoded: events, NSCKEvent or ANSCKEVENT"
      )
    ],
    discussion: """
      The token marks how far the exporter has processed history. 'behind' is normal: some history isn't processed
      yet. 'expired', 'ahead' and 'foreign' stop exports or make the next launch wipe and re-import; see 'explain'.

      --table replaces numbers with what they stand for: an author, an entity, a kind of change.

      Examples:
        storescope mirror App.store
        storescope mirror App.store --table events --json
      """,
    documents: [
      DocumentForm("without --table", payload: "zones", MirrorDocument.fields.keys()),
      DocumentForm("with --table", payload: "rows", MirrorTableDocument.fields.keys()),
    ]
  ) { invocation in
    let session = try invocation.store()
    let store = try session.open().store
    let identity = try session.identity()
    if let name = invocation.arguments[.table] {
      return Outcome(
        MirrorTableDocument.document(
          try FrameworkTableRows(named: name, in: store), identity, invocation.progress))
    }
    guard let mirror = try session.open().mirror() else { return Outcome(MirrorDocument.absent(identity)) }
    return Outcome(try MirrorDocument(mirror).document(identity))
  }
}

/// What `mirror --table` prints.
enum MirrorTableDocument {
  fileprivate static let fields: [Field<FrameworkTableRows>] = [
    Field("table", "the table's name in SQL") { $0.table },
    Field("entity", "its name as an entity of the framework") { $0.entity },
    Field("columns", .list(.object(columnFields.keys())), "its columns") {
      $0.columns.map(columnFields.object)
    },
    Field("rows", rows: .open([], "a row, with the table's columns as keys"), "its rows, decoded"),
  ]

  private static let columnFields: [Field<FrameworkTableRows.Column>] = [
    Field("name", "the key in 'rows'") { $0.name }, Field("type", "what it holds") { $0.type },
  ]

  static func document(
    _ table: FrameworkTableRows, _ identity: StoreIdentity, _ progress: Progress
  ) -> Document {
    var rows = RowStream(
      columns: table.columns.map { .init($0.name, isNumber: $0.type == "integer") }, emptyText: "(no rows)",
      count: table.count
    ) { sink in
      try table.produce(into: sink) { progress.step("reading \(table.table)") }
    }.counting("row").showingNull()
    rows.impossibleDates = table.impossibleDates
    return Document(
      command: "mirror", store: identity, payload: "rows", fields, of: table, rows: rows,
      blocks: [.heading(table.entity ?? table.table), .table(rows)])
  }
}
