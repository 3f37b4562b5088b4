import Diagnostics
import Lens
package import Rendering
import Values

extension Report {
  /// The report as a page: how the store is and what to fix, then the details, then what the page contains.
  package var page: Page {
    let title = (origin.title.map { [$0] } ?? []) + [headline]
    return Page(
      title: "storescope report: " + title.map(TextForPeople.shortTimes).joined(separator: ": "), name: name,
      identity: identity, made: origin.made, word: conclusion.word, tone: conclusion.health.tone,
      news: conclusion.news, fix: conclusion.fix,
      lead: [store.identity.isRedacted ? StoreIdentity.redacted : nil, conclusion.unsent, incompleteness]
        .compactMap(\.self),
      notice: origin.showsValues
        ? "This page includes values: record names, zones, owners, paths and quotes in findings."
        : "No values in this page: placeholders replace record names, zones, owners, paths and identifiers.",
      noticeTarget: "about", figures: figures, parts: parts,
      footer: "Made by storescope \(origin.version).")
  }

  /// `Core Data, mirrored to CloudKit · iOS 26/macOS 26 (1526) · model Journeys 3`
  var identity: String {
    let kind = store.framework + (mirror == nil ? ", not mirrored" : ", mirrored to CloudKit")
    let model =
      store.modelIdentifiers.isEmpty ? nil : "model " + store.modelIdentifiers.joined(separator: ", ")
    let apps = history?.programs ?? []
    let app = apps.isEmpty || apps.count > 3 ? nil : "app " + apps.joined(separator: ", ")
    let file = origin.title == nil ? nil : Self.fileName(store.identity.path)
    return [file, kind, store.system.map { "written by \($0)" }, app, model].compactMap(\.self)
      .joined(separator: " · ")
  }

