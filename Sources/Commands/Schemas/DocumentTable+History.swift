import Comparison
import Lens
import Rendering
import Values

extension DocumentTable {
  /// What happened.
  static let historyShapes = [diff]

  private static let both: [Shape.Key] = [
    .init("store", .integer, "in the first store"), .init("other", .integer, "in the other one"),
  ]

  private static let values = Shape.list(ObjectRows.shape)

  private static let diffEntity =
    counted + compared.map { $0.only("objects are compared") } + listed
    + unmatched.map { $0.only("objects are matched by record") }

  private static let counted: [Shape.Key] = [
    .init("name", .text, "the entity"), .init("rows", .object(both), "objects of it"),
    .init("addedCount", .integer, "objects that only the other store has"),
    .init("removedCount", .integer, "objects that only the first store has"),
    .init("changedCount", .integer, "objects that differ"),
    .init(
      "unmatchedCount", .object(both), "objects without a record to match them by",
      if: "objects are matched by record"),
  ]

  private static let compared: [Shape.Key] = [
    Shape.Key("added", .list(.uri), "objects that only the other store has"),
    .init("removed", .list(.uri), "objects that only the first store has"),
    .init(
      "changed",
      .list(
        .object([
          .init("uri", .uri, "the object"),
          .init("other", .uri, "the same object in the other store", if: "it has another URI there"),
          .init("title", .text.orNull, "what people would recognize it by"),
          .init(
            "properties",
            .list(
              .either([
                .object([
                  .init("name", .text, "the property"), .init("from", .any, "its value in the first store"),
                  .init("to", .any, "its value in the other one"),
                ]),
                .object([
                  .init("name", .text, "the relationship"),
                  .init("removed", .list(.text), "links that are gone"),
                  .init("added", .list(.text), "links that are new"),
                  .init("reordered", .bool, "whether the links have another order"),
                ]),
              ])), "what differs"),
        ])), "objects that differ"),
  ]

  private static let listed: [Shape.Key] = [
    .init("addedObjects", values, "those in 'added', with their values", if: "there are some"),
    .init("removedObjects", values, "those in 'removed', with their values", if: "there are some"),
  ]

  private static let unmatched: [Shape.Key] = [
    Shape.Key(
      "unmatchedInStore", .list(.uri), "objects of the first store without a record to match them by"),
    .init("unmatchedInOther", .list(.uri), "the same of the other store"),
  ]

  private static let groups: Shape = .object([
    .init("transactions", .integer, "saves"), .init("changes", .integer, "changes"),
    .init("first", .date, "the oldest"), .init("last", .date, "the newest"),
    .init("authors", .list(.object(HistoryGroup.counts("author", "the author").keys())), "by author"),
  ])

  private static let setting = Shape.list(
    .object([
      .init("name", .text, "what it is of"), .init("property", .text, "what differs"),
      .init("from", .any, "in the first store"), .init("to", .any, "in the other one"),
    ]))

  private static let events = Shape.list(
    .object([
      .init("type", SharedShapes.eventType, "the type"), .init("count", .integer, "how many"),
      .init("failed", .integer, "how many of them failed"),
    ])
  ).orNull

  private static let state = Shape.words(SharedShapes.states).orNull

  private static let transition: [Shape.Key] = [
    .init("from", state, "the state in the first store; null if it has no such record"),
    .init("to", state, "the state in the other one"),
  ]

  private static let diff = DocumentShape(
    "diff", payload: "entities",
    [
      .init("commitsAgo", .integer.orNull, "how many commits ago the first store is shown"),
      .init(
        "other",
        .object([
          .init("path", .text, "as it was given"), .init("uuid", .uuid.orNull, "its identifier"),
          .init("frameworkVersion", .integer.orNull, "the version of Core Data that wrote it last"),
          .init("commitsAgo", .integer.orNull, "how many commits ago it is shown"),
        ]), "the other store"),
      .init(
        "matchedBy", Shape.words(Matching.self).orNull,
        "how objects are matched; null if they aren't compared"),
      .init("differs", .bool, "whether anything does"),
      .init(
        "counts",
        .object([
          .init("added", .integer, "objects that only the other store has"),
          .init("removed", .integer, "objects that only the first store has"),
          .init("changed", .integer, "objects that differ"),
        ]), "over all entities"),
      .init("entities", .list(.object(diffEntity)), "objects by entity"),
      .init(
        "model",
        Shape.object([
          .init("newEntities", SharedShapes.texts, "entities that only the other store has"),
          .init("goneEntities", SharedShapes.texts, "entities that only the first store has"),
          .init(
            "properties",
            .list(
              .object([
                .init("entity", .text, "the entity"), .init("name", .text, "the property"),
                .init("from", .text.orNull, "what it is in the first store"),
                .init("to", .text.orNull, "what it is in the other one"),
              ])), "properties that differ"),
        ]).orNull, "the model; null if it isn't compared"),
      .init(
        "history",
        Shape.object([
          .init("comparable", .bool, "whether the two have a common history"),
          .init("commonUpTo", .integer.orNull, "the last transaction that both have"),
          .init("diverged", .bool, "whether both went on from there"),
          .init("new", groups, "what only the other store has"),
          .init("lost", groups, "what only the first store has"),
          .init("purged", .integer, "transactions that the other store has purged"),
          .init("store", SharedShapes.history, "the first store's"),
          .init("other", SharedShapes.history, "the other's"),
        ]).orNull, "persistent history; null if it isn't compared"),
      .init(
        "mirror",
        Shape.object([
          .init(
            "states", .list(.object([.init("state", .words(SharedShapes.states), "the state")] + both)),
            "records by state"),
          .init("movedCount", .integer, "records whose state differs"),
          .init(
            "transitions", .list(.object(transition + [.init("records", .integer, "how many")])),
            "the same by states"),
          .init(
            "moved",
            .list(
              .object(
                MirrorRecord.fields.only(["recordName", "zone", "uri"]).keys().map {
                  $0.name == "recordName" ? $0.being(.text) : $0
                } + transition
              )), "records whose state differs"),
          .init("zones", setting, "zones"), .init("databases", setting, "databases"),
          .init("entries", setting, "the mirror's own metadata"),
          .init("newEvents", events, "events that only the other store has; null if they can't be matched"),
          .init("goneEvents", events, "events that only the first store has"),
          .init("changedEvents", events, "events of both that differ, such as those that have ended since"),
          .init(
            "tables", setting,
            "rows of the mirror's other tables; none if events can't be matched"),
        ]).orNull, "the mirror; null if it isn't compared"),
      .init(
        "findings",
        Shape.object(
          [
            .init(
              "comparedBy", .words(["finding", "count"]),
              "whether findings are compared, or only their counts")
          ] + both + [
            .init("new", .list(SharedShapes.finding), "what is found only in the other store"),
            .init("gone", .list(SharedShapes.finding), "what is found only in the first store"),
          ]
        ).orNull, "what the doctor finds; null if it isn't compared"),
    ])
}
