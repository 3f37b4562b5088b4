import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  static let mirrorSchemaUnknown = Rule(
    """
    Rule: mirror-schema-unknown
    Severity: warning
    Title: Unknown mirror table layout
    Shows: A table or column of the mirror that its layout has but the store lacks, or the reverse.
    Why: The framework recognizes the mirror by its tables, and may recreate tables that it doesn't recognize.
      storescope's results about such a mirror may be incomplete, and it refuses to change it.
    Next launch: The framework of the system that wrote the tables opens them as always. Tables that were altered are
      repaired, or dropped and recreated, which loses their contents.
    Remedy: If a newer system wrote the store, use a newer version of storescope. If the mirror's tables were altered,
      restore the store from a backup.
    Needs: mirror
    False positives: Not all columns of the newest layout are known from real stores, so an additional or missing
      column may be normal there. Layouts before iOS 16 aren't fully known and aren't compared.
    Evidence: App authors show two of the tables; the others are inferred from the attributes they report.
    Message: The mirror's tables differ from every known layout in {count} {place|places}: {difference}
    """
  ) { examination, findings in
    guard let mirror = examination.mirror else { return }
    var differences = mirror.differences
    if mirror.layout == .unknown, differences.isEmpty {
      differences = ["Its tables have the columns of no layout."]
    }
    for difference in differences {
      findings.add(
        subject: difference, ["layout": .text(mirror.layout.name), "difference": .text(difference)])
    }
  }

  static let mirrorTablesPartial = Rule(
    """
    Rule: mirror-tables-partial
    Severity: error
    Title: Tables of the mirror are missing
    Shows: A mirror of a layout that is known in full (iOS 16 to 18, or 26 and later) that lacks some of its tables.
    Why: The framework makes all of its tables at once. If some are missing, somebody dropped them, and the rest
      refers to rows that don't exist anymore: records without zones, exports without a token.
    Next launch: Setup creates the missing tables again, empty. Their contents are lost: without records every object
      is uploaded under a new name, so that it appears twice on all devices.
    Remedy: Don't launch the app. Restore a backup of the store; never drop single tables of the mirror.
    Needs: layout
    False positives: Older layouts aren't checked: their tables aren't known in full.
    Evidence: Measured on a real mirrored store, which has all of them; what setup makes is reported by app authors.
    Message: {count} of the mirror's tables {is|are} missing, such as {table}.
    """
  ) { examination, findings in
    for table in examination.mirror?.missingTables ?? [] {
      findings.add(
        subject: table.rawValue,
        [
          "table": .text(table.rawValue), "absence": .optional(examination.tables.absence(of: table)),
        ])
    }
  }

  static let deadTableRows = Rule(
    """
    Rule: dead-table-rows
    Severity: info
    Title: Unused tables with rows
    Shows: Rows in the mirror's export tables, or tables of the first betas (ZNSCK…), which no current framework uses.
    Why: They only use disk space. Tools that count rows of ANSCKEXPORTEDOBJECT or ANSCKEXPORTOPERATION as pending
      changes report meaningless numbers.
    Next launch: Nothing; a migration of the mirror's tables may remove them.
    Remedy: Ignore them, or free the space: 'storescope repair STORE clear-events' removes the rows of the export
      tables together with the event log; 'storescope pending STORE' shows the changes that are really pending.
    Needs: mirror
    False positives: A store that is still opened by iOS 13 or macOS 10.15 may use them.
    Evidence: App authors report that these tables stay empty on current systems.
    Message: {count} unused {table has|tables have} rows, such as {table} with {rows}.
    """
  ) { examination, findings in
    let dead = FrameworkTable.allCases.filter { $0.isDead && examination.tables.has($0) }.map(\.rawValue)
    for table in dead + examination.tables.betaTables {
      let rows = try examination.store.connection.first(
        "SELECT COUNT(*) FROM main.\(quotedIdentifier(table))"
      ) { $0.integer(0) }
      guard let rows, rows > 0 else { continue }
      findings.add(subject: table, ["table": .text(table), "rows": .integer(rows)])
    }
  }

  static let frameworkNewerThanKnown = Rule(
    """
    Rule: framework-newer-than-known
    Severity: info
    Title: Written by a newer framework than storescope supports
    Shows: A version of Core Data, in the mirror's entries or in the store's metadata, above the newest version that
      is known to write a known layout.
    Why: Tables may have columns or meanings that this version of storescope doesn't know, so its results about the
      mirror may be incomplete.
    Next launch: Nothing: the app's own framework can read the tables it wrote.
    Remedy: Only read the store; don't change it with 'resync', 'reset' or 'repair' until a newer storescope supports
      this version.
    Needs: mirror
    False positives: Most new versions change nothing in the tables; 'layout' in the evidence shows the tables'
      layout.
    Evidence: App authors report the versions they saw; versions up to 1526 were measured on real stores.
    Message: Written by framework {version}; the newest supported version is {known}. The mirror looks like layout
      {layout}.
    Param known: version of Core Data; that of iOS 27 and macOS 27 is the newest with a known mirror layout, default
      \(MirrorLayout.newestKnownFramework)
    """
  ) { examination, findings in
    guard let mirror = examination.mirror else { return }
    let known = examination.setting("known", of: findings.header)
    let own = try mirror.entries[MetadataKey.frameworkVersion]?.integer
    let store = examination.store.metadata.frameworkVersion
    guard let newest = [own, store].compactMap({ $0 }).max(), Double(newest) > known else { return }
    findings.add(
      subject: "framework",
      [
        "version": .integer(newest), "mirror": .optional(own), "store": .optional(store),
        "known": .integer(Int64(clamping: known)), "layout": .text(mirror.layout.name),
      ])
  }

  static let identityHalfRecorded = Rule(
    """
    Rule: identity-half-recorded
    Severity: error
    Title: iCloud identity recorded incompletely
    Shows: A store that marks its iCloud user as checked, but has no record name of that user.
    Why: The mirror compares the signed-in user with the name that it keeps. Without a name it treats the user as a
      different user than before, and deletes all local data so that two people's data doesn't mix.
    Next launch: As soon as the user's record is fetched, setup fails with NSCocoaErrorDomain 134405, all objects of
      mirrored entities are deleted, and the account's data is fetched. Pending changes are lost.
    Remedy: Don't launch the app with a network connection before the store is backed up. Restore a backup that has
      both entries: 'storescope restore BACKUP'. Never remove one of the two entries by hand without the other.
    Needs: ANSCKMETADATAENTRY
    False positives: A public database is mirrored without an account, and then the framework itself leaves the
      entries in this state: these stores are left out, although a first sign-in wipes them too. An account with
      broken credentials may leave a private store in this state; it is reported, because the wipe is real.
    Evidence: App authors report the wipe; how the framework gets there is inferred.
    Message: The iCloud user is marked as checked, but there is no record name: the next launch that reaches iCloud
      deletes the local data (NSCocoaErrorDomain 134405).
    """
  ) { examination, findings in
    guard let mirror = examination.mirror, try mirror.scope != .public else { return }
    if let problem = try mirror.entries.problem {
      throw StoreScopeError(.lacking, "The iCloud identity can't be checked: \(problem)")
    }
    guard try mirror.identity == .halfRecorded else { return }
    let scope = try mirror.scope?.name
    findings.add(
      subject: "identity", ["checked": .bool(true), "recordName": .null, "scope": .optional(scope)])
  }

  static let zoneUnexpected = Rule(
    """
    Rule: zone-unexpected
    Severity: warning
    Title: Zones and databases that shouldn't be there
    Shows: A zone, or the private default zone, in more than one row; the user's own default zone in a store of the
      shared database; a database in more than one row.
    Why: The framework expects a single default zone and a single database. With two of them it may use the wrong one,
      and records of the other are neither uploaded nor fetched.
    Next launch: With two default zones, setup wipes the table of zones and creates a new default zone; then
      everything is fetched again.
    Remedy: Let the app's setup repair it, on a copy of the store first. If two stores were mixed into one, go back to
      one of them.
    Needs: mirror
    False positives: None known. Zones shared by others have their own names and owners.
    Evidence: Inferred from the tables' unique indexes and from app authors' reports of what setup repairs.
    Message: {count} {row of a zone or database is|rows of zones or databases are} unexpected: {name} ({problem}).
    """
  ) { examination, findings in
    guard let mirror = examination.mirror else { return }
    var seen: [String: Int] = [:]
    func isAgain(_ key: String) -> Bool {
      seen[key, default: 0] += 1
      return seen[key, default: 0] > 1
    }
    for zone in try mirror.zones {
      let owner = zone.owner ?? MirrorZone.currentOwner
      var problems: [String] = []
      if zone.name == MirrorZone.defaultName {
        if zone.scope == .shared {
          if owner == MirrorZone.currentOwner {
            problems.append("the user's own default zone in a shared store")
          }
          if isAgain("\(owner) default") { problems.append("a second default zone") }
        } else if isAgain("default") {
          problems.append("a second default zone")
        }
      } else if let name = zone.name, isAgain("zone \(owner) \(name)") {
        problems.append("a second row of one zone")
      }
      for problem in problems {
        findings.add(
          subject: "zone \(zone.name ?? "") of \(owner), \(problem)",
          [
            "name": .optional(zone.name), "owner": .optional(zone.owner),
            "scope": .optional(zone.scope?.name), "records": .count(zone.records), "problem": .text(problem),
          ])
      }
    }
    for database in try mirror.databases {
      guard let scope = database.rawScope, isAgain("database \(scope)") else { continue }
      findings.add(
        subject: "database \(scope)",
        [
          "name": .optional(database.name), "scope": .optional(database.scope?.name),
          "problem": "a second row of one database",
        ])
    }
  }
}
