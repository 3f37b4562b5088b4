import Forge
import Lens
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  static let tokens: [RuleExample] =
    missing + expired + foreign + identity + keys + marks + models + frameworks

  private static let missing: [RuleExample] = [
    .mirrored("token-missing", "a token", .healthy, layout: .v16),
    .mirrored("token-missing", "no token, and nothing exported", .healthy) { mirror in
      try mirror.damageToken(.missing)
      try mirror.forge.connection.execute(
        "UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = NULL")
    },
    .mirrored("token-missing", "no token after exports", .broken(count: 1), layout: .v16) {
      try $0.damageToken(.missing)
    },
    .mirrored(
      "token-missing", "no table of entries", .skipped("ANSCKMETADATAENTRY"),
      alsoErrors: ["mirror-tables-partial"]
    ) { try $0.forge.connection.execute("DROP TABLE ANSCKMETADATAENTRY") },
  ]

  private static let expired: [RuleExample] = [
    .mirrored("token-expired", "history pruned below the token", .healthy) { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      try mirror.export()
      try mirror.forge.connection.execute(
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < 2; DELETE FROM ATRANSACTION WHERE Z_PK < 2")
    },
    .mirrored("token-expired", "history pruned with the token's transaction", .broken(count: 1), layout: .v16)
    { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      try mirror.forge.connection.execute(
        "DELETE FROM ACHANGE WHERE ZTRANSACTIONID < 2; DELETE FROM ATRANSACTION WHERE Z_PK < 2")
    },
    .mirrored("token-expired", "a token above all transactions", .broken(count: 1)) {
      try $0.damageToken(.ahead)
    },
    .mirrored("token-expired", "changes lost, transactions there", .healthy) {
      try $0.forge.connection.execute("DROP TABLE ACHANGE")
    },
    .mirrored("token-expired", "history switched off", .skipped("keeps no history")) {
      try $0.forge.connection.execute("DROP TABLE ACHANGE; DROP TABLE ATRANSACTION")
    },
    .mirrored("token-expired", "a damaged token", .skipped("can't be read")) {
      try $0.damageToken(.unreadable)
    },
  ]

  private static let foreign: [RuleExample] = [
    .mirrored("token-foreign-store", "the store's own token", .healthy),
    .mirrored("token-foreign-store", "another store's token", .broken(count: 1)) {
      try $0.damageToken(.foreign)
    },
    .mirrored("token-foreign-store", "the store's UUID changed", .broken(count: 1), layout: .v16) {
      try $0.forge.connection.execute(
        "UPDATE Z_METADATA SET Z_UUID = 'AAAAAAAA-0000-4000-8000-000000000002'")
    },
    .mirrored("token-foreign-store", "no UUID", .skipped("no identifier")) {
      try $0.forge.connection.execute("UPDATE Z_METADATA SET Z_UUID = NULL")
    },
  ]

  private static let identity: [RuleExample] = [
    .mirrored("identity-half-recorded", "checked and named", .healthy),
    .mirrored("identity-half-recorded", "checked, no name, public", .healthy, scope: .public) {
      try $0.forgetAccountName()
    },
    .mirrored("identity-half-recorded", "checked, no name", .broken(count: 1), layout: .v16) {
      try $0.forgetAccountName()
    },
    .mirrored("identity-half-recorded", "checked, an empty name", .broken(count: 1)) {
      try $0.forge.connection.execute(
        "UPDATE ANSCKMETADATAENTRY SET ZSTRINGVALUE = NULL WHERE ZKEY = ?",
        [.text(MetadataKey.identityRecordName)])
    },
  ]

  private static let keys: [RuleExample] = [
    .mirrored("metadata-key-duplicated", "each key once", .healthy),
    .mirrored("metadata-key-duplicated", "two keys twice", .broken(count: 2)) { mirror in
      try mirror.addEntry(MetadataKey.checkedIdentity, true)
      try mirror.addEntry(MetadataKey.needsMigration, false)
    },
  ]

  private static let marks: [RuleExample] = [
    .mirrored("metadata-control-left", "no mark is set", .healthy) {
      try $0.addEntry(MetadataKey.bypassHistory, false)
    },
    .mirrored("metadata-control-left", "the newest row takes the mark down", .healthy) { mirror in
      try mirror.addEntry(MetadataKey.bypassHistory, true)
      try mirror.addEntry(MetadataKey.bypassHistory, false)
    },
    .mirrored("metadata-control-left", "after the server's zone was deleted", .broken(count: 1), layout: .v16)
    { mirror in
      try mirror.zoneWasDeleted()
      try mirror.importChanges { _ in }
    },
    .mirrored("metadata-control-left", "all marks", .broken(count: 4)) { mirror in
      for key in [
        MetadataKey.bypassHistory, MetadataKey.scanForMissingRows, MetadataKey.needsMigration,
        "PFCloudKitMetadataModelMigratorMigrationBeganCommitKey",
      ] {
        try mirror.addEntry(key, true)
      }
    },
  ]

  private static let models: [RuleExample] = [
    .mirrored("model-changed-since-setup", "the same model", .healthy, layout: .v16),
    RuleExample("model-changed-since-setup", "another model's hashes", .broken(count: 1)) { path in
      // A mirror that was set up with one entity less.
      try ExampleStore.mirrored(path) { mirror in
        let other = path + ".other"
        let model = ManagedObjectModel(entities: ExampleStore.model.entities.filter { $0.name != "Employee" })
        let forge = try StoreForge(path: other, model: model)
        _ = try MirrorForge(forge, layout: .v17)
        try mirror.forge.connection.execute("ATTACH ? AS other", [.text(other)])
        try mirror.forge.connection.execute(
          """
          UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE =
            (SELECT o.ZTRANSFORMEDVALUE FROM other.ANSCKMETADATAENTRY o WHERE o.ZKEY = ANSCKMETADATAENTRY.ZKEY)
          WHERE ZKEY = ?
          """, [.text(MetadataKey.clientHashes)])
        try mirror.forge.connection.execute("DETACH other")
        try forge.close()
      }
    },
    .mirrored("model-changed-since-setup", "no hashes", .skipped("keeps no version hashes")) {
      try $0.forge.connection.execute(
        "DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = ?", [.text(MetadataKey.clientHashes)])
    },
    .mirrored("model-changed-since-setup", "damaged hashes", .skipped("can't be read")) {
      try $0.forge.connection.execute(
        "UPDATE ANSCKMETADATAENTRY SET ZTRANSFORMEDVALUE = x'00' WHERE ZKEY = ?",
        [.text(MetadataKey.clientHashes)])
    },
  ]

  private static let frameworks: [RuleExample] = [
    .mirrored("framework-newer-than-known", "a known framework", .healthy),
    .mirrored("framework-newer-than-known", "a framework of the future", .broken(count: 1), layout: .v16) {
      try $0.forge.connection.execute(
        "UPDATE ANSCKMETADATAENTRY SET ZINTEGERVALUE = 9000 WHERE ZKEY = ?",
        [.text(MetadataKey.frameworkVersion)])
    },
  ]
}

extension MirrorForge {
  /// One more row with that key, whatever there is already.
  fileprivate func addEntry(_ key: String, _ value: Bool) throws {
    try forge.connection.execute(
      """
      INSERT INTO ANSCKMETADATAENTRY (Z_PK, Z_ENT, Z_OPT, ZKEY, ZBOOLVALUENUM)
      SELECT MAX(Z_PK) + 1, MAX(Z_ENT), 1, ?, ? FROM ANSCKMETADATAENTRY
      """, [.text(key), .integer(value ? 1 : 0)])
    try forge.connection.execute(
      """
      UPDATE Z_PRIMARYKEY SET Z_MAX = (SELECT MAX(Z_PK) FROM ANSCKMETADATAENTRY)
      WHERE Z_NAME = 'NSCKMetadataEntry'
      """)
  }
}
