import Diagnostics
import Lens
import Rendering
import StoreModel
import Values

extension Report {
  /// The few numbers that people look for first.
  var figures: [Page.Figure] {
    var figures = [findingsFigure]
    if let mirror {
      let waiting = mirror.counts.total
      figures.append(
        mirror.uncounted == nil
          ? .init(
            "Pending changes", Sentence.number(waiting),
            note: mirror.ages.oldest.map { "the oldest since \(TextForPeople.minute($0).prefix(10))" } ?? "",
            tone: waiting > 0 ? .waiting : .plain)
          : .init("Pending changes", "unknown", note: "they can’t be counted"))
      figures.append(
        .init(
          "Last successful export",
          mirror.lastExport.map { String(TextForPeople.minute($0).prefix(10)) } ?? "none",
          note: mirror.failuresSinceExport > 0
            ? "\(Sentence.count(mirror.failuresSinceExport, "failure")) since" : "",
          tone: mirror.failuresSinceExport > 0 ? .bad : .plain))
      figures.append(
        .init(
          "Records", Sentence.number(mirror.records),
          note: "in \(Sentence.count(mirror.zones.count, "zone"))"))
    }
    figures.append(
      .init(
        "Objects", Sentence.number(entities.reduce(0) { $0 + $1.rows }),
        note: "of \(Sentence.count(entities.count, "entity", "entities"))"))
    if let summary = history?.summary {
      let span = [summary.first, summary.last].compactMap { $0.map { TextForPeople.minute($0).prefix(10) } }
      figures.append(
        .init(
          "Transactions", Sentence.number(summary.transactions),
          note: span.count == 2 ? "\(span[0]) to \(span[1])" : ""))
    } else {
      figures.append(.init("Transactions", "none", note: "no history is kept"))
    }
    figures.append(
      .init(
        "Store", Sentence.size(store.bytes),
        note: store.walBytes > 0 ? "and \(Sentence.size(store.walBytes)) in its WAL" : ""))
    return figures
  }

  private var findingsFigure: Page.Figure {
    let (errors, warnings, notes) = (
      diagnosis.count(.error), diagnosis.count(.warning), diagnosis.count(.info)
    )
    return .init(
      "Findings", Sentence.number(diagnosis.findings.count),
      note: [
        Sentence.count(errors, "error"), Sentence.count(warnings, "warning"),
        Sentence.count(notes, "note"),
      ].joined(separator: ", "), tone: errors > 0 ? .bad : warnings > 0 ? .waiting : .good)
  }

  var tone: Tone {
    switch (verdict.state, diagnosis.findings.first?.severity) {
    case (.blocked, _), (_, .error?): .bad
    case (.waiting, _), (.neverSetUp, _), (.unknown, _), (_, .warning?): .waiting
    case (.idle, _), (.notMirrored, _): .good
    }
  }
}

extension Severity {
  var tone: Tone {
    switch self {
    case .error: .bad
    case .warning: .waiting
    case .info: .plain
    }
  }

  /// As people say it.
  var word: String {
    switch self {
    case .error: "Error"
    case .warning: "Warning"
    case .info: "Note"
    }
  }
}
