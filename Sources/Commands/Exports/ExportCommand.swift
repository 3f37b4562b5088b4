import Base
import Exports
import Lens
import Rendering
import StoreModel

extension Command {
  static let export = Command(
    "export", summary: "write everything to files for other programs, with a manifest",
    printsRows: false,
    options: [
      OptionDefinition(
        .to, short: "o", value: "DIRECTORY", kind: .folder,
        help: "a new or empty folder, or an unfinished export to resume"),
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, isRepeatable: true,
        help: "only this entity's objects, plus any --table"),
    ] + CommonOptions.predicate + [
      OptionDefinition(
        .table, value: "NAME", kind: .table, isRepeatable: true,
        help: "only this table of the mirror or of history (records, events, …), plus any --entity"),
      OptionDefinition(
        .blobs, help: "write the bytes of blobs too, to DIRECTORY/blobs, named by SHA-256"),
      OptionDefinition(
        .compress, value: "HOW", kind: .choice, choices: ExportCompression.available.map(\.rawValue),
        help: "compress each file"),
      OptionDefinition(
        .jobs, value: "N", kind: .number, help: "work on N files at once (default: the number of processors)"
      ),
    ],
    discussion: """
      Writes DIRECTORY/entities with one file per entity (its own objects only; a to-many relationship is a list of
      URIs, omitted if the other side's reference has the same information), history with every change decoded, tables
      with one file per table of the mirror and of history, and manifest.json: each file's columns, their types and
      what they hold, number of rows, size and hash. load.sql loads them into DuckDB with the right types, and
      spark-schemas.json has their schemas for Spark. A reference is a URI, followed by a column with its key. Dates,
      blobs and references are written the way 'rows' and 'mirror --table' print them. Blobs are written as size, kind
      and hash, and with --blobs their bytes too. CSV has strings unchanged, even those that a spreadsheet takes for
      formulas.

      All files show one state of the store. Run the same command again to resume an export that was stopped or
      killed, as long as the store has not changed. Two exports of one state are the same files, byte for byte, no
      matter where the store is. If an app is writing to the store, files are written one at a time, whatever --jobs
      is set to.

      Examples:
        storescope export App.store --to dump
        storescope export App.store --to dump --format csv --entity Person
        storescope export App.store --to dump --compress zstd
        cd dump
        duckdb app.duckdb -c ".read load.sql"
        duckdb -c ".read load.sql" -c "EXPORT DATABASE 'out' (FORMAT parquet)"
      """,
    formats: [.table, .json, .ndjson, .csv],
    formatHelp: "csv writes CSV files, not NDJSON; the others are for the printed result",
    filesFormat: .csv,
    changes: { _ in true },
    documents: [
      DocumentForm("what the command prints", payload: "files", exportFields.keys()),
      DocumentForm("the file manifest.json", ExportManifest.fields.keys()),
    ]
  ) { invocation in
    let session = try invocation.store()
    let arguments = invocation.arguments
    guard let folder = arguments[.to] else {
      throw UsageError.missingArgument("--to DIRECTORY", command: "export")
    }
    try StoreFileGuard.check(folder, keeping: session.path)
    let open = try session.open()
    let (entities, tables) = (arguments.all(.entity), arguments.all(.table))
    let isWhole = entities.isEmpty && tables.isEmpty
    let predicate = try invocation.predicateText()
    guard predicate == nil || !entities.isEmpty else {
      throw UsageError.conflict("'--predicate' needs --entity NAME, whose objects it is about.")
    }
    let plan = try ExportPlan(open.store, entities: isWhole ? nil : entities, tables: isWhole ? nil : tables)
    { entity in
      try predicate.map { try invocation.predicate($0, of: entity, in: open.store) }
    }
    let identity = try session.identity()
    let exporter = Exporter(
      open, identity, plan: plan, version: Application.version,
      format: arguments[.format] == Format.csv.rawValue ? .csv : .ndjson,
      keepsBlobs: arguments.has(.blobs),
      compression: arguments[.compress].flatMap(ExportCompression.init(rawValue:)))
    let threads = try arguments.number(.jobs) ?? min(8, Threads.processors)
    guard threads > 0 else { throw UsageError.conflict("'--jobs' takes a whole number from 1 up, not '0'.") }
    // The finished files are of this state; the next run can't go on with them at another one.
    session.mayBeRepeated = false
    let result: Exporter.Result
    do {
      result = try exporter.export(to: folder, threads: threads) {
        invocation.progress.phase("exporting: \(Sentence.count($0, "row"))")
      }
    } catch is InterruptedError {
      throw InterruptedError(
        "the export in '\(folder)' is unfinished; run the same command again to resume it")
    }
    // The table is for a person to look at.
    let isListed = !arguments.has(.quiet) || arguments.has(.json) || arguments.has(.format)
    return .done(
      isListed ? document(result, folder, identity) : nil, receipt: "The store was exported to '\(folder)'.")
  }

  private static func document(
    _ result: Exporter.Result, _ folder: String, _ identity: StoreIdentity
  ) -> Document {
    let manifest = result.manifest
    // A file's path says of what kind it is, and has the name in it.
    let table = RowStream(
      columns: [.init("file"), .init("rows", isNumber: true), .init("size", isNumber: true)],
      rows: manifest.parts.map { _, exported in
        [.text(exported.file), .count(exported.rows), .text(Sentence.size(exported.bytes))]
      }, emptyText: "(nothing to export)")
    let takenUp =
      result.partsTakenUp == 0
      ? ""
      : " \(Sentence.count(result.partsTakenUp, "file")) of the unfinished export were complete and kept."
    return Document(
      command: "export", store: identity, payload: "files", exportFields, of: (folder, manifest),
      blocks: [
        .heading("Exported to \(folder)"),
        .table(table),
        .text(
          ([
            "\(Sentence.count(manifest.rows, "row")) in \(Sentence.count(manifest.parts.count, "file")).\(takenUp)"
          ]
            + manifest.leftOut.map { "Left out: \($0)" }
            + ["\(folder)/manifest.json describes them, and load.sql loads them into DuckDB."]).joined(
              separator: "\n")),
      ])
  }
}

private let exportFields: [Field<(folder: String, manifest: ExportManifest)>] = Field.list(
  [
    Field("directory", "the directory") { $0.folder },
    Field("manifest", "the file that describes the others") { "\($0.folder)/manifest.json" },
  ], ExportManifest.totalFields.of { $0.manifest }, [ExportManifest.filesField.of { $0.manifest }])
