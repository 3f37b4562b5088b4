import Diagnostics
import Lens
package import Rendering
import Values

extension Report {
  /// The report as a page: the verdict, numbers, pictures, findings, tables, and what it contains.
  package var page: Page {
    let made = TextForPeople.minute(origin.made)
    return Page(
      title: "storescope report: \(headline)",
      origin: "storescope report on \(store.identity.path), \(made) UTC", verdict: headline, tone: tone,
      lead: verdict.because.prefix(Self.leadCount).map(TextForPeople.shortTimes),
      notice: origin.showsValues
        ? "This page includes values: record names, zones, owners, paths and quotes in findings appear as they are in the store."
        : "This page shows names of entities, properties and authors, counts, times and states. It shows no values: placeholders replace record names, zones, owners and paths, and other UUIDs replace those in sentences.",
      noticeTarget: "about", figures: figures, parts: parts,
      footer: "Made by storescope \(origin.version) on \(made) UTC. Times are in UTC.")
  }

  /// Reasons for the verdict that the page begins with.
  static let leadCount = 2

  private var parts: [Page.Part] {
    var parts: [Page.Part] = []
    if let mirror {
      parts.append(syncPart(mirror))
    }
    parts += [historyPart, storePart, findingsPart, tablesPart, aboutPart]
    return parts
  }

  private var findingsPart: Page.Part {
    var blocks: [Page.Block] =
      diagnosis.findings.isEmpty
      ? [.text("No problems found.")] : [.cards(diagnosis.findings.map(Self.card))]
    blocks.insert(
      .text(
        "\(Sentence.count(diagnosis.checked.count, "rule")) checked, \(diagnosis.skipped.count) skipped (reasons below)."
      ), at: 0)
    if !diagnosis.skipped.isEmpty {
      blocks.append(
        .table(
          PageTable(
            caption: "Not checked", columns: [.init("rule"), .init("reason")],
            rows: diagnosis.skipped.map { [.name($0.rule), .text($0.because)] })))
    } else {
      blocks[0] = .text("\(Sentence.count(diagnosis.checked.count, "rule")) checked.")
    }
    return Page.Part(id: "findings", title: "What to fix", blocks: blocks)
  }

  private static func card(_ finding: FindingFacts.Finding) -> Page.Card {
    Page.Card(
      id: "finding-\(finding.rule)", tone: finding.severity.tone, weight: finding.severity.word,
      title: finding.title, text: TextForPeople.shortTimes(finding.message),
      pairs: [
        ("Fix", finding.remedy), ("Why it matters", finding.why), ("Next launch", finding.nextLaunch),
        ("Rule", finding.rule),
      ], table: evidence(finding))
  }

  private static func evidence(_ finding: FindingFacts.Finding) -> PageTable? {
    var names: [String] = []
    // The message has the long ones.
    for member in finding.evidence.joined() where member.name != "meaning" && !names.contains(member.name) {
      names.append(member.name)
    }
    guard !names.isEmpty else { return nil }
    let more = finding.count - finding.evidence.count
    return PageTable(
      caption: "Evidence (\(Sentence.number(finding.count)))",
      columns: names.map { name in
        PageTable.Column(
          name, isNumber: finding.evidence.contains { $0.first { $0.name == name }?.value.isNumber == true })
      },
      rows: finding.evidence.map { members in
        names.map { name in PageCells.cell(members.first { $0.name == name }?.value ?? .null) }
      },
      more: more > 0
        ? "and \(Sentence.number(more)) more: storescope doctor STORE --rule \(finding.rule)" : nil)
  }

  private var aboutPart: Page.Part {
    Page.Part(
      id: "about", title: "What's in this report",
      blocks: [
        .list(ReportNotice.details(origin)),
        .pairs(
          [
            ("Tool", "storescope \(origin.version)"),
            ("Made", "\(origin.made.shortISO8601 ?? "")"),
            ("Store", store.identity.path), ("Identifier", store.identity.uuid ?? "none"),
            ("Framework", store.identity.frameworkVersion.map { "version \($0)" } ?? "unknown"),
            ("Model", ([store.model] + store.modelIdentifiers).joined(separator: ", ")),
            ("Journal", journalText), ("Opened", store.openedBy),
          ] + store.notes.map { ("Odd", $0) }),
        .table(
          PageTable(
            caption: "Hashes of the store’s files (SHA-256)",
            columns: [.init("file"), .init("size", isNumber: true), .init("before"), .init("after")],
            rows: store.files.map { file in
              [
                .name(file.role), .bytes(file.bytes), .text(file.sha256),
                .text(file.sha256After == file.sha256 ? "the same" : file.sha256After ?? "gone"),
              ]
            })),
        .text(
          store.areFilesUnchanged
            ? "Reading changed nothing: the hashes before and after are the same."
            : "Another program wrote to the store in the meantime; storescope itself writes nothing."),
      ])
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
    case .date(let date): .date(date)
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
