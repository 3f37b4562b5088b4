import Lens
import Values

extension Rule {
  static let historyKeyRequired = Rule(about) { examination, findings in
    guard let transactions = try HistoryReader(examination.store)?.transactions,
      let numbers = try transactions.numbers()
    else { return }
    let count = try transactions.count()
    findings.add(
      subject: "history",
      [
        .init("transactions", .count(count)),
        .init("firstTransaction", .integer(numbers.lowerBound)),
        .init("lastTransaction", .integer(numbers.upperBound)),
      ])
  }
}

private let about = RuleHeader(
  """
  Rule: history-key-required
  Severity: info
  Title: Read-only without NSPersistentHistoryTrackingKey
  Shows: History that has transactions.
  Why: Core Data opens such a store read-only for a program that doesn't set NSPersistentHistoryTrackingKey: its
    saves fail. It happens in widgets and extensions that have their own container.
  Next launch: A program that sets the option can write; one that doesn't logs "Forcing into Read Only mode", and
    its saves fail.
  Remedy: Set NSPersistentHistoryTrackingKey to true in every target that opens the store;
    NSPersistentCloudKitContainer and SwiftData do it themselves. To turn history off, delete all of it first.
  Needs: history
  Log: ATRANSACTION
  False positives: Nothing is wrong if every program that opens the store sets the option.
  Evidence: App authors report it; the option is documented by Apple:
    https://developer.apple.com/documentation/coredata/nspersistenthistorytrackingkey
  Message: An app that opens this store without NSPersistentHistoryTrackingKey can't save: history has
    {transactions} {transactions:transaction|transactions}.
  """)
