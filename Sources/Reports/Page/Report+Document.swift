package import Base
import Diagnostics
import Lens
package import Rendering

extension Report {
  /// The report for machines, for an issue, and as a page for a browser.
  package func document() -> Document {
    Document(command: "report", store: store.identity, Self.fields, of: self, head: head, blocks: blocks)
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
}

/// What people read of a report: how the store is and what to fix, then the details, then what it contains.
extension Report {
  var head: Document.Head {
    let title = (origin.title.map { [$0] } ?? []) + [headline]
    return Document.Head(
      title: "storescope report: " + title.map(TextForPeople.shortTimes).joined(separator: ": "), name: name,
      subject: origin.title, identity: identity, made: origin.made, maker: "storescope \(origin.version)",
      word: conclusion.word, tone: conclusion.health.tone, news: conclusion.news, fix: conclusion.fix,
      lead: [conclusion.unsent, incompleteness].compactMap(\.self),
      notice: ReportNotice.contains(origin), noticeTarget: "about")
  }

  /// `Core Data, mirrored to CloudKit · iOS 26/macOS 26 (1526) · model Journeys 3`
  private var identity: String {
    let kind = store.framework + (mirror == nil ? ", not mirrored" : ", mirrored to CloudKit")
    let model =
      store.modelIdentifiers.isEmpty ? nil : "model " + store.modelIdentifiers.joined(separator: ", ")
    let apps = history?.programs ?? []
    let app = apps.isEmpty || apps.count > 3 ? nil : "app " + apps.joined(separator: ", ")
    let file = origin.title == nil ? nil : Platform.fileName(store.identity.path)
    return [file, kind, store.system.map { "written by \($0)" }, app, model].compactMap(\.self)
      .joined(separator: " · ")
  }

  var blocks: [Document.Block] {
    let sections =
      findingsSections + (mirror.map { [syncSection($0)] } ?? [])
      + [historySection, storageSection, modelSection, checkedSection, aboutSection]
    return [.figures(figures)] + sections.map(Document.Block.section)
  }

  // MARK: - What to fix

  /// Notes are no problems, so they have a section of their own.
  private var findingsSections: [Document.Section] {
    let unchecked = diagnosis.unchecked().map { "No problems were found, but \($0)" }
    let notes = diagnosis.notes.map(Self.item)
    let problems = diagnosis.problems.map(Self.item)
    if problems.isEmpty, unchecked == nil, !notes.isEmpty {
      return [Document.Section("findings", "Notes", [.items(notes)])]
    }
    let nothing = Document.Block.text(unchecked ?? "Nothing: no problems found.")
    return [Document.Section("findings", "What to fix", [problems.isEmpty ? nothing : .items(problems)])]
      + (notes.isEmpty ? [] : [Document.Section("notes", "Notes", [.items(notes)])])
  }

  private static func item(_ finding: Finding) -> ListedItem {
    let rule = finding.rule
    var item = ListedItem(
      rule.severity.grade, mark: rule.severity.noun, name: rule.id, titles: [rule.title],
      lines: [.text(finding.message), .labeled("Fix", rule.remedy)])
    item.facts = [("Why it matters", rule.why), ("Next launch", rule.nextLaunch), ("Rule", rule.id)]
    // The message has the long ones.
    let cells = finding.cells.map { $0.filter { $0.name != "meaning" } }
    guard !cells.joined().isEmpty else { return item }
    item.evidence = PageTable(
      "Evidence (\(Sentence.number(finding.count)))", objects: cells.map(DataValue.object),
      total: finding.count, command: "doctor STORE --rule \(rule.id)")
    return item
  }

  // MARK: - Everything checked, and about

  private var checkedSection: Document.Section {
    let found = Set(diagnosis.findings.map(\.rule.id))
    let fine = diagnosis.checked.count { !found.contains($0) }
    let skipped = diagnosis.skippedByReason.map { reason, rules in
      let who = rules.count > 3 ? Sentence.count(rules.count, "rule") : rules.joined(separator: ", ")
      return "\(Sentence.begun(reason.how)): \(who). \(reason.because)"
    }
    let checked =
      "\(Sentence.count(fine, "rule")) checked without a finding, \(Sentence.number(found.count)) with one."
    return Document.Section(
      "checked", "Everything checked",
      [.list([checked] + skipped), .grid(ruleTable, mostOpen: 0, isDetail: true)])
  }

  private var aboutSection: Document.Section {
    let hashes =
      store.areFilesUnchanged
      ? "Reading changed nothing: the hashes before and after are the same."
      : "Another program wrote to the store in the meantime; storescope itself writes nothing."
    return Document.Section(
      "about", "About this report",
      [
        .list(ReportNotice.details(origin) + [hashes]), .pairs(identityPairs),
        .grid(fileTable, isDetail: true),
      ])
  }

  /// What the store is.
  private var identityPairs: [(String, DataValue)] {
    let commits = store.walCommits > 0 ? ", \(Sentence.count(store.walCommits, "commit")) in it" : ""
    let journal =
      "\(store.journal), \(Sentence.size(store.walBytes))\(commits); pages of \(store.pageSize) bytes, \(Sentence.size(store.bytes)) in all"
    let pairs: [(String, String?)] = [
      ("Title", origin.title), ("Store", store.identity.path), ("Identifier", store.identity.uuid ?? "none"),
      ("Written by", store.system ?? "unknown"),
      ("App", history.map { $0.programs.isEmpty ? "not recorded" : $0.programs.joined(separator: ", ") }),
      ("Model", ([store.model] + store.modelIdentifiers).joined(separator: ", ")), ("Journal", journal),
      ("Opened", store.openedBy), ("SHA-256", store.files.first { $0.role == "store" }?.sha256),
    ]
    return (pairs.compactMap { name, text in text.map { (name, $0) } } + store.notes.map { ("Note", $0) })
      .map { ($0, .text($1)) }
  }
}
