import Base
package import Diagnostics
import Lens
package import Rendering
import StoreModel

extension Report {
  /// The few numbers that people look for first, each with the place of its details.
  var figures: [Document.Figure] {
    var figures = [findingsFigure]
    if let mirror {
      let pending = mirror.counts.total
      figures.append(
        mirror.uncounted == nil
          ? .init(
            "Pending changes", Sentence.number(pending),
            note: mirror.ages.oldest?.iso8601.map { "oldest \($0)" } ?? "",
            tone: pending > 0 ? .waiting : .plain, target: "pending")
          : .init("Pending changes", "unknown", note: "they can’t be counted", target: "pending"))
      let failures = mirror.failuresSinceExport
      figures.append(
        .init(
          mirror.lastExport == nil ? "Failed exports" : "Failed exports since the last success",
          Sentence.number(failures),
          note: mirror.lastExport?.iso8601.map { "last success \($0)" } ?? "none has succeeded",
          tone: failures > 0 ? .bad : .plain, target: "events"))
      figures.append(
        .init(
          "Records", mirror.recordsProblem == nil ? Sentence.number(mirror.records) : "unknown",
          note: "in \(Sentence.count(mirror.zones.count, "zone"))", target: "records"))
    }
    figures.append(
      .init(
        "Objects",
        entities.contains { $0.rows == nil }
          ? "unknown" : Sentence.number(entities.reduce(0) { $0 + ($1.rows ?? 0) }),
        note: "of \(Sentence.count(entities.count, "entity", "entities"))", target: "model"))
    if historyProblem != nil {
      figures.append(.init("Transactions", "unknown", note: "history wasn’t counted", target: "history"))
    } else if let summary = history?.summary {
      figures.append(
        .init(
          "Transactions", Sentence.number(summary.transactions),
          note: summary.last?.iso8601.map { "newest \($0)" } ?? "", target: "history"))
    } else {
      figures.append(.init("Transactions", "none", note: "no history is kept", target: "history"))
    }
    figures.append(
      .init(
        "Store", Sentence.size(store.bytes),
        note: store.walBytes > 0 ? "and \(Sentence.size(store.walBytes)) in its WAL" : "", target: "storage"))
    return figures
  }

  private var findingsFigure: Document.Figure {
    let (errors, warnings, notes) = (
      diagnosis.count(.error), diagnosis.count(.warning), diagnosis.count(.info)
    )
    let others = [(errors, "error"), (warnings, "warning"), (notes, "note")].filter { $0.0 > 0 }
    return .init(
      "To fix", Sentence.number(diagnosis.problems.count),
      note: others.map { Sentence.count($0.0, $0.1) }.joined(separator: ", "),
      tone: errors > 0 ? .bad : warnings > 0 ? .waiting : .good, target: "findings")
  }
}

extension Health {
  package var tone: Tone {
    switch self {
    case .healthy: .good
    case .needsAttention: .waiting
    case .blocked, .atRisk: .bad
    }
  }
}

extension Severity {
  /// How an item of a list about such a finding is marked.
  package var grade: ListedItem.Grade {
    switch self {
    case .error: .error
    case .warning: .warning
    case .info: .note
    }
  }
}
