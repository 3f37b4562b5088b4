package import Base
import Explanations
import Lens

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
  /// the object. It must be the same in the next run over the same store. It and the evidence are made only while they are
  /// kept: a damaged store can have a million findings.
  /// - Parameter members: evidence that follows.
  package mutating func add(
    object: String? = nil, subject: @autoclosure () -> String = "",
    _ evidence: @autoclosure () -> KeyValuePairs<String, DataValue> = [:],
    members: @autoclosure () -> [DataValue.Member] = []
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
    if count == 1 || self.evidence.count < limit {
      let members = evidence().map { DataValue.Member($0.key, $0.value) } + members()
      if count == 1 { first = members }
      if self.evidence.count < limit { self.evidence.append(.object(members)) }
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
  mutating func add(_ failure: EventFailure, _ more: KeyValuePairs<String, DataValue>) {
    let last = failure.last
    add(
      subject: "\(last.typeName) \(failure.error)",
      [
        "type": .text(last.typeName), "error": .text(failure.error),
        "errorDomain": .optional(last.errorDomain), "errorCode": .optional(last.errorCode),
        "errorName": .optional(last.errorName), "failures": .count(failure.unresolved),
        "runs": .text(failure.runs), "first": .optional(failure.since?.moment),
        "last": .optional(last.moment), "meaning": .text(failure.meaning),
      ], members: more.map { .init($0.key, $0.value) })
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

/// What a rule that looks at everything could not look at.
struct Omissions {
  private let rest: String
  private var count = 0
  private var first = ""

  /// - Parameter rest: what was done with all others: "All values were searched".
  init(_ rest: String) { self.rest = rest }

  mutating func add(_ place: String, _ reason: String) {
    count += 1
    if count == 1 { first = "\(place) \(reason)" }
  }

  /// Nil if nothing was left out.
  var sentence: String? {
    switch count {
    case 0: nil
    case 1: "\(rest) but one: \(first)."
    default: "\(rest) but \(count); the first of them, \(first)."
    }
  }
}
