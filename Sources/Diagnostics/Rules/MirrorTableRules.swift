import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let mirrorSchemaUnknown = Rule(
    "mirror-schema-unknown"
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
    "mirror-tables-partial"
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
    "dead-table-rows"
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
    "framework-newer-than-known"
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
    "identity-half-recorded"
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
    "zone-unexpected"
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