  static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }

  private var parts: [Page.Part] {
    findingsParts + (mirror.map { [syncPart($0)] } ?? [])
      + [historyPart, storagePart, modelPart, checkedPart, aboutPart]
  }

  // MARK: - What to fix

  /// Notes are no problems, so they have a part of their own.
  private var findingsParts: [Page.Part] {
    let unchecked = diagnosis.unchecked().map { "No problems were found, but \($0)" }
    let notes = diagnosis.notes.map(Self.card)
    let problems = diagnosis.problems.map(Self.card)
    if problems.isEmpty, unchecked == nil, !notes.isEmpty {
      return [Page.Part(id: "findings", title: "Notes", blocks: [.cards(notes)])]
    }
    let nothing = Page.Block.text(unchecked ?? "Nothing: no problems found.")
    return [
      Page.Part(id: "findings", title: "What to fix", blocks: [problems.isEmpty ? nothing : .cards(problems)])
    ] + (notes.isEmpty ? [] : [Page.Part(id: "notes", title: "Notes", blocks: [.cards(notes)])])
  }

  private static func card(_ finding: Finding) -> Page.Card {
    let rule = finding.rule
    return Page.Card(
      id: "finding-\(rule.id)", tone: rule.severity.tone, weight: rule.severity.word,
      title: rule.title, text: finding.message, fix: rule.remedy,
      pairs: [("Why it matters", rule.why), ("Next launch", rule.nextLaunch), ("Rule", rule.id)],
      table: evidence(finding))
  }

  private static func evidence(_ finding: Finding) -> PageTable? {
    let cells = finding.cells
    var names: [String] = []
    // The message has the long ones.
    for member in cells.joined() where member.name != "meaning" && !names.contains(member.name) {
      names.append(member.name)
    }
    guard !names.isEmpty else { return nil }
    let more = finding.count - cells.count
    return PageTable(
      caption: "Evidence (\(Sentence.number(finding.count)))",
      columns: names.map { name in
        PageTable.Column(
          name, isNumber: cells.contains { $0.first { $0.name == name }?.value.isNumber == true })
      },
      rows: cells.map { members in
        names.map { name in PageCells.cell(members.first { $0.name == name }?.value ?? .null) }
      },
      more: more > 0
        ? "and \(Sentence.number(more)) more: storescope doctor STORE --rule \(finding.rule.id)" : nil)
  }

  // MARK: - Everything checked

  private var checkedPart: Page.Part {
    let found = Set(diagnosis.findings.map(\.rule.id))
    let fine = diagnosis.checked.filter { !found.contains($0) }
    let incomplete = Set(diagnosis.skipped.filter(\.isPartial).map(\.rule))
    var lines = [
      "\(Sentence.count(fine.count, "rule")) checked without a finding, \(Sentence.number(found.count)) with one."
    ]
    lines += diagnosis.skippedByReason.map { reason, rules in
      let who = rules.count > 3 ? Sentence.count(rules.count, "rule") : rules.joined(separator: ", ")
      return "\(Sentence.begun(reason.how)): \(who). \(reason.because)"
    }
    return Page.Part(
      id: "checked", title: "Everything checked",
      blocks: [
        .list(lines),
        .folded(
          PageTable(
            caption: "All rules", columns: [.init("rule"), .init("result")],
            rows: diagnosis.findings.map {
              [.name($0.rule.id), .badge($0.rule.severity.word, $0.rule.severity.tone)]
            }
              + fine.map {
                [
                  .name($0),
                  .text(incomplete.contains($0) ? "nothing found, checked only in part" : "nothing found"),
                ]
              }
              + diagnosis.skipped.filter { !$0.isPartial }.map {
                [.name($0.rule), .text("skipped")]
              })),
      ])
  }

  // MARK: - About

  private var aboutPart: Page.Part {
    Page.Part(
      id: "about", title: "About this report",
      blocks: [
        .list(ReportNotice.details(origin)), .pairs(identityPairs),
        .table(
          PageTable(
            caption: "Hashes of the store’s files (SHA-256)",
            columns: [.init("file"), .init("size", isNumber: true), .init("before"), .init("after")],
            rows: store.files.map { file in
              [
                .name(file.role), .bytes(file.bytes), .digits(file.sha256),
                file.sha256After == file.sha256
                  ? .text("the same") : file.sha256After.map(PageTable.Cell.digits) ?? .text("gone"),
              ]
            })),
        .text(
          store.areFilesUnchanged
            ? "Reading changed nothing: the hashes before and after are the same."
            : "Another program wrote to the store in the meantime; storescope itself writes nothing."),
      ])
  }

  /// What the store is, and what made the report.
  var identityPairs: [(String, String)] {
    [
      ("Title", origin.title), ("Store", store.identity.path), ("Identifier", store.identity.uuid ?? "none"),
      ("Written by", store.system ?? "unknown"),
      ("App", history.map { $0.programs.isEmpty ? "not recorded" : $0.programs.joined(separator: ", ") }),
      ("Model", ([store.model] + store.modelIdentifiers).joined(separator: ", ")), ("Journal", journalText),
      ("Opened", store.openedBy),
      ("Made", "\(origin.made.shortISO8601 ?? "") by storescope \(origin.version)"),
    ].compactMap { name, text in text.map { (name, $0) } } + store.notes.map { ("Note", $0) }
  }

  private var journalText: String {
    let commits = store.walCommits > 0 ? ", \(Sentence.count(store.walCommits, "commit")) in it" : ""
    return
      "\(store.journal), \(Sentence.size(store.walBytes))\(commits); pages of \(store.pageSize) bytes, \(Sentence.size(store.bytes)) in all"
  }
}

/// Values as cells of a page's table.
enum PageCells {
  static func cell(_ value: DataValue) -> PageTable.Cell {
    switch value {
    case .null: .empty
    case .bool(let bool): .text(bool ? "yes" : "no")
    case .integer(let number): Int(exactly: number).map(PageTable.Cell.count) ?? .text("\(number)")
    case .real(let number): .text("\(number)")
    case .date(let date): .moment(date)
    case .text(let text): text.utf8.count > 40 ? .text(text) : .name(text)
    case .array(let elements): .text(elements.map(plain).joined(separator: ", "))
    case .object, .blob: .text("…")
    }
  }

  private static func plain(_ value: DataValue) -> String {
    switch value {
    case .text(let text): text
    case .integer(let number): "\(number)"
    default: "…"
    }
  }
}
