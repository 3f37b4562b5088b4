extension MirrorViews {
  /// One row per many-to-many link that the mirror knows.
  package var links: View? {
    guard tables.has(.links) else { return nil }
    func column(_ name: String) -> String { tables.sql(.links, name, "l") }
    func flag(_ name: String) -> String { tables.flag(.links, name, "l") }
    return View(
      "links", rows: "link of a many-to-many relationship, a record of its own on the server",
      [
        .init("recordName", .text, "the link's own record", column("ZCKRECORDID")),
        .init("zone", .text, "the zone's name", zone(column("ZRECORDZONE"))).named(.zone),
        .init("entity", .text, "the entity at one end", column("ZCDENTITYNAME")).named(.structure),
        .init("objectRecord", .text, "the record of the object there", column("ZRECORDNAME")),
        .init("relationship", .text, "the relationship", column("ZRELATIONSHIPNAME")).named(.structure),
        .init("relatedEntity", .text, "the entity at the other end", column("ZRELATEDENTITYNAME")).named(
          .structure),
        .init("relatedRecord", .text, "the record of the object there", column("ZRELATEDRECORDNAME")),
        .init("isUploaded", .bool, "the server has the same version", flag("ZISUPLOADED")).open,
        .init("isPending", .bool, "an object at one of its ends isn't here yet", flag("ZISPENDING")).open,
        .init("needsDelete", .bool, "it was removed here", flag("ZNEEDSDELETE")).open,
        .init(
          "objectKnown", .bool, "a record with that name exists, in any zone",
          hasRecord(column("ZRECORDNAME"))
        ).open,
        .init("relatedKnown", .bool, "the same at the other end", hasRecord(column("ZRELATEDRECORDNAME")))
          .open,
        .init("row", .integer, "the key of the mirror's row", "l.Z_PK").open,
        .init("zoneRow", .integer, "the key of the zone's row", column("ZRECORDZONE")).open,
      ], from: "main.ANSCKMIRROREDRELATIONSHIP l")
  }

  /// `IN` uses the index of the names, and makes one where it is missing.
  private func hasRecord(_ name: String) -> String {
    guard tables.has(.records, "ZCKRECORDNAME") else { return "0" }
    return "COALESCE(\(name) IN (SELECT m.ZCKRECORDNAME FROM main.ANSCKRECORDMETADATA m), 0)"
  }
}
