import Lens
import Values

extension Rule {
  static let zoneUnexpected = Rule(about) { examination, findings in
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
            .init("name", .optional(zone.name)), .init("owner", .optional(zone.owner)),
            .init("scope", .optional(zone.scope?.name)), .init("records", .count(zone.records)),
            .init("problem", .text(problem)),
          ])
      }
    }
    for database in try mirror.databases {
      guard let scope = database.rawScope, isAgain("database \(scope)") else { continue }
      findings.add(
        subject: "database \(scope)",
        [
          .init("name", .optional(database.name)), .init("scope", .optional(database.scope?.name)),
          .init("problem", "a second row of one database"),
        ])
    }
  }
}

private let about = RuleHeader(
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
  """)
