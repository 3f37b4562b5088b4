extension MirrorViews {
  /// One row per record that moved to another zone.
  package var moveReceipts: View? {
    guard tables.has(.moveReceipts) else { return nil }
    func column(_ name: String) -> String { tables.sql(.moveReceipts, name, "r") }
    let record = column("ZRECORDMETADATA")
    func object(_ name: String) -> String {
      guard tables.has(.records, name) else { return "NULL" }
      return "(SELECT m.\(name) FROM main.ANSCKRECORDMETADATA m WHERE m.Z_PK = \(record))"
    }
    let entity = object("ZENTITYID")
    let key = object("ZENTITYPK")
    return View(
      "moveReceipts", rows: "record that moved to another zone",
      [
        .init("recordName", .text, "its name in the zone it left", column("ZRECORDNAME")),
        .init("zone", .text, "the zone it left", column("ZZONENAME")).named(.zone),
        .init("owner", .text, "whose zone that is", column("ZOWNERNAME")).named(.owner),
        .init(
          "needsCloudDelete", .bool, "it must still be deleted there",
          tables.flag(.moveReceipts, "ZNEEDSCLOUDDELETE", "r")
        ).open,
        .init("movedAt", .date, "when it moved", column("ZMOVEDAT")).open,
        .init("entity", .text, "the object's entity", "model_entity(\(entity))").open,
        .init("pk", .integer, "the object's primary key", key).open,
        .init("uri", .uri, "the object's URI", "model_uri(\(entity), \(key))").open,
        .init("row", .integer, "the key of the mirror's row", "r.Z_PK").open,
        .init("recordRow", .integer, "the row of the object's record", record).open,
        .init("entityNumber", .integer, "the number of the object's entity", entity).open,
      ], from: "main.ANSCKRECORDZONEMOVERECEIPT r")
  }
}
