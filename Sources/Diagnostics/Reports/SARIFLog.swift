package import Base

/// Diagnoses as SARIF 2.1.0, which code hosts read: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
///
/// Each store is a run with a category of its own: of two runs with one category a code host keeps the later.
/// https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
package struct SARIFLog {
  private let stores: [ExaminedStore]
  private let rules: [Rule]
  private let version: String
  private let indexes: [String: Int]

  package init(_ stores: [ExaminedStore], rules: [Rule], version: String) {
    self.stores = stores
    self.rules = rules
    self.version = version
    indexes = Dictionary(rules.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { $1 })
  }

  package var value: DataValue {
    [
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": .array(stores.map(run)),
    ]
  }

  private func run(_ store: ExaminedStore) -> DataValue {
    var members: [DataValue.Member] = [
      .init(
        "tool",
        [
          "driver": [
            "name": "storescope", "version": .text(version), "semanticVersion": .text(version),
            "rules": .array(rules.map(descriptor)),
          ]
        ]),
      .init("automationDetails", ["id": .text(category(of: store))]),
      .init("invocations", [invocation(store.outcome)]),
      .init(
        "artifacts",
        [
          [
            "location": ["uri": .text(uri(of: store))], "roles": ["analysisTarget"],
            "mimeType": "application/vnd.sqlite3",
          ]
        ]),
      .init("columnKind", "utf16CodeUnits"),
    ]
    // Without results, nothing was looked for; an empty list means that nothing was found, and closes what was open.
    if case .examined(let diagnosis) = store.outcome {
      members.append(.init("results", .array(results(of: diagnosis, store))))
    }
    return .object(members)
  }

  /// The name ends with a slash, as what would follow distinguishes the runs of one category. An absolute path says so, as
  /// a relative path may have the same names.
  private func category(of store: ExaminedStore) -> String {
    let parts = store.path.split(separator: "/").filter { $0 != "." }
    return "storescope/\(store.path.hasPrefix("/") ? "file:/" : "")\(parts.joined(separator: "/"))/"
  }

  private func invocation(_ outcome: ExaminedStore.Outcome) -> DataValue {
    switch outcome {
    case .examined(let diagnosis):
      [
        "executionSuccessful": true,
        "toolExecutionNotifications": .array(diagnosis.skippedByReason.map(notification)),
      ]
    case .failed(let why):
      [
        "executionSuccessful": false,
        "toolExecutionNotifications": [["level": "error", "message": ["text": .text(why)]]],
      ]
    }
  }

  /// One per reason: a store that isn't mirrored has more than forty rules to skip.
  private func notification(_ reason: Diagnosis.Skipped, _ skipped: [String]) -> DataValue {
    let what = skipped.count == 1 ? skipped[0] : Sentence.count(skipped.count, "rule")
    var members: [DataValue.Member] = [
      .init("level", reason.hasFailed || reason.isPartial ? "warning" : "note"),
      .init("message", ["text": .text("\(what) \(reason.how): \(reason.because)")]),
    ]
    if skipped.count == 1 {
      members.append(
        .init("associatedRule", ["id": .text(skipped[0]), "index": .optional(indexes[skipped[0]])]))
    } else {
      members.append(.init("properties", ["rules": .array(skipped.map(DataValue.text))]))
    }
    return .object(members)
  }

  private func descriptor(_ rule: Rule) -> DataValue {
    let header = rule.header
    let paragraphs = header.paragraphs.filter { $0.name != RuleHeader.needsName && !$0.text.isEmpty }
    return [
      "id": .text(header.id),
      "shortDescription": ["text": .text(header.title)],
      "fullDescription": ["text": .text(header.why)],
      "help": [
        "text": .text(paragraphs.map { "\($0.name): \($0.text)" }.joined(separator: "\n")),
        "markdown": .text(paragraphs.map { "**\($0.name):** \($0.text)" }.joined(separator: "\n\n")),
      ],
      "defaultConfiguration": ["level": .text(header.severity.noun)],
      "properties": ["tags": .array(Self.tags(header).map(DataValue.text))],
    ]
  }

  /// What alerts can be filtered by.
  private static func tags(_ header: RuleHeader) -> [String] {
    let subjects = header.needs.compactMap { need -> String? in
      switch need {
      case .history: "history"
      case .mirror, .cloudKit, .knownLayout: "cloudkit"
      case .model: "model"
      case .table: nil
      }
    }
    return ["core-data"] + Set(subjects).sorted()
  }

  // MARK: - Results

  /// One result per rule: its fingerprint then stays the same while objects come and go, and an alert keeps its story.
  private func results(of diagnosis: Diagnosis, _ store: ExaminedStore) -> [DataValue] {
    let current = diagnosis.findings.map { finding -> DataValue in
      var members = result(
        finding.rule, level: finding.rule.severity,
        "\(Sentence.ended(finding.message)) Fix: \(finding.rule.remedy)", store,
        objects: finding.objects)
      members += [
        .init("occurrenceCount", .count(finding.count)),
        .init("properties", ["nextLaunch": .text(finding.rule.nextLaunch)]),
      ]
      if diagnosis.isCompared {
        members.append(.init("baselineState", finding.known > 0 ? "updated" : "new"))
      }
      return .object(members)
    }
    let accepted = diagnosis.accepted.map { finding -> DataValue in
      let text = "\(finding.rule.title): \(Sentence.count(finding.known, "finding")) in the baseline."
      return .object(
        result(finding.rule, level: finding.rule.severity, text, store) + [
          .init("occurrenceCount", .count(finding.known)), .init("baselineState", "unchanged"),
          .init(
            "suppressions",
            [["kind": "external", "status": "accepted", "justification": "It is in the baseline."]]),
        ])
    }
    // The rule was checked and found nothing, which is no alert.
    let resolved = diagnosis.resolved.map { rule -> DataValue in
      let text = "\(rule.title): what the baseline has is no longer there."
      return .object(
        result(rule, level: nil, text, store) + [
          .init("kind", "pass"), .init("baselineState", "absent"),
        ])
    }
    return current + accepted + resolved
  }

  /// - Parameter level: nil for a rule that found nothing.
  private func result(
    _ rule: RuleHeader, level: Severity?, _ text: String, _ store: ExaminedStore, objects: [String] = []
  ) -> [DataValue.Member] {
    // Code hosts ask for a place in a text; what is meant is the file.
    let region: DataValue = ["startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 2]
    var location: [DataValue.Member] = [
      .init(
        "physicalLocation",
        ["artifactLocation": ["uri": .text(uri(of: store)), "index": 0], "region": region])
    ]
    if !objects.isEmpty {
      location.append(
        .init(
          "logicalLocations",
          .array(objects.map { ["fullyQualifiedName": .text($0), "kind": "object"] })))
    }
    // The same for copies of a store wherever they are.
    let mark = Mark(rule: rule.id, subject: store.uuid ?? Platform.fileName(store.path)).text
    return [
      .init("ruleId", .text(rule.id)), .init("ruleIndex", .optional(indexes[rule.id])),
      .init("level", .text(level?.noun ?? "none")), .init("message", ["text": .text(text)]),
      .init("locations", [.object(location)]),
      .init(
        "partialFingerprints",
        ["primaryLocationLineHash": .text("\(mark):1"), "ruleAndStore/v1": .text(mark)]
      ),
    ]
  }

  /// A relative reference or a file URI: https://www.rfc-editor.org/rfc/rfc3986#section-3.3
  private func uri(of store: ExaminedStore) -> String {
    let escaped = store.path.percentEncoded(keepingSlashes: true)
    return store.path.hasPrefix("/") ? "file://" + escaped : escaped
  }
}
