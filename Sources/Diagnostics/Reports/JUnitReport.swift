import Base

/// Diagnoses as the XML in which build servers read test results: a store is a suite, a rule is a test case, and a finding
/// is a failure. There is no standard; what Jenkins and GitLab document is common ground:
/// https://github.com/testmoapp/junitxml
package enum JUnitReport {
  /// - Parameters:
  ///   - failsAt: findings below it are listed, but aren't failures; nil where nothing is one.
  ///   - isTimed: whether it says how long each rule took, which is never the same twice.
  package static func text(_ stores: [ExaminedStore], failsAt: Severity?, isTimed: Bool) -> String {
    let suites = zip(stores, ExaminedStore.names(of: stores.map(\.path))).map { store, name in
      JUnitSuite(store, className: "storescope.\(name)", failsAt: failsAt, isTimed: isTimed)
    }
    let counts = suites.reduce(JUnitSuite.Counts()) { $0 + $1.counts }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <testsuites name="storescope doctor"\(counts.attributes)>
      \(suites.map(\.text).joined(separator: "\n"))
      </testsuites>

      """
  }
}

/// What such a report says of one store.
private struct JUnitSuite {
  struct Counts {
    var tests = 0
    var failures = 0
    var errors = 0
    var skipped = 0
    /// Nil if it isn't said.
    var seconds: Double?

    static func + (one: Self, other: Self) -> Self {
      Counts(
        tests: one.tests + other.tests, failures: one.failures + other.failures,
        errors: one.errors + other.errors, skipped: one.skipped + other.skipped,
        seconds: other.seconds.map { (one.seconds ?? 0) + $0 } ?? one.seconds)
    }

    var attributes: String {
      " tests=\"\(tests)\" failures=\"\(failures)\" errors=\"\(errors)\" skipped=\"\(skipped)\""
        + JUnitSuite.time(seconds)
    }
  }

  private let path: String
  private let className: String
  private let failsAt: Severity?
  private let seconds: [String: Double]?
  private(set) var counts = Counts()
  private var cases: [String] = []

  init(_ store: ExaminedStore, className: String, failsAt: Severity?, isTimed: Bool) {
    path = store.path
    self.className = className
    self.failsAt = failsAt
    switch store.outcome {
    case .failed(let why):
      seconds = nil
      counts.errors = 1
      cases = [testCase("readable", ["<error message=\"\(Self.escaped(why))\"/>"])]
    case .examined(let diagnosis):
      seconds = isTimed ? diagnosis.seconds : nil
      counts.seconds = seconds?.values.reduce(0, +)
      // What was checked but for a part is a test that ran.
      let skipped = diagnosis.skipped.filter { !$0.isPartial }
      counts.failures = diagnosis.findings.count(where: isFailure)
      counts.skipped = skipped.count
      let findings = Dictionary(diagnosis.findings.map { ($0.rule.id, $0) }, uniquingKeysWith: { $1 })
      let partly = Dictionary(
        diagnosis.skipped.filter(\.isPartial).map { ($0.rule, $0.because) }, uniquingKeysWith: { $1 })
      cases =
        diagnosis.checked.map { checked($0, findings[$0], partly[$0]) }
        + skipped.map { testCase($0.rule, ["<skipped message=\"\(Self.escaped($0.because))\"/>"]) }
    }
    counts.tests = cases.count
  }

  var text: String {
    """
    <testsuite name="\(Self.escaped(path))"\(counts.attributes)>
    \(cases.joined(separator: "\n"))
    </testsuite>
    """
  }

  private func isFailure(_ finding: Finding) -> Bool {
    failsAt.map { finding.rule.severity >= $0 } ?? false
  }

  private func checked(_ rule: String, _ finding: Finding?, _ omission: String?) -> String {
    let unread = omission.map { ["Checked only in part: \($0)"] } ?? []
    guard let finding else { return testCase(rule, unread.isEmpty ? [] : [Self.output(unread)]) }
    let lines =
      [finding.message, "Next launch: \(finding.rule.nextLaunch)", "Fix: \(finding.rule.remedy)"] + unread
      + (finding.objects.isEmpty ? [] : ["Objects:"] + finding.objects.map { "  " + $0 })
    guard isFailure(finding) else { return testCase(rule, [Self.output(lines)]) }
    return testCase(
      rule,
      [
        """
        <failure type="\(finding.rule.severity.rawValue)" message="\(Self.escaped(finding.message))">\
        \(Self.escaped(lines.joined(separator: "\n")))</failure>
        """
      ])
  }

  private static func output(_ lines: [String]) -> String {
    "<system-out>\(escaped(lines.joined(separator: "\n")))</system-out>"
  }

  private func testCase(_ name: String, _ content: [String]) -> String {
    let start =
      "<testcase classname=\"\(Self.escaped(className))\" name=\"\(name)\"" + Self.time(seconds?[name])
    return content.isEmpty ? start + "/>" : "\(start)>\(content.joined())</testcase>"
  }

  /// Milliseconds are enough.
  private static func time(_ seconds: Double?) -> String {
    guard let seconds else { return "" }
    let milliseconds = Int64(clamping: seconds * 1000)
    let fraction = String(milliseconds % 1000)
    return
      " time=\"\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)\""
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
