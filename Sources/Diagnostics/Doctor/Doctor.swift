import Lens
import QueryCatalog
import SQLite
import StoreModel
import SystemCalls
import Values

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
    var collectors: [String: FindingCollector] = [:]
    var skipped: [String: String] = [:]
    var failed: Set<String> = []
    var partly: [String: String] = [:]
    var watchers: [HistoryPass.Watcher] = []
    var valueRules: [(Rule, any ValueObserver)] = []
    var seconds: [String: Double] = [:]

    /// Does work for some rules; what goes wrong is why they are skipped.
    func attempt(_ rules: [Rule], _ body: () throws -> Void) throws {
      let start = Platform.monotonicSeconds()
      defer {
        let share = (Platform.monotonicSeconds() - start) / Double(rules.count)
        for rule in rules { seconds[rule.id, default: 0] += share }
      }
      do { try body() } catch let error as SQLiteError where error.isInterrupt {
        throw error
      } catch {
        for rule in rules {
          skipped[rule.id] = Self.sentence(error)
          if Self.isFailure(error) { failed.insert(rule.id) }
        }
      }
    }

    for rule in rules {
      if let lack = rule.header.needs.lazy.compactMap({ $0.lack(in: examination) }).first {
        skipped[rule.id] = lack
        continue
      }
      let phase = "checking \(rule.id)"
      progress(phase)
      let header = rule.header.fitted(isMirrored: examination.mirror != nil)
      var findings = FindingCollector(header, limit: limit, baseline: baseline?[rule.id] ?? Baseline.Entry())
      try attempt([rule]) {
        switch rule.check {
        case .query(let query):
          try QueryRule(rule: rule, query: query).run(examination, &findings) { progress(phase) }
        case .code(let check):
          try check(examination, &findings)
          partly[rule.id] = findings.omission
        case .history(let make): watchers.append(HistoryPass.Watcher(rule, findings, make))
        case .values(let make): valueRules.append((rule, try make(examination)))
        }
      }
      collectors[rule.id] = findings
    }
    if !watchers.isEmpty {
      var pass = HistoryPass(examination, watchers)
      try attempt(watchers.map(\.rule)) { try pass.run { progress("reading history") } }
      for watcher in pass.watchers {
        if let problem = watcher.problem {
          skipped[watcher.rule.id] = Self.sentence(problem)
          if Self.isFailure(problem) { failed.insert(watcher.rule.id) }
        }
        collectors[watcher.rule.id] = watcher.findings
      }
    }
    if !valueRules.isEmpty {
      try attempt(valueRules.map(\.0)) {
        var found = valueRules.compactMap { rule, _ in collectors[rule.id] }
        let omissions = try ValuePass.run(examination, step: { progress("searching the values") }) {
          reference in
          for index in valueRules.indices { try valueRules[index].1.visit(reference, &found[index]) }
        }
        for (index, (rule, _)) in valueRules.enumerated() {
          collectors[rule.id] = found[index]
          partly[rule.id] = omissions
        }
      }
    }
    var diagnosis = diagnosis(collectors, skipped, failed, partly)
    diagnosis.seconds = seconds
    return diagnosis
  }

  private func diagnosis(
    _ collectors: [String: FindingCollector], _ skipped: [String: String], _ failed: Set<String>,
    _ partly: [String: String]
  ) -> Diagnosis {
    var diagnosis = Diagnosis()
    diagnosis.isCompared = baseline != nil
    for rule in rules {
      if let because = skipped[rule.id] {
        diagnosis.skipped.append(
          Diagnosis.Skipped(rule: rule.id, because: because, hasFailed: failed.contains(rule.id)))
      } else {
        diagnosis.checked.append(rule.id)
        // What a rule could not look at is named, though the rest was checked.
        if let because = partly[rule.id] {
          diagnosis.skipped.append(Diagnosis.Skipped(rule: rule.id, because: because, isPartial: true))
        }
        guard let finding = collectors[rule.id]?.finding() else {
          // What wasn't looked at may still be there.
          if partly[rule.id] == nil, let baseline, baseline[rule.id].count > 0 {
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
      (other.rule.severity, order[one.rule.id] ?? 0) < (one.rule.severity, order[other.rule.id] ?? 0)
    }
    return diagnosis
  }

  /// Why something can't be read.
  package static func sentence(_ error: any Error) -> String {
    guard let error = error as? SQLiteError else { return "\(error)" }
    return "SQLite could not read the data it needs: \(error.message)."
  }

  /// Whether the store is to blame, and not what it lacks by right.
  private static func isFailure(_ error: any Error) -> Bool {
    guard let error = error as? StoreScopeError else { return error is SQLiteError }
    return [.unreadable, .damaged].contains(error.kind)
  }
}

/// Runs a rule that is a query.
struct QueryRule {
  let rule: Rule
  let query: SavedQuery

  /// Parameters that every rule's query may use: `:now` and `:last_sign` (seconds as Core Data counts them), `:token`
  /// (the last processed transaction, or 0) and `:uuid` (the store's).
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
        findings.add(object: object, members)
        continue
      }
      // All values only if nothing else distinguishes the findings: they take longer than all the rest.
      findings.add(
        subject: subject.map(statement.text) ?? members.map { "\($0.value)" }.joined(separator: "\u{1}"),
        members)
    }
  }

  private func value(_ name: String, _ examination: Examination) throws -> SQLiteValue {
    switch name {
    case "now": .real(examination.clock.now.seconds)
    case "last_sign": .real(examination.clock.lastSign.seconds)
    case "token": .integer(try examination.mirror?.token.analysedUpTo ?? 0)
    case "uuid": .text(examination.store.uuid)
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
