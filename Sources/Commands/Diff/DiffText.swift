import Base
import Comparison
import Diagnostics
import Lens
import Rendering
import StoreModel

/// What people see of a comparison, from the numbers to the details.
struct DiffText {
  private let comparison: StoreComparison
  /// Nil where objects are only counted.
  private let examples: DiffExamples?

  init(_ comparison: StoreComparison, examples: DiffExamples?) {
    self.comparison = comparison
    self.examples = examples
  }

  func blocks(from name: String, to otherName: String) -> [Document.Block] {
    var blocks: [Document.Block] = [.heading("\(name) → \(otherName)")] + relation
    if comparison.isEmpty {
      return blocks + [.text(sameness)]
    }
    blocks += answer
    blocks += objects
    blocks += model
    blocks += section("History", history)
    blocks += mirror
    blocks += findings
    return blocks
  }

  private var sameness: String {
    guard parts.isEmpty else { return "No differences. Compared: \(parts.joined(separator: ", "))." }
    return "Nothing to compare" + (comparison.history == nil ? ": neither store is mirrored." : ".")
  }

  /// What was compared, in the words of `--only`.
  private var parts: [String] {
    let all = comparison.objects?.entities.count ?? 0
    let names = comparison.entities.map(\.name)
    let objects = names.count < all ? "objects of \(names.joined(separator: ", "))" : "objects"
    let compared: [(name: String, isCompared: Bool)] = [
      (objects, comparison.objects != nil), ("model", comparison.model != nil),
      ("history", comparison.history?.base != nil),
      (
        comparison.mirror?.events == nil ? "mirror without its event log" : "mirror",
        comparison.mirror != nil
      ), ("findings", comparison.findings != nil),
    ]
    return compared.filter(\.isCompared).map(\.name)
  }

  private func section(_ title: String, _ pairs: [(String, DataValue)]) -> [Document.Block] {
    pairs.isEmpty ? [] : [.heading(title), .pairs(pairs)]
  }

  /// What must be known before the numbers: neither of the two is an earlier state of the other.
  private var relation: [Document.Block] {
    if comparison.isOtherStore {
      let logs = comparison.mirror == nil ? "histories" : "histories and event logs"
      return [.text("Different stores: their identifiers differ, so their \(logs) can't be compared.")]
    }
    guard let history = comparison.history, history.isDiverged, let base = history.base else { return [] }
    let counts = [history.lost, history.new].map { $0.map(\.transactions).reduce(0, +) }
    let beginning =
      base > 0
      ? "Diverged after transaction \(Sentence.number(Int(clamping: base))): since then"
      : "Diverged from the beginning:"
    return [
      .text(
        "\(beginning) \(Sentence.count(counts[0], "transaction was", "transactions were")) saved only in the first, and \(Sentence.number(counts[1])) only in the second."
      )
    ]
  }

  /// What differs if no object does.
  private var answer: [Document.Block] {
    guard comparison.entities.allSatisfy(\.isEmpty) else { return [] }
    let compared = [
      ("model", comparison.model?.isEmpty), ("history", comparison.history?.isEmpty),
      ("mirror", comparison.mirror?.isEmpty), ("findings", comparison.findings?.isEmpty),
    ]
    let names = compared.filter { $0.1 == false }.map(\.0)
    let verb = names.count == 1 && names != ["findings"] ? "differs" : "differ"
    let counts = names == ["mirror"] ? comparison.mirror.map { ": \($0.counts)" } ?? "" : ""
    let list = [names.dropLast().joined(separator: ", "), names.last ?? ""].filter { !$0.isEmpty }
    let objects = comparison.objects == nil ? "" : " Objects, matched by \(key), are the same."
    return [
      .text(
        "\(parts.count > 1 ? "Only the" : "The") \(list.joined(separator: " and ")) \(verb)\(counts).\(objects)"
      )
    ]
  }

  // MARK: Objects

  private var key: String { comparison.matching == .key ? "primary key" : "record name" }

