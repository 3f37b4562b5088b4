import Archives
import SQLite

/// Where the mirror's last-history token stands against this store's history. Raw values are for users.
package enum HistoryTokenState: String, Sendable, CaseIterable {
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
  case unreadable

  /// The framework refuses to go on from such a token, whatever waits.
  package var stopsExports: Bool { [.ahead, .expired, .foreign].contains(self) }
}

/// The mirror's last-history token, read and compared.
package struct HistoryTokenReading: Sendable, Equatable {
  package var state: HistoryTokenState
  /// The number for this store; nil where the token has none.
  package var transaction: Int64?
  package var token: HistoryToken?
  /// Why it can't be read.
  package var problem: String?

  /// Everything above this number is not yet analysed. Without a usable token that is all of history.
  package var analysedUpTo: Int64 { transaction ?? 0 }

  /// Compares as the framework does: the transaction with exactly the token's number must exist, a greater one
  /// doesn't do; app authors who pruned history below it report the error 134301.
  /// https://developer.apple.com/documentation/coredata/nspersistenthistorytokenexpirederror
  init(_ entry: MetadataEntry?, storeUUID: String, origins: TransactionOrigins?) throws {
    guard let entry, entry.kind != .none else {
      state = .missing
      return
    }
    guard let archive = entry.archive else {
      state = .unreadable
      problem = "the entry holds no archive but a value of the kind '\(entry.kind.rawValue)'"
      return
    }
    let token: HistoryToken
    do throws(ArchiveError) {
      token = try HistoryToken(archive: archive)
    } catch {
      state = .unreadable
      problem = error.description
      return
    }
    self.token = token
    guard let number = token.transaction(ofStore: storeUUID) else {
      state = .foreign
      return
    }
    transaction = number
    guard let origins, let newest = try origins.newestTransaction() else {
      state = .expired
      return
    }
    if number > newest {
      state = .ahead
    } else if try !origins.exists(number) {
      state = .expired
    } else {
      state = try origins.hasAppTransaction(after: number) ? .behind : .current
    }
  }
}
