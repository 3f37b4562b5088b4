import Base
package import Diagnostics
import Lens

extension Diagnosis {
  /// The same without what must not be shown.
  package func masked(_ privacy: ReportPrivacy) -> Diagnosis {
    var shown = self
    shown.findings = findings.map { $0.masked(privacy) }
    for index in shown.skipped.indices {
      shown.skipped[index].because = privacy.sentence(shown.skipped[index].because)
    }
    return shown
  }
}

extension Finding {
  /// The cells of each piece of evidence.
  var cells: [[DataValue.Member]] {
    evidence.map { value in
      guard case .object(let members) = value else { return [] }
      // A rule's own name for what it is about: the other cells have the same.
      return members.filter { $0.name != "subject" }
    }
  }

  fileprivate func masked(_ privacy: ReportPrivacy) -> Finding {
    let cells = cells.map { $0.map(privacy.cell) }
    // Rebuilt from cells that may be shown.
    let text =
      privacy.showsValues
      ? message
      : MessageTemplate.text(rule.message, count: count, ofAll.map(privacy.cell) + (cells.first ?? []))
    var shown = self
    shown.ofAll = []
    shown.evidence = cells.map(DataValue.object)
    shown.message = privacy.sentence(text)
    shown.objects = objects.map { privacy.mask($0, .uri) }
    shown.marks = []
    return shown
  }
}

extension MirrorSummary {
  /// The same without what must not be shown.
  package func masked(_ privacy: ReportPrivacy) -> MirrorSummary {
    var shown = self
    shown.verdict = verdict.masked(privacy)
    shown.problem = problem.map(privacy.sentence)
    return shown
  }
}

extension Verdict {
  /// The same without what must not be shown.
  func masked(_ privacy: ReportPrivacy) -> Verdict {
    func masked(_ obstacle: Obstacle) -> Obstacle {
      var shown = obstacle
      shown.cause = privacy.sentence(obstacle.cause)
      shown.sentence = privacy.sentence(obstacle.sentence)
      shown.error = obstacle.error.map(privacy.sentence)
      return shown
    }
    var shown = self
    shown.because = because.map(privacy.sentence)
    shown.noise = noise.map(privacy.sentence)
    shown.wipe = wipe.map(privacy.sentence)
    shown.remarks = remarks.map(privacy.sentence)
    shown.obstacles = obstacles.map(masked)
    shown.passing = passing.map(masked)
    return shown
  }
}