  private var objects: [Document.Block] {
    guard comparison.objects != nil else { return [] }
    let different = comparison.entities.filter { !$0.isEmpty }
    var blocks: [Document.Block] = different.isEmpty ? [] : [.text(headline(different))]
    let unmatched = comparison.entities.reduce(into: (store: 0, other: 0)) {
      $0.store += $1.unmatched.store.count
      $0.other += $1.unmatched.other.count
    }
    if unmatched.store + unmatched.other > 0 {
      blocks.append(
        .text(
          "Without a record, so they can't be matched: \(Sentence.count(unmatched.store, "object")) here, \(Sentence.number(unmatched.other)) there."
        ))
    }
    guard !different.isEmpty else { return blocks }
    guard let examples else { return blocks + [.table(different.counts(under: "entity"))] }
    blocks += [.text(""), .groups(examples.groups)]
    if examples.areCut { blocks.append(.text("--limit N shows N objects of each; --json has all of them.")) }
    return blocks
  }

  /// `Objects, matched by primary key: +3 −0 ~1 in 2 of 9 entities (added, removed, changed).`
  private func headline(_ different: [EntityDifference]) -> String {
    let counts = zip(["+", "−", "~"], DiffObjects.Change.allCases).map { sign, change in
      sign + Sentence.number(different.reduce(0) { $0 + $1[change].count })
    }
    return "Objects, matched by \(key): " + counts.joined(separator: " ") + " in \(different.count) of "
      + Sentence.count(comparison.entities.count, "entity", "entities") + " (added, removed, changed)."
  }

  private var model: [Document.Block] {
    guard let model = comparison.model, !model.isEmpty else { return [] }
    var pairs: [(String, DataValue)] = []
    if !model.newEntities.isEmpty { pairs.append(("new entities", .text(some(model.newEntities)))) }
    if !model.goneEntities.isEmpty { pairs.append(("gone entities", .text(some(model.goneEntities)))) }
    let new = model.properties.filter { $0.from == nil }.map { "\($0.entity).\($0.name)" }
    let gone = model.properties.filter { $0.to == nil }.map { "\($0.entity).\($0.name)" }
    if !new.isEmpty { pairs.append(("new properties", .text(some(new)))) }
    if !gone.isEmpty { pairs.append(("gone properties", .text(some(gone)))) }
    let other = model.properties.compactMap { property -> String? in
      guard let from = property.from, let to = property.to else { return nil }
      return "\(property.entity).\(property.name): \(from) → \(to)"
    }
    if !other.isEmpty { pairs.append(("other types", .text(some(other)))) }
    return section("Model", pairs)
  }

  private func some(_ words: [String]) -> String {
    let most = 8
    let more = words.count > most ? " and \(Sentence.number(words.count - most)) more" : ""
    return words.prefix(most).joined(separator: ", ") + more
  }

  // MARK: The rest

  private var history: [(String, DataValue)] {
    guard let history = comparison.history, !history.isEmpty else { return [] }
    var pairs: [(String, DataValue)] = []
    if !history.new.isEmpty { pairs.append(("new", .text(sentence(history.new)))) }
    if !history.lost.isEmpty { pairs.append(("lost", .text(sentence(history.lost)))) }
    if history.purged > 0 {
      pairs.append(("purged", .text(Sentence.count(history.purged, "transaction"))))
    }
    return pairs
  }

  /// `3 transactions, 5 changes, 2026-04-01 to 2026-04-16, by app (2), nobody (1)`
  private func sentence(_ groups: [HistoryGroup]) -> String {
    let transactions = groups.map(\.transactions).reduce(0, +)
    let changes = groups.map(\.changes.total).reduce(0, +)
    let days = [groups.compactMap(\.first).min(), groups.compactMap(\.last).max()]
      .compactMap { $0?.iso8601?.prefix(10) }.map(String.init)
    let span = days.count == 2 ? (days[0] == days[1] ? ", \(days[0])" : ", \(days[0]) to \(days[1])") : ""
    let authors = groups.map { "\($0.key ?? "no author") (\($0.transactions))" }
    return
      "\(Sentence.count(transactions, "transaction")), \(Sentence.count(changes, "change"))\(span), by \(authors.joined(separator: ", "))"
  }

