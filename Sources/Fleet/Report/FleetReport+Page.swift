import Diagnostics
package import Rendering
import Reports
import Values

extension FleetReport {
  /// The report as a page: how the fleet is and what to fix, then who and since when.
  package var page: Page {
    Page(
      title: "storescope report: \(name): \(share)", name: name,
      identity: identity, made: origin.made, word: share, tone: tone, news: news, fix: fix, lead: [],
      notice: origin.showsValues
        ? "This page includes values: addresses and apps."
        : "No values in this page: placeholders replace addresses and apps.",
      noticeTarget: "about", figures: figures,
      parts: [findingsPart, healthPart, syncPart, historyPart, fieldPart, storesPart, aboutPart],
      footer: "Made by storescope \(origin.version).")
  }

  private var identity: String {
    let apps = Set(versions.compactMap(\.version.app)).count
    return [
      Sentence.count(facts.stores, "store"), apps > 0 ? Sentence.count(apps, "app") : nil,
      Sentence.count(facts.models.values.count, "model version"),
    ].compactMap(\.self).joined(separator: " · ")
  }

  private var fix: String? {
    guard let (id, rule) = mostCommonError else { return nil }
    let remedy = RuleRegistry.rule(id)?.header.remedy ?? ""
    return "the most common error, in \(Sentence.count(rule.stores, "store")): \(rule.title). \(remedy)"
  }

  private var figures: [Page.Figure] {
    let (risky, blocked) = (facts.count(.atRisk), facts.count(.blocked))
    let failed = facts.lines.reduce(0) { $0 + ($1.counts[.failed] ?? 0) }
    return [
      .init(
        "Stores", Sentence.number(facts.stores),
        note: facts.failed > 0 ? "\(Sentence.number(facts.failed)) more couldn’t be examined" : "",
        target: "health"),
      .init(
        "At risk", Sentence.number(risky), note: "an error that may cost data",
        tone: risky > 0 ? .bad : .good,
        target: "stores"),
      .init(
        "Blocked", Sentence.number(blocked), note: "sync stands still", tone: blocked > 0 ? .bad : .good,
        target: "stores"),
      .init(
        "Wiped by the next launch", Sentence.number(facts.wiped),
        note: facts.losing > facts.wiped
          ? "\(Sentence.number(facts.losing - facts.wiped)) more lose data in another way" : "",
        tone: facts.wiped > 0 ? .bad : .good, target: "stores"),
      .init(
        "Pending changes", Sentence.number(facts.pending),
        note: "in \(Sentence.count(facts.pendingStores, "store"))",
        tone: facts.pending > 0 ? .waiting : .plain, target: "pending"),
      .init(
        "Failed runs", Sentence.number(failed), note: "of \(Sentence.number(facts.runs))",
        tone: failed > 0 ? .waiting : .plain, target: "errors"),
    ]
  }

  // MARK: - Findings

  private var findingsPart: Page.Part {
    let problems = rules.filter { $0.rule.severity != .info }
    return Page.Part(
      id: "findings", title: rules.isEmpty || !problems.isEmpty ? "What to fix" : "Notes",
      blocks: rules.isEmpty
        ? [.text("Nothing: no problems found.")]
        : [.table(ruleTable)] + (problems.isEmpty ? [] : [.cards(problems.map(card))]))
  }

  private var ruleTable: PageTable {
    PageTable(
      caption: "Findings by rule",
      columns: [
        .init("rule"), .init("weight"), .init("stores", isNumber: true), .init("share"),
        .init("versions", isNumber: true), .init("occurrences", isNumber: true),
      ],
      rows: rules.map { id, rule in
        [
          .name(id), .badge(rule.severity.word, rule.severity.tone), .count(rule.stores),
          .text(Sentence.percent(Int64(rule.stores), of: Int64(facts.stores))),
          .count(rule.versions.values.count), .count(rule.occurrences),
        ]
      })
  }

  private func card(_ id: String, _ rule: FleetFacts.RuleFacts) -> Page.Card {
    let header = RuleRegistry.rule(id)?.header
    return Page.Card(
      id: "finding-\(id)", tone: rule.severity.tone, weight: rule.severity.word, title: rule.title,
      text: Self.severityLine(rule, of: facts.stores) + ".",
      fix: header?.remedy ?? "not known to this version of storescope.",
      pairs: (header.map { [("Why it matters", $0.why), ("Next launch", $0.nextLaunch)] } ?? [])
        + [("Rule", id)],
      table: tableOfVersions(rule))
  }

