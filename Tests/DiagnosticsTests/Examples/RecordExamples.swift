import Forge
import SQLite
import StoreModel

extension RuleExamples {
  static let records: [RuleExample] = orphans + duplicates + recordEntities + recordNumbers

  private static let orphans: [RuleExample] = [
    RuleExample("record-orphaned", "all objects exist", .healthy) { try ExampleStore.mirrored($0) },
    .broken(
      "record-orphaned", "a row deleted by raw SQL", count: 1, objects: ["Person/p2"],
      "DELETE FROM ZPERSON WHERE Z_PK = 2"),
    RuleExample("record-orphaned", "a deletion that waits to be analysed", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let tag = try mirror.object("Tag")
        try mirror.save(author: "app") { try $0.delete(tag) }
      }
    },
    RuleExample("record-orphaned", "a deletion that an export analysed before it died", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let tag = try mirror.object("Tag")
        try mirror.save(author: "app") { try $0.delete(tag) }
        try mirror.export(.dies, reaching: .analysis)
      }
    },
    .edited(
      "record-orphaned", "the entity's table is missing", .healthy, ["DROP TABLE ZTAG"],
      alsoErrors: ["model-differs-from-table"]),
    .edited(
      "record-orphan-queued", "the entity's table is missing", .healthy,
      ["UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1", "DROP TABLE ZTAG"],
      alsoErrors: ["model-differs-from-table"]),
    RuleExample("record-orphan-queued", "uploads and deletions wait", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let (tag, note) = try (mirror.object("Tag"), mirror.object("Note"))
        try mirror.save(author: "app") { save in
          try save.delete(tag)
          try save.update(note, ["text": "write"])
        }
        try mirror.export(.dies)
      }
    },
    .broken(
      "record-orphan-queued", "a flagged record without its object", count: 1, objects: ["Person/p2"],
      "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 2",
      "DELETE FROM ZPERSON WHERE Z_PK = 2"),
  ]

  private static let dropIndexes = [
    "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_entityId_entityPK",
    "DROP INDEX Z_NSCKRecordMetadata_UNIQUE_ckRecordName_recordZone",
  ]

  private static let duplicates: [RuleExample] = [
    RuleExample("record-name-duplicated", "one name in two zones", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        try mirror.run(
          """
          INSERT INTO ANSCKRECORDZONEMETADATA (Z_PK, ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE, ZHASRECORDZONENUM)
          VALUES (2, 'com.apple.coredata.cloudkit.share.A', '__defaultOwner__', 1, 1)
          """,
          """
          UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 2, ZCKRECORDNAME =
            (SELECT ZCKRECORDNAME FROM ANSCKRECORDMETADATA WHERE Z_PK = 3) WHERE Z_PK = 2
          """)
      }
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
    RuleExample("record-object-duplicated", "one record an object", .healthy) {
      try ExampleStore.mirrored($0)
    },
    .broken(
      "record-object-duplicated", "two records for one object", count: 2, objects: ["Person/p2"],
      dropIndexes[0],
      """
      INSERT INTO ANSCKRECORDMETADATA (Z_ENT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)
      SELECT Z_ENT, ZENTITYID, ZENTITYPK, ZRECORDZONE, 'SECOND' FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2
      """),
  ]

  private static let recordEntities: [RuleExample] = [
    RuleExample("record-entity-unknown", "all entities known", .healthy) { try ExampleStore.mirrored($0) },
    .broken(
      "record-entity-unknown", "a number of an entity that is gone", count: 1,
      "UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77, ZNEEDSUPLOAD = 1 WHERE ZENTITYPK = 2"),
    RuleExample("record-entity-mismatch", "a sub-entity's own number", .healthy) {
      try ExampleStore.mirrored($0)
    },
    .broken(
      "record-entity-mismatch", "the record names the parent entity", count: 1, objects: ["Person/p3"],
      """
      UPDATE ANSCKRECORDMETADATA SET ZENTITYID = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Person')
      WHERE ZENTITYPK = 3
      """),
    RuleExample("record-without-zone", "all in the default zone", .healthy) { try ExampleStore.mirrored($0) },
    .broken(
      "record-without-zone", "no zone, and one that isn't there", count: 2,
      objects: ["Person/p2", "Employee/p3"],
      "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = NULL WHERE ZENTITYPK = 2",
      "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = 9 WHERE ZENTITYPK = 3"),
    .broken(
      "record-without-zone", "of an entity that is gone", count: 1,
      "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = NULL, ZENTITYID = 77 WHERE ZENTITYPK = 2"),
    RuleExample("object-not-registered", "an object that waits to be analysed", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        _ = try mirror.save(author: "app") { try $0.insert("Person", ["name": "Dora"]) }
      }
    },
    RuleExample("object-not-registered", "an entity of another configuration", .healthy) { path in
      try ModelStore.mirrored(
        path,
        .init(entities: [.init(name: "Sent"), .init(name: "Local")], configurations: ["Cloud": ["Sent"]])
      )
    },
    RuleExample("object-not-registered", "before the first export", .skipped("no records")) { path in
      let forge = try StoreForge(path: path, model: ExampleStore.model)
      _ = try MirrorForge(forge, layout: .v17)
      try forge.save(author: "app", recordsHistory: false) { _ = try $0.insert("Person") }
      try forge.close()
    },
    RuleExample(
      "object-not-registered", "an object saved without history",
      .broken(count: 1, objects: ["Person/p4"])
    ) { path in
      try ExampleStore.mirrored(path) { mirror in
        _ = try mirror.forge.save(recordsHistory: false) { try $0.insert("Person", ["name": "Dora"]) }
      }
    },
    .broken(
      "object-not-registered", "a record deleted by raw SQL, without the index", count: 1,
      objects: ["Person/p2"], dropIndexes[0], "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2",
      alsoErrors: ["record-asset-broken"]),
  ]

  private static let recordNumbers: [RuleExample] = [
    RuleExample("record-never-acknowledged", "new objects wait", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        _ = try mirror.save(author: "app") { try $0.insert("Person") }
        try mirror.export(.dies)
      }
    },
    .broken(
      "record-never-acknowledged", "a copy lost", layout: .v16, count: 1, objects: ["Person/p2"],
      "UPDATE ANSCKRECORDMETADATA SET ZENCODEDRECORD = NULL WHERE ZENTITYPK = 2"),
    .broken(
      "record-never-acknowledged", "a copy lost", count: 1, objects: ["Person/p2"],
      "DELETE FROM ANSCKRECORDMETADATAENCODEDRECORDASSET WHERE Z_PK = 3",
      "UPDATE ANSCKRECORDMETADATA SET ZENCODEDRECORDASSET = NULL WHERE ZENCODEDRECORDASSET = 3"),
    RuleExample("record-transaction-ahead", "history pruned", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        for _ in 0..<3 { _ = try mirror.save(author: "app") { try $0.insert("Person") } }
        try mirror.export()
        try mirror.run(
          "DELETE FROM ACHANGE", "DELETE FROM ATRANSACTION", "DELETE FROM ANSCKMETADATAENTRY")
      }
    },
    .broken(
      "record-transaction-ahead", "numbers that no transaction has", count: 2,
      objects: ["Person/p2", "Employee/p3"],
      "UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = 900 WHERE ZENTITYPK = 2",
      """
      UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1, ZPENDINGEXPORTTRANSACTIONNUMBER = 900 WHERE ZENTITYPK = 3
      """),
    RuleExample("record-pending-leftover", "an export that is going on", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        _ = try mirror.save(author: "app") { try $0.insert("Person") }
        try mirror.export(.dies)
      }
    },
    .broken(
      "record-pending-leftover", "a flag cleared by hand", count: 1, objects: ["Person/p2"],
      "UPDATE ANSCKRECORDMETADATA SET ZPENDINGEXPORTTRANSACTIONNUMBER = 1 WHERE ZENTITYPK = 2"),
    RuleExample("record-delete-leftover", "a deletion that waits", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let note = try mirror.object("Note")
        try mirror.save(author: "app") { try $0.delete(note) }
        try mirror.export(.dies)
      }
    },
    RuleExample(
      "record-delete-leftover", "an export cut off behind the server's answer",
      .broken(count: 1, objects: ["Note/p1"])
    ) { path in
      try ExampleStore.mirrored(path) { mirror in
        let note = try mirror.object("Note")
        try mirror.save(author: "app") { try $0.delete(note) }
        try mirror.export(.dies, reaching: .answered)
      }
    },
  ]
}
