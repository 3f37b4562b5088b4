/// A table that Core Data keeps for itself: the CloudKit mirror's (`ANSCK…`) and persistent history's.
///
/// A table is named `A` and the framework's entity in capitals; its columns `Z` and the property in capitals.
/// Entities and tables are known from app authors' reports and, for history, measured on real stores.
package enum FrameworkTable: String, Sendable, CaseIterable {
  case databases = "ANSCKDATABASEMETADATA"
  case events = "ANSCKEVENT"
  case exportMetadata = "ANSCKEXPORTMETADATA"
  case exportOperations = "ANSCKEXPORTOPERATION"
  case exportedObjects = "ANSCKEXPORTEDOBJECT"
  case analyzerStates = "ANSCKHISTORYANALYZERSTATE"
  case importOperations = "ANSCKIMPORTOPERATION"
  case pendingRelationships = "ANSCKIMPORTPENDINGRELATIONSHIP"
  case metadataEntries = "ANSCKMETADATAENTRY"
  case links = "ANSCKMIRROREDRELATIONSHIP"
  case linkSystemFields = "ANSCKMIRROREDRELATIONSHIPSYSTEMFIELDSASSET"
  case records = "ANSCKRECORDMETADATA"
  case encodedRecords = "ANSCKRECORDMETADATAENCODEDRECORDASSET"
  case recordSystemFields = "ANSCKRECORDMETADATASYSTEMFIELDSASSET"
  case zones = "ANSCKRECORDZONEMETADATA"
  case encodedShares = "ANSCKRECORDZONEMETADATAENCODEDSHAREASSET"
  case moveReceipts = "ANSCKRECORDZONEMOVERECEIPT"
  case zoneQueries = "ANSCKRECORDZONEQUERY"
  case changes = "ACHANGE"
  case transactions = "ATRANSACTION"
  case transactionStrings = "ATRANSACTIONSTRING"

  /// The framework's own name for a row of it.
  package var entity: String {
    switch self {
    case .databases: "NSCKDatabaseMetadata"
    case .events: "NSCKEvent"
    case .exportMetadata: "NSCKExportMetadata"
    case .exportOperations: "NSCKExportOperation"
    case .exportedObjects: "NSCKExportedObject"
    case .analyzerStates: "NSCKHistoryAnalyzerState"
    case .importOperations: "NSCKImportOperation"
    case .pendingRelationships: "NSCKImportPendingRelationship"
    case .metadataEntries: "NSCKMetadataEntry"
    case .links: "NSCKMirroredRelationship"
    case .linkSystemFields: "NSCKMirroredRelationshipSystemFieldsAsset"
    case .records: "NSCKRecordMetadata"
    case .encodedRecords: "NSCKRecordMetadataEncodedRecordAsset"
    case .recordSystemFields: "NSCKRecordMetadataSystemFieldsAsset"
    case .zones: "NSCKRecordZoneMetadata"
    case .encodedShares: "NSCKRecordZoneMetadataEncodedShareAsset"
    case .moveReceipts: "NSCKRecordZoneMoveReceipt"
    case .zoneQueries: "NSCKRecordZoneQuery"
    case .changes: "CHANGE"
    case .transactions: "TRANSACTION"
    case .transactionStrings: "TRANSACTIONSTRING"
    }
  }

  package var isHistory: Bool { [.changes, .transactions, .transactionStrings].contains(self) }

  /// No framework that app authors looked at fills these any more: rows in them mean nothing.
  package var isDead: Bool { [.exportMetadata, .exportOperations, .exportedObjects].contains(self) }

  /// The tables that came with the layout in which archives moved out of their owners' rows.
  package var isAsset: Bool {
    [.linkSystemFields, .encodedRecords, .recordSystemFields, .encodedShares].contains(self)
  }

  /// All that is taken for its name: the one in SQL, the framework's, and ours in one word.
  package var spellings: [String] { [rawValue, entity, word] }

  /// `moveReceipts`, as views are called. Users see it: a case's name is its word unless listed here.
  var word: String {
    switch self {
    case .linkSystemFields: "copiesOfLinks"
    case .encodedRecords: "copiesOfRecords"
    case .recordSystemFields: "systemFieldsOfRecords"
    case .encodedShares: "copiesOfShares"
    case .transactionStrings: "namesInHistory"
    default: "\(self)"
    }
  }

  /// `move receipts`, for those who don't know the framework's tables.
  package var nameForPeople: String { word.replacing(/[A-Z]/) { " " + $0.output.lowercased() } }
}
