import Forge
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  static let mirrorState: [RuleExample] = assets + tables + zones + links + imports

  private static let assets: [RuleExample] = [
    .mirrored("record-asset-broken", "every archive tied to its owner", .healthy) { mirror in
      try mirror.share([try mirror.object("Employee")])
      try mirror.export()
    },
    .mirrored("record-asset-broken", "an older layout", .skipped("owners' rows"), layout: .v16),
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
    .mirrored("dead-table-rows", "empty, as always", .healthy),
    .broken(
      "dead-table-rows", "rows of an old export, and a table of the betas", count: 2,
      "INSERT INTO ANSCKEXPORTOPERATION (ZIDENTIFIER) VALUES ('A'), ('B')",
      "CREATE TABLE ZNSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)",
      "INSERT INTO ZNSCKRECORDMETADATA VALUES (1)"
    ),
    .mirrored("mirror-schema-unknown", "iOS 18", .healthy, layout: .v16),
    .mirrored("mirror-schema-unknown", "iOS 26", .healthy),
    .broken(
      "mirror-schema-unknown", "a table that nobody knows", count: 1,
      "CREATE TABLE ANSCKNEWTHING (Z_PK INTEGER PRIMARY KEY)"),
    .broken(
      "mirror-schema-unknown", "a column and a table less", layout: .v16, count: 2,
      "ALTER TABLE ANSCKEVENT DROP COLUMN ZCOUNTFINISHEDOBJECTS", "DROP TABLE ANSCKRECORDZONEQUERY",
      alsoErrors: ["mirror-tables-partial"]),
  ]

  private static let zones: [RuleExample] = [
    .mirrored("zone-import-stuck", "fetched a moment ago", .healthy) {
      try $0.importChanges(moreComing: true) { _ in }
    },
    .mirrored("zone-import-stuck", "the public database has no tokens", .healthy, scope: .public) { mirror in
      try mirror.run(
        "UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL, ZLASTFETCHDATE = 0")
    },
    .mirrored("zone-import-stuck", "more was to come, three days ago", .broken(count: 1)) { mirror in
      try mirror.importChanges(moreComing: true) { _ in }
      try mirror.run("UPDATE ANSCKRECORDZONEMETADATA SET ZLASTFETCHDATE = ZLASTFETCHDATE - 259200")
    },
    .mirrored("zone-import-stuck", "the token lost, three days ago", .broken(count: 1), layout: .v16) {
      mirror in
      try mirror.importChanges { _ in }
      try mirror.run("UPDATE ANSCKRECORDZONEMETADATA SET ZLASTFETCHDATE = ZLASTFETCHDATE - 259200")
      try mirror.run("UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL")
    },
    .mirrored("zone-needs-recovery", "a share that was saved", .healthy) { mirror in
      try mirror.share([try mirror.object("Employee")])
      try mirror.export()
    },
    .broken(
      "zone-needs-recovery", "keys lost", layout: .v16, count: 1,
      "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSRECOVERYFROMIDENTITYLOSS = 1"),
    .broken(
      "zone-needs-recovery", "a new invitation needed", count: 1,
      "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSNEWSHAREINVITATION = 1"),
    .mirrored("zone-needs-recovery", "a share to be deleted", .broken(count: 1)) { mirror in
      let zone = try mirror.share([try mirror.object("Employee")])
      try mirror.export()
      try mirror.stopSharing(zone: zone)
    },
    .mirrored("zone-unexpected", "a default zone and a shared one", .healthy) { mirror in
      try mirror.share([try mirror.object("Employee")])
      try mirror.export()
    },
    .mirrored("zone-unexpected", "zones of two people", .healthy, scope: .shared) { mirror in
      try mirror.acceptShare(from: "_ann")
      try mirror.acceptShare(from: "_ben")
    },
    .broken(
      "zone-unexpected", "a second default zone, under the user's name", count: 1,
      """
      INSERT INTO ANSCKRECORDZONEMETADATA (ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE)
      VALUES ('com.apple.coredata.cloudkit.zone', '_6f1d3c52e8b94a07', 1)
      """),
    .mirrored(
      "zone-unexpected", "the user's own default zone in a shared store", .broken(count: 1), scope: .shared
    ) { mirror in
      try mirror.run(
        """
        INSERT INTO ANSCKRECORDZONEMETADATA (ZCKRECORDZONENAME, ZCKOWNERNAME, ZDATABASE)
        VALUES ('com.apple.coredata.cloudkit.zone', '__defaultOwner__', 1)
        """)
    },
    .broken(
      "zone-unexpected", "the private database twice", layout: .v16, count: 1,
      "DROP INDEX Z_NSCKDatabaseMetadata_UNIQUE_databaseScopeNum",
      "INSERT INTO ANSCKDATABASEMETADATA (ZDATABASESCOPENUM, ZDATABASENAME) VALUES (2, 'Private')"),
  ]

  private static let links: [RuleExample] = [
    .mirrored("link-broken", "an end that is still to come", .healthy) { mirror in
      let person = try mirror.object("Person")
      try mirror.importChanges(moreComing: true) { changes in
        changes.linkToMissing(person, "tags", "Tag", record: "FAR", isManyToMany: true)
      }
    },
    .mirrored("link-broken", "an object with a link deleted", .healthy) { mirror in
      let tag = try mirror.object("Tag")
      try mirror.save(author: "app") { try $0.delete(tag) }
      try mirror.export(.partialFailure)
      try mirror.export(.dies, reaching: .answered)
      try mirror.export()
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
    .mirrored("link-stuck", "more is to come", .healthy) { mirror in
      let person = try mirror.object("Person")
      try mirror.importChanges(moreComing: true) { changes in
        changes.linkToMissing(person, "tags", "Tag", record: "FAR", isManyToMany: true)
      }
    },
    .mirrored("link-stuck", "a deletion that an export couldn't send", .healthy) { mirror in
      let (person, tag) = try (mirror.object("Person"), mirror.object("Tag"))
      try mirror.save(author: "app") { try $0.unlink(person, "tags", tag) }
      try mirror.export(.dies)
    },
    .edited(
      "link-stuck", "a deletion, and no export in the log", .healthy,
      [
        "UPDATE ANSCKMIRROREDRELATIONSHIP SET ZNEEDSDELETE = 1, ZISUPLOADED = NULL", "DELETE FROM ANSCKEVENT",
      ]),
    .edited(
      "link-stuck", "no table of zones", .skipped("ANSCKRECORDZONEMETADATA"),
      ["DROP TABLE ANSCKRECORDZONEMETADATA"], alsoErrors: ["mirror-tables-partial"]),
    .mirrored("link-stuck", "all was fetched, and an end is missing", .broken(count: 1)) { mirror in
      let person = try mirror.object("Person")
      try mirror.importChanges { changes in
        changes.linkToMissing(person, "tags", "Tag", record: "FAR", isManyToMany: true)
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
    .mirrored("import-relationship-stuck", "imported a moment ago", .healthy) { try importWithoutOwner($0) },
    .mirrored("import-relationship-stuck", "imported three days ago", .broken(count: 1)) { mirror in
      try importWithoutOwner(mirror)
      try mirror.run("UPDATE ANSCKIMPORTOPERATION SET ZIMPORTDATE = ZIMPORTDATE - 259200")
    },
    .mirrored("import-relationship-stuck", "the import's row gone", .broken(count: 1), layout: .v16) {
      mirror in
      try importWithoutOwner(mirror)
      try mirror.run("DELETE FROM ANSCKIMPORTOPERATION")
    },
  ]

  private static func importWithoutOwner(_ mirror: MirrorForge) throws {
    try mirror.importChanges { changes in
      let note = try changes.insert("Note", ["text": "far"])
      changes.linkToMissing(note, "owner", "Person", record: "FAR")
    }
  }
}
