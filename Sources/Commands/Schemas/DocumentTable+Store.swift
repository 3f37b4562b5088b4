import Diagnostics
import Discovery
import Evidence
import Lens
import StoreModel

extension DocumentTable {
  /// Finding stores, and what is in one.
  static let storeShapes = [find, summary, entities, size]

  // Whose a store is, as `Owner` and `StoreKeeper` say it.
  private static let app = Shape.Key(
    "app", .text.orNull, "the app's bundle identifier, if the place shows it")
  private static let group = Shape.Key("group", .text.orNull, "the app group, if the place shows it")
  private static let device = Shape.Key("device", .text.orNull, "the simulator's name and system")

  private static let find = DocumentShape(
    "find", store: .never, payload: "stores",
    [
      .init(
        "stores",
        .list(
          .object([
            .init("address", .text, "what other commands take: a path, or CONTAINER!/PATH"),
            .init("container", .words(FoundPlace.Container.self), "what it is in"),
            app, group, .init("domain", .text.orNull, "the domain in a device backup"),
            .init("devicePath", .text.orNull, "its path on the device, as far as that is known"),
            device, .init("isCopy", .bool, "storescope made it: a backup, or what 'restore' replaced"),
            .init("fileID", .text.orNull, "the name of its file in a device backup"),
            SharedShapes.damage,
            .init("bytes", .integer, "the size of the main file"),
            .init("walBytes", .integer, "the size of its -wal file"),
            .init(
              "externalBytes", .integer.orNull,
              "the size of the files in its folders; null in archives and backups"),
            .init("walMissing", .bool, "it uses a -wal file and has none, so newer commits may be missing"),
            .init("uuid", .uuid.orNull, "the store's identifier"),
            .init("frameworkVersion", .integer.orNull, "the version of Core Data that wrote it last"),
            .init("entities", .integer, "entities in it"),
            .init(
              "mirror", SharedShapes.layout.orNull, "the layout of its mirror; null if it isn't mirrored"),
            .init(
              "pending", .integer.orNull,
              "pending changes; null if it isn't mirrored, or they can't be counted"),
            .init("lastChange", .date, "the newest change"),
            .init("lastChangeSource", .words(StoreDigest.ChangeSource.self), "the source of that time"),
            .init(
              "copy", .text.orNull, "the path of the copy; null if it couldn't be made",
              if: "--copy-to is given"),
            .init(
              "copiedFiles",
              Shape.list(.object([.init("path", .text, "the file")] + SharedShapes.file)).orNull,
              "the copy's files", if: "--copy-to is given"),
          ])), "the stores that were found"),
      .init(
        "skipped",
        .list(
          .object([.init("address", .text, "the place"), .init("because", .text, "why it can't be read")])),
        "what looked like a store and can't be read"),
    ])

  private static let entityNames = ["name", "number", "parent", "table", "rows"]

  private static let entityFacts = Shape.Key.columns(
    entityNames, of: "entities",
    as: ["name": .text, "number": .integer, "table": .text, "rows": .integer])

  private static let summary = DocumentShape(
    "summary",
    [
      DocumentShape.Form("without --commits", payload: "entities", summaryKeys),
      DocumentShape.Form(
        "with --commits", payload: "commits",
        summaryKeys + [
          .init(
            "commits",
            .list(
              .object([
                .init("commitsAgo", .integer, "what --as-of-commit takes"),
                .init("saved", .date, "when its newest transaction was saved, if that is known"),
                .init("transaction", .integer.orNull, "that transaction"),
                .init(
                  "frame", .integer, "the last frame of the commit in the WAL; 0 for the main file alone"),
                .init("pages", .integer.orNull, "pages of the database after it"),
                .init("walBytes", .integer, "the size of the WAL up to it"),
              ])), "the commits in the WAL, newest first")
        ]),
    ])

  private static let tails: [WALIndex.Tail] = [
    .end, .incompleteFrame(bytes: 0), .earlierGeneration, .badFrame, .badHeader,
  ]
  private static let modelSources: [CoreDataStore.ModelSource] = [
    .cache, .file(path: "", version: ""), .tables(because: ""),
  ]

