import Archives
import Lens
import SQLite
import TestSupport

/// The history token as an archive.
enum TokenArchive {
  static let key = "NSCloudKitMirroringDelegateLastHistoryTokenKey"

  /// The transaction that a store's token names; nil where there is no token.
  static func number(_ content: StoreContent) throws -> Int64? {
    let entry = content.rows("ANSCKMETADATAENTRY").first { $0.string("ZKEY") == key }
    guard case .blob(let bytes)? = entry?["ZTRANSFORMEDVALUE"] else { return nil }
    return try transactions(bytes).values.first
  }

  static func transactions(_ bytes: [UInt8]) throws -> [String: Int64] {
    try HistoryToken(archive: bytes).transactions
  }

  static func bytes(_ number: Int64, store uuid: String) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let dictionary = writer.dictionary([(writer.string(uuid), writer.integer(number))])
    return writer.bytes(
      root: writer.object(
        "_NSPersistentHistoryToken", superclasses: ["NSPersistentHistoryToken", "NSObject"],
        fields: [("NSPersistentHistoryTokenDictionary", .reference(dictionary))]))
  }
}
