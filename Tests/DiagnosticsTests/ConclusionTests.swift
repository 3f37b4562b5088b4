import Base
import Lens
import TestSupport
import Testing

@testable import Diagnostics

/// What doctor says, what a report says, and the word for a store come from one examination.
struct ConclusionTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var state: Verdict.State
    var worst: Severity?
    var isDamaged = false
    var isUnchecked = false
    var isFailing = false
    var isKnown = false
    var isWALMissing = false

    var testDescription: String { "\(self)" }
  }

  static let grades: [Severity?] = [nil, .info, .warning, .error]
  static let cases: [Case] = Verdict.State.allCases.flatMap { state in
    grades.flatMap { worst in (0..<32).map { made(state, worst, $0) } }
  }

  private static func made(_ state: Verdict.State, _ worst: Severity?, _ bits: Int) -> Case {
    func bit(_ number: Int) -> Bool { bits >> number & 1 == 1 }
    return Case(
      state: state, worst: worst, isDamaged: bit(0), isUnchecked: bit(1), isFailing: bit(2), isKnown: bit(3),
      isWALMissing: bit(4))
  }

  private static func finding(_ rule: Rule, _ severity: Severity, _ message: String) -> Finding {
    var header = rule.header
    header.severity = severity
    return Finding(
      rule: header, message: message, count: 1, known: 0, objects: [], evidence: [], marks: [])
  }

  /// Text and word disagreed: "Healthy." of a store that was counted as one in need of attention, and a finding before
  /// the damage.
  @Test func wordsAgree() throws {
    let fixture = try MirrorFixture()
    try fixture.setUp()
    var mirror = try MirrorSummary(try #require(try fixture.mirror()))
    for one in Self.cases {
      let obstacle = Obstacle(cause: "the cause", fix: "Fix it.", sentence: "It fails for the cause.")
      mirror.verdict = Verdict(
        one.state, because: ["That is so."], obstacles: one.state == .blocked ? [obstacle] : [],
        passing: one.isFailing ? [obstacle] : [])
      var diagnosis = Diagnosis()
      if let worst = one.worst { diagnosis.findings = [Self.finding(.historyBloat, worst, "The worst.")] }
      if one.isDamaged {
        diagnosis.findings.append(Self.finding(.integrityCheckFailed, .error, "The damage."))
      }
      diagnosis.findings.sort { $1.rule.severity < $0.rule.severity }
      if one.isWALMissing { diagnosis.findings.append(Self.finding(.walMissing, .info, "No -wal.")) }
      if one.isKnown { diagnosis.accepted = [Self.finding(.historyBloat, .warning, "Known.")] }
      if one.isUnchecked {
        diagnosis.skipped = [.init(rule: "a", because: "It can't be read.", hasFailed: true)]
      }
      for isWhole in [true, false] {
        let conclusion = Conclusion(diagnosis, mirror, isWhole: isWhole)
        let (text, news, health) = (conclusion.text, conclusion.news, conclusion.health)
        let comment: Comment = "\(one): \(health), \(text), \(news)"
        // A mirror's events and flags don't show what the server refused.
        #expect(!text.contains("Healthy") && conclusion.word != "Healthy", comment)
        // What a baseline accepts is still there.
        // Neither is one called healthy in the sum whose own line doesn't say so.
        let good = one.isKnown ? "with nothing new" : "with no problems found"
        #expect((health == .healthy) == (conclusion.outcome == good) || !isWhole, comment)
        if one.isDamaged {
          #expect(health == .atRisk && news.hasPrefix("The damage."), comment)
          #expect(text.hasPrefix("The damage.") || !isWhole, comment)
        } else if one.state == .blocked {
          #expect(health == .blocked && news.hasPrefix("The cause"), comment)
          #expect(text.hasPrefix("Blocked: the cause") || !isWhole, comment)
        } else if one.worst == .error {
          #expect(health == .atRisk && text.hasPrefix("The worst.") && news.hasPrefix("The worst."), comment)
        } else if one.worst == .warning {
          #expect(
            health == .needsAttention && text.contains("The worst.") && news.contains("The worst."), comment)
          // A page said "Needs attention" where doctor said "No errors."
          #expect(text.hasPrefix("Needs attention: The worst.") || !isWhole, comment)
        } else {
          // Failures that pass, and what nobody knows, need attention in each of them.
          #expect(
            (health == .needsAttention) == (one.isUnchecked || one.isFailing || one.state == .unknown),
            comment)
          #expect(
            health == .healthy || text.hasPrefix("Needs attention.") || one.isKnown || !isWhole, comment)
          if health == .healthy, one.isWALMissing {
            #expect(news.contains("missing -wal"), comment)
            #expect(text.contains("missing -wal") || one.isKnown || !isWhole, comment)
          }
          if one.isFailing, !one.isUnchecked, isWhole {
            #expect(text.contains(obstacle.why) && news.contains(obstacle.why), comment)
          }
        }
        if one.isUnchecked {
          #expect(text.contains("couldn't be checked") && news.contains("couldn't be checked"), comment)
        }
      }
    }
  }
}
