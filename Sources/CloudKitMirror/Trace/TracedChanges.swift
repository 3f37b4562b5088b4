import Lens
import StoreModel
import Values

/// The changes of one object.
struct TracedChanges {
  /// A change's time and who made it, for the events around it.
  struct Moment {
    var at: CoreDataDate
    var origin: TransactionOrigin
  }

  private(set) var steps: [TraceStep] = []
  private(set) var moments: [Moment] = []
  /// Why there may be changes that aren't told, a sentence.
  private(set) var problem: String?
  /// An object that an app touches all the time may have very many.
  private static let limit = 100_000

  init(_ store: CoreDataStore, entities: ClosedRange<Int64>, primaryKey: Int64) throws {
    guard let reader = try HistoryReader(store.connection) else {
      problem = "The store keeps no history, so its changes aren't known."
      return
    }
    let needed: Set<String> = ["Z_PK", "ZTRANSACTIONID", "ZENTITY", "ZENTITYPK"]
    let missing = needed.subtracting(reader.tables.changeColumns).sorted()
    guard missing.isEmpty, reader.tables.transactionColumns.contains("Z_PK") else {
      problem =
        missing.isEmpty
        ? "ATRANSACTION has no column Z_PK, so its changes can't be read."
        : "ACHANGE has no column \(missing.joined(separator: ", ")), so its changes can't be read."
      return
    }
    let names = ChangeNames(store)
    let filter = HistoryFilter(entities: entities, primaryKey: primaryKey)
    try reader.forEachChange(filter) { change in
      let transaction = change.transaction
      let properties = names.properties(of: change)
      var details: [DataValue.Member] = [
        .init("transaction", .optional(change.transactionNumber)),
        .init("change", .text(names.kind(of: change))),
        .init("author", .optional(transaction?.author)), .init("process", .optional(transaction?.process)),
        .init("bundle", .optional(transaction?.bundle)), .init("context", .optional(transaction?.context)),
        .init("properties", properties?.namesValue ?? .null),
      ]
      let tombstone = names.tombstone(of: change)
      if tombstone != .null { details.append(.init("tombstone", tombstone)) }
      steps.append(
        TraceStep(
          at: transaction?.timestamp, kind: .change,
          text: Self.text(change, properties, author: transaction?.author), details: details))
      if let transaction, let at = transaction.timestamp {
        moments.append(
          Moment(
            at: at, origin: TransactionOrigin(author: transaction.author, context: transaction.context)))
      }
      return steps.count < Self.limit
    }
  }

  private static func text(
    _ change: HistoryReader.Change, _ properties: ChangeNames.Properties?, author: String?
  ) -> String {
    let who = author.map { "by \($0)" } ?? "without an author"
    switch change.kind {
    case .insert: return "Inserted \(who)."
    case .delete: return "Deleted \(who)."
    case .update:
      guard let text = properties?.text, !text.isEmpty else { return "Updated \(who)." }
      return "Updated \(who): \(text)."
    case nil: return "Changed in a way that isn't known, \(who)."
    }
  }
}
