import Diagnostics
import Exports
import Lens
import Redaction
import Reports

extension DocumentTable {
  /// What is made for others to read.
  static let sharingShapes = [report, export, redact, handover]

  /// What the reports of a store and of a fleet have about themselves.
  static let aboutReport: [Shape.Key] = [
    .init("tool", .words(["storescope"]), "the program"), .init("version", .text, "its version"),
    .init("title", .text.orNull, "the text of --title"), .init("made", .date, "when it was made"),
    .init("valuesIncluded", .bool, "whether --include-values was given"),
    .init("contains", .text, "what it shows and what it doesn't, in sentences"),
  ]

  private static let report = DocumentShape(
    "report",
    [
      .init(
        "report",
        .object(
          aboutReport + [.init("omissions", SharedShapes.texts, "what couldn't be read, one sentence each")]),
        "about the report itself"),
      .init(
        "health",
        .object([
          .init("state", .words(Health.self), "how the store is doing"),
          .init("word", .text, "the same for people"),
          .init("news", .text, "the most important news, in a sentence"),
          .init("fix", .text.orNull, "how to fix it"),
          .init("unsent", .text.orNull, "what exists only on this device, if the news isn't about it"),
        ]), "the answer"),
      .init("headline", .text, "the same in one sentence"),
      .init("verdict", SharedShapes.verdict, "the state of sync"),
    ] + SharedShapes.diagnosis + [
      .init("entities", .list(.object(reportEntity)), "the entities"),
      .init("relationships", SharedShapes.texts, "pairs of inverse relationships"),
      .init("history", Shape.object(reportHistory).orNull, "persistent history; null if it can't be read"),
      .init(
        "mirror",
        .either([
          .object([.init("present", .bool, "false: the store isn't mirrored")]),
          .object([
            .init("present", .bool, "true"), .init("layout", SharedShapes.layout, "the layout of its tables"),
            .init("scope", SharedShapes.scope, "the database that the store is mirrored to"),
            .init(
              "token",
              .object([
                .init("state", .words(HistoryTokenState.self), "how the token compares with history"),
                .init("transaction", .integer.orNull, "the last transaction that the exporter has processed"),
              ]), "how far history is processed"),
            SharedShapes.problems,
          ]),
        ]), "the CloudKit mirror"),
      .init(
        "events", Shape.object(reportEvents).orNull,
        "setups, imports and exports; null if the store isn't mirrored"),
      .init(
        "pending", Shape.object(reportPending).orNull, "pending changes; null if the store isn't mirrored"),
      .init(
        "records",
        Shape.object([
          .init("count", .integer.orNull, "records; null if they can't be read"),
          .init(
            "byEntityAndState",
            .list(
              .object([
                .init("entity", .text, "the entity"),
                .init(
                  "states",
                  .object(SharedShapes.states.map { .init($0, .integer, "records", if: "there are any") }),
                  "records by state"),
              ])), "records by entity and state"),
        ]).orNull, "CloudKit records; null if the store isn't mirrored"),
      .init(
        "databases",
        Shape.list(
          .object(
            Shape.Key.columns(
              ["name", "scope", "hasSubscription", "hasToken", "lastFetch"], of: "databases",
              as: ["scope": SharedShapes.scope]))
        ).orNull, "CloudKit databases; null if the store isn't mirrored"),
      .init(
        "zones",
        Shape.list(
          .object(
            Shape.Key.columns(
              ["name", "owner", "scope", "records", "hasToken", "lastFetch", "shareBytes"], of: "zones",
              as: ["scope": SharedShapes.scope, "records": .integer])
              + [.init("flags", .list(.words(MirrorZone.Flags.names)), "what is set of the zone's flags")])
        ).orNull, "record zones; null if the store isn't mirrored"),
      .init(
        "sizes",
        Shape.object([
          .init("freeBytes", .integer, "free pages"),
          .init(
            "tables",
            .list(
              .object([
                .init("table", .text, "the table"), .init("entities", SharedShapes.texts, "its entities"),
                .init("group", .words(StoreSize.Group.self), "what it is for"),
                .init("bytes", .integer, "its size"),
                .init("indexBytes", .integer, "the size of its indexes"),
              ])), "tables with their sizes"),
        ]).orNull, "the parts of the main file; null if they can't be measured"),
      .init("files", .object(reportFiles), "the store's files"),
    ])

  private static let reportEntity =
    Shape.Key.columns(
      ["name", "number", "parent", "table", "rows"], of: "entities",
      as: ["name": .text, "number": .integer, "table": .text])
    + [
      .init("attributes", .integer, "attributes, inherited ones included"),
      .init("relationships", .integer, "relationships, inherited ones included"),
      .init("abstract", .bool, "whether it has no objects of its own"),
    ]

  private static let reportHistory: [Shape.Key] = [
    .init("present", .bool, "whether the store keeps a history"),
    .init("transactions", .integer, "saves in it"),
    .init("changes", .integer, "changes of objects"), .init("first", .date, "the oldest"),
    .init("last", .date, "the newest"),
    .init(
      "byAuthor",
      .list(.object(SharedShapes.group(.init("author", .text.orNull, "the author; null for none")))),
      "changes by author"),
    .init(
      "changesByDay",
      .list(
        .object([
          .init("day", .text.orNull, "the day in UTC"), .init("changes", .map(.integer), "changes by author"),
        ])), "changes by day and author"),
  ]

