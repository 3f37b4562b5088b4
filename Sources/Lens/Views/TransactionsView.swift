package import Base

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

extension View {
  /// One row per save.
  package static func transactions(_ tables: FrameworkTables) -> View {
    let keys = HistoryTransaction.fields.keys()
    return View(
      "transactions", rows: "transaction of history",
      [
        Column("transaction", of: keys, "t.Z_PK").open,
        Column("timestamp", of: keys, tables.sql(.transactions, "ZTIMESTAMP", "t")).open,
      ] + origins.map { origin($0, text($0.column, tables)) }
        + origins.map {
          Column(
            $0.name + "Row", .integer, "the key of the interned text",
            tables.sql(.transactions, $0.column + "TS", "t"), isShown: false)
        }
        + origins.map {
          Column(
            $0.name + "Inline", .text, "the text if it isn't interned",
            tables.sql(.transactions, $0.column, "t"), isShown: false)
        }, from: "main.ATRANSACTION t")
  }

  /// The texts that transactions share. No view for SQL: `transactions` has them in their places.
  static func transactionTexts(_ tables: FrameworkTables) -> View? {
    guard tables.has(.transactionStrings) else { return nil }
    return View(
      "transactionTexts", rows: "text of transactions",
      [
        Column("row", .integer, "its key", "s.Z_PK"),
        Column("text", .text, "the text", tables.sql(.transactionStrings, "ZNAME", "s")),
      ], from: "main.ATRANSACTIONSTRING s")
  }

  /// A text of the transaction `t`: through its number, or inline. The first generation of history (framework 851)
  /// keeps author, bundle, process and context in the row; all later ones keep numbers of rows in ATRANSACTIONSTRING.
  static func text(_ column: String, _ tables: FrameworkTables) -> String {
    let inline = tables.sql(.transactions, column, "t")
    guard tables.has(.transactionStrings, "ZNAME"), tables.has(.transactions, column + "TS") else {
      return inline
    }
    return "COALESCE((SELECT s.ZNAME FROM main.ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(column)TS), \(inline))"
  }

  static func origin(_ origin: (name: String, column: String), _ sql: String) -> Column {
    let column = Column(origin.name, of: HistoryTransaction.fields.keys(), sql)
    // An app's code chooses these; the others are names of programs.
    return ["author", "context"].contains(origin.name) ? column.named(.author) : column
  }

  /// What a transaction records about who saved it.
  static let origins = [
    (name: "author", column: "ZAUTHOR"), (name: "bundle", column: "ZBUNDLEID"),
    (name: "process", column: "ZPROCESSID"), (name: "context", column: "ZCONTEXTNAME"),
  ]
}
