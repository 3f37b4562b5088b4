/// A diagnosis as the XML in which build servers read test results: a rule is a test case, and a finding is a failure. There
/// is no standard; what Jenkins and GitLab document is common ground: https://github.com/testmoapp/junitxml
package struct JUnitReport {
  private let diagnosis: Diagnosis
  private let path: String
  private let failsAt: Severity?

  /// - Parameter failsAt: findings below it are listed, but aren't failures; nil where nothing is one.
  package init(_ diagnosis: Diagnosis, path: String, failsAt: Severity?) {
    self.diagnosis = diagnosis
    self.path = path
    self.failsAt = failsAt
  }

  package var text: String {
    // What was checked but for a part is a test that ran.
    let left = diagnosis.skipped.filter { !diagnosis.checked.contains($0.rule) }
    let cases = diagnosis.checked.map(checked) + left.map(skipped)
    let failures = diagnosis.findings.count(where: isFailure)
    let counts =
      "tests=\"\(cases.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(left.count)\""
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="storescope doctor" \(counts)>
      <testsuite name="\(Self.escaped(path))" \(counts)>
      \(cases.joined(separator: "\n"))
      </testsuite>
      </testsuites>

      """
  }

  private func isFailure(_ finding: Finding) -> Bool {
    failsAt.map { finding.rule.severity >= $0 } ?? false
  }

  private func checked(_ rule: String) -> String {
    let start = "<testcase classname=\"storescope.doctor\" name=\"\(rule)\""
    guard let finding = diagnosis.findings.first(where: { $0.rule.id == rule }) else { return start + "/>" }
    let body = Self.escaped(
      ([finding.message, finding.rule.nextLaunch, finding.rule.remedy] + finding.objects).joined(
        separator: "\n"))
    guard isFailure(finding) else { return "\(start)><system-out>\(body)</system-out></testcase>" }
    return """
      \(start)><failure type="\(finding.rule.severity.rawValue)" message="\(Self.escaped(finding.message))">\(body)\
      </failure></testcase>
      """
  }

  private func skipped(_ skipped: Diagnosis.Skipped) -> String {
    """
    <testcase classname="storescope.doctor" name="\(skipped.rule)">\
    <skipped message="\(Self.escaped(skipped.because))"/></testcase>
    """
  }

  /// https://www.w3.org/TR/xml/#charsets: control characters have no place in XML, not even as references.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t": result.unicodeScalars.append(scalar)
      default:
        let isAllowed =
          scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value & 0xFFFE != 0xFFFE
        result.unicodeScalars.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
    return result
  }
}
