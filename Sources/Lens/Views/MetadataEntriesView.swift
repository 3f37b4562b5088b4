import Archives
import Values

extension MirrorViews {
  /// One row per entry of the mirror's key-value table. Nothing keeps a key unique.
  package var metadataEntries: View? {
    guard tables.has(.metadataEntries) else { return nil }
    func column(_ name: String) -> String { tables.sql(.metadataEntries, name, "e") }
    let archive = column("ZTRANSFORMEDVALUE")
    let text = column("ZSTRINGVALUE")
    let date = column("ZDATEVALUE")
    let bool = column("ZBOOLVALUENUM")
    let integer = column("ZINTEGERVALUE")
    // Where both have a value, one of them is a column's default.
    let isBool =
      "\(bool) IS NOT NULL AND COALESCE(\(integer), 0) = 0 AND \(column("ZKEY")) IS NOT '\(MetadataKey.frameworkVersion)'"
    func choice(_ values: [String]) -> String {
      """
      CASE WHEN \(archive) IS NOT NULL THEN \(values[0]) WHEN \(text) IS NOT NULL THEN \(values[1])
        WHEN \(date) IS NOT NULL THEN \(values[2]) WHEN \(isBool) THEN \(values[3])
        WHEN \(integer) IS NOT NULL THEN \(values[4]) ELSE \(values[5]) END
      """
    }
    let keys = MetadataEntry.fields.keys()
    return View(
      "metadataEntries", rows: "entry of the mirror's key-value table",
      [
        .init("key", of: keys, column("ZKEY")).named(.metadataKey),
        .init("kind", of: keys, choice(MetadataEntry.kinds.map { "'\($0.rawValue)'" })).open,
        .init(
          "value", of: keys,
          choice(["metadata_archive(\(archive))", text, "iso_date(\(date))", bool, integer, "NULL"])),
        .init("rows", of: keys, "COUNT(*) OVER (PARTITION BY \(column("ZKEY")))").open,
        .init("row", .integer, "the key of the mirror's row", "e.Z_PK").open,
        .init("archive", .blob, "the archive as it stands", archive, isShown: false),
        .init(
          "stored", .any, "the value as it stands", choice(["NULL", text, date, bool, integer, "NULL"]),
          isShown: false),
      ], from: "main.ANSCKMETADATAENTRY e")
  }
}

extension MetadataEntry {
  /// What an archive holds: of a history token the transactions by store.
  static func archiveValue(_ bytes: [UInt8]) -> DataValue {
    if let token = try? HistoryToken(archive: bytes) {
      return .object(
        token.transactions.sorted { $0.key < $1.key }.map { DataValue.Member($0.key, .integer($0.value)) })
    }
    return .blob(BlobReader.summary(of: bytes, decode: true))
  }
}
