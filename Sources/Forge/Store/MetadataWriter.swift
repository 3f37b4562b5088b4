internal import Archives
internal import SQLite
internal import StoreModel
internal import Values

/// Writes `Z_METADATA`: the keys that each framework version was seen to write.
struct MetadataWriter {
  let connection: Connection
  let model: ManagedObjectModel
  let options: ForgeOptions

  func insert() throws {
    try connection.execute(
      "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
      [.text(options.uuid), .blob(BinaryPropertyList.write(.dictionary(PropertyListDictionary(entries))))])
  }

  private var entries: [PropertyListDictionary.Entry] {
    let hashes = ModelHashes(model)
    var entries: [PropertyListDictionary.Entry] = [
      .init("NSStoreType", .string("SQLite")),
      .init("_NSAutoVacuumLevel", .string("2")),
      .init("NSPersistenceFrameworkVersion", .integer(options.frameworkVersion)),
      .init("NSStoreModelVersionHashes", .dictionary(hashes.byEntity)),
      .init("NSStoreModelVersionHashesVersion", .integer(3)),
      .init("NSStoreModelVersionIdentifiers", .array(model.versionIdentifiers.map(PropertyList.string))),
    ]
    // First framework of each key, measured on real stores.
    if options.frameworkVersion >= 973 {
      entries.append(.init("NSStoreModelVersionHashesDigest", .string(hashes.digest)))
    }
    if options.frameworkVersion >= 1321 {
      entries.append(.init("NSStoreModelVersionChecksumKey", .string(hashes.checksum)))
    }
    if options.frameworkVersion >= 1522 {
      entries.append(.init("NSPersistenceMaximumFrameworkVersion", .integer(options.frameworkVersion)))
    }
    if options.history == .inlineStrings {
      entries.append(
        .init("_NSStoreAncillaryModelVersionHashesMetadataKey", .dictionary(ModelHashes.history)))
    }
    return entries + options.metadata
  }
}
