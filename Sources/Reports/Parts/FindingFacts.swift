package import Diagnostics
package import Values

/// What the doctor found, without what must not be shown.
package struct FindingFacts {
  package struct Finding {
    package var rule: String
    package var severity: Severity
    package var title: String
    package var message: String
    package var count: Int
    package var why: String
    package var nextLaunch: String
    package var remedy: String
    package var objects: [String]
    package var evidence: [[DataValue.Member]]

    package var value: DataValue {
      [
        "rule": .text(rule), "severity": .text(severity.rawValue), "title": .text(title),
        "message": .text(message), "count": .count(count), "why": .text(why), "nextLaunch": .text(nextLaunch),
        "remedy": .text(remedy), "objects": .array(objects.map(DataValue.text)),
        "evidence": .array(evidence.map(DataValue.object)),
      ]
    }
  }

  package var findings: [Finding]
  package var checked: [String]
  package var skipped: [Diagnosis.Skipped]

  package init(_ diagnosis: Diagnosis, _ privacy: ReportPrivacy) {
    findings = diagnosis.findings.map { finding in
      let evidence = finding.evidence.map { value -> [DataValue.Member] in
        guard case .object(let members) = value else { return [] }
        // A rule's own name for what it is about: the other cells say the same.
        return members.filter { $0.name != "subject" }.map(privacy.cell)
      }
      let rule = finding.rule
      // Rebuilt from cells that may be shown.
      let message =
        privacy.showsValues
        ? finding.message : MessageTemplate.text(rule.message, count: finding.count, evidence.first ?? [])
      return Finding(
        rule: rule.id, severity: rule.severity, title: rule.title, message: privacy.sentence(message),
        count: finding.count, why: rule.why, nextLaunch: rule.nextLaunch, remedy: rule.remedy,
        objects: finding.objects.map(privacy.uri), evidence: evidence)
    }
    checked = diagnosis.checked
    skipped = diagnosis.skipped.map { .init(rule: $0.rule, because: privacy.sentence($0.because)) }
  }

  package func count(_ severity: Severity) -> Int { findings.count { $0.severity == severity } }

  var skippedValue: DataValue {
    .array(skipped.map { ["rule": .text($0.rule), "because": .text($0.because)] })
  }
}