  /// Nil if no version is recorded.
  private func tableOfVersions(_ rule: FleetFacts.RuleFacts) -> PageTable? {
    guard Array(rule.versions.values.keys) != [FleetFacts.Version()] else { return nil }
    return PageTable(
      caption: "By app version",
      columns: [.init("app version"), .init("stores", isNumber: true), .init("share")],
      rows: rule.versions.sorted.prefix(Self.mostRows).map { version, stores in
        let all = facts.versions.values[version]?.values.reduce(0, +) ?? 0
        return [
          .name(version.label), .count(stores), .text(Sentence.percent(Int64(stores), of: Int64(all))),
        ]
      }, more: Self.more(rule.versions.values.count))
  }

  /// More rows than these are for SQL.
  private static let mostRows = 100

  private static func more(_ count: Int) -> String? {
    count > mostRows ? "and \(Sentence.number(count - mostRows)) more of \(Sentence.number(count))" : nil
  }

  // MARK: - Health

  private static let inks: [(health: Health, ink: Ink)] = [
    (.healthy, .good), (.needsAttention, .waiting), (.blocked, .series(3)), (.atRisk, .bad),
  ]

  private var healthPart: Page.Part {
    let shown = versions.prefix(Self.mostBars)
    let chart = ShareChart(
      title: "Stores by app version and health", subject: "app version",
      kinds: Self.inks.map { .init($0.health.word, $0.ink) },
      rows: shown.map { version, health, _ in .init(version.label, Self.inks.map { health[$0.health] ?? 0 }) }
    )
    let rest = versions.count - shown.count
    return Page.Part(
      id: "health", title: "Health",
      blocks: [
        .picture(
          Page.Picture(
            id: "versions", title: "Stores by app version",
            summary: facts.stores == 0
              ? "No store could be examined."
              : Sentence.count(versions.count, "app version")
                + (rest > 0 ? "; only those with the most stores are drawn." : "."),
            content: facts.stores == 0 ? nil : .shares(chart),
            data: facts.stores == 0 ? [] : [versionTable])),
        .table(
          PageTable(
            caption: "Addresses that couldn’t be examined",
            columns: [.init("failure"), .init("addresses", isNumber: true)],
            rows: facts.failures.sorted.map { [.text(StoreFailure.words(of: $0.key)), .count($0.value)] },
            emptyText: "All addresses could be examined.")),
      ] + (facts.unread.isEmpty ? [] : [.table(unreadTable)]))
  }

  private var unreadTable: PageTable {
    PageTable(
      caption:
        "Each of these addresses (\(Sentence.number(facts.unread.count)) of \(Sentence.number(facts.failed)))",
      columns: [.init("address"), .init("failure")] + (origin.showsValues ? [.init("reason")] : []),
      rows: facts.unread.map { unread in
        [.name(unread.address), .text(StoreFailure.words(of: unread.failure))]
          + (origin.showsValues ? [.text(unread.message ?? "")] : [])
      })
  }

  private static let mostBars = 12

  private var versionTable: PageTable {
    PageTable(
      caption: "Stores by app version and health",
      columns: [.init("app version"), .init("stores", isNumber: true)]
        + Self.inks.map { .init($0.health.word.lowercased(), isNumber: true) },
      rows: versions.prefix(Self.mostRows).map { version, health, stores in
        [.name(version.label), .count(stores)] + Self.inks.map { .count(health[$0.health] ?? 0) }
      }, more: Self.more(versions.count))
  }

  private var storesPart: Page.Part {
    let needing = facts.stores - facts.count(.healthy)
    return Page.Part(
      id: "stores", title: "Stores to look at",
      blocks: [
        .table(
          PageTable(
            caption: "The worst first (\(Sentence.number(facts.worst.count)) of \(Sentence.number(needing)))",
            columns: [
              .init("store"), .init("health"), .init("worst finding"), .init("errors", isNumber: true),
              .init("warnings", isNumber: true), .init("pending", isNumber: true), .init("app version"),
              .init("newest timestamp"),
            ],
            rows: facts.worst.map { store in
              let name = origin.showsValues ? store.address : String(store.storeID.prefix(12))
              return [
                pages[store.storeID].map { .link(name, to: $0) } ?? .name(name),
                .badge(store.isWiped ? "Wiped next" : store.health.word, store.health.tone),
                .text(store.cause ?? ""),
                .count(store.errors),
                .count(store.warnings), .count(store.pending), .name(store.version.label),
                .optional(store.lastChange),
              ]
            }, emptyText: "None: all stores are healthy."))
      ])
  }

  // MARK: - Sync and history

