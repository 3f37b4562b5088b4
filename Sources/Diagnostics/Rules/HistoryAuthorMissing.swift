import Lens
import Values

extension Rule {
  static let historyAuthorMissing = Rule(about, .history { _ in AuthorlessSaves() })
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
          .init("bundle", .optional(program.bundle)), .init("process", .optional(program.process)),
          .init("transactions", .count(seen.transactions)), .init("changes", .count(seen.changes)),
          .init("all", .count(all)),
          .init("first", .optional(seen.first?.timestamp)), .init("last", .optional(seen.last?.timestamp)),
          .init("firstTransaction", .optional(seen.first?.number)),
          .init("lastTransaction", .optional(seen.last?.number)),
        ] + programs.members)
    }
  }
}

private let about = RuleHeader(
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
  """)
