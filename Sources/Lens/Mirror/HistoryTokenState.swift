package import Archives
import Base
import StoreModel

/// Where the mirror's history token stands against this store's history. Raw values are for users.
package enum HistoryTokenState: String, FieldWord, Sendable {
  /// Nothing of the app's own came after it.
  case current
  /// Transactions of the app's own came after it.
  case behind
  /// Its number lies above every transaction; the framework takes it as expired.
  case ahead
  /// The transaction with exactly its number is gone.
  case expired
  /// It knows other stores only.
  case foreign
  /// There is none, as before the first export.
  case missing
  /// It can't be read, or there is nothing to compare it with; the reading says which.
  case unreadable
}

/// The mirror's history token, read and compared.
package struct HistoryTokenReading: Sendable, Equatable {
  package var state: HistoryTokenState
  /// The number for this store; nil where the token has none.
  package var transaction: Int64?
  package var token: HistoryToken?
  /// Why it can't be read or compared, as a clause.
  package var problem: String?

  /// Everything above this number is not yet processed. Without a usable token that is all of history.
  package var analyzedUpTo: Int64 { transaction ?? 0 }

  /// Nothing shows how far history was processed, so an export that can start begins with the oldest change.
  package var startsOver: Bool { transaction == nil }

  /// Compares as the framework does: the transaction with exactly the token's number must exist, a greater one
  /// doesn't do; app authors who pruned history below it report the error 134301.
  /// https://developer.apple.com/documentation/coredata/nspersistenthistorytokenexpirederror
  ///
  /// - Parameters:
  ///   - storeUUID: nil where the store has none; whose token it is, is unknown then.
  ///   - transactions: nil where the store keeps none; whether the token's one is gone, or history off as a
  ///     whole, is unknown then.
  init(_ entries: MetadataEntries, storeUUID: String?, _ transactions: TransactionReader?) throws {
    if let problem = entries.problem {
      self.init(unreadable: problem)
      return
    }
    guard let entry = entries[MetadataKey.lastHistoryToken], entry.kind != .none else {
      self.init(.missing)
      return
    }
    guard let archive = entry.archive else {
      self.init(unreadable: "the entry holds no archive but a value of the kind '\(entry.kind.rawValue)'")
      return
    }
    let token: HistoryToken
    do throws(ArchiveError) {
      token = try HistoryToken(archive: archive)
    } catch {
      self.init(unreadable: error.description)
      return
    }
    guard let storeUUID, !storeUUID.isEmpty else {
      self.init(unreadable: "the store has no identifier of its own to look up in it", token)
      return
    }
    guard let number = token.transaction(ofStore: storeUUID) else {
      self.init(.foreign, token)
      return
    }
    guard let transactions else {
      self.init(unreadable: "the store keeps no history to compare it with", token, number)
      return
    }
    self.init(try Self.compare(number, transactions), token, number)
  }

  private init(_ state: HistoryTokenState, _ token: HistoryToken? = nil, _ transaction: Int64? = nil) {
    self.state = state
    self.token = token
    self.transaction = transaction
  }

  private init(unreadable problem: String, _ token: HistoryToken? = nil, _ transaction: Int64? = nil) {
    self.init(.unreadable, token, transaction)
    self.problem = problem
  }

  private static func compare(
    _ number: Int64, _ transactions: TransactionReader
  ) throws -> HistoryTokenState {
    guard let newest = try transactions.newestTransaction() else { return .expired }
    if number > newest { return .ahead }
    guard try transactions.exists(number...number) else { return .expired }
    return try transactions.firstAppTransaction(after: number) == nil ? .current : .behind
  }
}

extension Mirror {
  /// Whether the next export looks for rows without a record. An ordinary one doesn't: app authors report that it
  /// does so without a history token, after a reset, and where a metadata entry asks for it, and never in a
  /// shared database, whose objects must come with a share.
  package var nextExportScans: Bool {
    get throws {
      guard try scope != .shared else { return false }
      return try token.state == .missing || isSet(MetadataKey.bypassHistory)
        || isSet(MetadataKey.scanForMissingRows)
    }
  }

  /// Whether the store was migrated since the last setup: the next one has all zones fetched from the beginning.
  package var setupFetchesZonesAgain: Bool {
    let value = store.metadata.entries[MetadataKey.needsZoneFetch]
    return value?.bool ?? (value?.integer == 1)
  }
}
