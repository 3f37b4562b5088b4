import Base
import Evidence
import Lens
import QueryCatalog
import SQLite
import StoreModel

/// Runs rules over a store.
package struct Doctor {
  package var rules: [Rule]
  /// Objects and pieces of evidence a finding.
  package var limit: Int
  /// What was there before and doesn't count; nil if there is nothing to compare with.
  package var baseline: Baseline?
  /// Called with what is being done, and then again and again while it lasts.
  package var progress: (String) -> Void

  package init(
    rules: [Rule] = RuleRegistry.all, limit: Int = 100, baseline: Baseline? = nil,
    progress: @escaping (String) -> Void = { _ in }
  ) {
    self.rules = rules
    self.limit = limit
    self.baseline = baseline
    self.progress = progress
  }

  /// - Throws: `SQLiteError` of interruption only: what can't be read is in `skipped`, with the reason.
  package func examine(_ examination: Examination) throws -> Diagnosis {
    var lane = RuleLane(limit: limit, baseline: baseline)
    let passes = rules.filter(\.isOfPass)
    guard !passes.isEmpty, passes.count < rules.count,
      // Where it can't be opened twice, one thread does.
      let sibling = try? examination.sibling()
    else {
      try lane.run(rules, examination, progress)
      return try diagnosis(lane, examination)
    }
    let others = rules.filter { !$0.isOfPass }
    // One thread has the passes until it has ended, and this one everything else.
    nonisolated(unsafe) var other = lane
    nonisolated(unsafe) let itsExamination = sibling
    nonisolated(unsafe) var failure: (any Error)?
    let own = Threads.run(
      [{ do { try other.run(passes, itsExamination) { _ in } } catch { failure = error } }],
      meanwhile: { Swift.Result { try lane.run(others, examination, progress) } },
      whileWaiting: { progress("reading history") })
    try own.get()
    if let failure { throw failure }
    return try diagnosis(lane.joined(with: other), examination)
  }

  private func diagnosis(_ lane: RuleLane, _ examination: Examination) throws -> Diagnosis {
    var diagnosis = Diagnosis()
    if !lane.failed.isEmpty, examination.opened?.isSchemaDamaged != true,
      lane.collectors[Rule.integrityCheckFailed.id]?.finding() != nil
    {
      progress("checking which tables are damaged")
      diagnosis.damagedTables = try examination.store.connection.damagedTables(
        among: examination.store.tables.tables.keys.sorted())
    }
    diagnosis.seconds = lane.seconds
    diagnosis.isCompared = baseline != nil
    for rule in rules {
      if let because = lane.skipped[rule.id] {
        diagnosis.skipped.append(
          Diagnosis.Skipped(rule: rule.id, because: because, hasFailed: lane.failed.contains(rule.id)))
      } else {
        diagnosis.checked.append(rule.id)
        // What a rule could not look at is named, though the rest was checked.
        if let because = lane.partly[rule.id] {
          diagnosis.skipped.append(Diagnosis.Skipped(rule: rule.id, because: because, isPartial: true))
        }
        guard let finding = lane.collectors[rule.id]?.finding() else {
          // What wasn't looked at may still be there.
          if lane.partly[rule.id] == nil, let baseline, baseline[rule.id].count > 0 {
            diagnosis.resolved.append(rule.header)
          }
          continue
        }
        if finding.count > 0 {
          diagnosis.findings.append(finding)
        } else {
          diagnosis.accepted.append(finding)
        }
      }
    }
    let order = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
    diagnosis.findings.sort { one, other in
      (other.rule.severity, one.rule.weight, order[one.rule.id] ?? 0)
        < (one.rule.severity, other.rule.weight, order[other.rule.id] ?? 0)
    }
    return diagnosis
  }

  /// Why something can't be read.
  package static func sentence(_ error: any Error) -> String {
    guard let error = error as? SQLiteError else { return "\(error)" }
    return "SQLite could not read the data it needs: \(error.message)."
  }

  /// Whether the store is to blame, and not what it lacks by right.
  static func isFailure(_ error: any Error) -> Bool {
    guard let error = error as? StoreScopeError else { return error is SQLiteError }
    return [.unreadable, .damaged].contains(error.kind)
  }
}

/// Runs a rule that is a query.
struct QueryRule {
  let rule: Rule
  let query: SavedQuery

  /// Parameters that every rule's query may use: `:now` and `:last_sign` (seconds as Core Data counts them), `:token`
  /// (the last processed transaction, or 0), `:uuid` (the store's), `:scope` (that of all databases of the mirror, or NULL)
  /// and `:holder` (the process that has the store open, or NULL; another storescope runs no mirror).
  func run(_ examination: Examination, _ findings: inout FindingCollector, step: () -> Void) throws {
    let statement = try examination.store.connection.prepare(query.sql)
    for (index, name) in statement.parameterNames.enumerated() {
      try statement.bind(value(String(name?.dropFirst() ?? ""), examination), at: index + 1)
    }
    let names = statement.columnNames
    let uri = names.firstIndex(of: "uri")
    let subject = names.firstIndex(of: "subject")
    while try statement.step() {
      step()
      let members = names.indices.compactMap { index in
        index == subject ? nil : DataValue.Member(names[index], statement.dataValue(index))
      }
      if let object = uri.flatMap(statement.optionalText) {
        findings.add(object: object, members: members)
        continue
      }
      // All values only if nothing else distinguishes the findings: they take longer than all the rest.
      findings.add(
        subject: subject.map(statement.text) ?? members.map { "\($0.value)" }.joined(separator: "\u{1}"),
        members: members)
    }
  }

  private func value(_ name: String, _ examination: Examination) throws -> SQLiteValue {
    switch name {
    case "now": .real(examination.clock.now.seconds)
    case "last_sign": .real(examination.clock.lastSign.seconds)
    case "token": .integer(try examination.mirror?.token.analyzedUpTo ?? 0)
    case "uuid": .text(examination.store.uuid)
    case "scope": try (examination.mirror?.scope?.name).map(SQLiteValue.text) ?? .null
    case "holder": examination.opened?.holder.flatMap { $0.isOurs ? nil : .text($0.description) } ?? .null
    default: .real(examination.setting(name, of: rule.header))
    }
  }
}

extension Statement {
  /// A cell for people and JSON; of blobs only what distinguishes them.
  fileprivate func dataValue(_ index: Int) -> DataValue {
    switch value(index) {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): withBytes(index, ISO8601.written).map(DataValue.date) ?? .text(text)
    case .blob(let bytes): .text("\(bytes.count) bytes")
    }
  }
}
