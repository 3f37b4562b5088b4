package import Values

/// A diagnosis as SARIF 2.1.0, which code hosts read: https://docs.oasis-open.org/sarif/sarif/v2.1.0/
package struct SARIFLog {
  private let diagnosis: Diagnosis
  private let rules: [Rule]
  private let path: String
  private let storeUUID: String
  private let version: String

  /// - Parameter path: the store's, as it was given.
  package init(_ diagnosis: Diagnosis, rules: [Rule], path: String, storeUUID: String, version: String) {
    self.diagnosis = diagnosis
    self.rules = rules
    self.path = path
    self.storeUUID = storeUUID
    self.version = version
  }

  package var value: DataValue {
    [
      "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
      "version": "2.1.0",
      "runs": [
        [
          "tool": [
            "driver": [
              "name": "storescope", "version": .text(version), "rules": .array(rules.map(descriptor)),
            ]
          ],
          "invocations": [
            [
              "executionSuccessful": true,
              "toolExecutionNotifications": .array(diagnosis.skipped.map(notification)),
            ]
          ],
          "artifacts": [["location": ["uri": .text(uri)]]],
          "results": .array(diagnosis.findings.map(result)),
          "columnKind": "utf16CodeUnits",
        ]
      ],
    ]
  }

  private func descriptor(_ rule: Rule) -> DataValue {
    let header = rule.header
    return [
      "id": .text(header.id),
      "shortDescription": ["text": .text(header.title)],
      "fullDescription": ["text": .text(header.why)],
      "help": ["text": .text("\(header.nextLaunch) \(header.wholeRemedy)")],
      "defaultConfiguration": ["level": .text(Self.level(header.severity))],
    ]
  }

  /// One result per rule: its fingerprint then stays the same while objects come and go, and an alert keeps its story.
  private func result(_ finding: Finding) -> DataValue {
    let names = finding.objects.map { uri -> DataValue in
      ["fullyQualifiedName": .text(uri), "kind": "object"]
    }
    var location: [DataValue.Member] = [
      .init("physicalLocation", ["artifactLocation": ["uri": .text(uri), "index": 0]])
    ]
    if !names.isEmpty { location.append(.init("logicalLocations", .array(names))) }
    return [
      "ruleId": .text(finding.rule.id),
      "ruleIndex": .optional(rules.firstIndex { $0.id == finding.rule.id }),
      "level": .text(Self.level(finding.rule.severity)),
      "message": ["text": .text("\(finding.message) \(finding.rule.remedy)")],
      "locations": [.object(location)],
      "occurrenceCount": .count(finding.count),
      "partialFingerprints": ["ruleAndStore/v1": .text(Mark.of(rule: finding.rule.id, subject: storeUUID))],
    ]
  }

  private func notification(_ skipped: Diagnosis.Skipped) -> DataValue {
    [
      "associatedRule": [
        "id": .text(skipped.rule), "index": .optional(rules.firstIndex { $0.id == skipped.rule }),
      ],
      "level": "note",
      "message": ["text": .text(skipped.because)],
    ]
  }

  private static func level(_ severity: Severity) -> String {
    switch severity {
    case .error: "error"
    case .warning: "warning"
    case .info: "note"
    }
  }

  /// A relative reference or a file URI: https://www.rfc-editor.org/rfc/rfc3986#section-3.3
  private var uri: String {
    let digits = Array("0123456789ABCDEF")
    let escaped = path.utf8.map { byte -> String in
      let scalar = Character(UnicodeScalar(byte))
      if byte < 0x80, scalar.isLetter || scalar.isNumber || "/-._~".contains(scalar) { return String(scalar) }
      return "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
    }.joined()
    return path.hasPrefix("/") ? "file://" + escaped : escaped
  }
}
