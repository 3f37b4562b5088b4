import Lens
import SQLite
import StoreModel
import Values

/// Preconditions and pieces of SQL that several operations share.
enum Conditions {
  /// A store that was checked and has no account's name is wiped at the next launch, whatever else is done.
  static func identity(_ target: Target) -> Precondition {
    switch target.identity {
    case .halfRecorded, .nameOnly:
      Precondition(
        "identity-whole", holds: false,
        "The iCloud identity is only half recorded, so the next launch may wipe the store; let the app launch with a copy of the store first."
      )
    case .unknown:
      Precondition(
        "identity-whole", holds: false,
        "The entries of the iCloud identity can't be read, so it's unknown whether the next launch wipes the store."
      )
    default:
      Precondition(
        "identity-whole", holds: true, "The iCloud identity is complete or absent.")
    }
  }

  /// The framework doesn't go on from such a token: it wipes or fails, and what was queued is lost or stays.
  static func usableToken(_ target: Target) -> Precondition {
    let name = "token-usable"
    switch target.token?.state {
    case .expired, .ahead:
      return Precondition(
        name, holds: false,
        "The last-history token's transaction is gone from history, so the next launch wipes the local data before it uploads anything; run 'storescope resync STORE --rescan' first."
      )
    case .foreign, .unreadable:
      return Precondition(
        name, holds: false,
        "The last-history token belongs to another store or can't be read, so every export fails; run 'storescope resync STORE --rescan' first."
      )
    default:
      return Precondition(name, holds: true, "The framework can continue from the last-history token.")
    }
  }

  /// Deletes that wait in rows which the operation drops would never reach the server: those that are queued, and
  /// those in history that the mirror has yet to look at.
  /// - Parameters:
  ///   - records: which rows of the view `records` are dropped.
  ///   - links: which of `links` are.
  ///   - dropsAll: whether shares and receipts of moves go as well, whoever's they are.
  static func noLostDeletes(
    _ target: Target, _ choices: Choices, records: String = "1", links: String = "1", dropsAll: Bool = false
  ) throws -> Precondition {
    let name = "no-lost-deletes"
    let gone =
      "NOT objectExists AND (\(deleteIsInHistory(target)) OR state NOT IN ('\(RecordState.orphan.rawValue)', '\(RecordState.deleteLeftover.rawValue)'))"
    var dropped = ["records": records, "links": links]
    if !dropsAll { dropped["moveReceipts"] = "recordRow IN (\(rows(of: "records", where: records)))" }
    var pending = 0
    for kind in PendingItem.Kind.allCases {
      guard let deletion = kind.deletion, let dropped = dropped[deletion.view] ?? (dropsAll ? "1" : nil)
      else { continue }
      let condition =
        kind == .cloudDelete ? "\(deletion.condition) OR (\(gone))" : deletion.condition
      pending += try count(target, deletion.view, "(\(condition)) AND (\(dropped))")
    }
    if pending == 0 { return Precondition(name, holds: true, "No deletions are pending.") }
    let what =
      "\(Sentence.count(pending, "pending deletion")) \(pending == 1 ? "hasn't" : "haven't") reached the server"
    if choices.discardsPendingDeletes {
      return Precondition(
        name, holds: true, "\(what) and will be lost, as requested with --discard-pending-deletes.")
    }
    return Precondition(
      name, holds: false,
      "\(what) and would be lost: the objects come back at the next import. Let the app export first, or pass --discard-pending-deletes."
    )
  }

  /// True for a row of the view `records` if history after the token holds a deletion of its object. An insert and a delete
  /// come to nothing there, but without a token nobody knows what of it the server received: that record is kept.
  static func deleteIsInHistory(_ target: Target) -> String {
    guard target.tables.hasHistory else { return "0" }
    return """
      COALESCE((entityNumber, pk) IN (SELECT entityNumber, pk FROM temp.changes WHERE change = 'delete' \
      AND "transaction" > \(target.token?.analysedUpTo ?? 0)), 0)
      """
  }

  private static func count(_ target: Target, _ view: String, _ condition: String) throws -> Int {
    try target.connection.first("SELECT COUNT(*) FROM temp.\(view) WHERE \(condition)") {
      Int($0.integer(0))
    } ?? 0
  }

  /// SQL for the keys of the mirror's rows for which the condition over the view holds.
  static func rows(of view: String, where condition: String) -> String {
    "SELECT \"row\" FROM temp.\(view) WHERE \(condition)"
  }

  /// Drops links with what hangs on them. The condition is over the view `links`.
  static func dropLinks(
    _ target: Target, where condition: String, _ values: [SQLiteValue], purpose: String
  ) -> [Step] {
    let chosen = rows(of: "links", where: condition)
    let links = Step(
      FrameworkTable.links.rawValue, .delete, where: "Z_PK IN (\(chosen))", values, purpose: purpose)
    guard target.tables.has(.linkSystemFields, "ZMIRROREDRELATIONSHIP") else { return [links] }
    return [
      Step(
        FrameworkTable.linkSystemFields.rawValue, .delete, where: "ZMIRROREDRELATIONSHIP IN (\(chosen))",
        values, purpose: "stored server copies of the links"), links,
    ]
  }

  /// Drops records with all that hangs on them. The condition is over the view `records`.
  static func dropRecords(_ target: Target, where condition: String, purpose: String) -> [Step] {
    let chosen = rows(of: "records", where: condition)
    var steps: [Step] = []
    for asset in [FrameworkTable.encodedRecords, .recordSystemFields]
    where target.tables.has(asset, "ZRECORD") {
      steps.append(
        Step(
          asset.rawValue, .delete, where: "ZRECORD IN (\(chosen))",
          purpose: "stored server copies of the records"))
    }
    if target.tables.has(.moveReceipts, "ZRECORDMETADATA") {
      steps.append(
        Step(
          FrameworkTable.moveReceipts.rawValue, .delete, where: "ZRECORDMETADATA IN (\(chosen))",
          purpose: "the records' move receipts"))
    }
    return steps + [
      Step(FrameworkTable.records.rawValue, .delete, where: "Z_PK IN (\(chosen))", purpose: purpose)
    ]
  }
}
