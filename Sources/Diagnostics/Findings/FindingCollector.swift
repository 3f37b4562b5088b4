import Explanations
import Lens
import SystemCalls
package import Values

/// Where a rule puts what it finds, one by one; keeps as much as will be shown and counts the rest.
package struct FindingCollector {
  /// Marks are kept for this many; a rule with more is known by their number.
  package static let markLimit = 10_000

  let header: RuleHeader
  /// How bad it is, if that depends on what was found; nil for what the rule says.
  package var severity: Severity?
  /// The fix, if that depends on what was found; nil for what the rule says.
  var remedy: String?
  private let limit: Int
  private let baseline: Baseline.Entry
  private var count = 0
  private var known = 0
  private var objects: [String] = []
  private var seenObjects: Set<String> = []
  private var evidence: [DataValue] = []
  private var marks: [Mark] = []
  private var first: [DataValue.Member] = []
  /// See `Finding`.
  var ofAll: [DataValue.Member] = []
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
  /// the object. It must be the same in the next run over the same store. It and `members` are made only while they are
  /// kept: a damaged store can have a million findings.
  package mutating func add(
    object: String? = nil, subject: @autoclosure () -> String = "",
    _ members: @autoclosure () -> [DataValue.Member]
  ) {
    if marks.count < Self.markLimit || baseline.count > 0 {
      let mark = Mark(rule: header.id, subject: (object ?? "") + "\u{1}" + subject())
      if marks.count < Self.markLimit { marks.append(mark) }
      if baseline.knows(mark, after: known) {
        known += 1
        return
      }
    }
    count += 1
    if count == 1 || evidence.count < limit {
      let members = members()
      if count == 1 { first = members }
      if evidence.count < limit { evidence.append(.object(members)) }
    }
    if let object, objects.count < limit, seenObjects.insert(object).inserted { objects.append(object) }
  }

  /// Nil where nothing was found; of what the baseline knew alone, with a count of 0.
  package func finding() -> Finding? {
    guard count > 0 || known > 0 else { return nil }
    var rule = header
    rule.severity = severity ?? header.severity
    rule.remedy = remedy ?? header.remedy
    return Finding(
      rule: rule, message: MessageTemplate.text(header.message, count: count, ofAll + first), count: count,
      known: known, objects: objects, evidence: evidence, marks: marks, ofAll: ofAll)
  }
}

extension FindingCollector {
  /// A type of run that fails with one error; a baseline knows it by the two.
  mutating func add(_ failure: EventFailure, _ more: [DataValue.Member] = []) {
    let last = failure.last
    add(
      subject: "\(last.typeName) \(failure.error)",
      [
        .init("type", .text(last.typeName)), .init("error", .text(failure.error)),
        .init("errorDomain", .optional(last.errorDomain)), .init("errorCode", .optional(last.errorCode)),
        .init("errorName", .optional(last.errorName)), .init("failures", .count(failure.unresolved)),
        .init("runs", .text(failure.runs)), .init("first", .optional(failure.since?.moment)),
        .init("last", .optional(last.moment)), .init("meaning", .text(failure.meaning)),
      ] + more)
  }
}

/// Fills a rule's message: `{count}`, `{record|records}`, `{author}`, `{saves:save|saves}` (the form that goes with that
/// number), `{bytes:size}` (`1.5 MB`).
package enum MessageTemplate {
  /// - Parameter first: the evidence of the first finding.
  package static func text(_ template: String, count: Int, _ first: [DataValue.Member]) -> String {
    var text = ""
    var rest = template[...]
    while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
      text += rest[..<start]
      text += value(rest[rest.index(after: start)..<end], in: template, count, first)
      rest = rest[rest.index(after: end)...]
    }
    return text + rest
  }

  private static func value(
    _ word: Substring, in template: String, _ count: Int, _ first: [DataValue.Member]
  ) -> String {
    let sides = word.split(separator: ":", maxSplits: 1)
    let forms = (sides.last ?? word).split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let value = first.first { $0.name == sides[0] }?.value
    // What chooses a form is a count.
    if sides.count == 1, forms.count == 1, template.contains("{\(word):"), let number = value?.wholeNumber {
      return Sentence.number(number)
    }
    let number = sides.count == 2 ? value?.wholeNumber ?? 0 : count
    if forms.count == 2 { return Sentence.form(number, forms[0], forms[1]) }
    if sides.count == 2 { return Sentence.size(Int64(number)) }
    if word == "count" { return Sentence.number(count) }
    return value?.plainText ?? ""
  }
}

extension DataValue {
  fileprivate var wholeNumber: Int? {
    switch self {
    case .integer(let number): Int(clamping: number)
    case .real(let number): number == number.rounded() ? Int(Int64(clamping: number)) : nil
    default: nil
    }
  }

  /// For sentences: no quotes, dates in ISO 8601.
  fileprivate var plainText: String {
    switch self {
    case .text(let text): text
    case .integer(let number): "\(number)"
    case .real(let number):
      number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
    case .date(let date): date.iso8601 ?? "an impossible time"
    case .null: "none"
    case .array(let elements): elements.map(\.plainText).joined(separator: ", ")
    default: ""
    }
  }
}
