import Diagnostics
import Rendering
import Values

/// What `doctor` prints.
struct DoctorDocument {
  private let diagnosis: Diagnosis
  private let rules: [Rule]
  private let failsAt: Severity?

  init(_ diagnosis: Diagnosis, rules: [Rule], failsAt: Severity?) {
    self.diagnosis = diagnosis
    self.rules = rules
    self.failsAt = failsAt
  }

  var hasFailed: Bool {
    guard let failsAt, let worst = diagnosis.worst() else { return false }
    return worst >= failsAt
  }

  func document(_ identity: StoreIdentity) -> Document {
    let skipped = diagnosis.skipped.map { skipped -> DataValue in
      ["rule": .text(skipped.rule), "because": .text(skipped.because)]
    }
    var document = Document(
      command: "doctor", store: identity,
      fields: [
        .init("findings", .array(diagnosis.findings.map(\.value))),
        .init("checked", .array(diagnosis.checked.map(DataValue.text))), .init("skipped", .array(skipped)),
      ],
      payload: "findings", blocks: blocks)
    document.special = [
      .sarif: {
        .json(
          SARIFLog(
            diagnosis, rules: rules, path: identity.path, storeUUID: identity.uuid ?? "",
            version: Application.version
          ).value)
      },
      .junit: { .text(JUnitReport(diagnosis, path: identity.path, failsAt: failsAt).text) },
    ]
    return document
  }

  private var blocks: [Document.Block] {
    var blocks: [Document.Block] = [.text(conclusion)]
    for severity in Severity.allCases {
      let findings = diagnosis.findings.filter { $0.rule.severity == severity }
      if findings.isEmpty { continue }
      blocks.append(.heading(Self.heading(severity, findings.count)))
      for (index, finding) in findings.enumerated() {
        if index > 0 { blocks.append(.text("")) }
        blocks.append(.pairs(Self.pairs(finding)))
      }
    }
    if !diagnosis.skipped.isEmpty {
      blocks += [.heading("Not checked"), .pairs(reasons)]
    }
    return blocks
  }

  /// One line: what matters first.
  private var conclusion: String {
    let counts = Severity.allCases.map { ($0, diagnosis.count($0)) }.filter { $0.1 > 0 }
      .map { Sentence.count($0.1, Self.noun($0.0)) }
    let known = (diagnosis.findings + diagnosis.accepted).map(\.known).reduce(0, +)
    let found =
      counts.isEmpty ? (known > 0 ? "Nothing new" : "Nothing found") : counts.joined(separator: ", ")
    let checked = ": \(Sentence.count(diagnosis.checked.count, "rule")) checked"
    let skipped = diagnosis.skipped.isEmpty ? "" : ", \(diagnosis.skipped.count) not checked"
    return found + checked + skipped + (known > 0 ? ", \(known) known from the baseline" : "") + "."
  }

  /// Of findings without objects so many are listed for people; JSON has up to --limit.
  private static let shownEvidence = 5

  private static func pairs(_ finding: Finding) -> [(String, DataValue)] {
    var pairs: [(String, DataValue)] = [
      (finding.rule.id, .text(finding.message)), ("why", .text(finding.rule.why)),
      ("next launch", .text(finding.rule.nextLaunch)), ("what to do", .text(finding.rule.remedy)),
    ]
    if !finding.objects.isEmpty {
      let names = finding.objects.map { $0.split(separator: "/").suffix(2).joined(separator: "/") }
      let isWhole = finding.evidence.count == finding.count
      pairs.append(("objects", .text(names.joined(separator: ", ") + (isWhole ? "" : " …"))))
    } else if finding.count > 1 {
      let seen = Array(finding.evidence.prefix(shownEvidence))
      let more = finding.count - seen.count
      pairs.append(("seen", .array(more > 0 ? seen + [.text("and \(more) more")] : seen)))
    }
    return pairs
  }

  /// The rules that share a reason in one line.
  private var reasons: [(String, DataValue)] {
    var order: [String] = []
    var rules: [String: [String]] = [:]
    for skipped in diagnosis.skipped {
      if rules[skipped.because] == nil { order.append(skipped.because) }
      rules[skipped.because, default: []].append(skipped.rule)
    }
    return order.map { because in
      let names = rules[because] ?? []
      return (
        because, .text(names.count > 8 ? Sentence.count(names.count, "rule") : names.joined(separator: ", "))
      )
    }
  }

  private static func heading(_ severity: Severity, _ count: Int) -> String {
    let noun = noun(severity)
    return noun.prefix(1).uppercased() + noun.dropFirst() + "s (\(count))"
  }

  private static func noun(_ severity: Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }
}
