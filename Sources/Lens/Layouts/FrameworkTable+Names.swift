extension FrameworkTable {
  /// All that is taken for its name: the one in SQL, the framework's, and ours in one word.
  package var spellings: [String] { [rawValue, entity] + [word].compactMap(\.self) }

  /// `moveReceipts`, as views are called; nil for a name that two tables share.
  var word: String? {
    guard Self.allCases.count(where: { $0.nameForPeople == nameForPeople }) == 1 else { return nil }
    return nameForPeople.split(separator: " ").reduce(into: "") { word, part in
      word += word.isEmpty ? String(part) : part.prefix(1).uppercased() + part.dropFirst()
    }
  }

  /// For those who don't know the framework's tables.
  package var nameForPeople: String {
    switch self {
    case .databases: "databases"
    case .events: "events"
    case .exportMetadata: "export metadata"
    case .exportOperations: "export operations"
    case .exportedObjects: "exported objects"
    case .analyzerStates: "analyzer states"
    case .importOperations: "import operations"
    case .pendingRelationships: "pending relationships"
    case .metadataEntries: "metadata entries"
    case .links: "links"
    case .linkSystemFields: "copies of links"
    case .records: "records"
    case .encodedRecords: "copies of records"
    case .recordSystemFields: "system fields of records"
    case .zones: "zones"
    case .encodedShares: "copies of shares"
    case .moveReceipts: "move receipts"
    case .zoneQueries: "zone queries"
    case .changes: "changes"
    case .transactions: "transactions"
    case .transactionStrings: "names in history"
    }
  }
}
