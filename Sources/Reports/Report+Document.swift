import Diagnostics
import Lens
package import Rendering
package import Values

extension Report {
  /// The report for machines and for an issue; with a page for a browser.
  package func document() -> Document {
    var document = Document(command: "report", store: store.identity, Self.fields, of: self, blocks: blocks)
    document.special[.html] = { .page(page) }
    return document
  }

  // MARK: - JSON

  package static let fields: [Field<Self>] = Field.list(
    [
      Field("report", .object(aboutFields.keys()), "about the report itself") { aboutFields.object(of: $0) },
      Field("health", .object(healthFields.keys()), "the answer") { healthFields.object(of: $0.conclusion) },
      Field("headline", "the same in one sentence") { $0.headline },
      Field("verdict", "the state of sync") { $0.verdict },
    ], Diagnosis.fields.of { $0.diagnosis },
    [
      Field("entities", "the entities") { $0.entities },
      Field("relationships", "pairs of inverse relationships") { $0.relationships },
      Field(
        "history", .object(HistoryFacts.fields.keys()).orNull, "persistent history; null if it can't be read"
      ) { $0.historyProblem == nil ? HistoryFacts.fields.object(of: $0.history) : DataValue.null },
      Field(
        "mirror",
        .either([
          .object([.init("present", .bool, "false: the store isn't mirrored")]),
          .object(MirrorFacts.mirrorFields.keys()),
        ]), "the CloudKit mirror"
      ) { $0.mirror.map(MirrorFacts.mirrorFields.object) ?? ["present": false] as DataValue },
      part("events", .object(MirrorFacts.eventFields.keys()), "setups, imports and exports") {
        MirrorFacts.eventFields.object(of: $0)
      },
      part("pending", .object(MirrorFacts.pendingFields.keys()), "pending changes") {
        MirrorFacts.pendingFields.object(of: $0)
      },
      part("records", .object(MirrorFacts.recordFields.keys()), "CloudKit records") {
        MirrorFacts.recordFields.object(of: $0)
      },
      part("databases", .list(.object(MirrorFacts.databaseFields.keys())), "CloudKit databases") {
        .array($0.databases.map(MirrorFacts.databaseFields.object))
      },
      part("zones", .list(.object(MirrorFacts.zoneFields.keys())), "record zones") {
        .array($0.zones.map(MirrorFacts.zoneFields.object))
      },
      Field(
        "sizes", .object(StoreSize.reportFields.keys()).orNull,
        "the parts of the main file; null if they can't be measured"
      ) { $0.sizes.isMeasured ? StoreSize.reportFields.object(of: $0.sizes) : DataValue.null },
      Field("files", "the store's files") { $0.store },
    ])

  /// What only a mirrored store has.
  private static func part(
    _ name: String, _ shape: Shape, _ meaning: String, _ value: @escaping @Sendable (MirrorFacts) -> DataValue
  ) -> Field<Self> {
    Field(name, shape.orNull, "\(meaning); null if the store isn't mirrored") { $0.mirror.map(value) }
  }

  private static let aboutFields: [Field<Self>] = Field.list(
    Origin.fields({ $0.origin }, contains: { ReportNotice.contains($0.origin) }),
    [Field("omissions", "what couldn't be read, one sentence each") { $0.omissions }])

  private static let healthFields: [Field<Conclusion>] = [
    Field("state", .words(Health.self), "how the store is doing") { $0.health.rawValue },
    Field("word", "the same for people") { $0.word },
    Field("news", "the most important news, in a sentence") { $0.news },
    Field("fix", "how to fix it") { $0.fix },
    Field("unsent", "what exists only on this device, if the news isn't about it") { $0.unsent },
  ]

  private var relationships: [String] {
    graph.edges.compactMap { edge in
      guard case .relationship = edge.kind else { return nil }
      return edge.label
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
