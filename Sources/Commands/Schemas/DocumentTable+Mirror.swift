import Diagnostics
import Lens

extension DocumentTable {
  /// Sync with CloudKit, apart from the doctor.
  static let mirrorShapes = [pending, trace, mirror, records, events]

  private static let pending = DocumentShape(
    "pending", payload: "pending",
    [
      .init("verdict", SharedShapes.verdict, "the state of sync, always of the whole store"),
      .init("counts", SharedShapes.pendingCounts, "pending changes by kind"),
      .init("total", .integer, "all of them"), SharedShapes.damage,
      .init("totalUnfiltered", .integer, "how many there are without the filters", if: "a filter is given"),
      .init(
        "pending",
        .list(
          .object(
            SharedShapes.pendingItem
              + [
                .init("laterTransaction", .integer.orNull, "a later save of the object"),
                .init("laterAuthor", .text.orNull, "the author of that save"),
              ].only("an author is asked for"))), "the changes"),
    ])

  private static let trace = DocumentShape(
    "trace", payload: "steps",
    [
      .init("object", .text, "the object, as Entity/pN"),
      .init("title", .text.orNull, "what people would recognize it by"),
      .init("exists", .bool.orNull, "whether there is such an object now; null if the store can't show it"),
      .init("lastValues", .map(.any), "a deleted object's last values; empty if it exists or none are kept"),
      .init("mirrored", .bool, "whether the store is mirrored to CloudKit"),
      .init("verdict", SharedShapes.objectVerdict, "whether it is on the server, and why"), differences,
      .init("notCompared", SharedShapes.texts, "properties whose values the server's copy doesn't show"),
      .init(
        "referencedBy",
        .list(
          .object([
            .init("entity", .text, "the entity of the objects"),
            .init("property", .text, "their relationship"),
            .init("count", .integer.orNull, "how many; null if they weren't counted"),
          ])), "who refers to it"),
      .init(
        "steps", .list(.either(TraceStep.Kind.allCases.map(step))),
        "what happened to it, in the order of time"),
    ])

  /// What a step has, by its kind; one without a time may have no more than a text.
  private static func step(_ kind: TraceStep.Kind) -> Shape {
    let details: [Shape.Key] =
      switch kind {
      case .change:
        Shape.Key.columns(
          ["transaction", "change", "author", "process", "bundle", "context", "properties", "tombstone"],
          of: "changes",
          as: ["change": .known(ChangeKind.allCases.map(\.name)), "properties": SharedShapes.texts.orNull])
          + [SharedShapes.before]
      case .event:
        Shape.Key.columns(
          ["type", "ended", "succeeded", "errorDomain", "errorCode", "errorName", "isNoise"], of: "events",
          as: ["type": SharedShapes.eventType])
      case .record:
        record
      case .pending:
        [.init("pending", SharedShapes.pendingKind, "the kind of the pending change")]
          + Shape.Key.columns(["transaction", "author", "since", "recordName", "zone"], of: "pending")
      }
    return .object(
      [
        .init("at", .date, "when; null for what is so now"),
        .init("kind", .words([kind.rawValue]), "what it is about"),
        .init("text", .text, "what happened, in a sentence"),
      ] + details.only("it is known"))
  }

