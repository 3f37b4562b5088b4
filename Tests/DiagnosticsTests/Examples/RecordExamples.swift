import Forge
import SQLite
import StoreModel

extension RuleExamples {
  static let records: [RuleExample] = orphans + acrossZones + duplicates + recordEntities + recordNumbers

  private static let orphans: [RuleExample] = [
    .mirrored("record-orphaned", "all objects exist", .healthy),
    .broken(
      "record-orphaned", "a row deleted by raw SQL", count: 1, objects: ["Person/p2"],
      "DELETE FROM ZPERSON WHERE Z_PK = 2"),
    .mirrored("record-orphaned", "a deletion that waits to be analyzed", .healthy) { mirror in
      let tag = try mirror.object("Tag")
      try mirror.save(author: "app") { try $0.delete(tag) }
    },
    .mirrored("record-orphaned", "a deletion that an export analyzed before it died", .healthy) { mirror in
      let tag = try mirror.object("Tag")
      try mirror.save(author: "app") { try $0.delete(tag) }
      try mirror.export(.dies, reaching: .analysis)
    },
    .edited(
      "record-orphaned", "the entity's table is missing", .healthy, ["DROP TABLE ZTAG"],
      alsoErrors: ["model-differs-from-table"]),
    .edited(
      "record-orphan-queued", "the entity's table is missing", .healthy,
      ["UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1", "DROP TABLE ZTAG"],
      alsoErrors: ["model-differs-from-table"]),
    .mirrored("record-orphan-queued", "uploads and deletions wait", .healthy) { mirror in
      let (tag, note) = try (mirror.object("Tag"), mirror.object("Note"))
      try mirror.save(author: "app") { save in
        try save.delete(tag)
        try save.update(note, ["text": "write"])
      }
      try mirror.export(.dies)
    },
    .broken(
      "record-orphan-queued", "a flagged record without its object", count: 1, objects: ["Person/p2"],
      "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 2",
      "DELETE FROM ZPERSON WHERE Z_PK = 2"),
  ]

  /// A zone next to the default one, and records that move to it; a note belongs to Ann, and she has a tag.
  private static func acrossZones(
    _ name: String, _ verdict: RuleExample.Verdict, _ statements: String...,
    owner: String = "__defaultOwner__",
    zone: String = "com.apple.coredata.cloudkit.share.A", database: Int = 1,
    alsoErrors: Set<String> = []
  ) -> RuleExample {
    .edited(
      "relationship-across-zones", name, verdict,
      [
        "INSERT INTO ANSCKDATABASEMETADATA (Z_PK, Z_ENT, Z_OPT, ZDATABASESCOPENUM) SELECT 2, Z_ENT, 1, 3 FROM ANSCKDATABASEMETADATA WHERE \(database) = 2",
        "INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, Z_ENT, Z_OPT, ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE, ZHASRECORDZONENUM) SELECT 2, Z_ENT, 1, '\(zone)', NULLIF('\(owner)', ''), \(database), 1 FROM ANSCKRECORDZONEMETADATA",
      ] + statements, alsoErrors: alsoErrors)
  }

  private static func move(_ entity: String, _ key: Int = 1) -> String {
    """
    UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 2 WHERE ZENTITYPK = \(key)
      AND ZENTITYID = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)')
    """
  }

  private static let acrossZones: [RuleExample] = [
    acrossZones(
      "a to-one relationship", .broken(count: 1, objects: ["Note/p1"]), move("Note")),
    acrossZones("a link", .broken(count: 1, objects: ["Person/p1"]), move("Tag")),
    acrossZones(
      "both", .broken(count: 2, objects: ["Note/p1", "Person/p1"]), move("Note"), move("Tag")),
    acrossZones("the whole graph moved", .healthy, move("Note"), move("Tag"), move("Person")),
    acrossZones("an object that is related to nothing", .healthy, move("Employee", 3)),
    acrossZones(
      "a record that is flagged for deletion", .healthy, move("Note"),
      "UPDATE ANSCKRECORDMETADATA SET ZNEEDSCLOUDDELETE = 1 WHERE ZRECORDZONE = 2"),
    acrossZones(
      "a related object without a record", .healthy, move("Employee", 3),
      "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYID = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note')",
      // The deleted row leaves its copy behind.
      alsoErrors: ["record-asset-broken"]),
    acrossZones("a zone of another database", .healthy, move("Note"), database: 2),
    acrossZones(
      "two rows of one zone", .healthy, move("Note"), owner: "", zone: "com.apple.coredata.cloudkit.zone"),
    .edited("relationship-across-zones", "one zone", .healthy, []),
  ]

  private static let dropIndexes = [
    "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK",
    "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone",
  ]

  private static let duplicates: [RuleExample] = [
    .mirrored(
      "record-name-duplicated", "one name in two zones", .healthy, alsoErrors: ["relationship-across-zones"]
    ) { mirror in
      try mirror.run(
        """
        INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE, ZHASRECORDZONENUM)
        VALUES (2, 'com.apple.coredata.cloudkit.share.A', '__defaultOwner__', 1, 1)
        """,
        """
        UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 2, ZCKRECORDNAME =
          (SELECT ZCKRECORDNAME FROM ANSCKRECORDMETADATA WHERE Z_PK = 3) WHERE Z_PK = 2
        """)
    },
    .broken(
      "record-name-duplicated", "two objects under one name", count: 2,
      objects: ["Person/p2", "Employee/p3"],
      dropIndexes[1],
      """
      UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'SAME' WHERE ZENTITYPK IN (2, 3)
      """),
    .broken(
      "record-name-duplicated", "one name without a zone", count: 2, objects: ["Person/p2", "Employee/p3"],
      """
      UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'SAME', ZRECORDZONE = NULL WHERE ZENTITYPK IN (2, 3)
      """),
    .mirrored("record-object-duplicated", "one record an object", .healthy),
    .broken(
      "record-object-duplicated", "two records for one object", count: 2, objects: ["Person/p2"],
      dropIndexes[0],
      """
      INSERT INTO ANSCKRECORDMETADATA (Z_ENT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)
      SELECT Z_ENT, ZENTITYID, ZENTITYPK, ZRECORDZONE, 'SECOND' FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2
      """),
  ]

