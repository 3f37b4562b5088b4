import Lens
import Values

extension Rule {
  static let storeSharedByApps = Rule(
    """
    Rule: store-shared-by-apps
    Severity: warning
    Title: Apps of different makers save to one store
    Shows: Bundle identifiers of different makers, each with at least 'least' transactions, in one history.
    Why: SwiftData's default store is 'default.store' in Application Support. On a Mac, apps without a sandbox share
      that folder, and so this file: each migrates the store to its own model and removes the other's entities.
    Next launch: The app that starts next migrates the store to its model; the other one's data is lost.
    Remedy: Give the store a path of its own: ModelConfiguration(url:), or a folder with the bundle identifier. Back
      the store up first: it may hold the data of both.
    Needs: history
    Log: ATRANSACTION
    False positives: Apps of one company with different domains, and apps that changed their bundle identifier.
      Bundles that begin with com.apple. aren't counted: system processes and test runners save for an app. A redacted
      copy has no bundle identifiers.
    Evidence: App authors report apps that destroyed each other's default.store.
    Message: Apps of {count} {maker|makers} share this store: {makers}.
    Param least: transactions of a bundle; one may be a tool or a test, default 2
    """,
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
    """
    Rule: history-author-missing
    Severity: info
    Title: Saves without an author
    Shows: Programs, by bundle and process, that saved transactions without an author.
    Why: These saves can't be distinguished: an app that responds to history also responds to its own saves, and it is
      impossible to determine afterward which part of the app, or which extension, made a change.
    Next launch: Nothing.
    Remedy: Set a distinct transactionAuthor on every context, per target and component.
    Needs: history
    Log: ATRANSACTION
    False positives: If an app is the store's only writer and never reads history, it needs no author. Programs beyond
      the first 10,000 aren't counted.
    Evidence: Documented by Apple:
      https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/transactionauthor
    Message: {count} {program saves|programs save} without an author ({all} {all:change|changes}).
    """,
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
