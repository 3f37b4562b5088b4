import Diagnostics
import Lens
package import Rendering
import Values

extension Report {
  /// The report for machines and for an issue; with a page for a browser.
  package func document() -> Document {
    var document = Document(command: "report", store: store.identity, fields: fields, blocks: blocks)
    document.special[.html] = { .page(page) }
    return document
  }

  // MARK: - JSON

  private var fields: [Document.Field] {
    var fields: [Document.Field] = [
      .init(
        "report",
        [
          "tool": "storescope", "version": .text(origin.version), "made": .date(origin.made),
          "valuesIncluded": .bool(origin.showsValues), "contains": .text(ReportNotice.contains(origin)),
        ]),
      .init("headline", .text(headline)), .init("verdict", verdict.value),
      .init("findings", .array(diagnosis.findings.map(\.value))),
      .init("checked", .array(diagnosis.checked.map(DataValue.text))),
      .init("skipped", diagnosis.skippedValue), .init("entities", .array(entities.map(\.value))),
      .init("relationships", .array(relationships)), .init("history", history?.value ?? HistoryFacts.absent),
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

  // MARK: - Markdown

  /// Findings and reasons that an issue shows; the others are counted.
  private static let mostFindings = 12

  private var blocks: [Document.Block] {
    var blocks: [Document.Block] = [
      .heading(headline), .text((verdict.because.prefix(4)).joined(separator: "\n")),
      .heading("In numbers"), .table(RowStream(objects: keyNumbers)), .heading("Findings"),
    ]
    if diagnosis.findings.isEmpty { blocks.append(.text("No problems found.")) }
    for finding in diagnosis.findings.prefix(Self.mostFindings) {
      blocks.append(
        .pairs([
          (
            "\(finding.severity.rawValue) \(finding.rule)",
            .text(TextForPeople.shortTimes(finding.message))
          )
        ]))
    }
    let more = diagnosis.findings.count - Self.mostFindings
    if more > 0 { blocks.append(.text("… and \(more) more: 'storescope doctor STORE' shows them all.")) }
    blocks += [
      .heading("About this report"),
      .pairs([
        ("made by", .text("storescope \(origin.version), \(TextForPeople.minute(origin.made)) UTC")),
        ("framework", .optional(store.identity.frameworkVersion)),
        ("model", .text(([store.model] + store.modelIdentifiers).joined(separator: ", "))),
        (
          "files",
          .text(
            "\(Sentence.size(store.bytes)), WAL \(Sentence.size(store.walBytes)), \(store.journal)"
          )
        ),
      ]),
      .text(ReportNotice.contains(origin)),
    ]
    return blocks
  }

  private var keyNumbers: [DataValue] {
    figures.map { figure in
      ["what": .text(figure.label), "value": .text(figure.value), "": .text(figure.note)]
    }
  }
}
