package import Values

/// One row of the view `transactions`: a save.
/// https://developer.apple.com/documentation/coredata/nspersistenthistorytransaction
package struct HistoryTransaction: Sendable, Equatable {
  package var number: Int64
  package var timestamp: CoreDataDate?
  package var author: String?
  package var bundle: String?
  package var process: String?
  package var context: String?
  /// On whose behalf, as author and context tell.
  package var origin: TransactionOrigin

  package static let fields: [Field<Self>] = [
    Field("transaction", "its number") { $0.number },
    Field("timestamp", "when it was saved") { $0.timestamp },
    Field(
      "author",
      "the context's transaction author; the mirror's own begin with 'NSCloudKitMirroringDelegate.'"
    ) { $0.author },
    Field("bundle", "the program's bundle identifier") { $0.bundle },
    Field("process", "the program's name") { $0.process },
    Field("context", "the context's name") { $0.context },
  ]
}

/// Who saved a transaction, as the mirror's exporter distinguishes them by author and context name.
package enum TransactionOrigin: Sendable, Equatable, BitwiseCopyable {
  /// The app, or anything that isn't the mirror itself.
  case app
  /// The mirror's import.
  case importing
  /// The mirror wiping data.
  case reset
  /// The mirror's own housekeeping: export, setup, migration, events.
  case housekeeping

  package static let prefix = "NSCloudKitMirroringDelegate."

  /// Every author that the framework gives to its own transactions.
  package static let authors: Set<String> = Set(
    ["export", "import", "reset", "migration", "setup", "event"].map { prefix + $0 })

  /// The authors are known from real histories and app authors' reports; of the context names only those of import
  /// and export count.
  package init(author: String?, context: String?) {
    if let author, author.hasPrefix(Self.prefix) {
      switch author.dropFirst(Self.prefix.count) {
      case "import": self = .importing
      case "reset": self = .reset
      default: self = .housekeeping
      }
    } else if context == Self.prefix + "import" {
      self = .importing
    } else if context == Self.prefix + "export" {
      self = .housekeeping
    } else {
      self = .app
    }
  }
}
