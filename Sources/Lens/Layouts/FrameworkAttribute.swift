/// A column of a framework's table as the framework's own model names it.
package struct FrameworkAttribute: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case integer, bool, date, string, uuid
    /// Binary data: an archive, a token, or bits.
    case archive
    /// As `archive`, and allowed to lie in a file next to the store, so that the first byte is a tag.
    case externalArchive
    /// The Z_PK of a row of another table.
    case reference
    /// The Z_PK of a row of ATRANSACTIONSTRING, which has the text.
    case internedString
    /// An entity's number.
    case entity
    /// The primary key of an object of the entity in the same row.
    case objectKey
    /// A raw value of `NSPersistentHistoryChangeType`.
    case change

    /// What a person finds in the decoded column.
    package var typeName: String {
      switch self {
      case .externalArchive: Self.archive.rawValue
      case .internedString: Self.string.rawValue
      case .objectKey: Self.integer.rawValue
      default: rawValue
      }
    }
  }

  /// Which of the layouts that are known in full have it.
  package enum Layouts: Sendable {
    case all
    /// Up to the layout of iOS 18.
    case beforeAssets
    /// Since the layout of iOS 26.
    case withAssets
    /// Some generations only: never missed, never a surprise.
    case some
  }

  package var name: String
  package var kind: Kind
  package var layouts: Layouts

  init(_ name: String, _ kind: Kind, _ layouts: Layouts = .all) {
    self.name = name
    self.kind = kind
    self.layouts = layouts
  }

  package var column: String { "Z" + name.uppercased() }
}

extension FrameworkTable {
  /// All attributes and to-one relationships known of any generation, in no particular order.
  package var attributes: [FrameworkAttribute] {
    switch self {
    case .databases:
      integers("databaseScopeNum") + bools("hasSubscriptionNum") + strings("databaseName")
        + archives("currentChangeToken") + dates("lastFetchDate")
    case .events:
      integers("cloudKitEventType", "errorCode", "countAffectedObjects", "countFinishedObjects")
        + bools("succeeded") + dates("startedAt", "endedAt") + strings("errorDomain")
        + [.init("eventIdentifier", .uuid)]
    case .exportMetadata: strings("identifier") + dates("exportedAt") + archives("historyToken")
    case .exportOperations: strings("identifier") + integers("statusNum") + references("exportMetadata")
    case .exportedObjects:
      strings("ckRecordName") + integers("changeTypeNum", "typeNum") + references("operation")
        + [.init("zoneName", .string, .some)]
    case .analyzerStates:
      object("entityId") + integers("originalTransactionNumber", "finalTransactionNumber")
        + changes("originalChangeTypeNum", "finalChangeTypeNum") + strings("finalChangeAuthor") + [
          .init("tombstone", .archive, .some)
        ]
    case .importOperations:
      dates("importDate") + archives("changeTokenBytes") + [.init("operationUUID", .uuid)]
    case .pendingRelationships:
      strings(
        "cdEntityName", "recordName", "recordZoneName", "recordZoneOwnerName", "relatedEntityName",
        "relatedRecordName", "relatedRecordZoneName", "relatedRecordZoneOwnerName", "relationshipName")
        + bools("needsDelete") + references("operation")
    case .metadataEntries:
      strings("key", "stringValue") + bools("boolValueNum") + integers("integerValue") + dates("dateValue")
        + archives("transformedValue")
    case .links: links
    case .records: records
    case .zones: zones
    case .linkSystemFields: asset + references("mirroredRelationship")
    case .encodedRecords, .recordSystemFields: asset + references("record")
    case .encodedShares: asset + references("recordZone")
    case .moveReceipts:
      strings("recordName", "zoneName", "ownerName") + bools("needsCloudDelete") + dates("movedAt")
        + references("recordMetadata")
    case .zoneQueries:
      strings("recordType") + dates("lastFetchDate", "mostRecentRecordModificationDate")
        + archives("predicate", "queryCursor") + references("recordZone")
    case .changes:
      object("entity") + changes("changeType") + references("transactionID") + archives("columns")
        + (0..<100).map { .init("tombstone\($0)", .archive, .some) }
    case .transactions:
      dates("timestamp")
        + ["author", "bundleID", "contextName", "processID"].flatMap {
          [FrameworkAttribute($0, .string, .some), .init($0 + "TS", .internedString, .some)]
        } + [.init("queryGen", .archive, .some)]
    case .transactionStrings: strings("name")
    }
  }

  private var records: [FrameworkAttribute] {
    strings("ckRecordName") + object("entityId")
      + integers("lastExportedTransactionNumber", "pendingExportTransactionNumber")
      + changes("pendingExportChangeTypeNumber")
      + bools("needsCloudDelete", "needsLocalDelete", "needsUpload")
      + references("recordZone")
      + [
        .init("ckRecordSystemFields", .archive, .beforeAssets), .init("ckShare", .archive, .beforeAssets),
        .init("encodedRecord", .externalArchive, .beforeAssets),
        .init("encodedRecordAsset", .reference, .withAssets),
        .init("systemFieldsAsset", .reference, .withAssets),
      ]
  }

  private var zones: [FrameworkAttribute] {
    strings("ckRecordZoneName", "ckOwnerName") + archives("currentChangeToken")
      + bools(
        "hasRecordZoneNum", "hasSubscriptionNum", "needsImport", "needsNewShareInvitation",
        "needsRecoveryFromIdentityLoss", "needsRecoveryFromUserPurge", "needsRecoveryFromZoneDelete",
        "needsShareDelete", "needsShareUpdate", "supportsAtomicChanges", "supportsFetchChanges",
        "supportsRecordSharing", "supportsZoneSharing") + dates("lastFetchDate") + references("database")
      + [
        .init("encodedShareData", .archive, .beforeAssets),
        .init("encodedShareAsset", .reference, .withAssets),
      ]
  }

  private var links: [FrameworkAttribute] {
    strings(
      "ckRecordID", "cdEntityName", "recordName", "relatedEntityName", "relatedRecordName", "relationshipName"
    )
      + bools("isPending", "isUploaded", "needsDelete") + references("recordZone")
      + [
        .init("ckRecordSystemFields", .archive, .beforeAssets),
        // Its name is concluded from the records' own, so it isn't missed where another one stands.
        .init("systemFieldsAsset", .reference, .some),
      ]
  }

  private var asset: [FrameworkAttribute] {
    archives("binaryData") + [.init("externalBinaryData", .externalArchive)]
  }

  /// The two columns that name an object.
  private func object(_ entity: String) -> [FrameworkAttribute] {
    [.init(entity, .entity), .init("entityPK", .objectKey)]
  }

  private func changes(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .change) } }
  private func integers(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .integer) } }
  private func bools(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .bool) } }
  private func dates(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .date) } }
  private func strings(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .string) } }
  private func archives(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .archive) } }
  private func references(_ names: String...) -> [FrameworkAttribute] { names.map { .init($0, .reference) } }
}
