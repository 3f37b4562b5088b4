import Archives
import Base
import Lens
import StoreModel

/// The changes of one object.
struct TracedChanges {
  /// A change for those who conclude from it: the events around it, and the verdict.
  struct Fact {
    var transaction: Int64?
    var entity: Int64?
    var kind: ChangeKind?
    var at: CoreDataDate?
    var author: String?
    var process: String?
    /// Nil if its transaction is gone.
    var origin: TransactionOrigin?
    var tombstone: DataValue
    /// What an update changed; nil if that isn't known.
    var properties: ChangeNames.Properties?

    /// ` by app`; without an author, the program is known at least. Begins with a blank, if there is anything to say.
    var by: String { Self.by(author, process) }

    static func by(_ author: String?, _ process: String?) -> String {
      author.map { " by \(LongName.cut($0))" } ?? process.map { " by \(LongName.cut($0)) (no author)" } ?? ""
    }
  }

  private(set) var steps: [TraceStep] = []
  private(set) var facts: [Fact] = []
  /// Why there may be changes that aren't listed, a sentence.
  private(set) var problem: String?
  /// Whether there are more changes, newer than those listed.
  private(set) var isCut = false
  /// If history was purged in which the object may have changed.
  private(set) var purge: Purge?

  struct Purge {
    /// Of the oldest transaction left; nil if all are gone.
    let until: CoreDataDate?
  }
  /// What a step has of a change.
  static let keys =
    HistoryChange.keys.filter { !["timestamp", "entity", "pk", "uri", "unsure"].contains($0.name) }
    .map { $0.name == "tombstone" ? $0.being(.any) : $0 } + [HistoryChange.before, deletedWith]
  private static let deletedWith = Shape.Key(
    "deletedWith",
    .list(
      .object([
        .init("entity", .text, "their entity"), .init("objects", .integer, "how many objects of that entity"),
      ])), "objects deleted in the same save", if: "there are any")

  /// An object that an app touches all the time may have very many.
  private static let limit = 100_000

  init(
    _ store: CoreDataStore, entities: ClosedRange<Int64>, primaryKey: Int64, _ shownNames: ShownNames?
  ) throws {
    func shown(_ kind: CellKind, _ name: String?) -> String? {
      shownNames.map { $0(kind, name) } ?? name
    }
    let tables = FrameworkTables(store.tables)
    guard let reader = try HistoryReader(store) else {
      let history: [FrameworkTable] = [.changes, .transactions]
      let keyless = history.first { !tables.has($0) }
      let isThere = history.allSatisfy { store.tables.has($0.rawValue) }
      problem =
        isThere
        ? "\(keyless?.rawValue ?? "") has no column Z_PK, so its changes can't be read."
        : "The store keeps no history, so its changes aren't known."
      return
    }
    let missing = ["ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].filter { !tables.has(.changes, $0) }
    guard missing.isEmpty else {
      problem = "ACHANGE has no column \(missing.joined(separator: ", ")), so its changes can't be read."
      return
    }
    let names = ChangeNames(store)
    let filter = HistoryFilter(entities: entities, primaryKey: primaryKey)
    try reader.forEachChange(filter) { cursor, transaction in
      let change = cursor.change
      let properties = cursor.properties(names)
      let author = shown(.author, transaction?.author)
      let process = shown(.program, transaction?.process)
      var details: [DataValue.Member] = [
        .init("transaction", .optional(change.transaction)),
        .init("change", .text(change.kindName)),
        .init("author", .optional(author)), .init("process", .optional(process)),
        .init("bundle", .optional(shown(.program, transaction?.bundle))),
        .init("context", .optional(shown(.author, transaction?.context))),
        .init("properties", properties?.namesValue ?? .null),
      ]
      let tombstone = names.tombstone(of: change, cursor.tombstoneCells)
      if tombstone != .null { details.append(.init("tombstone", tombstone)) }
      var by = Fact.by(author, process)
      if by.isEmpty { by = " (no author)" }
      // The order of writing is right; timestamps that contradict it need a reason.
      if let at = transaction?.timestamp, let before = facts.last?.at,
        before.seconds - at.seconds > Rule.clockTolerance
      {
        by += ", after the clock was set back"
      }
      steps.append(
        TraceStep(
          at: transaction?.timestamp, kind: .change,
          text: Self.text(change, properties, by), details: details))
      facts.append(
        Fact(
          transaction: change.transaction, entity: change.entity, kind: change.kind,
          at: transaction?.timestamp,
          author: author, process: process, origin: transaction?.origin,
          tombstone: tombstone, properties: properties))
      isCut = steps.count == Self.limit
      return !isCut
    }
    try addCompany(reader, store)
    guard facts.first?.kind != .insert, let below = try store.historyPurgedBelow(reader.transactions) else {
      return
    }
    let until = try reader.transactions.time(of: below)
    purge = Purge(until: until)
    let text = "Older history was purged, so changes before this aren't known."
    steps.insert(
      until.map { TraceStep(at: $0, kind: .change, text: text, details: []) }
        ?? .now(.change, "History was purged, so its changes aren't known."), at: 0)
  }

  /// Deletions of which the rest of the save is listed; keys are used once, so that there is hardly more than one.
  private static let mostDeletions = 3
  private static let mostEntities = 3

  /// What was deleted in the same save: one of thousands is no slip of a finger.
  private mutating func addCompany(_ reader: HistoryReader, _ store: CoreDataStore) throws {
    for index in steps.indices.filter({ facts[$0].kind == .delete }).suffix(Self.mostDeletions) {
      guard let number = facts[index].transaction else { continue }
      var filter = HistoryFilter(transactions: number...number)
      filter.kinds = [.delete]
      var counts: [Int64: Int] = [:]
      try reader.forEachChange(filter, reading: []) { cursor, _ in
        counts[cursor.change.entity ?? 0, default: 0] += 1
        return true
      }
      if let own = facts[index].entity { counts[own, default: 1] -= 1 }
      let others = counts.filter { $0.value > 0 }.map { (store.entityName(ofNumber: $0.key), $0.value) }
        .sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      guard !others.isEmpty else { continue }
      let all = others.reduce(0) { $0 + $1.1 }
      let listed = others.prefix(Self.mostEntities).map { "\($0.0) \(Sentence.number($0.1))" }
      let more = others.count > Self.mostEntities ? ", …" : ""
      steps[index].text =
        "\(steps[index].text.dropLast()), with \(Sentence.count(all, "other")) in the same save (\(listed.joined(separator: ", "))\(more))."
      steps[index].details.append(
        .init(
          "deletedWith", .array(others.map { ["entity": .text($0.0), "objects": .count($0.1)] })))
    }
  }

  private static func text(
    _ change: HistoryChange, _ properties: ChangeNames.Properties?, _ by: String
  ) -> String {
    switch change.kind {
    case .insert: return "Inserted\(by)."
    case .delete: return "Deleted\(by)."
    case .update:
      let what = properties?.text ?? ""
      return what.isEmpty ? "Updated\(by)." : "Updated\(by): \(what)."
    case nil: return "Changed in an unknown way\(by)."
    }
  }
}

/// The events that concern an object's changes: after each change by the app the exports up to the first that
/// succeeded, and for each imported change the import that brought it.
///
/// An event doesn't say which objects it carried, so this is by time alone. Of a time whose history was purged, the
/// newest runs are listed, as any of them may have carried a change.
struct TracedEvents {
  private(set) var steps: [TraceStep] = []
  private static let limit = 1_000
  private static let purgedLimit = 200

