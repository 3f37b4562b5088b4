import Diagnostics
import Lens
import QueryCatalog

extension DocumentTable {
  /// Objects, searches, SQL.
  static let objectShapes = [rows, show, search, query]

  private static let rows = DocumentShape(
    "rows", payload: "rows", [.init("rows", .list(SharedShapes.object), "the objects, by primary key")])

  /// A record with its decoded copy.
  static let record =
    Shape.Key.columns(
      MirrorRecord.columns.filter { !copied.contains($0) }, of: "records",
      as: ["state": .words(RecordState.self), "fields": .any])
    + Shape.Key.columns(MirrorRecord.columns.filter(copied.contains), of: "records").map {
      $0.only($0.name == "problem" ? "its copy can't be read" : "its copy was decoded")
    }

  private static let copied = ["changeTag", "created", "modified", "problem"]

  static let differences = Shape.Key(
    "differences",
    .list(
      .object([
        .init("property", .text, "the property"), .init("local", .any, "its value here"),
        .init("server", .any, "its value in the server's copy"),
      ])), "differences between the object and the server's copy")

  private static let show = DocumentShape(
    "show", payload: "object",
    [
      .init("object", SharedShapes.object, "the object"),
      .init("title", .text.orNull, "what people would recognize it by"),
      .init("verdict", SharedShapes.objectVerdict, "whether it is on the server, and why"), differences,
      .init("record", Shape.object(record).orNull, "its CloudKit record"),
      .init("changes", .list(.object(SharedShapes.change)), "its changes in history, oldest first"),
    ])

  private static let match: [Shape.Key] = [
    .init("uri", .uri, "the object's URI"), .init("entity", .text, "its entity"),
    .init("pk", .integer, "its primary key"), .init("property", .text, "the property that holds the text"),
    .init("snippet", .text, "the text, with what is around it"),
    .init("place", .text.orNull, "the path in a decoded value"),
    .init("title", .text.orNull, "what people would recognize the object by"),
  ]

  private static let search = DocumentShape(
    "search", payload: "matches",
    [
      .init("matches", .list(.object(match)), "matches in objects that exist"),
      .init(
        "deleted",
        .list(
          .object(
            match + [
              .init("deletedAt", .date, "when it was deleted"),
              .init("deletedBy", .text.orNull, "the author who deleted it"),
            ])), "matches in what is left of deleted objects"),
      .init("searchedFor", .text, "the text that was actually searched for"),
      .init("deletedCount", .integer.orNull, "matches in deleted objects; null if they weren't counted"),
      .init(
        "similar",
        .list(
          .object([
            .init("text", .text, "the text"), .init("uri", .uri, "an object that has it"),
            .init("property", .text, "the property that holds it"),
          ])), "similar strings, if nothing was found"),
    ])

  private static let query = DocumentShape(
    "query",
    [
      DocumentShape.Form(
        "rows of a query", payload: "rows",
        [
          .init("columns", SharedShapes.texts, "the columns, in order; a repeated name gets _2"),
          .init("rows", .list(.open([], "the row, with the query's columns as keys")), "the rows"),
        ]),
      DocumentShape.Form(
        "without a query, and with --list or --show", payload: "queries",
        [
          .init(
            "queries",
            .list(
              .object([
                .init("name", .text, "what 'query' takes"), .init("title", .text, "what it is about"),
                .init("shows", .text, "what a row is"),
                .init(
                  "parameters",
                  .list(
                    .object([
                      .init("name", .text, "what --param takes"),
                      .init("type", .words(SavedQuery.Parameter.Kind.self), "what a value must be"),
                      .init("meaning", .text, "what it does"),
                      .init("default", .text.orNull, "its value if none is given; null if one must be given"),
                    ])), "its parameters"),
                .init("sql", .text, "its text", if: "--show is given"),
              ])), "saved queries")
        ]),
      DocumentShape.Form(
        "with --views", payload: "views",
        [
          .init(
            "views",
            .list(
              .object(
                Shape.Key.columns(
                  ["name", "column", "type", "meaning"], of: "views",
                  as: [
                    "name": .text, "column": .text, "type": .words(View.ColumnType.self), "meaning": .text,
                  ]))), "one entry per column of a view")
        ]),
      DocumentShape.Form(
        "with --functions", payload: "functions",
        [
          .init(
            "functions",
            .list(
              .object([
                .init("name", .text, "the function"),
                .init("arguments", .text, "what is between its parentheses"),
                .init("meaning", .text, "what it returns"),
              ])), "SQL functions in addition to SQLite's own")
        ]),
    ])
}
