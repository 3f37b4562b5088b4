import Diagnostics
import Fleet
import Lens
import Rendering
import Reports
import SystemCalls
import Values

/// The JSON of `fleet`, apart from that of `fleet diff`.
enum FleetForms {
  private static let stores = Shape.Key("stores", .integer, "in how many stores")

  private static let outcomes = Shape.object(outcomeFields.keys())

  private static let version: [Shape.Key] = [
    .init("app", .text.orNull, "the app; null if the place doesn't show it"),
    .init("appVersion", .text.orNull, "its version; null if it isn't known"),
  ]

  // MARK: - A run

  static let run = DocumentForm("with --to", store: .never, payload: "datasets", runFields.keys())

  typealias Run = (folder: String, tally: FleetTally, leftOut: [String], files: [FleetFolder.Files])
  static let runFields: [Field<Run>] = [
    Field("folder", "the folder") { $0.folder },
    Field("stores", "stores that were examined") { $0.tally.stores },
    Field("outcomes", outcomes, "how they are doing") { outcomeFields.object(of: $0.tally) },
    Field("failed", "addresses that couldn't be examined") { $0.tally.failed },
    Field("failures", .object(failureFields.keys()), "why they couldn't be") {
      failureFields.object(of: $0.tally)
    },
    Field(
      "leftOut",
      "addresses of SQLite databases that aren't stores of Core Data; with --mirrored also of stores that aren't mirrored"
    ) { $0.leftOut },
    Field("datasets", .list(.object(datasetFields.keys())), "the tables that were written") {
      $0.files.map(datasetFields.object)
    },
  ]

  private static let outcomeFields: [Field<FleetTally>] = Health.allCases.map { health in
    Field(health.rawValue, "stores with this outcome") { $0.outcomes[health.rawValue] ?? 0 }
  }

  private static let failureFields: [Field<FleetTally>] = StoreFailure.Kind.allCases.map { kind in
    Field(kind.rawValue, "addresses", if: "there are any") { $0.failures[kind.rawValue] }
  }

  private static let datasetFields: [Field<FleetFolder.Files>] = [
    Field("name", .words(Dataset.all.map(\.name)), "the table") { $0.dataset.name },
    Field("rows", "its rows") { $0.rows },
    Field(
      "files",
      .list(
        .object(
          [.init("file", .text, "the file"), .init("rows", .integer, "its rows")]
            + FileCopy.Measure.fields.keys())), "its files in the folder"
    ) { $0.files },
  ]

  // MARK: - report

