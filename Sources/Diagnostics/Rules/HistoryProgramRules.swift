import Base
import Lens

extension Rule {
  static let storeSharedByApps = Rule(
    "store-shared-by-apps",
    .history { SharingApps($0) })
}

private final class SharingApps: HistoryObserver {
  private struct Saves {
    var transactions = 0
    var first: CoreDataDate?
    var last: CoreDataDate?
  }

  private static let limit = 1_000
  /// Below the domains of countries.
  private static let sharedDomains: Set = ["co", "com", "org", "net", "ac", "edu", "gov", "or", "ne", "go"]
  private static let sharedHosts: Set = ["github", "gitlab"]

  let interest: HistoryInterest = .beginnings
  private let least: Double
  private var saves: [String: Saves] = [:]
  private var current = (bundle: String?.none, saves: Saves())

  init(_ examination: Examination) { least = examination.setting("least", of: Rule.storeSharedByApps.header) }

  func begin(_ transaction: HistoryTransaction) {
    guard transaction.origin == .app, let bundle = transaction.bundle else { return }
    if current.bundle != bundle {
      keep()
      current = (bundle, saves[bundle] ?? Saves())
    }
    current.saves.transactions += 1
    current.saves.first = current.saves.first ?? transaction.timestamp
    current.saves.last = transaction.timestamp ?? current.saves.last
  }

  private func keep() {
    guard let bundle = current.bundle, saves[bundle] != nil || saves.count < Self.limit else { return }
    saves[bundle] = current.saves
  }

  func finish(_ findings: inout FindingCollector) {
    keep()
    let counted = saves.filter { bundle, saves in
      // Placeholders of a redacted copy have no maker.
      Double(saves.transactions) >= least && bundle.contains(".") && !Self.isOfSystem(bundle)
    }
    let families = Dictionary(grouping: counted.keys.sorted()) { Self.family($0) }
    guard families.count > 1 else { return }
    let makers = families.sorted { $0.key < $1.key }.compactMap(\.value.first).map(DataValue.text)
    for (family, bundles) in families.sorted(by: { $0.key < $1.key }) {
      let own = bundles.compactMap { saves[$0] }
      findings.add(
        subject: family,
        [
          "family": .text(family), "bundles": .array(bundles.map(DataValue.text)),
          "transactions": .count(own.reduce(0) { $0 + $1.transactions }),
          "first": .optional(own.compactMap(\.first).min()), "last": .optional(own.compactMap(\.last).max()),
          "makers": .array(makers),
        ])
    }
  }

  /// Processes of the system save for an app, and tests run in Xcode's.
  private static func isOfSystem(_ bundle: String) -> Bool { bundle.lowercased().hasPrefix("com.apple.") }

  /// Who makes it: `com.example` of `com.example.App.widget`. Under a shared host or a country's domain, one part more.
  private static func family(_ bundle: String) -> String {
    let parts = bundle.lowercased().split(separator: ".")
    let isShared =
      parts.count > 2
      && (parts[0].count == 2 && sharedDomains.contains(String(parts[1]))
        || sharedHosts.contains(String(parts[1])))
    return parts.prefix(isShared ? 3 : 2).joined(separator: ".")
  }
}

extension Rule {
  static let historyAuthorMissing = Rule(
    "history-author-missing",
    .history { _ in AuthorlessSaves() })
}

private final class AuthorlessSaves: HistoryObserver {
  private struct Program: Hashable {
    var bundle: String?
    var process: String?
  }

  private struct Saves {
    var transactions = 0
    var changes = 0
    var first: HistoryTransaction?
    var last: HistoryTransaction?
  }

  private static let limit = 10_000

  let interest: HistoryInterest = .ends
  private var saves: [Program: Saves] = [:]
  private var programs = MirroringPrograms()

  func end(_ transaction: HistoryTransaction, _ counts: ChangeCounts, _ findings: inout FindingCollector) {
    programs.add(transaction)
    guard transaction.origin == .app, transaction.author == nil else { return }
    let program = Program(bundle: transaction.bundle, process: transaction.process)
    guard saves[program] != nil || saves.count < Self.limit else { return }
    var seen = saves[program] ?? Saves(first: transaction)
    seen.transactions += 1
    seen.changes += counts.total
    seen.last = transaction
    saves[program] = seen
  }

  func finish(_ findings: inout FindingCollector) {
    let order = saves.sorted { one, other in
      (one.key.bundle ?? "", one.key.process ?? "") < (other.key.bundle ?? "", other.key.process ?? "")
    }
    let all = saves.values.reduce(0) { $0 + $1.changes }
    for (program, seen) in order {
      findings.add(
        subject: "program \(program.bundle ?? "") \(program.process ?? "")",
        [
          "bundle": .optional(program.bundle), "process": .optional(program.process),
          "transactions": .count(seen.transactions), "changes": .count(seen.changes), "all": .count(all),
          "first": .optional(seen.first?.timestamp), "last": .optional(seen.last?.timestamp),
          "firstTransaction": .optional(seen.first?.number), "lastTransaction": .optional(seen.last?.number),
        ], members: programs.members)
    }
  }
}
