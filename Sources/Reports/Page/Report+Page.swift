import Diagnostics
import Lens
import Rendering
import SystemCalls
import Values

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
