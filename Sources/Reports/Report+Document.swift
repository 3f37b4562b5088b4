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

  // MARK: - Markdown

  /// Of each list an issue shows so many; the others are counted.
  private static let (mostFindings, mostReasons, mostEvents) = (12, 12, 6)

  /// What whoever gets an issue asks for, in the order of asking.
  private var blocks: [Document.Block] {
    var blocks: [Document.Block] = [.heading(origin.title.map { "\($0): \(headline)" } ?? headline)]
    blocks += [conclusion.unsent, incompleteness].compactMap { $0.map(Document.Block.text) }
    let fix = conclusion.fix.map { [("Fix", DataValue.text($0))] } ?? []
    blocks.append(.pairs(fix + identityFacts))
    let unchecked = diagnosis.unchecked()
    // Notes have a heading of their own, and are no problems.
    let hasOnlyNotes = diagnosis.problems.isEmpty && !diagnosis.notes.isEmpty && unchecked == nil
    if !hasOnlyNotes { blocks.append(.heading("What to fix")) }
    if diagnosis.findings.isEmpty { blocks.append(.text("No problems found.")) }
    if let unchecked { blocks.append(.text(unchecked)) }
    if !diagnosis.findings.isEmpty {
      blocks.append(.items(diagnosis.findings.prefix(Self.mostFindings).map(Self.item)))
    }
    let more = diagnosis.findings.count - Self.mostFindings
    if more > 0 { blocks.append(.text("… and \(more) more: 'storescope doctor STORE' shows them all.")) }
    if let mirror { blocks += syncBlocks(mirror) }
    return blocks + [
      .heading("In numbers"), .pairs(numbers), .heading("About this report"),
      .pairs([
        ("made by", .text("storescope \(origin.version), \(TextForPeople.minute(origin.made)) UTC")),
        ("model", .text(([store.model] + store.modelIdentifiers).joined(separator: ", "))),
        ("checked", .text(checked)),
      ]), .text(ReportNotice.contains(origin)),
    ]
  }

  private var identityFacts: [(String, DataValue)] {
    let hash = store.files.first { $0.role == "store" }?.sha256
    return [
      ("store", store.identity.path), ("identifier", store.identity.uuid),
      ("kind", store.framework + (mirror == nil ? ", not mirrored" : ", mirrored to CloudKit")),
      ("written by", store.system), ("SHA-256", hash),
    ].compactMap { name, text in text.map { (name, .text($0)) } }
  }

  private static func item(_ finding: Finding) -> ListedItem {
    ListedItem(
      finding.rule.severity.grade, mark: finding.rule.severity.noun, name: finding.rule.id,
      titles: [finding.rule.title],
      lines: [.text(finding.message), .labeled("Fix", finding.rule.remedy)])
  }

  private func syncBlocks(_ mirror: MirrorFacts) -> [Document.Block] {
    var blocks: [Document.Block] = [.heading("Sync")] + verdict.because.map(Document.Block.text)
    if !mirror.reasons.isEmpty {
      let shown = mirror.reasons.prefix(Self.mostReasons)
      blocks.append(
        .pairs(
          shown.map { reason in
            let oldest = reason.oldest.map { " Oldest: \(TextForPeople.minute($0)) UTC." } ?? ""
            return (Sentence.number(reason.count), .text(reason.text + oldest))
          }))
      let rest = mirror.reasons.dropFirst(Self.mostReasons).reduce(0) { $0 + $1.count }
      if rest > 0 { blocks.append(.text("… and \(rest) more: 'storescope pending STORE' shows them all.")) }
    }
    if !mirror.newestEvents.isEmpty {
      blocks += [
        .heading("Last runs"),
        .table(RowStream(objects: mirror.newestEvents.prefix(Self.mostEvents).map(Self.row)).toTheMinute()),
      ]
    }
    return blocks
  }

  private static func row(_ event: MirrorEvent) -> DataValue {
    let took = event.started.flatMap { start in
      event.ended.map { Sentence.seconds($0.seconds - start.seconds) }
    }
    return [
      "started": .optional(event.moment), "run": .text(event.typeName), "result": .text(event.mark.word),
      "error": .text(event.hasFailed ? event.errorText ?? "none recorded" : ""), "took": .text(took ?? ""),
    ]
  }

  private var numbers: [(String, DataValue)] {
    figures.map { figure in
      let note = figure.note.isEmpty ? "" : " (\(figure.note))"
      return (figure.label.lowercased(), .text(TextForPeople.shortTimes(figure.value + note)))
    }
  }

  private var checked: String {
    let skipped = diagnosis.skippedByReason.map {
      "\(Sentence.count($0.rules.count, "rule")) \($0.reason.how): \($0.reason.because)"
    }
    return ([Sentence.count(diagnosis.checked.count, "rule")] + skipped).joined(separator: "; ")
  }
}
