import Lens

extension FrameworkTable {
  /// For those who don't know the framework's tables.
  var nameForPeople: String {
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
