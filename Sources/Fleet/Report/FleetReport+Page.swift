import Base
import Diagnostics
import Rendering
import Reports

extension FleetReport {
  var head: Document.Head {
    Document.Head(
      title: "storescope report: \(name): \(share)", name: name, subject: name, identity: identity,
      made: origin.made, maker: "storescope \(origin.version)", word: share, tone: tone, news: news, fix: fix,
      lead: [], notice: notice, noticeTarget: "about")
  }

  /// How the fleet is and what to fix, then who and since when.
  var blocks: [Document.Block] {
    [.figures(figures)]
      + [
        findingsSection, healthSection, syncSection, historySection, fieldSection, storesSection,
        aboutSection,
      ].map(Document.Block.section)
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

  private var failedRuns: Int { facts.lines.reduce(0) { $0 + ($1.counts[.failed] ?? 0) } }

  private var figures: [Document.Figure] {
    let (risky, blocked) = (facts.count(.atRisk), facts.count(.blocked))
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
        "Failed runs", Sentence.number(failedRuns), note: "of \(Sentence.number(facts.runs))",
        tone: failedRuns > 0 ? .waiting : .plain, target: "errors"),
    ]
  }

  // MARK: - Findings

  private var findingsSection: Document.Section {
    let problems = rules.filter { $0.rule.severity != .info }
    return Document.Section(
      "findings", rules.isEmpty || !problems.isEmpty ? "What to fix" : "Notes",
      rules.isEmpty
        ? [.text("Nothing: no problems found.")]
        : [.grid(ruleTable)] + (problems.isEmpty ? [] : [.items(problems.map(item))]))
  }

  private var ruleTable: PageTable {
    PageTable(
      "Findings by rule", ["rule", "weight", "stores", "share", "versions", "occurrences"], of: rules,
      most: .max
    ) { id, rule in
      [
        .name(id), .badge(rule.severity), .count(rule.stores),
        share(rule.stores, of: facts.stores), .count(rule.versions.values.count), .count(rule.occurrences),
      ]
    }
  }

  private func share(_ part: Int, of whole: Int) -> PageTable.Cell {
    .text(Sentence.percent(Int64(part), of: Int64(whole)))
  }

  private func item(_ id: String, _ rule: FleetFacts.RuleFacts) -> ListedItem {
    let header = RuleRegistry.rule(id)?.header
    var item = ListedItem(
      rule.severity.grade, mark: rule.severity.noun, name: id, titles: [rule.title],
      lines: [
        .text(Self.severityLine(rule, of: facts.stores) + "."),
        .labeled("Fix", header?.remedy ?? "not known to this version of storescope."),
      ])
    item.facts =
      (header.map { [("Why it matters", $0.why), ("Next launch", $0.nextLaunch)] } ?? []) + [("Rule", id)]
    item.evidence = tableOfVersions(rule)
    return item
  }

  /// Nil if no version is recorded.
  private func tableOfVersions(_ rule: FleetFacts.RuleFacts) -> PageTable? {
    guard Array(rule.versions.values.keys) != [FleetFacts.Version()] else { return nil }
    return PageTable(
      "By app version", ["app version", "stores", "share"], of: rule.versions.sorted, most: Self.mostRows
    ) { version, stores in
      let all = facts.versions.values[version]?.values.reduce(0, +) ?? 0
      return [.name(version.label), .count(stores), share(stores, of: all)]
    }
  }

  /// More rows than these are for SQL.
  private static let mostRows = 100

  // MARK: - Health

  private static let inks: [(health: Health, ink: Ink)] = [
    (.healthy, .good), (.needsAttention, .waiting), (.blocked, .series(3)), (.atRisk, .bad),
  ]

  private var healthSection: Document.Section {
    let shown = versions.prefix(Self.mostBars)
    let chart = BarChart(
      title: "Stores by app version and health",
      kinds: Self.inks.map { .init($0.health.word, $0.ink) },
      bars: shown.map { version, health, _ in .init(version.label, Self.inks.map { health[$0.health] ?? 0 }) }
    )
    let rest = versions.count - shown.count
    let picture = Document.Picture(
      "versions", "Stores by app version",
      facts.stores == 0
        ? "No store could be examined."
        : Sentence.count(versions.count, "app version")
          + (rest > 0 ? "; only those with the most stores are drawn." : "."),
      facts.stores == 0 ? nil : .chart(.bars(chart)), data: facts.stores == 0 ? [] : [versionTable])
    let failures = PageTable(
      "Addresses that couldn’t be examined", ["failure", "addresses"], of: facts.failures.sorted, most: .max,
      emptyText: "All addresses could be examined."
    ) { [.text(StoreFailure.words(of: $0)), .count($1)] }
    return Document.Section(
      "health", "Health",
      [.pictures([picture]), .grid(failures)] + (facts.unread.isEmpty ? [] : [.grid(unreadTable)]))
  }

  private var unreadTable: PageTable {
    PageTable(
      "Each of these addresses (\(Sentence.number(facts.unread.count)) of \(Sentence.number(facts.failed)))",
      ["address", "failure"] + (origin.showsValues ? ["reason"] : []), of: facts.unread, most: .max
    ) { unread in
      [.name(unread.address), .text(StoreFailure.words(of: unread.failure))]
        + (origin.showsValues ? [.text(unread.message ?? "")] : [])
    }
  }

  private static let mostBars = 12

  private var versionTable: PageTable {
    PageTable(
      "Stores by app version and health",
      ["app version", "stores"] + Self.inks.map { $0.health.word.lowercased() }, of: versions,
      most: Self.mostRows
    ) { version, health, stores in
      [.name(version.label), .count(stores)] + Self.inks.map { .count(health[$0.health] ?? 0) }
    }
  }

  private var storesSection: Document.Section {
    let needing = facts.stores - facts.count(.healthy)
    let table = PageTable(
      "The worst first (\(Sentence.number(facts.worst.count)) of \(Sentence.number(needing)))",
      [
        "store", "health", "worst finding", "errors", "warnings", "pending", "app version",
        "newest timestamp",
      ],
      of: facts.worst, total: needing, most: .max, emptyText: "None: all stores are healthy."
    ) { store in
      let name = origin.showsValues ? store.address : String(store.storeID.prefix(12))
      return [
        pages[store.storeID].map { .link(name, to: $0) } ?? .name(name),
        .badge(store.isWiped ? "Wiped next" : store.health.word, store.health.tone), .text(store.cause ?? ""),
        .count(store.errors), .count(store.warnings), .count(store.pending), .name(store.version.label),
        .optional(store.lastChange),
      ]
    }
    return Document.Section("stores", "Stores to look at", [.grid(table)])
  }

  // MARK: - Sync and history

  private var syncSection: Document.Section {
    let states = facts.ages.sorted { one, other in
      let (stores, others) = (one.value.reduce(0, +), other.value.reduce(0, +))
      return (others, one.key.rawValue) < (stores, other.key.rawValue)
    }
    let ages = BarChart(
      title: "Stores with pending changes, by state and age",
      kinds: PendingAges.kinds,
      bars: states.map { .init($0.key.word, $0.value) })
    return Document.Section(
      "sync", "Sync",
      [
        .pictures([
          Document.Picture(
            "errors", "Setups, imports and exports",
            facts.runs == 0
              ? "There are no runs."
              : "\(Sentence.count(facts.runs, "run")), \(Sentence.number(failedRuns)) failed. A mark is the worst of its time in any store.",
            facts.runs == 0 ? nil : .chart(.marks(MarkChart(subject: "Runs", lines: facts.lines))),
            data: facts.runs == 0 ? [] : [errorTable])
        ]),
        .pictures([
          Document.Picture(
            "pending", "Pending changes", pendingSentence, states.isEmpty ? nil : .chart(.bars(ages)),
            data: states.isEmpty ? [] : [reasonTable])
        ]),
      ])
  }

  private var errorTable: PageTable {
    PageTable(
      "Failures by error", ["error", "run", "weight", "times", "stores", "first", "last", "meaning"],
      of: errors, most: Self.mostRows, emptyText: "Failures by error: no run failed."
    ) { key, failure in
      [
        .text(key.error), .text(key.type), .failed(harmlessly: failure.isNoise), .count(failure.count),
        .count(failure.stores), .optional(failure.first), .optional(failure.last), .text(failure.meaning),
      ]
    }
  }

  private var reasonTable: PageTable {
    PageTable(
      "Pending by reason", ["reason", "kind", "changes", "stores", "oldest"], of: reasons,
      most: Self.mostRows,
      emptyText: "Pending by reason: none."
    ) { key, facts in
      [
        .text(key.text), .name(key.kind), .count(facts.changes), .count(facts.stores),
        .optional(facts.oldest),
      ]
    }
  }

  private var historySection: Document.Section {
    let picture = Document.Picture(
      "growth", "Changes over time",
      facts.transactions == 0
        ? "No store keeps history."
        : "\(Sentence.count(facts.changes, "change")) in \(Sentence.count(facts.transactions, "transaction")) that the stores still keep.",
      facts.growth.counts.count > 1 ? .chart(.counts(CountChart(of: "change", series: [facts.growth]))) : nil)
    return Document.Section("history", "History", [.pictures([picture])])
  }

  private var fieldSection: Document.Section {
    func table(_ caption: String, _ name: String, _ rows: [(String, Int)]) -> Document.Block {
      .grid(
        PageTable(caption, [name, "stores", "share"], of: rows, most: Self.mostRows) {
          [.name($0), .count($1), share($1, of: facts.stores)]
        })
    }
    return Document.Section(
      "field", "In the field",
      [
        table(
          "Model versions", "model",
          facts.models.sorted.map {
            ($0.key.isEmpty ? "(no identifier)" : $0.key.joined(separator: ", "), $0.value)
          }),
        table("Written by", "framework", facts.frameworks.sorted.map { ($0.key, $0.value) }),
      ])
  }

  private var aboutSection: Document.Section {
    let marks =
      origin.showsValues
      ? []
      : [
        "Not included: addresses, paths, apps’ bundle identifiers, stores’ identifiers, messages and values. A placeholder such as program-3f9a2c41d07b stands for the same text wherever it occurs. It is the beginning of a SHA-256 of a salt and the text. \(origin.isSalted ? "The salt was set with --salt: other reports with the same salt have the same placeholders." : "The salt was random and isn’t kept.")",
        "A store is named by the first twelve digits of its storeId, the SHA-256 of its file and its WAL. Whoever has the datasets finds its address there.",
      ]
    return Document.Section(
      "about", "About this report",
      [
        .list(
          [
            "Included: counts, times and states; rules, error domains and codes; versions of apps, models and frameworks."
          ] + marks + [
            "The HTML page is a single self-contained file. It loads nothing, sends nothing, and works without scripts.\(pages.isEmpty ? "" : " Links lead to pages about single stores next to it.")"
          ])
      ])
  }
}
