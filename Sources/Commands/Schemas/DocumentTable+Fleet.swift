import Diagnostics
import Fleet
import Rendering
import Reports
import Values

extension DocumentTable {
  /// Many stores.
  static let fleetShapes = [
    DocumentShape("fleet", [run, fleetReport, fleetDiff, answer, rowOfDataset])
  ]

  private static let outcomes = Shape.object(
    Health.allCases.map { .init($0.rawValue, .integer, "stores with this outcome") })

  private static let run = DocumentShape.Form(
    "with --to", store: .never, payload: "datasets",
    [
      .init("folder", .text, "the folder"), .init("stores", .integer, "stores that were examined"),
      .init("outcomes", outcomes, "how they are doing"),
      .init("failed", .integer, "addresses that couldn't be examined"),
      .init(
        "failures",
        .object(
          StoreFailure.Kind.allCases.map { .init($0.rawValue, .integer, "addresses", if: "there are any") }),
        "why they couldn't be"),
      .init(
        "leftOut", .list(.text),
        "addresses of SQLite databases that aren't stores of Core Data; with --mirrored also of stores that aren't mirrored"
      ),
      .init(
        "datasets",
        .list(
          .object([
            .init("name", .words(Dataset.all.map(\.name)), "the table"), .init("rows", .integer, "its rows"),
            .init(
              "files",
              .list(
                .object(
                  [.init("file", .text, "the file"), .init("rows", .integer, "its rows")]
                    + SharedShapes.file)), "its files in the folder"),
          ])), "the tables that were written"),
    ])

  // MARK: - report

  private static let fleetReport = DocumentShape.Form(
    "with report", kind: "fleet-report", store: .never, FleetReport.fields.keys())

  // MARK: - diff

  private static let fleetDiff = DocumentShape.Form(
    "with diff", kind: "fleet-diff", store: .never, payload: "changes",
    [
      .init("before", .text, "the first folder"), .init("after", .text, "the second one"),
      .init(
        "stores",
        .object([
          .init("before", .integer, "addresses before"), .init("after", .integer, "addresses after"),
          .init("same", .integer, "stores in both"), .init("new", .integer, "new stores"),
          .init("gone", .integer, "stores that are gone"), .init("moved", .integer, "stores that moved"),
          .init("outcomeChanged", .integer, "stores with another outcome"),
        ]), "how many there are"),
      .init(
        "outcomes",
        .list(
          .object([
            .init("outcome", outcome, "the outcome, or why a store couldn't be examined"),
            .init("before", .integer, "addresses before"), .init("after", .integer, "addresses after"),
          ])), "how the stores are doing"),
      .init(
        "rules",
        .list(
          .object([
            .init("rule", .text, "the rule's id"), severity, title,
            .init("before", .integer, "stores with the finding before"),
            .init("after", .integer, "stores with it after"),
            .init("new", .integer, "stores that have it only after"),
            .init("gone", .integer, "stores that had it only before"),
          ])), "findings by rule, errors first"),
      .init(
        "changes",
        .list(
          .object([
            .init("change", .words(FleetComparison.Kind.self), "what is different"),
            .init("address", .text, "the store"),
            .init("formerAddress", .text.orNull, "its previous address, if it moved"),
            .init("rule", .text.orNull, "the rule of a finding"), severity, title,
            .init("before", outcome.orNull, "the outcome or failure before"),
            .init("after", outcome.orNull, "the outcome or failure after"),
          ])), "all differences"),
    ])

  private static let outcome = Shape.words(
    Health.allCases.map(\.rawValue) + StoreFailure.Kind.allCases.map(\.rawValue))

  private static let severity = Shape.Key("severity", SharedShapes.severity.orNull, "how bad a finding is")
  private static let title = Shape.Key("title", .text.orNull, "what its rule finds, in a few words")

  // MARK: - Lines of --stdin

  private static let answer = DocumentShape.Form(
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

  private static let rowOfDataset = DocumentShape.Form(
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
    case .texts: self = SharedShapes.texts.orNull
    }
  }
}
