package import Base
package import Diagnostics
import Explanations
import Lens
package import Rendering
package import Reports

/// What a fleet's datasets come to: counts, and the stores that are worst. It takes the same memory however many stores
/// there are.
package struct FleetFacts {
  /// An app in one of its versions, as far as that is recorded.
  package struct Version: Hashable, Sendable {
    package var app: String?
    package var version: String?

    package var label: String {
      [app ?? "(app not recorded)", version].compactMap(\.self).joined(separator: " ")
    }
  }

  package struct RuleFacts: Sendable {
    package var severity: Severity
    package var title: String
    package var stores = 0
    package var occurrences = 0
    package var versions = Tallies<Version, Int>()
  }

  package struct ErrorKey: Hashable, Sendable {
    package var type: String
    package var error: String
  }

  package struct ErrorFacts: Sendable {
    package var count = 0
    package var stores = 0
    package var first: CoreDataDate?
    package var last: CoreDataDate?
    package var isNoise: Bool
    package var meaning: String
    fileprivate var address: Address?
  }

  package struct Reason: Hashable, Sendable {
    package var kind: String
    package var text: String
  }

  package struct ReasonFacts: Sendable {
    package var stores = 0
    package var changes = 0
    package var oldest: CoreDataDate?
    fileprivate var address: Address?
  }

  /// A store that somebody should look at.
  package struct Listed: Sendable {
    package var storeID: String
    package var address: String
    package var version: Version
    package var health: Health
    package var errors: Int
    package var warnings: Int
    package var pending: Int
    package var isWiped: Bool
    package var lastChange: CoreDataDate?
    /// The title of its worst finding; of several, the doctor's first.
    package var cause: String?

    /// The worst first.
    fileprivate var order: [Int] {
      [-(Health.allCases.firstIndex(of: health) ?? 0), isWiped ? 0 : 1, -errors, -pending, -warnings]
    }
  }

  /// What couldn't be examined.
  package struct Unread: Sendable {
    package var address: String
    package var failure: String
    /// Nil if values are hidden: it may have names of people's files.
    package var message: String?
  }

  package var stores = 0
  package var health: [Health: Int] = [:]
  package var versions = Tallies<Version, [Health: Int]>()
  package var models = Tallies<[String], Int>()
  package var frameworks = Tallies<String, Int>()
  package var (wiped, losing) = (0, 0)
  package var failures = Tallies<String, Int>()
  package var rules = Tallies<String, RuleFacts>()

  package var (pending, pendingStores) = (0, 0)
  package var oldestPending: CoreDataDate?
  /// State of sync by state: how many stores there are of each age of what is pending, in the order of `PendingAges.names`.
  package var ages: [Verdict.State: [Int]] = [:]
  /// How many stores there are of each age, in hours.
  private var hours = Tallies<Int, Int>(limit: 1_000_000)
  package var reasons = Tallies<Reason, ReasonFacts>()

  package var runs = 0
  package var lines: [MarkChart.Line] = []
  package var errors = Tallies<ErrorKey, ErrorFacts>()
  package var (transactions, changes) = (0, 0)
  package var growth = CountChart.Series("changes")

  package private(set) var worst: [Listed] = []
  /// The first ones.
  package private(set) var unread: [Unread] = []
  private let mostListed: Int

  /// - Parameters:
  ///   - limit: stores that are listed at most.
  ///   - progress: called again and again with what is being done.
  package init(
    _ folder: DatasetFolder, _ privacy: ReportPrivacy, limit: Int, progress: (String) -> Void
  ) throws {
    mostListed = limit
    try readStores(folder, privacy, progress)
    try folder.forEach(.failures) { row in
      let failure = row.text("failure") ?? "unknown"
      failures.update(failure, default: 0) { $0 += 1 }
      guard unread.count < mostListed else { return }
      unread.append(
        Unread(
          address: privacy.mask(row.address.text, .path), failure: failure,
          message: privacy.showsValues ? row.text("message") : nil))
    }
    try folder.forEach(.events) { row in
      progress("reading events")
      add(event: row)
    }
    try folder.forEach(.pending) { row in
      progress("reading pending changes")
      add(pending: row, privacy)
    }
    try folder.forEach(.days) { row in
      progress("reading history")
      add(day: row)
    }
    sortWorst()
  }

  /// Addresses that were found: stores, and what couldn't be examined.
  package var found: Int { stores + failed }
  package var failed: Int { failures.sorted.reduce(0) { $0 + $1.value } }
  package func count(_ health: Health) -> Int { self.health[health] ?? 0 }

  /// So many hours at most lie between the oldest pending change and the store's newest timestamp in that share of the
  /// stores with pending changes.
  package func hours(_ share: Double) -> Int? {
    let wanted = Int((share * Double(hours.total)).rounded(.up))
    var passed = 0
    return hours.values.sorted { $0.key < $1.key }.first { entry in
      passed += entry.value
      return passed >= max(wanted, 1)
    }?.key
  }

  // MARK: - Stores and findings

  private mutating func readStores(
    _ folder: DatasetFolder, _ privacy: ReportPrivacy, _ progress: (String) -> Void
  ) throws {
    var findings = try folder.rows(.findings)
    try folder.forEach(.stores) { row in
      progress("reading stores")
      let version = Version(app: privacy.mask(row.text("app"), .program), version: row.text("appVersion"))
      var seen: Set<String> = []
      var cause: (severity: Severity, title: String)?
      try findings.forEach(of: row.address) { finding in
        guard let (severity, title) = add(finding: finding, version, &seen),
          cause.map({ severity > $0.severity }) ?? true
        else { return }
        cause = (severity, title)
      }
      add(store: row, version, cause: cause?.title, privacy)
    }
  }

  private mutating func add(
    store row: DatasetRow, _ version: Version, cause: String?, _ privacy: ReportPrivacy
  ) {
    let health = row.text("outcome").flatMap(Health.init(rawValue:)) ?? .needsAttention
    stores += 1
    self.health[health, default: 0] += 1
    versions.update(version, default: [:]) { $0[health, default: 0] += 1 }
    models.update(row.texts("modelVersions"), default: 0) { $0 += 1 }
    frameworks.update(row.text("framework") ?? "not recorded", default: 0) { $0 += 1 }
    let isWiped = row.bool("launchWipes") == true
    if isWiped { wiped += 1 }
    if row.text("launch") == "losesData" { losing += 1 }
    let waiting = row.count("pending")
    let last = row.date("lastChange")
    if waiting > 0 {
      pending += waiting
      pendingStores += 1
      let since = row.date("pendingOldest")
      oldestPending = [oldestPending, since].compactMap(\.self).min()
      let state = row.text("verdict").flatMap(Verdict.State.init(rawValue:)) ?? .unknown
      let age = since.flatMap { since in last.map { max(0, $0.seconds - since.seconds) } }
      ages[state, default: [Int](repeating: 0, count: PendingAges.names.count)][PendingAges.step(age)] += 1
      if let age, age < 1e12 { hours.update(Int(age / 3600), default: 0) { $0 += 1 } }
    }
    guard health != .healthy || isWiped else { return }
    worst.append(
      Listed(
        storeID: String((row.text("storeId") ?? "").prefix(64)),
        address: privacy.mask(row.address.text, .path),
        version: version, health: health, errors: row.count("errors"), warnings: row.count("warnings"),
        pending: waiting, isWiped: isWiped, lastChange: last, cause: cause))
    if worst.count > 2 * mostListed + 1000 { sortWorst() }
  }

  private mutating func sortWorst() {
    worst.sort {
      let (one, other) = ($0.order, $1.order)
      return one == other ? Address($0.address) < Address($1.address) : one.lexicographicallyPrecedes(other)
    }
    worst = Array(worst.prefix(mostListed))
  }

  /// - Returns: how bad it is, and its rule in a few words; nil if it has no rule.
  private mutating func add(
    finding row: DatasetRow, _ version: Version, _ seen: inout Set<String>
  ) -> (Severity, String)? {
    guard let id = row.text("rule") else { return nil }
    let isFirst = seen.insert(id).inserted
    let known = RuleRegistry.rule(id)?.header
    let severity = row.text("severity").flatMap(Severity.init(rawValue:)) ?? known?.severity ?? .info
    let title = known?.title ?? row.text("title") ?? id
    rules.update(id, default: RuleFacts(severity: severity, title: title)) {
      $0.occurrences += row.count("count")
      // A rule's findings may have another severity than usual.
      $0.severity = max($0.severity, severity)
      guard isFirst else { return }
      $0.stores += 1
      $0.versions.update(version, default: 0) { $0 += 1 }
    }
    return (severity, title)
  }

  // MARK: - Sync and history

  private static let mostDays = 50_000

  private mutating func add(event row: DatasetRow) {
    runs += 1
    let type = row.text("type") ?? "unknown"
    let (domain, code) = (row.text("errorDomain"), row.integer("errorCode"))
    let explanation = domain.flatMap { domain in
      code.flatMap { ExplanationCatalog.explanation(domain: domain, code: $0) }
    }
    let moment = row.date("started") ?? row.date("ended")
    let mark: MarkChart.Mark =
      switch row.bool("succeeded") {
      case nil: .open
      case true?: .succeeded
      case false?: explanation?.isNoise == true ? .noise : .failed
      }
    if !lines.contains(where: { $0.label == type }), lines.count < 6 { lines.append(.init(type)) }
    if let index = lines.firstIndex(where: { $0.label == type }) {
      // By day: a fleet's runs are spread over years.
      let day = moment?.hour.map { $0 - (($0 % 24) + 24) % 24 }
      let isDrawn = day.map { lines[index].has(hour: $0) || lines[index].hours < Self.mostDays } ?? false
      lines[index].add(mark, hour: isDrawn ? day : nil)
    }
    guard row.bool("succeeded") == false else { return }
    let name = row.text("errorName").map { " (\($0))" } ?? ""
    let error = domain.map { "\($0)\(code.map { " \($0)" } ?? "")\(name)" } ?? "no error recorded"
    errors.update(
      ErrorKey(type: type, error: error),
      default: ErrorFacts(
        isNoise: mark == .noise, meaning: explanation?.meaning ?? "No explanation for that error.")
    ) {
      $0.count += 1
      if $0.address != row.address { $0.stores += 1 }
      $0.address = row.address
      $0.first = [$0.first, moment].compactMap(\.self).min()
      $0.last = [$0.last, moment].compactMap(\.self).max()
    }
  }

  private mutating func add(pending row: DatasetRow, _ privacy: ReportPrivacy) {
    let reason = Reason(
      kind: row.text("kind") ?? "unknown", text: row.text("reason").map(privacy.sentence) ?? "")
    reasons.update(reason, default: ReasonFacts()) {
      $0.changes += row.count("count")
      if $0.address != row.address { $0.stores += 1 }
      $0.address = row.address
      $0.oldest = [$0.oldest, row.date("oldest")].compactMap(\.self).min()
    }
  }

  private mutating func add(day row: DatasetRow) {
    let count = row.count("changes")
    transactions += row.count("transactions")
    changes += count
    let hour = row.text("day").flatMap { ISO8601.parse($0 + "T00:00:00Z") }?.hour
    if let hour, growth.counts[hour] != nil || growth.counts.count < Self.mostDays {
      growth.counts[hour, default: 0] += count
    } else {
      growth.undated += count
    }
  }
}
