import Operations
import Rendering
import SQLite
import Values

extension DocumentTable {
  /// What changes a store.
  static let operationShapes =
    [
      DocumentShape("resync", planned), DocumentShape("repair", planned + [advice]),
      DocumentShape("reset", planned), restore,
    ]

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
      .init("warnings", SharedShapes.texts, "what can go wrong, one sentence each"),
      .init("watch", .text, "how to see that it worked"), .init("instead", .text, "what else could be done"),
    ]), "what is to be done")

  private static let reading = Shape.named(
    "reading",
    [
      .init("verdict", SharedShapes.verdict, "the state of sync"),
      .init("counts", SharedShapes.pendingCounts, "pending changes by kind"),
      .init(
        "findings",
        .list(.object([.init("rule", .text, "the rule"), .init("count", .integer, "how many times")])),
        "what the doctor finds"),
    ])

  private static let planned = [
    DocumentShape.Form("without --apply", [plan]),
    DocumentShape.Form(
      "with --rehearse",
      [
        plan,
        .init(
          "rehearsal",
          .object([.init("before", reading, "the store now"), .init("after", reading, "after it")]),
          "what the change would do"),
      ]),
    DocumentShape.Form(
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
        .init("verified", SharedShapes.texts, "what was checked afterward, one sentence each"),
        .init("log", .text, "the file that records what was done"),
      ]),
  ]

  private static let advice = DocumentShape.Form(
    "without a repair's name", payload: "advice",
    [
      .init(
        "advice",
        .list(
          .object([
            .init("operation", .text, "the repair"), .init("risk", risk, "what can go wrong"),
            .init("does", .text, "what it does"),
            .init("rules", SharedShapes.texts, "the findings that it fixes"),
            .init("because", .text, "what was found"),
            .init("until", .text.orNull, "when its effect shows; null if that is at once"),
            .init("command", .text.orNull, "shows its plan; null if the store is inside a container"),
          ])), "repairs that the doctor's findings call for, the safest first"),
      .init(
        "refused",
        .list(
          .object([
            .init("operation", .text, "the repair"),
            .init("rules", SharedShapes.texts, "the findings that it would fix"),
            .init("because", .text, "why it can't be applied to this store"),
          ])), "repairs that the findings call for and that would be refused"),
      SharedShapes.damage,
    ])

  private static let restore = DocumentShape(
    "restore",
    [
      DocumentShape.Form(
        "with --rehearse", store: .never,
        [
          .init(
            "plan",
            .object([
              .init("store", .text, "the path to restore to"), .init("backup", .text, "the backup's folder"),
              .init("replaces", .bool, "whether anything is there now"), .init("bytes", .integer, "its size"),
              .init(
                "savedSince",
                Shape.object([
                  .init(
                    "state", .words(["unknown", "nothing", "diverged", "transactions"]), "what is known of it"
                  ),
                  .init("problem", .text, "why it isn't known", if: "the state is unknown"),
                  .init(
                    "differs", .integer, "the first transaction that differs", if: "the state is diverged"),
                  .init("first", .integer, "the first transaction", if: "the state is transactions"),
                  .init("last", .integer, "the last one", if: "the state is transactions"),
                  .init("newest", .date, "when the newest was saved", if: "there is one"),
                ]).orNull, "what was saved after the backup was made; null if no store is there"),
            ]), "what would be replaced")
        ]),
      DocumentShape.Form(
        "in the shell without BACKUP, or with a store in its place", store: .never, payload: "backups",
        [.init("backups", SharedShapes.texts, "the folders of the store's backups, newest first")]),
      DocumentShape.Form(
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
                "files", .list(.object([.init("path", .text, "the file")] + SharedShapes.file)), "its files"),
            ]), "what the backup is"),
          .init("replaced", .text.orNull, "the folder with the previous files; null if there were none"),
          .init("verified", .bool, "true: what was written was read again"),
        ]),
    ])
}