  static let report = DocumentForm(
    "with report", kind: "fleet-report", store: .never,
    [
      .init(
        "report",
        .object(Report.Origin.fields({ (origin: Report.Origin) in origin }, contains: { _ in "" }).keys()),
        "about the report itself"),
      .init(
        "stores",
        .object([
          .init("found", .integer, "addresses"), .init("examined", .integer, "stores that were examined"),
          .init("failed", .integer, "addresses that couldn't be examined"),
          .init("outcomes", outcomes, "how the stores are doing"),
          .init("launchWipes", .integer, "stores whose data the app's next launch deletes"),
          .init("launchLosesData", .integer, "stores that lose data at the app's next launch"),
        ]), "how many there are"),
      .init(
        "versions", .list(.object(version + [stores, .init("outcomes", outcomes, "how they are doing")])),
        "versions of apps"),
      .init(
        "findings",
        .list(
          .object([
            .init("rule", .text, "the rule's id"), .init("severity", .words(Severity.self), "how bad it is"),
            .init("title", .text, "what the rule finds, in a few words"), stores,
            .init("occurrences", .integer, "how many times in all of them"),
            .init("versions", .list(.object(version + [stores])), "the versions of apps that have it"),
          ])), "what the doctor finds, errors first, then the most common"),
      .init("pending", .object(pendingOfFleet), "pending changes"),
      .init(
        "events",
        .object([
          .init("runs", .integer, "setups, imports and exports"),
          .init(
            "failures",
            .list(
              .object([
                .init("type", MirrorEvent.type, "the type of run"), .init("error", .text, "the error"),
                .init("count", .integer, "how many times"), stores, .init("first", .date, "the first time"),
                .init("last", .date, "the last time"),
                .init("isNoise", .bool, "it is harmless if later runs succeed"),
                .init("meaning", .text, "what the error means"),
              ])), "failures by type and error"),
        ]), "runs of the mirror"),
      .init(
        "history",
        .object([.init("transactions", .integer, "saves"), .init("changes", .integer, "changes of objects")]),
        "persistent history"),
      .init(
        "models",
        .list(.object([.init("modelVersions", .texts, "version identifiers"), stores])), "models"),
      .init(
        "frameworks", .list(.object([.init("framework", .text, "the framework's release"), stores])),
        "frameworks that wrote the stores"),
      .init(
        "failures",
        .list(
          .object([
            .init("failure", .words(StoreFailure.Kind.self), "why"), .init("stores", .integer, "addresses"),
          ])), "why addresses couldn't be examined"),
      .init(
        "worst",
        .list(
          .object(
            [
              .init("storeId", .text, "what identifies the store in the tables"),
              .init("address", .text, "its address"),
            ] + version + [
              .init("outcome", .words(Health.self), "how it is doing"),
              .init("launchWipes", .bool, "whether the app's next launch deletes its data"),
              .init("errors", .integer, "errors found"), .init("warnings", .integer, "warnings found"),
              .init("pending", .integer, "pending changes"), .init("lastChange", .date, "its newest change"),
              .init("cause", .text.orNull, "its worst finding in a few words; null if it has none"),
              .init("report", .text.orNull, "the page about it next to this one; null if there is none"),
            ])), "the stores that are worst off"),
      .init(
        "unreadable",
        .list(
          .object([
            .init("address", .text, "its address"),
            .init("failure", .words(StoreFailure.Kind.self), "why"),
            .init("message", .text.orNull, "what happened; null unless values are included"),
          ])), "the first of the addresses that couldn't be examined"),
    ])

  private static let pendingOfFleet: [Shape.Key] = [
    .init("changes", .integer, "how many"), stores, .init("oldest", .date, "since when the oldest"),
    .init(
      "hours50", .integer.orNull,
      "half of the stores have waited for so many hours at most; null if none has pending changes"),
    .init("hours90", .integer.orNull, "the same for 90% of them"),
    .init("hours99", .integer.orNull, "the same for 99% of them"),
    .init(
      "reasons",
      .list(
        .object([
          .init("kind", .words(PendingItem.Kind.self), "the kind"),
          .init("reason", .text, "why they are pending"), stores, .init("changes", .integer, "how many"),
          .init("oldest", .date, "since when the oldest"),
        ])), "by kind and reason"),
  ]

  // MARK: - Lines of --stdin

  static let answer = DocumentForm(
    lines: "of --stdin",
    .either([
      .object(
        [
          .init("storeId", .hash, "what identifies the store"),
          .init("address", .text, "the line of the input"),
        ]
          + ["summary", "doctor", "pending", "size"].map {
            Shape.Key(
              $0, .orNull(.document($0)), "what '\($0)' prints; null if the store is too damaged for it")
          }),
      .object([
        .init("address", .text, "the line of the input"),
        .init(
          "failure",
          .object([
            .init("failure", .words(StoreFailure.Kind.self), "why"),
            .init("message", .text, "the same in a sentence"),
          ]), "why the store couldn't be examined"),
      ]),
    ]))

  static let rowOfDataset = DocumentForm(
    lines: "of --stdin --rows, and without 'dataset' of the files in the folder",
    .either(
      Dataset.all.map { dataset in
        .object(
          [Shape.Key("dataset", .words([dataset.name]), dataset.meaning)]
            + dataset.columns.map { Shape.Key($0.name, Shape($0.type), $0.meaning) })
      }))
}

extension Shape {
  fileprivate init(_ type: Dataset.ColumnType) {
    switch type {
    case .text: self = .text.orNull
    case .integer: self = .integer.orNull
    case .boolean: self = .bool.orNull
    case .date: self = .date
    case .texts: self = Shape.texts.orNull
    }
  }
}