  private static let recordEntities: [RuleExample] = [
    .mirrored("record-entity-unknown", "all entities known", .healthy),
    .broken(
      "record-entity-unknown", "a number of an entity that is gone", count: 1,
      "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77, ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 2"),
    .mirrored("record-entity-mismatch", "a sub-entity's own number", .healthy),
    .broken(
      "record-entity-mismatch", "the record names the parent entity", count: 1, objects: ["Person/p3"],
      """
      UPDATE ANSCKRECORDMETADATA SET ZENTITYID = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person')
      WHERE ZENTITYPK = 3
      """),
    .mirrored("record-without-zone", "all in the default zone", .healthy),
    .broken(
      "record-without-zone", "no zone, and one that isn't there", count: 2,
      objects: ["Person/p2", "Employee/p3"],
      "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = NULL WHERE ZENTITYPK = 2",
      "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 9 WHERE ZENTITYPK = 3"),
    .broken(
      "record-without-zone", "of an entity that is gone", count: 1,
      "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = NULL, ZENTITYID = 77 WHERE ZENTITYPK = 2"),
    .mirrored("object-not-registered", "an object that waits to be analyzed", .healthy) { mirror in
      _ = try mirror.save(author: "app") { try $0.insert("Person", ["name": "Dora"]) }
    },
    RuleExample("object-not-registered", "an entity of another configuration", .healthy) {
      try ModelStore.mirrored(
        $0,
        .init(entities: [.init(name: "Sent"), .init(name: "Local")], configurations: ["Cloud": ["Sent"]])
      )
    },
    RuleExample("object-not-registered", "before the first export", .skipped("no records")) { path in
      let forge = try StoreForge(path: path, model: ExampleStore.model)
      _ = try MirrorForge(forge, layout: .v17)
      try forge.save(author: "app", recordsHistory: false) { _ = try $0.insert("Person") }
      try forge.close()
    },
    .mirrored(
      "object-not-registered", "an object saved without history", .broken(count: 1, objects: ["Person/p4"])
    ) { mirror in
      _ = try mirror.forge.save(recordsHistory: false) { try $0.insert("Person", ["name": "Dora"]) }
    },
    .broken(
      "object-not-registered", "a record deleted by raw SQL, without the index", count: 1,
      objects: ["Person/p2"], dropIndexes[0], "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2",
      alsoErrors: ["record-asset-broken"]),
  ]

  private static let recordNumbers: [RuleExample] = [
    .mirrored("record-never-acknowledged", "new objects wait", .healthy) { mirror in
      _ = try mirror.save(author: "app") { try $0.insert("Person") }
      try mirror.export(.dies)
    },
    .broken(
      "record-never-acknowledged", "a copy lost", layout: .v16, count: 1, objects: ["Person/p2"],
      "UPDATE ANSCKRECORDMETADATA SET ZENCODEDRECORD = NULL WHERE ZENTITYPK = 2"),
    .broken(
      "record-never-acknowledged", "a copy lost", count: 1, objects: ["Person/p2"],
      "DELETE FROM ANSCKRECORDMETADATAENCODEDRECORDASSET WHERE Z_PK = 3",
      "UPDATE ANSCKRECORDMETADATA SET ZENCODEDRECORDASSET = NULL WHERE ZENCODEDRECORDASSET = 3"),
    .mirrored("record-transaction-ahead", "history pruned", .healthy) { mirror in
      for _ in 0..<3 { _ = try mirror.save(author: "app") { try $0.insert("Person") } }
      try mirror.export()
      try mirror.run(
        "DELETE FROM ACHANGE", "DELETE FROM ATRANSACTION", "DELETE FROM ANSCKMETADATAENTRY")
    },
    .broken(
      "record-transaction-ahead", "numbers that no transaction has", count: 2,
      objects: ["Person/p2", "Employee/p3"],
      "UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = 900 WHERE ZENTITYPK = 2",
      """
      UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1, ZPENDINGEXPORTTRANSACTIONNUMBER = 900 WHERE ZENTITYPK = 3
      """),
    .mirrored("record-pending-leftover", "an export that is going on", .healthy) { mirror in
      _ = try mirror.save(author: "app") { try $0.insert("Person") }
      try mirror.export(.dies)
    },
    .broken(
      "record-pending-leftover", "a flag cleared by hand", count: 1, objects: ["Person/p2"],
      "UPDATE ANSCKRECORDMETADATA SET ZPENDINGEXPORTTRANSACTIONNUMBER = 1 WHERE ZENTITYPK = 2"),
    .mirrored("record-delete-leftover", "a deletion that waits", .healthy) { mirror in
      let note = try mirror.object("Note")
      try mirror.save(author: "app") { try $0.delete(note) }
      try mirror.export(.dies)
    },
    .mirrored(
      "record-delete-leftover", "an export cut off behind the server's answer",
      .broken(count: 1, objects: ["Note/p1"])
    ) { mirror in
      let note = try mirror.object("Note")
      try mirror.save(author: "app") { try $0.delete(note) }
      try mirror.export(.dies, reaching: .answered)
    },
  ]
}
