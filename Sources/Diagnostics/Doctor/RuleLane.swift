import Base
import Evidence
import SQLite

/// Some of the doctor's rules, checked on one thread, and what came of them.
struct RuleLane {
  private let limit: Int
  private let baseline: Baseline?
  private(set) var collectors: [String: FindingCollector] = [:]
  /// Why a rule wasn't checked, by the rule.
  private(set) var skipped: [String: String] = [:]
  /// Those of them that the store is to blame for.
  private(set) var failed: Set<String> = []
  /// What a rule could not look at, though the rest was checked.
  private(set) var partly: [String: String] = [:]
  private(set) var seconds: [String: Double] = [:]

  /// See `Doctor`.
  init(limit: Int, baseline: Baseline?) {
    (self.limit, self.baseline) = (limit, baseline)
  }

  /// - Throws: `SQLiteError` of interruption only.
  mutating func run(_ rules: [Rule], _ examination: Examination, _ progress: (String) -> Void) throws {
    var watchers: [HistoryPass.Watcher] = []
    var valueRules: [(Rule, any ValueObserver)] = []
    for rule in rules {
      if let lack = rule.header.needs.lazy.compactMap({ $0.lack(in: examination) }).first {
        skipped[rule.id] = lack
        if lack == examination.historyDamage { failed.insert(rule.id) }
        continue
      }
      // Without all tables in view, a rule would report as missing what can't be listed.
      if examination.opened?.isSchemaDamaged == true, !rule.header.isOfFiles {
        skip(rule, StoreScopeError(.damaged, "SQLite can't read the list of the store's tables to its end"))
        continue
      }
      let phase = "checking \(rule.id)"
      progress(phase)
      let header = rule.header.fitted(isMirrored: examination.mirror != nil)
      var findings = FindingCollector(header, limit: limit, baseline: baseline?[rule.id] ?? Baseline.Entry())
      try attempt([rule]) { lane in
        switch rule.check {
        case .query(let query):
          try QueryRule(rule: rule, query: query).run(examination, &findings) { progress(phase) }
        case .code(let check):
          try check(examination, &findings)
          lane.partly[rule.id] = findings.omission
        case .history(let make): watchers.append(HistoryPass.Watcher(rule, findings, make))
        case .values(let make): valueRules.append((rule, try make(examination)))
        }
      }
      collectors[rule.id] = findings
    }
    if !watchers.isEmpty { try watchHistory(watchers, examination, progress) }
    if !valueRules.isEmpty { try watchValues(valueRules, examination, progress) }
  }

  /// What both found, of different rules.
  func joined(with other: RuleLane) -> RuleLane {
    var both = self
    both.collectors.merge(other.collectors) { $1 }
    both.skipped.merge(other.skipped) { $1 }
    both.failed.formUnion(other.failed)
    both.partly.merge(other.partly) { $1 }
    both.seconds.merge(other.seconds) { $1 }
    return both
  }

  private mutating func watchHistory(
    _ watchers: [HistoryPass.Watcher], _ examination: Examination, _ progress: (String) -> Void
  ) throws {
    var pass = HistoryPass(examination, watchers)
    try attempt(watchers.map(\.rule)) { _ in try pass.run { progress("reading history") } }
    for watcher in pass.watchers {
      if let problem = watcher.problem { skip(watcher.rule, problem) }
      collectors[watcher.rule.id] = watcher.findings
    }
  }

  private mutating func watchValues(
    _ rules: [(rule: Rule, observer: any ValueObserver)], _ examination: Examination,
    _ progress: (String) -> Void
  ) throws {
    try attempt(rules.map(\.rule)) { lane in
      var found = rules.compactMap { lane.collectors[$0.rule.id] }
      let omissions = try ValuePass.run(examination, step: { progress("searching the values") }) {
        reference in
        for index in rules.indices { try rules[index].observer.visit(reference, &found[index]) }
      }
      for (index, (rule, _)) in rules.enumerated() {
        lane.collectors[rule.id] = found[index]
        lane.partly[rule.id] = omissions
      }
    }
  }

  /// Does work for some rules; what goes wrong is why they are skipped.
  private mutating func attempt(_ rules: [Rule], _ body: (inout RuleLane) throws -> Void) throws {
    let start = Platform.monotonicSeconds()
    defer {
      let share = (Platform.monotonicSeconds() - start) / Double(rules.count)
      for rule in rules { seconds[rule.id, default: 0] += share }
    }
    do { try body(&self) } catch let error as SQLiteError where error.isInterrupt {
      throw error
    } catch {
      for rule in rules { skip(rule, error) }
    }
  }

  private mutating func skip(_ rule: Rule, _ error: any Error) {
    skipped[rule.id] = Doctor.sentence(error)
    if Doctor.isFailure(error) { failed.insert(rule.id) }
  }
}
