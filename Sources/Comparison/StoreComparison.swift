import Base
package import Diagnostics
package import Lens
import SQLite
package import StoreModel

/// All in which two stores, or two states of one, differ.
package struct StoreComparison {
  package enum Part: String, Sendable, CaseIterable {
    case objects, model, history, mirror, findings
  }

  package struct Options {
    /// Nil for what fits the stores.
    package var matching: Matching?
    package var parts: Set<Part>
    /// Nil for all.
    package var entities: Set<String>?
    /// Gives what to ask of an entity's objects in a store; nil for all of them.
    package var predicate: ((SchemaEntity, CoreDataStore) throws -> ObjectPredicate)?
    /// Objects and evidence of each finding.
    package var limit: Int

    package init(
      matching: Matching?, parts: Set<Part>, entities: Set<String>?, limit: Int,
      predicate: ((SchemaEntity, CoreDataStore) throws -> ObjectPredicate)? = nil
    ) {
      self.matching = matching
      self.parts = parts
      self.entities = entities
      self.limit = limit
      self.predicate = predicate
    }
  }

  package let matching: Matching?
  /// Whether the stores have different identifiers: copies and backups of one store share it.
  package let isOtherStore: Bool
  /// Nil for parts that weren't asked for, and for the mirror where neither store has one. Objects come with the model.
  package let model: ModelComparison?
  package let objects: ObjectComparison?
  package let history: HistoryComparison?
  package let mirror: MirrorComparison?
  package let findings: FindingComparison?
  /// Places in `objects.entities` of those asked for.
  package let entityIndexes: [Int]
  package let entities: [EntityDifference]

  /// - Parameter progress: called with what is being done, again and again.
  /// - Throws: `StoreScopeError` where objects can't be matched, or a store can't be read.
  package init(
    _ store: ComparedStore, _ other: ComparedStore, options: Options, progress: @escaping (String) -> Void
  ) throws {
    let parts = options.parts
    let uuids = (store.store.metadata.uuid ?? "", other.store.metadata.uuid ?? "")
    isOtherStore = !uuids.0.isEmpty && !uuids.1.isEmpty && uuids.0 != uuids.1
    // The other parts are compared without objects.
    let needsMatching = parts.contains(.objects) || parts.contains(.findings)
    let matching = needsMatching ? try options.matching ?? Matching.chosen(store, other) : nil
    self.matching = matching
    model =
      parts.contains(.objects) || parts.contains(.model)
      ? ModelComparison(store, other).only(options.entities) : nil
    let objects =
      parts.contains(.objects)
      ? try ObjectComparison(store, other, matching: matching, progress: progress) : nil
    self.objects = objects
    let indexes = (objects?.entities ?? []).indices.filter { index in
      options.entities.map { wanted in objects.map { wanted.contains($0.entities[index].name) } ?? false }
        ?? true
    }
    entityIndexes = indexes
    entities =
      try objects.map { objects in
        try indexes.map { index in
          guard let predicate = options.predicate else { return objects.entities[index] }
          let reader = try objects.changes(of: index)
          return try objects.entities[index].keeping(
            predicate, store.store, other.store, otherKey: reader.otherKey)
        }
      } ?? []
    history = parts.contains(.history) ? try HistoryComparison(store, other, progress: progress) : nil
    mirror = parts.contains(.mirror) ? try MirrorComparison(store, other, progress: progress) : nil
    findings =
      parts.contains(.findings)
      ? try matching.map {
        try FindingComparison(store, other, matching: $0, limit: options.limit, progress: progress)
      } : nil
  }

  /// Whether nothing differs in what was compared.
  package var isEmpty: Bool {
    entities.allSatisfy(\.isEmpty) && model?.isEmpty ?? true && history?.isEmpty ?? true
      && mirror?.isEmpty ?? true && findings?.isEmpty ?? true
  }
}

