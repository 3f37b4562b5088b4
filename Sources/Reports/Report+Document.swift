import Diagnostics
import Lens
package import Rendering
import Values

extension Report {
  /// The report for machines, for an issue, and as a page for a browser.
  package func document() -> Document {
    Document(command: "report", store: store.identity, fields: fields, head: head, blocks: blocks)
  }

  // MARK: - JSON

  private var fields: [Document.Field] {
    var fields: [Document.Field] = [
      .init(
        "report",
        [
          "tool": "storescope", "version": .text(origin.version), "title": .optional(origin.title),
          "made": .date(origin.made), "valuesIncluded": .bool(origin.showsValues),
          "contains": .text(ReportNotice.contains(origin)),
          "omissions": .array(omissions.map(DataValue.text)),
        ]),
      .init(
        "health",
        [
          "state": .text(conclusion.health.rawValue), "word": .text(conclusion.word),
          "news": .text(conclusion.news), "fix": .optional(conclusion.fix),
          "unsent": .optional(conclusion.unsent),
        ]),
      .init("headline", .text(headline)), .init("verdict", verdict.value),
      .init("findings", .array(diagnosis.findings.map(\.value))),
      .init("checked", .array(diagnosis.checked.map(DataValue.text))),
      .init("skipped", diagnosis.skippedValue), .init("entities", .array(entities.map(\.value))),
      .init("relationships", .array(relationships)),
      .init("history", historyProblem == nil ? history?.value ?? HistoryFacts.absent : nil),
    ]
    if let mirror {
      fields += [
        .init("mirror", mirror.mirrorValue), .init("events", mirror.eventsValue),
        .init("pending", mirror.pendingValue), .init("records", mirror.recordsValue),
        .init("databases", mirror.databasesValue), .init("zones", mirror.zonesValue),
      ]
    } else {
      fields += [.init("mirror", ["present": false])]
      fields += ["events", "pending", "records", "databases", "zones"].map { .init($0, nil) }
    }
    return fields + [.init("sizes", sizes.isMeasured ? sizes.value : .null), .init("files", store.value)]
  }

  private var relationships: [DataValue] {
    graph.edges.compactMap { edge in
      guard case .relationship = edge.kind else { return nil }
      return .text(edge.label)
    }
  }
}