  private var syncPart: Page.Part {
    let states = facts.ages.sorted { one, other in
      let (stores, others) = (one.value.reduce(0, +), other.value.reduce(0, +))
      return (others, one.key.rawValue) < (stores, other.key.rawValue)
    }
    let inks: [Ink] = (0..<6).map(Ink.step) + [.others]
    let ages = ShareChart(
      title: "Stores with pending changes, by state and age", subject: "state",
      kinds: zip(PendingAges.names, inks).map { .init($0, $1) },
      rows: states.map { .init($0.key.word, $0.value) })
    let failed = facts.lines.reduce(0) { $0 + ($1.counts[.failed] ?? 0) }
    return Page.Part(
      id: "sync", title: "Sync",
      blocks: [
        .picture(
          Page.Picture(
            id: "errors", title: "Setups, imports and exports",
            summary: facts.runs == 0
              ? "There are no runs."
              : "\(Sentence.count(facts.runs, "run")), \(Sentence.number(failed)) failed. A mark is the worst of its time in any store.",
            content: facts.runs == 0 ? nil : .chart(.marks(MarkChart(subject: "Runs", lines: facts.lines))),
            data: facts.runs == 0 ? [] : [errorTable])),
        .picture(
          Page.Picture(
            id: "pending", title: "Pending changes", summary: pendingSentence,
            content: states.isEmpty ? nil : .shares(ages), data: states.isEmpty ? [] : [reasonTable])),
      ])
  }

  private var errorTable: PageTable {
    PageTable(
      caption: "Failures by error",
      columns: [
        .init("error"), .init("run"), .init("weight"), .init("times", isNumber: true),
        .init("stores", isNumber: true), .init("first"), .init("last"), .init("meaning"),
      ],
      rows: errors.prefix(Self.mostRows).map { key, failure in
        [
          .text(key.error), .text(key.type),
          failure.isNoise ? .badge("harmless", .plain) : .badge("failed", .bad), .count(failure.count),
          .count(failure.stores), .optional(failure.first), .optional(failure.last), .text(failure.meaning),
        ]
      }, more: Self.more(errors.count), emptyText: "Failures by error: no run failed.")
  }

  private var reasonTable: PageTable {
    PageTable(
      caption: "Pending by reason",
      columns: [
        .init("reason"), .init("kind"), .init("changes", isNumber: true), .init("stores", isNumber: true),
        .init("oldest"),
      ],
      rows: reasons.prefix(Self.mostRows).map { key, facts in
        [
          .text(key.text), .name(key.kind), .count(facts.changes), .count(facts.stores),
          .optional(facts.oldest),
        ]
      }, more: Self.more(reasons.count), emptyText: "Pending by reason: none.")
  }

  private var historyPart: Page.Part {
    let isDrawn = facts.growth.counts.count > 1
    return Page.Part(
      id: "history", title: "History",
      blocks: [
        .picture(
          Page.Picture(
            id: "growth", title: "Changes over time",
            summary: facts.transactions == 0
              ? "No store keeps history."
              : "\(Sentence.count(facts.changes, "change")) in \(Sentence.count(facts.transactions, "transaction")) that the stores still keep.",
            content: isDrawn ? .chart(.counts(CountChart(of: "change", series: [facts.growth]))) : nil))
      ])
  }

  private var fieldPart: Page.Part {
    func table(_ caption: String, _ name: String, _ rows: [(String, Int)]) -> Page.Block {
      .table(
        PageTable(
          caption: caption,
          columns: [.init(name), .init("stores", isNumber: true), .init("share")],
          rows: rows.prefix(Self.mostRows).map {
            [.name($0.0), .count($0.1), .text(Sentence.percent(Int64($0.1), of: Int64(facts.stores)))]
          }, more: Self.more(rows.count)))
    }
    return Page.Part(
      id: "field", title: "In the field",
      blocks: [
        table(
          "Model versions", "model",
          facts.models.sorted.map {
            ($0.key.isEmpty ? "(no identifier)" : $0.key.joined(separator: ", "), $0.value)
          }),
        table("Written by", "framework", facts.frameworks.sorted.map { ($0.key, $0.value) }),
      ])
  }

  private var aboutPart: Page.Part {
    let marks =
      origin.showsValues
      ? []
      : [
        "Not included: addresses, paths, apps’ bundle identifiers, stores’ identifiers, messages and values. A placeholder such as program-3f9a2c41d07b stands for the same text wherever it occurs. It is the beginning of a SHA-256 of a salt and the text. \(origin.isSalted ? "The salt was set with --salt: other reports with the same salt have the same placeholders." : "The salt was random and isn’t kept.")",
        "A store is named by the first twelve digits of its storeId, the SHA-256 of its file and its WAL. Whoever has the datasets finds its address there.",
      ]
    return Page.Part(
      id: "about", title: "About this report",
      blocks: [
        .list(
          [
            "Included: counts, times and states; rules, error domains and codes; versions of apps, models and frameworks."
          ] + marks + [
            "The page is a single self-contained file. It loads nothing, sends nothing, and works without scripts.\(pages.isEmpty ? "" : " Links lead to pages about single stores next to it.")"
          ]),
        .pairs([("Made", "\(origin.made.shortISO8601 ?? "") by storescope \(origin.version)")]),
      ])
  }
}