  init(_ mirror: Mirror, _ evidence: ObjectEvidence) throws {
    let changes = evidence.changes.facts
    let purge = evidence.changes.purge
    var saves = changes.filter { $0.origin == .app }.compactMap(\.at).sorted()
    // It is still pending, whoever saved it.
    if let until = purge?.until, evidence.pending.contains(where: \.mayBeOlder) {
      saves = ([until] + saves).sorted()
    }
    let created = evidence.records.first?.systemFields?.created?.seconds ?? -.infinity
    let purgedUntil = purge.map { $0.until?.seconds ?? .infinity } ?? -.infinity
    var purged: [TraceStep] = []
    let imports = changes.filter { $0.origin == .importing }.compactMap(\.at).sorted()
    // The first change that no export has carried yet.
    var next = 0
    try EventReader(mirror).forEach { event in
      guard let started = event.started else { return true }
      if event.kind == .export || event.kind == .import, started.seconds >= created,
        started.seconds < purgedUntil
      {
        // The newest ones stay, and those of later changes have their own limit.
        if purged.count == 2 * Self.purgedLimit { purged.removeFirst(Self.purgedLimit) }
        purged.append(Self.step(event))
        return true
      }
      switch event.kind {
      case .export:
        // Whatever was saved before an export began is in it.
        guard next < saves.count, saves[next] <= started else { return true }
        steps.append(Self.step(event))
        if event.succeeded { while next < saves.count, saves[next] <= started { next += 1 } }
      case .import:
        let ended = event.ended ?? started
        if imports.contains(where: { started <= $0 && $0.seconds <= ended.seconds + 1 }) {
          steps.append(Self.step(event))
        }
      case .setup, nil: break
      }
      return steps.count < Self.limit
    }
    steps = purged.suffix(Self.purgedLimit) + steps
  }

  static let fields = MirrorEvent.fields.only([
    "type", "ended", "succeeded", "errorDomain", "errorCode", "errorName", "isNoise",
  ])

  private static func step(_ event: MirrorEvent) -> TraceStep {
    let isImport = event.kind == .import
    var text = isImport ? "Import" : "Export"
    if event.ended == nil {
      text += " began and never finished."
    } else if event.succeeded {
      text += isImport ? " succeeded (may have brought it)." : " succeeded (may have included it)."
    } else {
      text += " failed\(event.errorText.map { ": \($0)" } ?? "")"
      text += event.isNoise ? ", which is harmless on its own." : "."
    }
    return TraceStep(at: event.started, kind: .event, text: text, details: fields.members(of: event))
  }
}
