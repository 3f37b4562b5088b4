import Base
import Operations
import Rendering
import SQLite

/// The JSON of what changes a store.
enum OperationForms {
  private static let risk = Shape.words(Risk.self)
  private static let action = Shape.words(RowChange.self)

  private static let plan = Shape.Key(
    "plan",
    .object([
      .init("operation", .text, "what is to be done"),
      .init("risk", risk, "what can go wrong when the app runs again"),
      .init(
        "preconditions",
        .list(
          .object([
            .init("name", .text, "the condition"), .init("holds", .bool, "whether it holds"),
            .init("why", .text, "why, in a sentence"),
          ])), "all must hold"),
      .init(
        "steps",
        .list(
          .object([
            .init("table", .text, "the table"), .init("action", action, "what happens to its rows"),
            .init("rows", .integer, "how many rows"), .init("purpose", .text, "what it is for"),
          ])), "what changes"),
      .init("effect", .text, "what the app's next launch does then"),
      .init("warnings", .texts, "what can go wrong, one sentence each"),
      .init("watch", .text, "how to see that it worked"), .init("instead", .text, "what else could be done"),
    ]), "what is to be done")

  static let planned = [
    DocumentForm("without --apply", [plan]),
    DocumentForm(
      "with --rehearse",
      [
        plan,
        .init(
          "rehearsal",
          .object([
            .init("before", StoreReading.shape, "the store now"),
            .init("after", StoreReading.shape, "after it"),
          ]),
          "what the change would do"),
      ]),
    DocumentForm(
      "with --apply",
      [
        plan, .init("backup", .text, "the folder with the backup, which 'restore' takes"),
        .init(
          "applied",
          .list(
            .object([
              .init("table", .text, "the table"), .init("action", action, "what happened to its rows"),
              .init("rows", .integer, "how many rows"),
            ])), "what was changed"),
        .init("verified", .texts, "what was checked afterward, one sentence each"),
        .init("log", .text, "the file that records what was done"),
      ]),
  ]

  static let restore =
    [
      DocumentForm(
        "with --rehearse", store: .never,
        [.init("plan", RestorePlan.shape, "what would be replaced")]),
      DocumentForm(
        "in the shell without BACKUP, or with a store in its place", store: .never, payload: "backups",
        [.init("backups", .texts, "the folders of the store's backups, newest first")]),
      DocumentForm(
        "otherwise",
        [
          .init("backup", .text, "the backup's folder"),
          .init(
            "manifest",
            .object([
              .init("schema", .words([BackupManifest.schema]), "the manifest's kind and version"),
              .init("version", .text, "the version of the program that made it"),
              .init("operation", .text, "what it was made before"), .init("time", .date, "when"),
              .init(
                "store",
                .object([
                  .init("path", .text, "the store's path at that time"),
                  .init("uuid", .uuid, "its identifier"),
                ]),
                "the store"),
              .init(
                "files", .list(.object([.init("path", .text, "the file")] + FileCopy.Measure.fields.keys())),
                "its files"),
            ]), "what the backup is"),
          .init("replaced", .text.orNull, "the folder with the previous files; null if there were none"),
          .init("verified", .bool, "true: what was written was read again"),
        ]),
    ]
}
