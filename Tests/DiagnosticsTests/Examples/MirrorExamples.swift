import Forge
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  static let mirrorState: [RuleExample] = assets + tables + zones + links + imports

  private static let assets: [RuleExample] = [
    RuleExample("record-asset-broken", "every archive tied to its owner", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        try mirror.share([try mirror.object("Employee")])
        try mirror.export()
      }
    },
    RuleExample("record-asset-broken", "an older layout", .skipped("owners' rows")) {
      try ExampleStore.mirrored($0, layout: .v16)
    },
    .broken(
      "record-asset-broken", "a row deleted", count: 1, objects: ["Person/p2"],
      """
      DELETE FROM ANSCKRECORDMETADATAENCODEDRECORDASSET
      WHERE ZRECORD = (SELECT Z_PK FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2)
      """),
    .broken(
      "record-asset-broken", "a row emptied", count: 1, objects: ["Person/p2"],
      """
      UPDATE ANSCKRECORDMETADATAENCODEDRECORDASSET SET ZBINARYDATA = NULL, ZEXTERNALBINARYDATA = NULL
      WHERE ZRECORD = (SELECT Z_PK FROM ANSCKRECORDMETADATA WHERE ZENTITYPK = 2)
      """),
    .broken(
      "record-asset-broken", "two rows that name each other's owners", count: 2,
      objects: ["Person/p2", "Employee/p3"],
      """
      UPDATE ANSCKRECORDMETADATAENCODEDRECORDASSET
      SET ZRECORD = (SELECT SUM(Z_PK) FROM ANSCKRECORDMETADATA WHERE ZENTITYPK IN (2, 3)) - ZRECORD
      WHERE ZRECORD IN (SELECT Z_PK FROM ANSCKRECORDMETADATA WHERE ZENTITYPK IN (2, 3))
      """),
    .broken(
      "record-asset-broken", "rows without an owner", count: 2,
      "INSERT INTO ANSCKRECORDMETADATASYSTEMFIELDSASSET (ZRECORD, ZBINARYDATA) VALUES (99, x'01')",
      "INSERT INTO ANSCKMIRROREDRELATIONSHIPSYSTEMFIELDSASSET (ZBINARYDATA) VALUES (x'01')"),
  ]

  private static let tables: [RuleExample] = [
    RuleExample("dead-table-rows", "empty, as always", .healthy) { try ExampleStore.mirrored($0) },
    .broken(
      "dead-table-rows", "rows of an old export, and a table of the betas", count: 2,
      "INSERT INTO ANSCKEXPORTOPERATION (ZIDENTIFIER) VALUES ('A'), ('B')",
      "CREATE TABLE ZNSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)",
      "INSERT INTO ZNSCKRECORDMETADATA VALUES (1)"
    ),
    RuleExample("mirror-schema-unknown", "iOS 18", .healthy) { try ExampleStore.mirrored($0, layout: .v16) },
    RuleExample("mirror-schema-unknown", "iOS 26", .healthy) { try ExampleStore.mirrored($0) },
    .broken(
      "mirror-schema-unknown", "a table that nobody knows", count: 1,
      "CREATE TABLE ANSCKNEWTHING (Z_PK INTEGER PRIMARY KEY)"),
    .broken(
      "mirror-schema-unknown", "a column and a table less", layout: .v16, count: 2,
      "ALTER TABLE ANSCKEVENT DROP COLUMN ZCOUNTFINISHEDOBJECTS", "DROP TABLE ANSCKRECORDZONEQUERY",
      alsoErrors: ["mirror-tables-partial"]),
  ]

  private static let zones: [RuleExample] = [
    RuleExample("zone-import-stuck", "fetched a moment ago", .healthy) { path in
      try ExampleStore.mirrored(path) { try $0.importChanges(moreComing: true) { _ in } }
    },
    RuleExample("zone-import-stuck", "the public database has no tokens", .healthy) { path in
      try ExampleStore.mirrored(path, scope: .public) { mirror in
        try mirror.run(
          "UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL, ZLASTFETCHDATE = 0")
      }
    },
    RuleExample("zone-import-stuck", "more was to come, three days ago", .broken(count: 1)) { path in
      try ExampleStore.mirrored(path) { mirror in
        try mirror.importChanges(moreComing: true) { _ in }
        try mirror.run("UPDATE ANSCKRECORDZONEMETADATA SET ZLASTFETCHDATE = ZLASTFETCHDATE - 259200")
      }
    },
    RuleExample("zone-import-stuck", "the token lost, three days ago", .broken(count: 1)) { path in
      try ExampleStore.mirrored(path, layout: .v16) { mirror in
        try mirror.importChanges { _ in }
        try mirror.run("UPDATE ANSCKRECORDZONEMETADATA SET ZLASTFETCHDATE = ZLASTFETCHDATE - 259200")
        try mirror.run("UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL")
      }
    },
    RuleExample("zone-needs-recovery", "a share that was saved", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        try mirror.share([try mirror.object("Employee")])
        try mirror.export()
      }
    },
    .broken(
      "zone-needs-recovery", "keys lost", layout: .v16, count: 1,
      "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMIDENTITYLOSS = 1"),
    .broken(
      "zone-needs-recovery", "a new invitation needed", count: 1,
      "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSNEWSHAREINVITATION = 1"),
    RuleExample("zone-needs-recovery", "a share to be deleted", .broken(count: 1)) { path in
      try ExampleStore.mirrored(path) { mirror in
        let zone = try mirror.share([try mirror.object("Employee")])
        try mirror.export()
        try mirror.stopSharing(zone: zone)
      }
    },
    RuleExample("zone-unexpected", "a default zone and a shared one", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        try mirror.share([try mirror.object("Employee")])
        try mirror.export()
      }
    },
    RuleExample("zone-unexpected", "zones of two people", .healthy) { path in
      try ExampleStore.mirrored(path, scope: .shared) { mirror in
        try mirror.acceptShare(from: "_ann")
        try mirror.acceptShare(from: "_ben")
      }
    },
    .broken(
      "zone-unexpected", "a second default zone, under the user's name", count: 1,
      """
      INSERT INTO ANSCKRECORDZONEMETADATA (ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE)
      VALUES ('com.apple.coredata.cloudkit.zone', '_6f1d3c52e8b94a07', 1)
      """),
    RuleExample("zone-unexpected", "the user's own default zone in a shared store", .broken(count: 1)) {
      path in
      try ExampleStore.mirrored(path, scope: .shared) { mirror in
        try mirror.run(
          """
          INSERT INTO ANSCKRECORDZONEMETADATA (ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE)
          VALUES ('com.apple.coredata.cloudkit.zone', '__defaultOwner__', 1)
          """)
      }
    },
    .broken(
      "zone-unexpected", "the private database twice", layout: .v16, count: 1,
      "DROP INDEX Z_NSCKDatabaseMetadata_UNIQUE_databaseScopeNum",
      "INSERT INTO ANSCKDATABASEMETADATA (ZDATABASESCOPENUM, ZDATABASENAME) VALUES (2, 'Private')"),
  ]

  private static let links: [RuleExample] = [
    RuleExample("link-broken", "an end that is still to come", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let person = try mirror.object("Person")
        try mirror.importChanges(moreComing: true) { changes in
          changes.linkToMissing(person, "tags", "Tag", record: "FAR", isManyToMany: true)
        }
      }
    },
    RuleExample("link-broken", "an object with a link deleted", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let tag = try mirror.object("Tag")
        try mirror.save(author: "app") { try $0.delete(tag) }
        try mirror.export(.partialFailure)
        try mirror.export(.dies, reaching: .answered)
        try mirror.export()
      }
    },
    .broken(
      "link-broken", "an end without a record", count: 1,
      "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRELATEDRECORDNAME = 'NOBODY'"),
    .broken(
      "link-broken", "a relationship that the model lacks", layout: .v16, count: 1,
      "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRELATIONSHIPNAME = 'friends'"),
    .broken(
      "link-broken", "an entity that the model lacks", count: 1,
      "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRELATEDENTITYNAME = 'Label'"),
    RuleExample("link-stuck", "more is to come", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let person = try mirror.object("Person")
        try mirror.importChanges(moreComing: true) { changes in
          changes.linkToMissing(person, "tags", "Tag", record: "FAR", isManyToMany: true)
        }
      }
    },
    RuleExample("link-stuck", "a deletion that an export couldn't send", .healthy) { path in
      try ExampleStore.mirrored(path) { mirror in
        let (person, tag) = try (mirror.object("Person"), mirror.object("Tag"))
        try mirror.save(author: "app") { try $0.unlink(person, "tags", tag) }
        try mirror.export(.dies)
      }
    },
    .edited(
      "link-stuck", "a deletion, and no export in the log", .healthy,
      [
        "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZNEEDSDELETE = 1, ZISUPLOADED = NULL", "DELETE FROM ANSCKEVENT",
      ]),
    .edited(
      "link-stuck", "no table of zones", .skipped("ANSCKRECORDZONEMETADATA"),
      ["DROP TABLE ANSCKRECORDZONEMETADATA"], alsoErrors: ["mirror-tables-partial"]),
    RuleExample("link-stuck", "all was fetched, and an end is missing", .broken(count: 1)) { path in
      try ExampleStore.mirrored(path) { mirror in
        let person = try mirror.object("Person")
        try mirror.importChanges { changes in
          changes.linkToMissing(person, "tags", "Tag", record: "FAR", isManyToMany: true)
        }
      }
    },
    .broken(
      "link-stuck", "both ends are here", layout: .v16, count: 1,
      "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZISPENDING = 1",
      "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSIMPORT = 1"),
    .broken(
      "link-stuck", "a deletion that the last export passed by", count: 1,
      "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZNEEDSDELETE = 1, ZISUPLOADED = NULL"),
  ]

  private static let imports: [RuleExample] = [
    RuleExample("import-relationship-stuck", "imported a moment ago", .healthy) { path in
      try ExampleStore.mirrored(path) { try importWithoutOwner($0) }
    },
    RuleExample("import-relationship-stuck", "imported three days ago", .broken(count: 1)) { path in
      try ExampleStore.mirrored(path) { mirror in
        try importWithoutOwner(mirror)
        try mirror.run("UPDATE ANSCKIMPORTOPERATION SET ZIMPORTDATE = ZIMPORTDATE - 259200")
      }
    },
    RuleExample("import-relationship-stuck", "the import's row gone", .broken(count: 1)) { path in
      try ExampleStore.mirrored(path, layout: .v16) { mirror in
        try importWithoutOwner(mirror)
        try mirror.run("DELETE FROM ANSCKIMPORTOPERATION")
      }
    },
  ]

  private static func importWithoutOwner(_ mirror: MirrorForge) throws {
    try mirror.importChanges { changes in
      let note = try changes.insert("Note", ["text": "far"])
      changes.linkToMissing(note, "owner", "Person", record: "FAR")
    }
  }
}
