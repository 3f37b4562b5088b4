import StoreModel
package import Values

/// One row of ATRANSACTION: a save.
/// https://developer.apple.com/documentation/coredata/nspersistenthistorytransaction
package struct HistoryTransaction: Sendable, Equatable {
  package var number: Int64
  package var timestamp: CoreDataDate?
  package var author: String?
  package var bundle: String?
  package var process: String?
  package var context: String?
}
