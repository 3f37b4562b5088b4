import Archives
import Base
package import Lens
import SQLite
import StoreModel

/// Reads where one object stands, and its story: what happened to it, when the mirror ran for it, how its record stands,
/// and what is pending now. Steps come in the order of time, changes in the order of writing; those of now, which have no time, at the end.
package struct TraceReader {
  private let store: CoreDataStore
  private let mirror: Mirror?
  /// How names are shown; nil for as they are.
  private let names: ShownNames?

  package init(_ open: OpenStore) throws {
    store = open.store
    mirror = try open.mirror()
    names = try open.shownNames()
  }

  /// The object that a record of that name, in any case, stands for; nil where there is no such record. Of several zones with such
  /// a name the first row counts.
  package func object(recordName: String) throws -> ObjectKey? {
    guard let mirror, let name = try mirror.recordName(like: recordName) else { return nil }
    return try RecordReader(mirror, filter: RecordFilter(recordName: name)).firstObject()
  }

  /// All that is known of the object with this key in the entity's hierarchy, whether it still exists or not.
  /// - Parameter hasSteps: false for the answer alone, without the story.
  package func trace(of object: ObjectKey, hasSteps: Bool = true) throws -> ObjectTrace {
    let evidence = try ObjectEvidence(store, mirror, object, exists: exists(object), names)
    var comparison = ServerComparison()
    if let mirror, evidence.exists == true, let entity = store.schema[object.entity] {
      for record in evidence.records {
        guard let comparer = ServerComparer(mirror, entity, record) else { continue }
        comparison = try comparer.compare(object.primaryKey)
        break
      }
    }
    return ObjectTrace(
      name: "\(store.entityName(ofNumber: object.entity))/p\(object.primaryKey)",
      title: try title(of: object, evidence),
      exists: evidence.exists, lastValues: try lastValues(evidence),
      deletedIn: evidence.exists == false
        ? evidence.changes.facts.last { $0.kind == .delete }?.transaction : nil,
      isKnown: evidence.isAny,
      verdict: try ObjectJudge(store, mirror, evidence, comparison).verdict(),
      comparison: comparison, referrers: try ReferrerSearch(store, object)?.run() ?? [],
      steps: hasSteps ? try steps(evidence) : [])
  }

  /// Of a deleted object what history kept, or the server's copy still has.
  private func title(of object: ObjectKey, _ evidence: ObjectEvidence) throws -> String? {
    evidence.exists == false
      ? try DeletedObjects(store, mirror).title(of: object) : try ObjectTitles(store).title(of: object)
  }

  /// Of a deleted object. What history kept is newer than what was uploaded.
  private func lastValues(_ evidence: ObjectEvidence) throws -> LastValues {
    var values = LastValues()
    guard evidence.exists == false else { return values }
    if case .object(let members)? = evidence.changes.facts.last(where: { $0.kind == .delete })?.tombstone {
      (values.members, values.hasHistory) = (members, true)
    }
    let deleted = try DeletedObjects(store, mirror)
    let entity = store.schema[evidence.object.entity]
    for record in evidence.records {
      let known = Set(values.members.map(\.name))
      let kept = try (deleted.values(of: record) ?? []) + links(in: record, entity, except: known)
      let new = kept.filter { !known.contains($0.name) }
      guard !new.isEmpty else { continue }
      values.members += new
      (values.hasCopy, values.modified) = (true, values.modified ?? record.systemFields?.modified)
    }
    values.members = values.members.map { member in
      // Copies of records have numbers for them.
      guard entity?.attribute(named: member.name)?.description.type == .boolean,
        case .integer(let number) = member.value
      else { return member }
      return DataValue.Member(member.name, .bool(number != 0))
    }
    return values
  }

  /// The objects that a record's copy leads to, by relationship.
  private func links(
    in record: MirrorRecord, _ entity: SchemaEntity?, except known: Set<String>
  ) throws -> [DataValue.Member] {
    guard let mirror, let entity, let fields = record.fields else { return [] }
    return try entity.relationships.compactMap { relationship -> DataValue.Member? in
      guard case .toOne = relationship.storage, !known.contains(relationship.name),
        case .text(let name)? = fields["CD_" + relationship.name]
      else { return nil }
      return DataValue.Member(relationship.name, try mirror.target(ofLink: name))
    }
  }

  /// Whether there is a row with that key in the object's table; nil where its table has no keys.
  package func exists(_ object: ObjectKey) throws -> Bool? {
    guard let entity = store.schema[object.entity], store.tables.has(entity.table) else { return false }
    guard store.tables.columns(of: entity.table).contains(where: { $0.name.uppercased() == "Z_PK" }) else {
      return nil
    }
    return try store.connection.first(
      "SELECT 1 FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?", [.integer(object.primaryKey)]
    ) { _ in true } ?? false
  }

  // MARK: Steps

  private func steps(_ evidence: ObjectEvidence) throws -> [TraceStep] {
    var steps = evidence.changes.steps
    if let problem = evidence.changes.problem { steps.append(.now(.change, problem)) }
    guard let mirror else { return steps + [.now(.record, "The store isn't mirrored, so it has no record.")] }
    steps += try TracedEvents(mirror, evidence).steps
    // A change comes before the event that carries it; what has no time comes last. Changes stay in the order in which
    // they were written, also if the clock was set back between them.
    var latest = -Double.infinity
    let times = steps.map { step -> Double in
      guard let at = step.at?.seconds else { return .infinity }
      guard step.kind == .change else { return at }
      latest = max(latest, at)
      return latest
    }
    steps = steps.indices.sorted { (times[$0], $0) < (times[$1], $1) }.map { steps[$0] }
    if let absence = mirror.tables.absence(of: .events) {
      steps.append(.now(.event, "\(absence), so which exports and imports ran isn't known."))
    }
    steps += records(mirror, evidence)
    steps += try pending(mirror, evidence)
    return steps
  }

  private func records(_ mirror: Mirror, _ evidence: ObjectEvidence) -> [TraceStep] {
    if let absence = mirror.tables.absence(of: .records) {
      return [.now(.record, "\(absence), so whether it has a record isn't known.")]
    }
    // A record's own state doesn't show what no export has processed yet.
    let isBehind = evidence.pending.contains { $0.kind == .unanalyzed }
    let steps = evidence.records.map { record -> TraceStep in
      var record = record
      if let names {
        (record.recordName, record.zone) = (names(.record, record.recordName), names(.zone, record.zone))
        record.problem = nil
      }
      let type = record.recordType.map { " (\($0))" } ?? ""
      let problem = record.problem.map { "; \($0)" } ?? ""
      let text =
        "CloudKit record '\(record.recordName ?? "?")'\(type): \(record.state.phrase)\(isBehind && record.state == .uploaded ? " before the latest change" : "")\(problem)."
      return .now(.record, text, MirrorRecord.fields.members(of: record))
    }
    return steps.isEmpty ? [.now(.record, "No CloudKit record.")] : steps
  }

  private func pending(_ mirror: Mirror, _ evidence: ObjectEvidence) throws -> [TraceStep] {
    if let problem = evidence.pendingProblem {
      return [.now(.pending, "Whether anything of it is pending isn't known: \(problem)")]
    }
    let links = TracedLinks(mirror)
    // The same text twice says nothing about which of them is meant.
    var counts: [String: Int] = [:]
    var steps = try evidence.pending.compactMap { item -> TraceStep? in
      let text = try names == nil ? links.text(item) ?? item.reason : item.reason
      counts[text, default: 0] += 1
      return .now(.pending, text, TraceStep.pendingFields.members(of: item))
    }
    for index in steps.indices where counts[steps[index].text, default: 0] > 1 {
      guard case .text(let name)? = steps[index].details.first(where: { $0.name == "recordName" })?.value
      else { continue }
      steps[index].text = "\(steps[index].text.dropLast()) (record '\(LongName.cut(name))')."
    }
    if let absence = mirror.tables.absence(of: .records) {
      steps.append(.now(.pending, "\(absence), so whether more of it is pending isn't known."))
    }
    return steps.isEmpty ? [.now(.pending, "Nothing pending.")] : steps
  }
}