  private static let summaryKeys: [Shape.Key] = [
    .init("entities", .list(.object(entityFacts)), "the entities"),
    .init("history", SharedShapes.history, "persistent history"),
    .init(
      "mirror",
      .object([
        .init("present", .bool, "whether the store is mirrored to CloudKit"),
        .init("layout", SharedShapes.layout.orNull, "the layout of the mirror's tables"),
        .init("scope", SharedShapes.scope, "the database that it is mirrored to"),
        .init("zones", .integer.orNull, "record zones"), .init("records", .integer.orNull, "records"),
        .init("pending", .integer.orNull, "pending changes; null if they can't be counted"),
        .init("pendingProblem", .text.orNull, "why they can't be counted"),
        .init("verdict", .words(Verdict.State.self), "the state of sync"),
      ]), "the CloudKit mirror"),
    .init(
      "files",
      .object([
        .init("journal", .words(["wal", "rollback"]), "how SQLite keeps the file consistent"),
        .init("pageSize", .integer, "bytes of a page"), .init("bytes", .integer, "the size of the main file"),
        .init("walBytes", .integer, "the size of the -wal file"),
        .init("walFrames", .integer, "frames in it"),
        .init("walCommits", .integer, "commits in it"),
        .init("walTail", Shape.words(tails.map(\.name)).orNull, "what is behind its last commit"),
        .init("externalBytes", .integer.orNull, "the size of files next to the store; null if unreadable"),
        .init("hotJournal", .bool, "whether a rollback journal must be played back first"),
        .init("openedBy", .text.orNull, "the process that has it open"),
      ]), "the store's files"),
    app, group, device,
    .init(
      "model",
      .object([
        .init("source", .words(modelSources.map(\.name)), "the source of the model"),
        .init("entities", .integer, "entities in it"),
        .init("identifiers", SharedShapes.texts, "its version identifiers"),
      ]), "the model"), SharedShapes.damage,
    .init(
      "metadata", .map(.any), "the store's own metadata, as the framework wrote it", if: "--metadata is given"
    ),
    .init("notes", SharedShapes.texts, "what is odd about the store or its opening, one sentence each"),
  ]

  private static let entities = DocumentShape(
    "entities",
    [
      DocumentShape.Form(
        "without --diff", payload: "entities",
        [
          .init(
            "entities",
            .list(
              .object(
                entityFacts + [
                  .init("abstract", .bool, "it has no objects of its own", if: "it is abstract"),
                  .init(
                    "nameInStore", .text, "its name in the store, older than the model's", if: "it differs"),
                  .init("keysGone", .integer.orNull, "keys without a row; null for sub-entities"),
                  .init(
                    "keysGoneRanges",
                    .list(
                      .object([.init("first", .integer, "the first"), .init("last", .integer, "the last")])),
                    "which keys these are", if: "the entity was asked for"),
                  .init(
                    "keysGoneRangesComplete", .bool, "whether that is all of them",
                    if: "the entity was asked for"),
                  .init("properties", .list(.object(propertyKeys)), "its attributes and relationships"),
                ])), "the entities")
        ]),
      DocumentShape.Form(
        "with --diff", store: .ifAny, payload: "changes",
        [
          .init(
            "changes",
            .list(
              .object([
                .init("entity", .text, "the entity"),
                .init("property", .text.orNull, "the property; null for a change of the entity"),
                .init("change", .words(ModelChange.Kind.self), "what changes"),
                .init("before", .text.orNull, "what it was"), .init("after", .text.orNull, "what it becomes"),
                .init(
                  "migration", .words(ModelChange.Migration.self), "whether Core Data can migrate across it"),
                .init("code", .integer.orNull, "the error that it ends with if not"),
                .init("remedy", .text, "what to do about it"),
              ])), "the differences"),
          .init("from", .text, "the older model"), .init("to", .text, "the newer one"),
        ]),
    ])

  private static let propertyKeys = Shape.Key.columns(
    [
      "name", "kind", "type", "column", "optional", "destination", "inverse", "toMany", "ordered",
      "transient",
      "derived", "inherited", "externalStorage",
    ], of: "properties", as: ["name": .text, "kind": .words(["attribute", "relationship"]), "type": .text])

  private static let size = DocumentShape(
    "size", payload: "parts",
    [
      .init("bytes", .integer, "the size of the main file"),
      .init(
        "parts",
        .list(
          .object([
            .init("kind", .words(StoreSize.Kind.self), "what the part is for"),
            .init("name", .text, "the entity, table or index"), .init("bytes", .integer, "its size"),
            .init("rows", .integer.orNull, "its rows"), .init("table", .text.orNull, "its table"),
            .init("entities", SharedShapes.texts, "the entities whose objects are in it, the root first"),
          ])), "what uses the main file; the parts add up to 'bytes'"),
      .init("wal", .integer, "the size of the -wal file"),
      .init("onlyInWAL", .integer, "pages that the main file doesn't have yet, in bytes"),
      .init("external", .integer.orNull, "the size of files of external values; null if unreadable"),
      .init("assets", .integer.orNull, "the size of assets to be uploaded; null if unreadable"),
      .init(
        "properties",
        .list(
          .object([
            .init("entity", .text, "the entity that declares it"), .init("property", .text, "the attribute"),
            .init("bytes", .integer, "its values in the main file"), .init("values", .integer, "how many"),
            .init("externalBytes", .integer, "its values in files of their own"),
          ])), "binary and transformable attributes, the largest first"),
      SharedShapes.problems,
    ])
}
