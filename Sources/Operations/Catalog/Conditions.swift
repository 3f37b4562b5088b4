import Lens
import SQLite
import StoreModel
import Values

/// Preconditions and pieces of SQL that several operations share.
enum Conditions {
  /// A store that was checked and has no account's name is wiped at the next launch, whatever else is done.
  static func identity(_ target: Target) -> Precondition {
    switch target.mirror?.identity {
    case .halfRecorded, .nameOnly:
      Precondition(
        "identity-whole", holds: false,
        "The iCloud identity is recorded by half, so the next launch may wipe the store; let the app's next launch settle that on a copy of the store first."
      )
    case .unknown:
      Precondition(
        "identity-whole", holds: false,
        "The entries of the iCloud identity can't be read, so nobody can tell whether the next launch wipes the store."
      )
    default:
      Precondition(
        "identity-whole", holds: true, "Both entries of the iCloud identity are there, or neither.")
    }
  }

  /// The framework doesn't go on from such a token: it wipes or fails, and what was queued is lost or stays.
  static func usableToken(_ target: Target) -> Precondition {
    let name = "token-usable"
    switch target.mirror?.token.state {
    case .expired, .ahead:
      return Precondition(
        name, holds: false,
        "The last-history token's transaction is gone from history, so the next launch wipes the local data before it sends anything; run 'storescope resync STORE --rescan' first."
      )
    case .foreign, .unreadable:
      return Precondition(
        name, holds: false,
        "The last-history token belongs to another store or can't be read, so every export fails; run 'storescope resync STORE --rescan' first."
      )
    default:
      return Precondition(name, holds: true, "The last-history token is one that the framework goes on from.")
    }
  }

  /// Deletes that wait in rows which the operation drops would never reach the server: those that are queued, and
  /// those in history that the mirror has yet to look at.
  /// - Parameters:
  ///   - records: which rows of record metadata are dropped.
  ///   - links: which links are.
  ///   - dropsAll: whether shares and receipts of moves go as well, whoever's they are.
  static func noLostDeletes(
    _ target: Target, _ choices: Choices, records: String = "1", links: String = "1", dropsAll: Bool = false
  ) throws -> Precondition {
    let name = "no-lost-deletes"
    let isQueued = "COALESCE(ZNEEDSCLOUDDELETE, 0) = 1 AND COALESCE(ZNEEDSUPLOAD, 0) = 1"
    let receipts =
      dropsAll ? "1" : "ZRECORDMETADATA IN (SELECT Z_PK FROM main.ANSCKRECORDMETADATA WHERE \(records))"
    var waiting = try count(
      target, "ANSCKRECORDMETADATA",
      "((\(isQueued)) OR (NOT \(objectExists(target)) AND \(deleteWaits(target)))) AND (\(records))")
    waiting += try count(
      target, "ANSCKMIRROREDRELATIONSHIP", "COALESCE(ZNEEDSDELETE, 0) = 1 AND (\(links))")
    waiting += try count(
      target, "ANSCKRECORDZONEMOVERECEIPT", "COALESCE(ZNEEDSCLOUDDELETE, 0) = 1 AND \(receipts)")
    if dropsAll {
      waiting += try count(target, "ANSCKRECORDZONEMETADATA", "COALESCE(ZNEEDSSHAREDELETE, 0) = 1")
    }
    if waiting == 0 { return Precondition(name, holds: true, "No delete waits to be sent to the server.") }
    let what = "\(Sentence.count(waiting, "delete waits", "deletes wait")) to be sent to the server"
    if choices.discardsPendingDeletes {
      return Precondition(
        name, holds: true, "\(what) and will be forgotten, as --discard-pending-deletes says.")
    }
    return Precondition(
      name, holds: false,
      "\(what) and would be forgotten: the objects come back at the next import. Let the app export first, or give --discard-pending-deletes."
    )
  }

  static func count(_ target: Target, _ table: String, _ condition: String) throws -> Int {
    try target.connection.first("SELECT COUNT(*) FROM main.\(quotedIdentifier(table)) WHERE \(condition)") {
      Int($0.integer(0))
    } ?? 0
  }

  /// SQL that is true for a row of ANSCKRECORDMETADATA whose object exists, as an object of exactly that entity.
  static func objectExists(_ target: Target, among numbers: Set<Int64>? = nil) -> String {
    let exists = ObjectLookup.exists(
      entity: entity, primaryKey: "ANSCKRECORDMETADATA.ZENTITYPK", in: target.store)
    guard let numbers else { return exists }
    return "(\(entity) IN (\(numbers.sorted().map(String.init).joined(separator: ", "))) AND \(exists))"
  }

  /// SQL that is false for records of an entity whose table this store lacks: nothing tells whether their objects exist.
  static func tableIsThere(_ target: Target) -> String {
    let missing = target.store.schema.entities.filter { !target.store.tables.holdsObjects($0.table) }.map {
      String($0.number)
    }
    return missing.isEmpty ? "1" : "\(entity) NOT IN (\(missing.joined(separator: ", ")))"
  }

  /// Qualified, as tables in subqueries have columns of that name too.
  private static let entity = "ANSCKRECORDMETADATA.ZENTITYID"

  /// SQL that is true where history after the token holds the deletion of the record's object.
  static func deleteWaits(_ target: Target) -> String {
    guard target.tables.hasHistory else { return "0" }
    return """
      EXISTS (SELECT 1 FROM main.ACHANGE c WHERE c.ZTRANSACTIONID > \(target.mirror?.token.analysedUpTo ?? 0) \
      AND c.ZENTITY = ANSCKRECORDMETADATA.ZENTITYID AND c.ZENTITYPK = ANSCKRECORDMETADATA.ZENTITYPK \
      AND c.ZCHANGETYPE = 2)
      """
  }

  /// Drops links with what hangs on them.
  static func dropLinks(
    _ target: Target, where condition: String, _ values: [SQLiteValue], purpose: String
  ) -> [Step] {
    let chosen = "SELECT Z_PK FROM main.ANSCKMIRROREDRELATIONSHIP WHERE \(condition)"
    let links = Step(FrameworkTable.links.rawValue, .delete, where: condition, values, purpose: purpose)
    guard target.tables.has(.linkSystemFields, "ZMIRROREDRELATIONSHIP") else { return [links] }
    return [
      Step(
        FrameworkTable.linkSystemFields.rawValue, .delete, where: "ZMIRROREDRELATIONSHIP IN (\(chosen))",
        values, purpose: "the links' copies of the server's answer"), links,
    ]
  }

  /// Drops records with all that hangs on them; the owned rows first, as they are found through their owners.
  static func dropRecords(_ target: Target, where condition: String, purpose: String) -> [Step] {
    let chosen = "SELECT Z_PK FROM main.ANSCKRECORDMETADATA WHERE \(condition)"
    var steps: [Step] = []
    for asset in [FrameworkTable.encodedRecords, .recordSystemFields]
    where target.tables.has(asset, "ZRECORD") {
      steps.append(
        Step(
          asset.rawValue, .delete, where: "ZRECORD IN (\(chosen))",
          purpose: "the records' copies of the server's answer"))
    }
    if target.tables.has(.moveReceipts, "ZRECORDMETADATA") {
      steps.append(
        Step(
          FrameworkTable.moveReceipts.rawValue, .delete, where: "ZRECORDMETADATA IN (\(chosen))",
          purpose: "the records' receipts of moves between zones"))
    }
    return steps + [Step(FrameworkTable.records.rawValue, .delete, where: condition, purpose: purpose)]
  }
}
