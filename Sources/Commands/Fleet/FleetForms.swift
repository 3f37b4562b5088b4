import Base
import Diagnostics
import Fleet
import Lens
import Rendering
import Reports

/// The JSON of `fleet`, apart from that of `fleet diff`.
enum FleetForms {
  private static let outcomes = Shape.object(outcomeFields.keys())

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
    "with report", kind: "fleet-report", store: .never, FleetReport.fields.keys())

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
