package import Base
import Diagnostics
package import Rendering
package import Reports

/// All that a report says of a fleet. What must not be shown has its marks here already.
package struct FleetReport {
  package var origin: Report.Origin
  /// What people call it: their own words for it, or the folder if values are shown.
  package var name: String
  package var facts: FleetFacts
  /// Pages about single stores, by the store's id: paths from where this page lies.
  package var pages: [String: String]

  /// - Parameters:
  ///   - marks: nil if values are shown.
  ///   - limit: rows of each list at most.
  ///   - page: where the page about the store of that id lies; nil if there is none.
  package static func read(
    _ folder: DatasetFolder, origin: Report.Origin, marks: Marks?, limit: Int, progress: (String) -> Void,
    page: (String) -> String?
  ) throws -> FleetReport {
    let privacy = ReportPrivacy(marks, path: folder.path)
    let facts = try FleetFacts(folder, privacy, limit: limit, progress: progress)
    var pages: [String: String] = [:]
    for store in facts.worst { pages[store.storeID] = page(store.storeID) }
    return FleetReport(
      origin: origin, name: origin.title ?? (marks == nil ? folder.path : "Fleet"), facts: facts, pages: pages
    )
  }

  package func document() -> Document {
    Document(command: "fleet-report", Self.fields, of: self, head: head, blocks: blocks)
  }

  // MARK: - In words

  var share: String {
    facts.stores == 0
      ? "No stores" : "\(Sentence.percent(Int64(facts.count(.healthy)), of: Int64(facts.stores))) healthy"
  }

  var tone: Tone {
    if facts.count(.blocked) + facts.count(.atRisk) > 0 { return .bad }
    return facts.count(.healthy) == facts.stores && facts.failed == 0 ? .good : .waiting
  }

  /// `Of 4,456 stores 12 are blocked, 3 are at risk and 210 need attention; 44 addresses couldn't be examined.`
  var news: String {
    let (blocked, risky, others) = (
      facts.count(.blocked), facts.count(.atRisk), facts.count(.needsAttention)
    )
    func part(_ count: Int, _ one: String, _ many: String) -> String? {
      count == 0 ? nil : "\(Sentence.number(count)) \(Sentence.form(count, one, many))"
    }
    let parts = [
      part(risky, "is at risk", "are at risk"), part(blocked, "is blocked", "are blocked"),
      part(others, "needs attention", "need attention"),
    ].compactMap(\.self)
    let list =
      parts.count > 1
      ? parts.dropLast().joined(separator: ", ") + " and " + (parts.last ?? "")
      : parts.first ?? "none needs anything"
    let sentence =
      facts.stores == 0
      ? "None of \(Sentence.count(facts.found, "address", "addresses")) could be examined"
      : "Of \(Sentence.count(facts.stores, "store")) \(list)"
    return facts.failed > 0 && facts.stores > 0
      ? "\(sentence); \(Sentence.count(facts.failed, "address", "addresses")) couldn’t be examined."
      : sentence + "."
  }

  /// The error that most stores have.
  var mostCommonError: (id: String, rule: FleetFacts.RuleFacts)? {
    rules.first { $0.rule.severity == .error }
  }

  /// Errors first, and the most common first.
  var rules: [(id: String, rule: FleetFacts.RuleFacts)] {
    facts.rules.values.sorted { one, other in
      one.value.severity == other.value.severity
        ? (other.value.stores, one.key) < (one.value.stores, other.key)
        : one.value.severity > other.value.severity
    }.map { ($0.key, $0.value) }
  }

  /// The versions with the most stores first.
  var versions: [(version: FleetFacts.Version, health: [Health: Int], stores: Int)] {
    facts.versions.values.map { ($0.key, $0.value, $0.value.values.reduce(0, +)) }
      .sorted { ($1.2, $0.0.label) < ($0.2, $1.0.label) }
  }

  var errors: [(key: FleetFacts.ErrorKey, value: FleetFacts.ErrorFacts)] {
    facts.errors.values.sorted {
      ($1.value.count, $0.key.error, $0.key.type) < ($0.value.count, $1.key.error, $1.key.type)
    }
  }

  var reasons: [(key: FleetFacts.Reason, value: FleetFacts.ReasonFacts)] {
    facts.reasons.values.sorted {
      ($1.value.changes, $0.key.kind, $0.key.text) < ($0.value.changes, $1.key.kind, $1.key.text)
    }
  }

  var pendingSentence: String {
    guard facts.pendingStores > 0 else { return "Nothing is pending in any store." }
    var text =
      "\(Sentence.count(facts.pending, "change is", "changes are")) pending in \(Sentence.count(facts.pendingStores, "store"))"
    if let oldest = facts.oldestPending?.iso8601 { text += ", the oldest since \(oldest)" }
    text += "."
    guard let half = facts.hours(0.5).map(Self.duration),
      let most = facts.hours(0.9).map(Self.duration)
    else { return text }
    let halfOfThem = half == most ? "" : "Half of these stores have had changes pending for at most \(half), "
    let mostOfThem = half == most ? "90% of these stores have had changes pending" : "90%"
    return
      "\(text) \(halfOfThem)\(mostOfThem) for at most \(most), counted back from a store’s newest timestamp."
  }

  private static func duration(_ hours: Int) -> String {
    hours < 48 ? Sentence.count(hours, "hour") : Sentence.count(hours / 24, "day")
  }

  static func severityLine(_ rule: FleetFacts.RuleFacts, of stores: Int) -> String {
    "\(Sentence.number(rule.stores)) of \(Sentence.count(stores, "store")) (\(Sentence.percent(Int64(rule.stores), of: Int64(stores))))"
  }

  /// One sentence.
  var notice: String {
    origin.showsValues
      ? "This report includes values (--include-values): addresses and apps appear as they are."
      : "This report shows counts, times, states and versions, but no values: addresses and apps are replaced by placeholders."
  }
}