/// Links in words that name the objects at their ends.
private struct TracedLinks {
  private let mirror: Mirror

  init(_ mirror: Mirror) { self.mirror = mirror }

  /// Nil for what is no link.
  func text(_ item: PendingItem) throws -> String? {
    guard item.kind == .link || item.kind == .linkDelete, let name = item.recordName,
      let view = mirror.views.links
    else { return nil }
    return try mirror.store.connection.first(
      view.select(
        [
          "recordName", "entity", "objectRecord", "relationship", "relatedEntity", "relatedRecord",
          "isPending",
        ],
        "WHERE recordName = ? LIMIT 1"), [.text(name)]
    ) { row in
      let one = try self.object(row.optionalText(2), row.optionalText(1))
      let other = try self.object(row.optionalText(5), row.optionalText(4))
      let relationship = "\(row.optionalName(1) ?? "?").\(row.optionalName(3) ?? "?")"
      let state =
        item.kind == .linkDelete
        ? "was removed here and must be deleted on the server"
        : row.integer(6) == 1 ? "is pending for an object that isn't here yet" : "is pending upload"
      return "The link \(one) - \(other) (\(relationship)) \(state)."
    }
  }

  /// `Note/p22`, or the record's name if it is of no object here.
  private func object(_ recordName: String?, _ entity: String?) throws -> String {
    guard let recordName else { return "?" }
    let object = try RecordReader(mirror, filter: RecordFilter(recordName: recordName)).firstObject()
    return object.map { "\(mirror.store.entityName(ofNumber: $0.entity))/p\($0.primaryKey)" }
      ?? "\(entity.map(LongName.cut) ?? "?") \(LongName.cut(recordName))"
  }
}