  private static let mirror = DocumentShape(
    "mirror",
    [
      DocumentShape.Form(
        "without --table", payload: "zones",
        [
          .init(
            "layout", SharedShapes.layout.orNull,
            "the layout of the mirror's tables; null if there is no mirror"),
          .init("scope", SharedShapes.scope, "the database that the store is mirrored to"),
          .init(
            "databases",
            .list(
              .object(
                Shape.Key.columns(
                  ["name", "scope", "hasSubscription", "hasToken", "token", "lastFetch"], of: "databases",
                  as: ["scope": SharedShapes.scope, "token": SharedShapes.tokenBytes]))), "CloudKit databases"
          ),
          .init(
            "zones",
            .list(
              .object(
                Shape.Key.columns(
                  [
                    "name", "owner", "scope", "records", "needsImport", "hasToken", "lastFetch", "token",
                    "shareBytes",
                  ]
                    + MirrorZone.Flags.names.filter { $0 != "needsImport" }, of: "zones",
                  as: [
                    "scope": SharedShapes.scope, "token": SharedShapes.tokenBytes, "records": .integer,
                  ]))), "record zones"),
          .init(
            "entries",
            .list(
              .object(
                Shape.Key.columns(
                  ["key", "kind", "value", "rows"], of: "metadataEntries",
                  as: ["key": .text, "kind": .words(MetadataEntry.Kind.self), "rows": .integer]))),
            "the mirror's own metadata"),
          .init(
            "token",
            .object([
              .init("transaction", .integer.orNull, "the last transaction that the exporter has processed"),
              .init("state", .words(HistoryTokenState.self), "how it compares with history"),
              .init("problem", .text.orNull, "why it can't be read", if: "the store is mirrored"),
            ]), "how far the exporter has processed history"),
        ]
          + [
            Shape.Key("switches", switches, "times without sync, wipes and large imports"),
            .init(
              "differences", SharedShapes.texts, "how its tables differ from the layout, one sentence each"),
            .init("tables", SharedShapes.texts, "tables that --table takes"),
          ].only("the store is mirrored")),
      DocumentShape.Form(
        "with --table", payload: "rows",
        [
          .init("table", .text, "the table's name in SQL"),
          .init("entity", .text.orNull, "its name as an entity of the framework"),
          .init(
            "columns",
            .list(
              .object([.init("name", .text, "the key in 'rows'"), .init("type", .text, "what it holds")])),
            "its columns"),
          .init("rows", .list(.open([], "a row, with the table's columns as keys")), "its rows, decoded"),
        ]),
    ])

  private static let switches: Shape = .object([
    .init(
      "gaps",
      .list(
        .object([
          .init("from", .date, "the event before"), .init("until", .date, "the event after"),
          .init("firstSave", .date, "the app's first save in it"), .init("lastSave", .date, "its last"),
          .init("saves", .integer, "its saves"),
        ])), "times in which the app saved and the mirror logged nothing"),
    .init("wipes", .list(burst), "deletions of everything by the mirror"),
    .init("imports", .list(burst), "large imports"),
    .init("firstUnexported", save, "the first save that the exporter hasn't processed"),
    .init("lastUnexported", save, "the last one"), .init("unexportedSaves", .integer, "how many there are"),
    .init(
      "accountFailures",
      .list(.object([.init("at", .date, "when"), .init("error", .text.orNull, "the error")])),
      "failures that are about the iCloud account"),
    .init(
      "toggles",
      .list(
        .object([
          .init("way", .words(SyncToggle.Way.self), "a way to turn mirroring off and on"),
          .init("evidence", .words(SyncToggle.Evidence.self), "whether the store shows it"),
          .init("seen", .text, "what was found"),
          .init("traces", .text, "what it leaves, and what doesn't show"),
        ])), "ways in which the app may have turned mirroring off"),
    .init("sentences", SharedShapes.texts, "all of it in sentences"),
  ])

  private static let burst = Shape.named(
    "burst",
    [
      .init("from", .date, "when it began"), .init("until", .date, "when it ended"),
      .init("firstTransaction", .integer, "its first save"),
      .init("lastTransaction", .integer, "its last save"),
      .init("transactions", .integer, "saves"), .init("inserts", .integer, "objects inserted"),
      .init("deletes", .integer, "objects deleted"), .init("changes", .integer, "changes in all"),
    ])

  private static let save = Shape.object([
    .init("transaction", .integer, "its number"), .init("author", .text.orNull, "its author"),
    .init("at", .date, "when"),
  ]).orNull

  private static let problem = Shape.Key(
    "problem", .text.orNull, "why they aren't known, if the mirror lacks the table")

  private static let records = DocumentShape(
    "records", payload: "records", [problem, .init("records", .list(.object(record)), "the records")])

  private static let events = DocumentShape(
    "events", payload: "events",
    [
      problem,
      .init(
        "events",
        .list(
          .object(
            Shape.Key.columns(MirrorEvent.columns, of: "events", as: ["type": SharedShapes.eventType]))),
        "setups, imports and exports"),
    ])
}
