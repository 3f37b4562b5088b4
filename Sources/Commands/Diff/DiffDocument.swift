import Comparison
import Diagnostics
import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

/// What `diff` prints for machines; `DiffText` has what people see.
struct DiffDocument {
  private let comparison: StoreComparison
  private let listsObjects: Bool
  private let session: Session
  private let other: Session
  /// Of each kind of difference, in what people see; nil for some.
  private let examples: Int?
  /// In what people see and in CSV; JSON always has them.
  private let hasValues: Bool

  init(
    _ comparison: StoreComparison, listsObjects: Bool, session: Session, other: Session, examples: Int?,
    hasValues: Bool
  ) {
    self.examples = examples
    self.hasValues = hasValues
    self.comparison = comparison
    self.listsObjects = listsObjects
    self.session = session
    self.other = other
  }

  func document() throws -> Document {
    let (identity, otherIdentity) = (try session.identity(), try other.identity())
    let entities = comparison.entities
    let uuids = (identity.uuid ?? "", otherIdentity.uuid ?? "")
    let lists = DiffLists(
      comparison, stores: (try session.open().store, try other.open().store), uuids: uuids)
    let shown = DiffText(
      comparison,
      examples: listsObjects
        ? DiffExamples(
          comparison, lists, most: examples, hasValues: hasValues, opensOther: session.path == other.path)
        : nil)
    return Document(
      command: "diff", store: identity, other: otherIdentity,
      fields: [
        .init("commitsAgo", .optional(session.asOfCommit)),
        .init("other", otherValue(otherIdentity)),
        .init("matchedBy", .optional(comparison.matching?.rawValue)),
        .init("differs", .bool(!comparison.isEmpty)),
        .init(
          "counts",
          [
            "added": .count(entities.map(\.added.count).reduce(0, +)),
            "removed": .count(entities.map(\.removed.count).reduce(0, +)),
            "changed": .count(entities.map(\.changed.count).reduce(0, +)),
          ]),
        .init(
          "entities",
          objects: try comparison.entityIndexes.indices.map { index in
            facts(entities[index]) + (listsObjects ? try lists.fields(index) : [])
          },
          flat: listsObjects ? lists.flat(hasValues: hasValues) : RowStream(objects: entities.map(counts))),
        .init("model", comparison.model?.value ?? .null), .init("history", historyValue),
        .init("mirror", mirrorValue), .init("findings", findingsValue),
      ], payload: "entities",
      blocks: shown.blocks(from: name(session), to: name(other)))
  }

  private func otherValue(_ identity: StoreIdentity) -> DataValue {
    guard case .object(let members) = identity.value else { return identity.value }
    return .object(members + [.init("commitsAgo", .optional(other.asOfCommit))])
  }

  private func name(_ session: Session) -> String {
    let ago = session.asOfCommit ?? 0
    let when = Session.asOf(ago).map { " \($0)" } ?? ""
    // Two copies of one store have one name.
    let isTold = Platform.fileName(self.session.path) != Platform.fileName(other.path)
    return (isTold || self.session.path == other.path ? Platform.fileName(session.path) : session.path) + when
  }

  private func counts(_ entity: EntityDifference) -> DataValue {
    [
      "name": .text(entity.name), "added": .count(entity.added.count),
      "removed": .count(entity.removed.count),
      "changed": .count(entity.changed.count),
    ]
  }

  private func facts(_ entity: EntityDifference) -> [Document.Field] {
    var fields: [Document.Field] = [
      .init("name", .text(entity.name)),
      .init("rows", ["store": .count(entity.rows.store), "other": .count(entity.rows.other)]),
      .init("addedCount", .count(entity.added.count)), .init("removedCount", .count(entity.removed.count)),
      .init("changedCount", .count(entity.changed.count)),
    ]
    if comparison.matching != .key {
      fields.append(
        .init(
          "unmatchedCount",
          [
            "store": .count(entity.unmatched.store.count), "other": .count(entity.unmatched.other.count),
          ]))
    }
    return fields
  }

  private var historyValue: DataValue {
    guard let history = comparison.history else { return .null }
    return [
      "comparable": .bool(history.base != nil), "commonUpTo": .optional(history.base),
      "diverged": .bool(history.isDiverged),
      "new": value(history.new), "lost": value(history.lost), "purged": .count(history.purged),
      "store": HistorySummary.fields.object(of: history.summaries.store),
      "other": HistorySummary.fields.object(of: history.summaries.other),
    ]
  }

  private func value(_ groups: [HistoryGroup]) -> DataValue {
    [
      "transactions": .count(groups.map(\.transactions).reduce(0, +)),
      "changes": .count(groups.map(\.changes.total).reduce(0, +)),
      "first": .optional(groups.compactMap(\.first).min()),
      "last": .optional(groups.compactMap(\.last).max()),
      "authors": .array(
        groups.map(HistoryGroup.counts("author", "the author").object)),
    ]
  }

  private var mirrorValue: DataValue {
    guard let mirror = comparison.mirror else { return .null }
    func changes(_ changes: [MirrorComparison.Change]) -> DataValue {
      .array(
        changes.map {
          ["name": .text($0.subject), "property": .text($0.property), "from": $0.from, "to": $0.to]
        })
    }
    return [
      "states": .array(
        mirror.states.sorted { $0.key < $1.key }.map {
          ["state": .text($0.key), "store": .count($0.value.store), "other": .count($0.value.other)]
        }),
      "movedCount": .count(mirror.transitions.values.reduce(0, +)),
      "transitions": .array(
        mirror.sortedTransitions.map {
          ["from": .optional($0.from), "to": .optional($0.to), "records": .count($0.records)]
        }),
      "moved": .array(
        mirror.moves.map {
          [
            "recordName": .text($0.recordName), "zone": .optional($0.zone), "uri": .optional($0.uri),
            "from": .optional($0.from), "to": .optional($0.to),
          ]
        }),
      "zones": changes(mirror.zones), "databases": changes(mirror.databases),
      "entries": changes(mirror.entries),
      "newEvents": value(mirror.events?.new), "goneEvents": value(mirror.events?.gone),
      "changedEvents": value(mirror.events?.changed), "tables": changes(mirror.tables),
    ]
  }

  private func value(_ events: EventComparison.Counts?) -> DataValue {
    guard let events else { return .null }
    return .array(
      events.sorted { $0.key < $1.key }.map {
        ["type": .text($0.key), "count": .count($0.value.all), "failed": .count($0.value.failures)]
      })
  }

  private var findingsValue: DataValue {
    guard let findings = comparison.findings else { return .null }
    return [
      "comparedBy": findings.isByFinding ? "finding" : "count",
      "store": .count(findings.counts.store), "other": .count(findings.counts.other),
      "new": .array(findings.new.map(\.value)), "gone": .array(findings.gone.map(\.value)),
    ]
  }
}

extension MirrorComparison {
  /// By the states' names; records that one store lacks first.
  var sortedTransitions: [(from: String?, to: String?, records: Int)] {
    transitions.map { ($0.key.from, $0.key.to, $0.value) }
      .sorted { ($0.0 ?? "", $0.1 ?? "") < ($1.0 ?? "", $1.1 ?? "") }
  }
}
