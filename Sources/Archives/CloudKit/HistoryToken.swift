/// How far persistent history was read: for each store the number of a transaction.
/// https://developer.apple.com/documentation/coredata/nspersistenthistorytoken
///
/// The mirror keeps one as a keyed archive of the class `_NSPersistentHistoryToken`; app authors report its one field,
/// a dictionary from the store's identifier to the transaction's Z_PK.
package struct HistoryToken: Sendable, Equatable {
  /// Store identifier in capitals → ATRANSACTION.Z_PK.
  package var transactions: [String: Int64]

  package init(transactions: [String: Int64]) { self.transactions = transactions }

  /// - Throws: `ArchiveError` where the bytes are no archive, or one of something else.
  package init(archive bytes: [UInt8]) throws(ArchiveError) {
    let archive = try MirrorArchive.open(bytes)
    guard let root = archive.root else { throw ArchiveError("the archive has no object at its root") }
    guard root.isKind(of: "_NSPersistentHistoryToken") || root.isKind(of: "NSPersistentHistoryToken") else {
      throw ArchiveError("the archive holds \(root.className.map { "a \($0)" } ?? "no object with a class")")
    }
    guard let entries = root["NSPersistentHistoryTokenDictionary"]?.entries else {
      throw ArchiveError("the token has no dictionary of stores")
    }
    var transactions: [String: Int64] = [:]
    for (key, value) in entries {
      guard let identifier = key.string ?? key.uuid, let number = value.integer else {
        throw ArchiveError("the token's dictionary has an entry that isn't an identifier with a number")
      }
      transactions[identifier.uppercased()] = number
    }
    self.transactions = transactions
  }

  /// The transaction up to which that store was read; nil where the token is of other stores.
  package func transaction(ofStore uuid: String) -> Int64? { transactions[uuid.uppercased()] }
}
