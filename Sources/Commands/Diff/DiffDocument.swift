package import Base
package import Comparison
import Diagnostics
import Lens
import Rendering

/// What `diff` prints for machines; `DiffText` has what people see.
struct DiffDocument {
  private let comparison: StoreComparison
  private let session: Session
  private let other: Session
  private let identities: (store: StoreIdentity, other: StoreIdentity)

  init(_ comparison: StoreComparison, _ session: Session, _ other: Session) throws {
    self.comparison = comparison
    self.session = session
    self.other = other
    identities = (try session.identity(), try other.identity())
  }

  /// - Parameters:
  ///   - examples: of each kind of difference, in what people see; nil for some.
  ///   - hasValues: whether people and CSV see values of added and removed objects; JSON always has them.
  func document(listsObjects: Bool, examples: Int?, hasValues: Bool) throws -> Document {
    let entities = comparison.entities
    let objects = DiffObjects(
      comparison, stores: (try session.open().store, try other.open().store),
      uuids: (identities.store.uuid ?? "", identities.other.uuid ?? ""))
    let shown = DiffText(
      comparison,
      examples: listsObjects
        ? DiffExamples(
          comparison, objects, most: examples, hasValues: hasValues, opensOther: session.path == other.path)
        : nil)
    let listed = Document.Field(
      Self.entities.name,
      objects: try entities.indices.map { index in
        Document.fields(Self.counts(isByRecord: comparison.matching != .key), of: entities[index])
          + (listsObjects ? try objects.fields(index) : [])
      },
      flat: listsObjects ? objects.flat(hasValues: hasValues) : entities.counts(under: "name"))
    return Document(
      command: "diff", store: identities.store, other: identities.other,
      fields: Document.fields(Self.whole, of: self) + [listed] + Document.fields(Self.parts, of: comparison),
      payload: Self.entities.name, blocks: shown.blocks(from: name(session), to: name(other)))
  }

  private func name(_ session: Session) -> String {
    let ago = session.asOfCommit ?? 0
    let when = Session.asOf(ago).map { " \($0)" } ?? ""
    // Two copies of one store have one name.
    let isTold = Platform.fileName(self.session.path) != Platform.fileName(other.path)
    return (isTold || self.session.path == other.path ? Platform.fileName(session.path) : session.path) + when
  }

  // MARK: - JSON

  static let form = DocumentForm(
    payload: entities.name, whole.keys() + [entities] + parts.keys())

  private static let whole: [Field<Self>] = [
    Field("commitsAgo", "how many commits ago the first store is shown") { $0.session.asOfCommit },
    Field(
      "other",
      .object(
        StoreIdentity.fields.keys()
          + [.init("commitsAgo", .integer.orNull, "how many commits ago it is shown")]), "the other store"
    ) { diff in
      DataValue.object(
        StoreIdentity.fields.members(of: diff.identities.other)
          + [.init("commitsAgo", .optional(diff.other.asOfCommit))])
    },
    Field("matchedBy", .words(Matching.self), "how objects are matched; null if they aren't compared") {
      $0.comparison.matching?.rawValue
    },
    Field("differs", "whether anything does") { !$0.comparison.isEmpty },
    Field("counts", .object(sums.keys()), "over all entities") { sums.object(of: $0.comparison.entities) },
  ]

  private static let sums: [Field<[EntityDifference]>] = DiffObjects.Change.allCases.map { change in
    Field(change.rawValue, change.meaning) { $0.reduce(0) { $0 + $1[change].count } }
  }

  private static let entities = Shape.Key(
    "entities", .list(.object(counts(isByRecord: true).keys() + DiffObjects.keys)), "objects by entity")

  private static func counts(isByRecord: Bool) -> [Field<EntityDifference>] {
    [
      Field("name", "the entity") { $0.name },
      Field("rows", .object(both.keys()), "objects of it") { both.object(of: $0.rows) },
    ]
      + DiffObjects.Change.allCases.map { change in
        Field(change.rawValue + "Count", change.meaning) { $0[change].count }
      }
      + [
        Field(
          "unmatchedCount", .object(both.keys()), "objects without a record to match them by",
          if: DiffObjects.areMatchedByRecord
        ) {
          isByRecord
            ? both.object(of: ($0.unmatched.store.count, $0.unmatched.other.count)) : Optional<DataValue>.none
        }
      ]
  }

  static let both: [Field<(store: Int, other: Int)>] = [
    Field("store", "in the first store") { $0.store }, Field("other", "in the other one") { $0.other },
  ]

  private static let parts: [Field<StoreComparison>] = [
    Field("model", "the model; null if it isn't compared") { $0.model },
    Field("history", "persistent history; null if it isn't compared") { $0.history },
    Field("mirror", "the mirror; null if it isn't compared") { $0.mirror },
    Field("findings", "what the doctor finds; null if it isn't compared") { $0.findings },
  ]
}

extension ModelComparison: HasFields {
  package static let fields: [Field<Self>] = [
    Field("newEntities", "entities that only the other store has") { $0.newEntities },
    Field("goneEntities", "entities that only the first store has") { $0.goneEntities },
    Field("properties", .list(.object(propertyFields.keys())), "properties that differ") {
      $0.properties.map(propertyFields.object)
    },
  ]

  private static let propertyFields: [Field<Property>] = [
    Field("entity", "the entity") { $0.entity }, Field("name", "the property") { $0.name },
    Field("from", "what it is in the first store") { $0.from },
    Field("to", "what it is in the other one") { $0.to },
  ]
}