  private static let reportEvents: [Shape.Key] = [
    .init("count", .integer.orNull, "how many there are; null if they can't be read"),
    .init(
      "failures",
      .list(
        .object([
          .init("type", SharedShapes.eventType, "the type"), .init("error", .text, "the error"),
          .init("count", .integer, "how many times"), .init("first", .date, "the first time"),
          .init("last", .date, "the last time"),
          .init("isNoise", .bool, "it is harmless if later runs succeed"),
          .init("meaning", .text, "what the error means"),
        ])), "failures by type and error, the most frequent first"),
    .init("listed", .integer, "how many are in 'newest'"),
    .init(
      "newest",
      .list(
        .object(
          Shape.Key.columns(
            MirrorEvent.columns.filter { !["id", "explanation"].contains($0) }, of: "events",
            as: ["type": SharedShapes.eventType]))), "the newest events"),
  ]

  private static let reportPending: [Shape.Key] = [
    .init("counts", SharedShapes.pendingCounts, "by kind"),
    .init("problem", .text.orNull, "why they can't be counted"),
    .init(
      "byEntityAndAge",
      .list(
        .object([.init("entity", .text, "the entity"), .init("ages", .map(.integer), "changes by age")])),
      "by entity and age"),
    .init(
      "byReason",
      .list(
        .object([
          .init("kind", SharedShapes.pendingKind, "the kind"), .init("reason", .text, "why they are pending"),
          .init("count", .integer, "how many"), .init("oldest", .date, "since when"),
        ])), "by reason, the most frequent first"),
    .init("listed", .integer, "how many are in 'items'"),
    .init("items", .list(.object(SharedShapes.pendingItem)), "the changes"),
  ]

  private static let reportFiles: [Shape.Key] = [
    .init("framework", .text, "Core Data or SwiftData"),
    .init("system", .text.orNull, "the system whose framework wrote it last"),
    .init("model", .text, "the source of the model"),
    .init("modelIdentifiers", SharedShapes.texts, "the model's version identifiers"),
    .init("journal", .text, "how SQLite keeps the file consistent"),
    .init("pageSize", .integer, "bytes of a page"), .init("bytes", .integer, "the size of the main file"),
    .init("walBytes", .integer, "the size of the -wal file"), .init("walCommits", .integer, "commits in it"),
    .init("openedBy", .text, "how it was opened"),
    .init("notes", SharedShapes.texts, "what is odd about it, one sentence each"),
    .init(
      "hashes",
      .list(
        .object(
          [.init("file", .words(["store", "wal", "shm", "journal", "container"]), "the file")]
            + SharedShapes.file + [
              .init("sha256After", .hash.orNull, "its hash after everything was read"),
              .init("unchanged", .bool, "whether the two are the same"),
            ])), "the files before and after"),
  ]

  private static let exportFile: [Shape.Key] =
    [
      .init("name", .text, "the entity, link or table"),
      .init("kind", .words(["entity", "history", "table"]), "what it is"),
      .init("file", .text, "the file in the directory"), .init("rows", .integer, "its rows"),
    ] + SharedShapes.file

  private static let exportTotals: [Shape.Key] = [
    .init("rows", .integer, "rows in all"), .init("bytes", .integer, "bytes in all"),
    .init("leftOut", SharedShapes.texts, "what isn't exported, and why"),
  ]

  private static let export = DocumentShape(
    "export",
    [
      DocumentShape.Form(
        "what the command prints", payload: "files",
        [
          .init("directory", .text, "the directory"),
          .init("manifest", .text, "the file that describes the others"),
        ] + exportTotals + [.init("files", .list(.object(exportFile)), "the files")]),
      DocumentShape.Form(
        "the file manifest.json",
        [
          .init("version", .text, "the program's version"),
          .init("format", .words(["ndjson", "csv"]), "the format of the files"),
          .init("compression", Shape.words(ExportCompression.self).orNull, "how they are compressed"),
        ] + exportTotals + [
          .init(
            "files",
            .list(
              .object(
                exportFile + [
                  .init(
                    "columns",
                    .list(
                      .object([
                        .init("name", .text, "the key of the column"),
                        .init("type", .text, "its type in the model"),
                        .init("holds", SharedShapes.texts, "the kinds of values that are in it"),
                        .init("destination", .text, "the entity it leads to", if: "it is a relationship"),
                      ])), "its columns")
                ])), "the files")
        ]),
    ])

  private static let redact = DocumentShape(
    "redact", payload: "tables",
    [
      .init("copy", .text, "the copy"), .init("copyUUID", .uuid.orNull, "the copy's own identifier"),
      .init("bytes", .integer, "its size"), .init("files", .integer, "files of external values next to it"),
      .init("kept", .list(.words(RedactionOptions.Kept.words.map(\.word))), "what --keep leaves as it is"),
      .init("keepsLengths", .bool, "whether placeholders are as long as what they stand for"),
      .init(
        "tables",
        .list(
          .object([
            .init("name", .text, "what it holds"), .init("table", .text, "its name in SQL"),
            .init("rows", .integer, "its rows"),
            .init(
              "keys",
              .list(
                .object([
                  .init("column", .text, "the column"), .init("because", .words(KeyProof.self), "why"),
                ])),
              "columns that are kept as keys"),
            .init(
              "replaced",
              .list(
                .object([
                  .init("property", .text, "the property"),
                  .init("kinds", .list(.words(Replaced.self)), "what was replaced"),
                  .init("values", .integer, "how many values"),
                ])), "what was replaced in it"),
          ])), "the tables"),
      SharedShapes.problems,
    ])

  private static let handover = DocumentShape(
    "handover", payload: "files",
    [
      .init("archive", .text, "the archive"), .init("bytes", .integer, "its size"),
      .init("title", .text.orNull, "the text of --title"), .init("headline", .text, "the report's headline"),
      .init("files", .list(.object([.init("name", .text, "the file")] + SharedShapes.file)), "what is in it"),
      SharedShapes.problems,
    ])
}
