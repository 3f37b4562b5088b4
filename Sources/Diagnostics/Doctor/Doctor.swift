import SQLite

/// Runs rules over a store.
package struct Doctor {
  package var rules: [Rule]
  /// Objects and pieces of evidence a finding.
  package var limit: Int
  /// What was there before and doesn't count.
  package var baseline: Baseline
  /// Told what is being done, and then again and again while it lasts.
  package var progress: (String) -> Void

  package init(
    rules: [Rule] = RuleRegistry.all, limit: Int = 100, baseline: Baseline = Baseline(),
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
    var partly: [String: String] = [:]
    var watchers: [HistoryPass.Watcher] = []
    var valueRules: [(Rule, any ValueObserver)] = []

    /// Whether the work was done; what went wrong is why its rules are skipped.
    func attempt(_ rules: [Rule], _ body: () throws -> Void) throws {
      do { try body() } catch let error as SQLiteError where error.isInterrupt {
        throw error
      } catch {
        for rule in rules { skipped[rule.id] = Self.sentence(error) }
      }
    }

    for rule in rules {
      if let lack = rule.header.needs.lazy.compactMap({ $0.lack(in: examination) }).first {
        skipped[rule.id] = lack
        continue
      }
      let phase = "checking \(rule.id)"
      progress(phase)
      var findings = FindingCollector(rule.header, limit: limit, baseline: baseline[rule.id])
      try attempt([rule]) {
        switch rule.check {
        case .query(let query):
          try QueryRule(rule: rule, query: query).run(examination, &findings) { progress(phase) }
        case .code(let check): try check(examination, &findings)
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
        if let problem = watcher.problem { skipped[watcher.rule.id] = problem }
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
    return diagnosis(collectors, skipped, partly)
  }

  private func diagnosis(
    _ collectors: [String: FindingCollector], _ skipped: [String: String], _ partly: [String: String]
  ) -> Diagnosis {
    var diagnosis = Diagnosis()
    for rule in rules {
      if let because = skipped[rule.id] {
        diagnosis.skipped.append(Diagnosis.Skipped(rule: rule.id, because: because))
      } else {
        diagnosis.checked.append(rule.id)
        // What a rule could not look at is named, though the rest was checked.
        if let because = partly[rule.id] {
          diagnosis.skipped.append(Diagnosis.Skipped(rule: rule.id, because: because))
        }
        guard let finding = collectors[rule.id]?.finding() else { continue }
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

  static func sentence(_ error: any Error) -> String {
    guard let error = error as? SQLiteError else { return "\(error)" }
    return "SQLite could not read what it looks at: \(error.message)."
  }
}