extension HistoryComparison: HasFields {
  package static let fields: [Field<Self>] = [
    Field("comparable", "whether the two have a common history") { $0.base != nil },
    Field("commonUpTo", "the last transaction that both have") { $0.base },
    Field("diverged", "whether both went on from there") { $0.isDiverged },
    Field("new", .object(groups.keys()), "what only the other store has") { groups.object(of: $0.new) },
    Field("lost", .object(groups.keys()), "what only the first store has") { groups.object(of: $0.lost) },
    Field("purged", "transactions that the other store has purged") { $0.purged },
    Field("store", HistorySummary.shape, "the first store's") {
      HistorySummary.fields.object(of: $0.summaries.store)
    },
    Field("other", HistorySummary.shape, "the other's") {
      HistorySummary.fields.object(of: $0.summaries.other)
    },
  ]

  private static let groups: [Field<[HistoryGroup]>] = [
    Field("transactions", "saves") { $0.reduce(0) { $0 + $1.transactions } },
    Field("changes", "changes") { $0.reduce(0) { $0 + $1.changes.total } },
    Field("first", "the oldest") { $0.compactMap(\.first).min() },
    Field("last", "the newest") { $0.compactMap(\.last).max() },
    Field("authors", .list(.object(byAuthor.keys())), "by author") { $0.map(byAuthor.object) },
  ]
  private static let byAuthor = HistoryGroup.counts("author", "the author")
}

extension MirrorComparison: HasFields {
  package static let fields: [Field<Self>] = [
    Field("states", .list(.object(stateFields.keys())), "records by state") {
      $0.states.sorted { $0.key < $1.key }.map(stateFields.object)
    },
    Field("movedCount", "records whose state differs") { $0.transitions.values.reduce(0, +) },
    Field("transitions", .list(.object(transitionFields.keys())), "the same by states") {
      $0.sortedTransitions.map(transitionFields.object)
    },
    Field("moved", .list(.object(moveFields.keys())), "records whose state differs") {
      $0.moves.map(moveFields.object)
    },
    Field("zones", settings, "zones") { $0.zones.map(changeFields.object) },
    Field("databases", settings, "databases") { $0.databases.map(changeFields.object) },
    Field("entries", settings, "the mirror's own metadata") { $0.entries.map(changeFields.object) },
    Field("newEvents", eventLists, "events that only the other store has; null if they can't be matched") {
      $0.events.map { value($0.new) }
    },
    Field("goneEvents", eventLists, "events that only the first store has") {
      $0.events.map { value($0.gone) }
    },
    Field("changedEvents", eventLists, "events of both that differ, such as those that have ended since") {
      $0.events.map { value($0.changed) }
    },
    Field("tables", settings, "rows of the mirror's other tables; none if events can't be matched") {
      $0.tables.map(changeFields.object)
    },
  ]

  private static let state = Shape.words(RecordState.allCases.map(\.rawValue))

  private static let stateFields: [Field<(key: String, value: (store: Int, other: Int))>] =
    [Field("state", state, "the state") { $0.key }] + DiffDocument.both.of { $0.value }

  private static let ends: [Field<(from: String?, to: String?)>] = [
    Field("from", state, "the state in the first store; null if it has no such record") { $0.from },
    Field("to", state, "the state in the other one") { $0.to },
  ]
  private static let transitionFields: [Field<(from: String?, to: String?, records: Int)>] =
    ends.of { ($0.from, $0.to) } + [Field("records", "how many") { $0.records }]
  private static let moveFields: [Field<Move>] =
    [
      Field("recordName", "the record's name on the server") { $0.recordName },
      Field("zone", "the zone's name") { $0.zone }, Field("uri", .uri, "the object's URI") { $0.uri },
    ] + ends.of { ($0.from, $0.to) }

  private static let settings = Shape.list(.object(changeFields.keys()))
  private static let changeFields: [Field<Change>] = [
    Field("name", "what it is of") { $0.subject }, Field("property", "what differs") { $0.property },
    Field("from", "in the first store") { $0.from }, Field("to", "in the other one") { $0.to },
  ]

  private static let eventLists = Shape.list(.object(eventFields.keys())).orNull
  private static let eventFields: [Field<(key: String, value: EventComparison.Count)>] = [
    Field("type", MirrorEvent.type, "the type") { $0.key }, Field("count", "how many") { $0.value.all },
    Field("failed", "how many of them failed") { $0.value.failures },
  ]
  private static func value(_ counts: EventComparison.Counts) -> [DataValue] {
    counts.sorted { $0.key < $1.key }.map(eventFields.object)
  }

  /// By the states' names; records that one store lacks first.
  var sortedTransitions: [(from: String?, to: String?, records: Int)] {
    transitions.map { ($0.key.from, $0.key.to, $0.value) }
      .sorted { ($0.0 ?? "", $0.1 ?? "") < ($1.0 ?? "", $1.1 ?? "") }
  }
}

extension FindingComparison: HasFields {
  package static let fields: [Field<Self>] =
    [
      Field(
        "comparedBy", .words(["finding", "count"]), "whether findings are compared, or only their counts"
      ) {
        $0.isByFinding ? "finding" : "count"
      }
    ] + DiffDocument.both.of { $0.counts } + [
      Field("new", "what is found only in the other store") { $0.new },
      Field("gone", "what is found only in the first store") { $0.gone },
    ]
}