  private var mirror: [Document.Block] {
    guard let mirror = comparison.mirror, !mirror.isEmpty else { return [] }
    var blocks: [Document.Block] = [.heading("Mirror")]
    if !mirror.transitions.isEmpty {
      let rows = mirror.sortedTransitions.sorted { $1.records < $0.records }.map { change -> [DataValue] in
        [
          .text(Sentence.number(change.records)), .text(state(change.from)), .text(state(change.to)),
        ]
      }
      blocks.append(
        .table(
          RowStream(columns: [.init("records", isNumber: true), .init("from"), .init("to")], rows: rows)))
    }
    var lines: [String] = []
    for (title, changes) in [
      ("zone", mirror.zones), ("database", mirror.databases), ("entry", mirror.entries),
    ] {
      for (subject, all) in Dictionary(grouping: changes, by: \.subject).sorted(by: { $0.key < $1.key }) {
        // That's everybody's own.
        let name = subject.replacing(" of \(MirrorZone.currentOwner)", with: "")
        lines.append("• \(title) \(name): \(all.map(sentence).joined(separator: ", "))")
      }
    }
    if !mirror.tables.isEmpty {
      lines.append("• rows in other tables: \(some(mirror.tables.map(rows)))")
    }
    for (title, counts) in mirror.events?.lists ?? [] where !counts.isEmpty {
      let events = counts.sorted { $0.key < $1.key }.map { type, count in
        Sentence.count(count.all, type) + (count.failures > 0 ? ", \(count.failures) failed" : "")
      }
      lines.append("• \(title.many): \(events.joined(separator: "; "))")
    }
    if !lines.isEmpty {
      blocks += (blocks.count > 1 ? [.text("")] : []) + [.text(lines.joined(separator: "\n"))]
    }
    return blocks
  }

  /// `links 12 → 0`
  private func rows(_ change: MirrorComparison.Change) -> String {
    let name = FrameworkTable(rawValue: change.subject)?.nameForPeople ?? change.subject
    return "\(name) \(CellText.of(change.from)) → \(CellText.of(change.to))"
  }

  private func state(_ name: String?) -> String {
    name.map { RecordState(rawValue: $0)?.label ?? $0 } ?? "no record"
  }

  private func sentence(_ change: MirrorComparison.Change) -> String {
    if change.property == "present" { return change.to == true ? "new" : "gone" }
    // A token's mark says nothing to people.
    if change.property == "token" {
      return change.from == .null ? "token added" : change.to == .null ? "token removed" : "token moved"
    }
    if case (.object(let from), .object(let to)) = (change.from, change.to) {
      let names = (from + to).filter { change.from[$0.name] != change.to[$0.name] }.map(\.name)
      var seen: Set<String> = []
      return "differs for " + some(names.filter { seen.insert($0).inserted })
    }
    func text(_ value: DataValue) -> String {
      // Whoever prints it shortens it.
      if case .date(let date) = value, let text = date.iso8601 { return text }
      return value == .null ? "none" : CellText.of(value)
    }
    let (from, to) = (text(change.from), text(change.to))
    // Of blobs and the like only sizes are shown.
    return from == to ? "\(change.property) differs" : "\(change.property) \(from) → \(to)"
  }

  private var findings: [Document.Block] {
    guard let findings = comparison.findings, !findings.isEmpty else { return [] }
    func rows(_ list: [Finding], _ change: String) -> [DataValue] {
      list.map {
        [
          "change": .text(change), "severity": .text($0.rule.severity.noun), "rule": .text($0.rule.id),
          "count": .count($0.count), "message": .text($0.message),
        ]
      }
    }
    return [
      .heading("Findings"),
      .table(
        RowStream(objects: rows(findings.new, "new") + rows(findings.gone, "gone")).withSentences()
          .leavingOut("count", "severity")),
    ]
  }
}

extension MirrorComparison {
  /// `2 records, 1 zone`
  fileprivate var counts: String {
    func subjects(_ changes: [Change]) -> Int { Set(changes.map(\.subject)).count }
    let counts =
      [
        (transitions.values.reduce(0, +), "record", "records"), (subjects(zones), "zone", "zones"),
        (subjects(databases), "database", "databases"), (subjects(entries), "entry", "entries"),
        (tables.count, "other table", "other tables"),
      ]
      + (events?.lists ?? []).map { title, counts in
        (counts.values.reduce(0) { $0 + $1.all }, title.one, title.many)
      }
    return counts.filter { $0.0 > 0 }.map { Sentence.count($0.0, $0.1, $0.2) }.joined(separator: ", ")
  }
}

extension EventComparison {
  fileprivate var lists: [(title: (one: String, many: String), counts: Counts)] {
    [
      (("new event", "new events"), new), (("event gone", "events gone"), gone),
      (("event changed", "events changed"), changed),
    ]
  }
}
