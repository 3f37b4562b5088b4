extension MirrorViews {
  /// One row per relationship that an import couldn't set yet, as its target wasn't here. For a rule; no view for SQL.
  package var importedRelationships: View? {
    guard tables.has(.pendingRelationships) else { return nil }
    func column(_ name: String) -> String { tables.sql(.pendingRelationships, name, "p") }
    let imported =
      tables.has(.importOperations, "ZIMPORTDATE")
      ? "(SELECT o.ZIMPORTDATE FROM main.ANSCKIMPORTOPERATION o WHERE o.Z_PK = \(column("ZOPERATION")))"
      : "NULL"
    return View(
      "importedRelationships", rows: "imported relationship whose target isn't here yet",
      [
        .init("row", .integer, "the key of the mirror's row", "p.Z_PK"),
        .init("imported", .date, "when the import ran", imported),
        .init("entity", .text, "the entity at one end", column("ZCDENTITYNAME")),
        .init("recordName", .text, "the record of the object there", column("ZRECORDNAME")),
        .init("zone", .text, "that record's zone", column("ZRECORDZONENAME")),
        .init("relationship", .text, "the relationship", column("ZRELATIONSHIPNAME")),
        .init("relatedEntity", .text, "the entity at the other end", column("ZRELATEDENTITYNAME")),
        .init("relatedRecord", .text, "the record of the object there", column("ZRELATEDRECORDNAME")),
      ], from: "main.ANSCKIMPORTPENDINGRELATIONSHIP p")
  }
}
