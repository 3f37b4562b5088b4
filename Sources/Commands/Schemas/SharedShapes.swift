import Archives
import Diagnostics
import Explanations
import Lens
import Values

/// What several documents have.
enum SharedShapes {
  static let store = Shape.named(
    "store",
    [
      .init("path", .text, "as it was given, or found"),
      .init("uuid", .uuid.orNull, "the store's identifier"),
      .init("frameworkVersion", .integer.orNull, "the version of Core Data that wrote it last"),
      .init("redacted", .bool, "true: its values are placeholders", if: "it is a redacted copy"),
    ])

  static let blob = Shape.named(
    "blob",
    [
      .init(
        "blob",
        .object([
          .init("bytes", .integer.orNull, "how many there are; null if they can't be read"),
          .init("kind", .words(BlobKind.allCases.map(\.rawValue) + ["link", "unreadable"]), "what they are"),
          .init("sha256", .hash.orNull, "their hash"),
        ]), "the bytes, which stay in the store"),
      .init("value", .any, "their content", if: "it can be decoded"),
      .init("externalFile", .text, "the file that has them", if: "they are in a file that can't be read"),
      .init("problem", .text, "why they can't be read", if: "they can't be"),
    ])

  static let texts = Shape.list(.text)

  static let problems = Shape.Key("problems", texts, "what couldn't be read, one sentence each")

  static let damage = Shape.Key(
    "damage", .text.orNull, "what is damaged, a clause; null if nothing shows at a glance")

  static let tokenBytes = Shape.object([
    .init("bytes", .integer, "of the token", if: "it can be read"),
    .init("archiveBytes", .integer, "of the archive that it is in"),
    .init("problem", .text, "why it can't be read", if: "it can't be"),
  ]).orNull

  /// Of the mirror as a whole.
  static let verdict = Shape.named(
    "verdict",
    [
      .init("state", .words(Verdict.State.self), "the state of sync"),
      .init("because", texts, "why, one sentence each, the most important first"),
      .init("noise", texts, "failures that are harmless, one sentence each"),
    ])

  /// Of one object.
  static let objectVerdict = Shape.object([
    .init("state", .words(ObjectVerdict.State.self), "the state of the object"),
    .init("since", .date, "since when"),
    .init("reasons", texts, "why, one sentence each"),
    .init("fix", .text.orNull, "what to do; null if there is nothing to do, or no fix is known"),
  ])

  static let severity = Shape.words(Severity.self)

  static let finding = Shape.named(
    "finding",
    [
      .init("rule", .text, "the rule's id, as 'explain' and 'rules' take it"),
      .init("severity", severity, "how bad it is"),
      .init("title", .text, "what the rule finds, in a few words"),
      .init("message", .text, "what it found, in sentences"),
      .init("count", .integer, "how many times"),
      .init("known", .integer, "how many more are in the baseline"),
      .init("why", .text, "why it matters"),
      .init("nextLaunch", .text, "what the app's next launch does about it"),
      .init("objects", .list(.text), "the objects, by URI; at most 100, or as many as --limit allows"),
      .init(
        "evidence", .list(.open([], "what was found, with keys of the rule's own")),
        "one entry per case; at most 100, or as many as --limit allows"),
      .init("remedy", .text, "how to fix it"),
    ])

  /// What the doctor did.
  static let diagnosis: [Shape.Key] = [
    .init("findings", .list(finding), "what was found, one per rule"),
    .init("checked", texts, "the rules that were checked"),
    .init(
      "skipped",
      .list(
        .object([
          .init("rule", .text, "the rule's id"), .init("because", .text, "why the store can't show it"),
        ])), "rules that couldn't be checked, or not on everything"),
  ]

  static let history = Shape.named(
    "history",
    [
      .init("present", .bool, "whether the store keeps a history"),
      .init("transactions", .integer, "saves in it"), .init("changes", .integer, "changes of objects"),
      .init("first", .date, "the oldest"), .init("last", .date, "the newest"),
    ])

  /// The layout of the mirror's tables.
  static let layout = Shape.words(MirrorLayout.self)

  static let scope = Shape.words(DatabaseScope.allCases.map(\.name)).orNull

  static let pendingCounts = Shape.named(
    "pendingCounts",
    PendingItem.Kind.allCases.map { .init($0.plural, .integer, "how many of the kind \($0.rawValue)") })

  static let pendingKind = Shape.words(PendingItem.Kind.self)

  static let states = RecordState.allCases.map(\.rawValue)

  static let pendingItem = Shape.Key.columns(
    PendingItem.columns, of: "pending", as: ["kind": pendingKind, "reason": .text])

  static let eventType = Shape.known(MirrorEvent.Kind.allCases.map(\.name))

  static let file: [Shape.Key] = [
    .init("bytes", .integer, "its size"), .init("sha256", .hash, "its hash"),
  ]

  static let change = Shape.Key.columns(
    HistoryRows.columns.map(\.name), of: "changes",
    as: [
      "transaction": .integer.orNull, "change": .known(ChangeKind.allCases.map(\.name)),
      "properties": texts.orNull, "unsure": texts.orNull,
      "tombstone": Shape.map(.any).orNull,
    ])

  static let before = Shape.Key(
    "before", .map(.any), "the values that the object's newest update replaced, from the WAL",
    if: "it is that update, one of at most 10 changes of one object, and the WAL goes back that far")

  /// Changes counted by what `key` is.
  static func group(_ key: Shape.Key) -> [Shape.Key] {
    groupCounts(key) + [
      .init("first", .date, "the oldest save"), .init("last", .date, "the newest save"),
      .init("bundles", texts, "bundle identifiers of the programs"),
      .init("processes", texts, "the programs"), .init("contexts", texts, "names of their contexts"),
    ]
  }

  static func groupCounts(_ key: Shape.Key) -> [Shape.Key] {
    [
      key, .init("transactions", .integer, "saves"), .init("inserts", .integer, "objects inserted"),
      .init("updates", .integer, "objects updated"), .init("deletes", .integer, "objects deleted"),
    ]
  }

  /// What every object has, with its properties under their own names.
  static let object = Shape.open(
    [
      .init("uri", .uri, "the object's URI"), .init("pk", .integer, "its primary key"),
      .init("entity", .text, "its entity"),
    ],
    "an object with its properties under the model's names: attributes, to-one relationships as URI or null, to-many ones as lists of URIs; a property called uri, pk or entity is 'property.NAME'"
  )
}
