package import Values

/// Where a rule puts what it finds, one by one; keeps as much as will be shown and counts the rest.
package struct FindingCollector {
  /// Marks are kept for this many; a rule with more is known by their number.
  package static let markLimit = 10_000

  private let header: RuleHeader
  private let limit: Int
  private let baseline: Baseline.Entry
  private var count = 0
  private var known = 0
  private var objects: [String] = []
  private var seenObjects: Set<String> = []
  private var evidence: [DataValue] = []
  private var marks: [String] = []
  private var first: [DataValue.Member] = []
  /// What the rule could not look at, as a sentence; nil if it looked at everything.
  package var omission: String?

  /// - Parameters:
  ///   - limit: objects and evidence at most.
  ///   - baseline: what was there before and doesn't count.
  package init(_ header: RuleHeader, limit: Int, baseline: Baseline.Entry = Baseline.Entry()) {
    self.header = header
    self.limit = limit
    self.baseline = baseline
  }

  /// One finding. `subject` says what it is about where that is no object (a zone's name, a key, a table), or what of
  /// the object. It must be the same in the next run over the same store.
  package mutating func add(object: String? = nil, subject: String = "", _ members: [DataValue.Member]) {
    if marks.count < Self.markLimit || baseline.count > 0 {
      let mark = Mark.of(rule: header.id, subject: (object ?? "") + "\u{1}" + subject)
      if marks.count < Self.markLimit { marks.append(mark) }
      if baseline.knows(mark, after: known) {
        known += 1
        return
      }
    }
    count += 1
    if count == 1 { first = members }
    if evidence.count < limit { evidence.append(.object(members)) }
    if let object, objects.count < limit, seenObjects.insert(object).inserted { objects.append(object) }
  }

  /// Nil where nothing was found; of what the baseline knew alone, with a count of 0.
  package func finding() -> Finding? {
    guard count > 0 || known > 0 else { return nil }
    return Finding(
      rule: header, message: MessageTemplate.text(header.message, count: count, first), count: count,
      known: known, objects: objects, evidence: evidence, marks: marks)
  }
}
