import Archives
import CloudKitMirror
import StoreModel

/// Texts that are names and no values: of the app's model, and of the frameworks that wrote the store.
enum StructureNames {
  /// What a framework's table or archive may keep as it is.
  static func all(in store: CoreDataStore) -> Set<String> {
    var names = constants
    for entity in store.schema.entities {
      names.formUnion([entity.name, entity.staleName ?? entity.name, "CD_" + entity.name])
      for relationship in entity.relationships {
        names.formUnion([relationship.name, "CD_" + relationship.name])
      }
      for leaf in entity.attributes.flatMap({ [$0] + $0.leaves }) {
        let field = "CD_" + leaf.path
        names.formUnion([field, field + "_ckAsset"])
      }
    }
    return names
  }

  /// CloudKit's own names, and those that Core Data gives to what it keeps there:
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone
  private static let constants: Set<String> = [
    MirrorZone.defaultName, "_defaultZone", "__defaultOwner__", "Public", "Private", "Shared",
    "CD_entityName",
    "CD_moveReceipt", "CDMR", "CD_recordNames", "CD_relationships", "CD_entityNames", "cloudkit.share",
    "cloudkit.zoneshare", "NSCocoaErrorDomain", "CKErrorDomain", "CKInternalErrorDomain", "NSURLErrorDomain",
    "NSPOSIXErrorDomain", "NSOSStatusErrorDomain",
  ]

  /// A zone made for a share has a UUID behind this.
  static let prefixes = ["com.apple.coredata.cloudkit.share."]

  /// Authors and contexts of the frameworks' own transactions: the mirror's, and those of migrations, which name the
  /// digest of the model they came from.
  static func isFrameworkAuthor(_ text: String) -> Bool {
    if TransactionOrigin.authors.contains(text) { return true }
    guard text.hasPrefix(migration), text.hasSuffix(" }") else { return false }
    return Base64.decode(String(text.dropFirst(migration.count).dropLast(2)))?.count == 64
  }

  private static let migration =
    "com.apple.coredata.schemamigrator: lightweight migration from model with digest { "
}
