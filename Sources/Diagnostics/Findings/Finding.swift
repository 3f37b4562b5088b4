package import Base

/// What one rule found.
package struct Finding: HasFields, Sendable, Equatable {
  package var rule: RuleHeader
  package var message: String
  package var count: Int
  /// Findings that the baseline knew, and which aren't in `count`.
  package var known: Int
  /// URIs, each once, as many as were asked for.
  package var objects: [String]
  /// What was seen, as many as were asked for.
  package var evidence: [DataValue]
  /// What distinguishes the findings, run after run and copy after copy of the store; see `Mark`.
  package var marks: [Mark]
  /// What the message says of all that was found, in addition to the first piece of evidence.
  package var ofAll: [DataValue.Member] = []

  package static let fields: [Field<Self>] = [
    Field("rule", "the rule's id, as 'explain' and 'rules' take it") { $0.rule.id },
    Field("severity", "how bad it is") { $0.rule.severity },
    Field("title", "what the rule finds, in a few words") { $0.rule.title },
    Field("message", "what it found, in sentences") { $0.message },
    Field("count", "how many times") { $0.count },
    Field("known", "how many more are in the baseline") { $0.known },
    Field("why", "why it matters") { $0.rule.why },
    Field("nextLaunch", "what the app's next launch does about it") { $0.rule.nextLaunch },
    Field("objects", "the objects, by URI; at most 100, or as many as --limit allows") { $0.objects },
    Field(
      "evidence", .list(.open([], "what was found, with keys of the rule's own")),
      "one entry per case; at most 100, or as many as --limit allows"
    ) { $0.evidence },
    Field("remedy", "how to fix it") { $0.rule.remedy },
  ]

  package static let shape = Shape.named("finding", fields.keys())
}

/// All that an examination came to.
package struct Diagnosis: HasFields, Sendable {
  package struct Skipped: HasFields, Sendable, Equatable {
    package var rule: String
    package var because: String
    /// The rule was checked on the rest: it is in `checked` too.
    package var isPartial = false
    /// It could not be read, while a store that is whole has it: no reason to call the store healthy.
    package var hasFailed = false

    package static let fields: [Field<Self>] = [
      Field("rule", "the rule's id") { $0.rule },
      Field("because", "why the store can't show it") { $0.because },
    ]

    /// What became of the rule, in words.
    package var how: String { isPartial ? "checked only in part" : "skipped" }
  }

  package static let fields: [Field<Self>] = [
    Field("findings", "what was found, one per rule") { $0.findings },
    Field("checked", "the rules that were checked") { $0.checked },
    Field("skipped", "rules that couldn't be checked, or not on everything") { $0.skipped },
  ]

  /// The worst first, of errors what a conclusion begins with, then in the order of the rules.
  package var findings: [Finding] = []
  /// What needs fixing.
  package var problems: [Finding] { findings.filter { $0.rule.severity > .info } }
  /// What is worth knowing, and no problem.
  package var notes: [Finding] { findings.filter { $0.rule.severity == .info } }
  /// What the baseline knew as a whole.
  package var accepted: [Finding] = []
  package var checked: [String] = []
  /// Rules that weren't checked, or not on all there is; the latter are in `checked` too.
  package var skipped: [Skipped] = []
  /// Rules that the baseline has findings of, and which found nothing now.
  package var resolved: [RuleHeader] = []
  /// If damage kept rules from being checked.
  package var damagedTables: [String] = []
  /// Whether there was a baseline to compare with.
  package var isCompared = false
  /// How long each rule took; rules that share a reading share its time.
  package var seconds: [String: Double] = [:]

  /// What should have been checked and couldn't, in a sentence; nil if there is nothing.
  /// - Parameter problem: why the state of sync isn't known, a sentence.
  package func unchecked(_ problem: String? = nil) -> String? {
    let failed = skipped.filter(\.hasFailed)
    let rules = failed.first.map { (Sentence.count(failed.count, "rule"), $0.because) }
    guard let problem else { return rules.map { "\($0) couldn't be checked: \(reason($1))" } }
    if let (count, because) = rules, because == problem {
      return "The state of sync and \(count) couldn't be checked: \(reason(problem))"
    }
    return ["The state of sync couldn't be checked: \(problem)", unchecked()].compactMap(\.self).joined(
      separator: " ")
  }

  /// What SQLite says of damage doesn't show where it is.
  private func reason(_ because: String) -> String {
    damagedTables.isEmpty
      ? because : "SQLite can't read all of \(Sentence.listed(damagedTables, atMost: 5))."
  }

  /// Rules that were skipped for one reason, in the order of the first of each.
  package var skippedByReason: [(reason: Skipped, rules: [String])] {
    var places: [String: Int] = [:]
    var groups: [(reason: Skipped, rules: [String])] = []
    for skipped in skipped {
      let key = "\(skipped.isPartial) \(skipped.hasFailed) \(skipped.because)"
      if let place = places[key] {
        groups[place].rules.append(skipped.rule)
      } else {
        places[key] = groups.count
        groups.append((skipped, [skipped.rule]))
      }
    }
    return groups
  }

  package func worst() -> Severity? { findings.map(\.rule.severity).max() }

  package func count(_ severity: Severity) -> Int { findings.count { $0.rule.severity == severity } }
}

/// A store and what came of it, as reports on several stores need it.
package struct ExaminedStore: Sendable {
  package enum Outcome: Sendable {
    case examined(Diagnosis)
    /// It couldn't be read: why, a sentence.
    case failed(String)
  }

  /// As it was given.
  package var path: String
  package var uuid: String?
  package var outcome: Outcome

  package init(path: String, uuid: String?, outcome: Outcome) {
    self.path = path
    self.uuid = uuid
    self.outcome = outcome
  }

  /// For each path its file's name, with as many of its folders as distinguish it from the others.
  static func names(of paths: [String]) -> [String] {
    let parts = paths.map { $0.split(separator: "/").filter { $0 != "." } }
    var names = paths
    var left = Set(paths.indices)
    for length in 1...max(1, parts.map(\.count).max() ?? 1) {
      let ends = parts.map { $0.suffix(length).joined(separator: "/") }
      let counts = Dictionary(ends.map { ($0, 1) }, uniquingKeysWith: +)
      for index in left where counts[ends[index]] == 1 && !ends[index].isEmpty {
        names[index] = ends[index]
        left.remove(index)
      }
    }
    return names
  }
}