/// What persistent history says that only one of two states of a store has: see `CommonHistory`.
package struct HistoryComparison: Sendable {
  /// Nil where a store keeps no history.
  package var summaries: (store: HistorySummary?, other: HistorySummary?)
  /// The last transaction of the common history, which may be dropped from either since; nil for different stores, whose
  /// numbers have nothing to do with each other.
  package var base: Int64?
  /// By author: transactions behind the base that only the other store has, and those that only the store has.
  package var new: [HistoryGroup] = []
  package var lost: [HistoryGroup] = []
  /// Transactions of the common history that the other store has dropped.
  package var purged = 0
  /// Whether each store went on by itself after the base.
  package var isDiverged = false

  package init(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    summaries = (
      try store.naming { try HistorySummary(store.store, store.open.tables) },
      try other.naming { try HistorySummary(other.store, other.open.tables) }
    )
    guard let uuid = store.store.metadata.uuid, !uuid.isEmpty, uuid == other.store.metadata.uuid else {
      return
    }
    let common = try CommonHistory(store.store, other.store) { progress("comparing history") }
    base = common.base
    isDiverged = common.isDiverged
    purged = common.purged
    let (base, last) = (common.base, common.last)
    new = try Self.groups(other, after: base, upTo: last.other, progress)
    lost = try Self.groups(store, after: base, upTo: last.store, progress)
  }

  private static func groups(
    _ store: ComparedStore, after base: Int64, upTo last: Int64, _ progress: (String) -> Void
  ) throws -> [HistoryGroup] {
    guard base < last else { return [] }
    return try store.naming {
      let reader = try HistoryReader(store.store)
      return try reader?.groups(
        by: .author, HistoryFilter(transactions: base + 1...last),
        entityName: store.store.entityName(ofNumber:), progress: { _ in progress("comparing history") }) ?? []
    }
  }

  /// Whether both have the same transactions, as far as that can be determined.
  package var isEmpty: Bool { new.isEmpty && lost.isEmpty && purged == 0 }
}

/// What the doctor finds in one of two stores only.
package struct FindingComparison: Sendable {
  /// True where single findings are distinguished; else only their numbers, as an object's key is another in each store.
  package var isByFinding: Bool
  /// Counts, objects and evidence are those of what is new; without `isByFinding` they are of all that is there now.
  package var new: [Finding] = []
  package var gone: [Finding] = []
  /// Findings in each store.
  package var counts = (store: 0, other: 0)

  /// - Parameter limit: objects and evidence of each finding.
  package init(
    _ store: ComparedStore, _ other: ComparedStore, matching: Matching, limit: Int,
    progress: @escaping (String) -> Void
  ) throws {
    isByFinding = matching == .key
    func examine(_ one: ComparedStore, _ rules: [Rule], _ baseline: Baseline) throws -> Diagnosis {
      let doctor = Doctor(rules: rules, limit: limit, baseline: baseline, progress: progress)
      return try one.naming {
        try doctor.examine(Examination(one.open))
      }
    }
    let all = RuleRegistry.all
    let before = try examine(store, all, Baseline())
    let known = isByFinding ? Baseline(before) : Baseline()
    let after = try examine(other, all, known)
    counts = (Self.total(before), Self.total(after))
    let later = Baseline(after)
    let checked = Set(after.checked)
    guard isByFinding else {
      let earlier = Baseline(before)
      new = after.findings.filter { $0.count > earlier[$0.rule.id].count }
      gone = before.findings.filter { checked.contains($0.rule.id) && $0.count > later[$0.rule.id].count }
      return
    }
    new = after.findings
    // Rules with findings that the other store hasn't got; only these are asked again.
    let lost = Set(
      before.findings.filter { finding in
        let now = later[finding.rule.id]
        return checked.contains(finding.rule.id)
          && (finding.count > now.count || finding.marks.contains { !now.marks.contains($0) })
      }.map(\.rule.id))
    if !lost.isEmpty { gone = try examine(store, all.filter { lost.contains($0.id) }, later).findings }
  }

  /// Whether both have the same findings.
  package var isEmpty: Bool { new.isEmpty && gone.isEmpty }

  private static func total(_ diagnosis: Diagnosis) -> Int {
    (diagnosis.findings + diagnosis.accepted).map { $0.count + $0.known }.reduce(0, +)
  }
}
