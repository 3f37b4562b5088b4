import Base
import Lens
import SQLite
import StoreModel

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
        "The history token's transaction is gone from history, so the next launch wipes the local data before it uploads anything; run 'storescope resync STORE --rescan' first."
      )
    case .foreign, .unreadable:
      return Precondition(
        name, holds: false,
        "The history token belongs to another store or can't be read, so every export fails; run 'storescope resync STORE --rescan' first."
      )
    default:
      return Precondition(name, holds: true, "The framework can continue from the history token.")
    }
  }

  /// Deletes that are pending in rows which the operation drops would never reach the server: those that are queued, and
  /// those in history that the mirror has yet to process.
  /// - Parameters:
  ///   - records: which rows of the view `records` are dropped.
  ///   - links: which of `links` are.
  ///   - dropsAll: whether shares and receipts of moves go as well, whoever's they are.
  static func noLostDeletes(
    _ target: Target, _ choices: Choices, records: String = "1", links: String = "1", dropsAll: Bool = false
  ) throws -> Precondition {
    let name = "no-lost-deletes"
    var dropped = ["records": records, "links": links]
    if !dropsAll { dropped["moveReceipts"] = "recordRow IN (\(rows(of: "records", where: records)))" }
    var queued = 0
    for deletion in PendingItem.Kind.allCases.compactMap(\.deletion) {
      guard let dropped = dropped[deletion.view] ?? (dropsAll ? "1" : nil) else { continue }
      queued += try count(target, deletion.view, "(\(deletion.condition)) AND (\(dropped))")
    }
    let unprocessed = try count(target, "records", "\(isUnprocessedDeletion) AND (\(records))")
    let pending = queued + unprocessed
    if pending == 0 { return Precondition(name, holds: true, "No deletions are pending.") }
    let parts =
      queued > 0 && unprocessed > 0
      ? " (\(Sentence.number(queued)) queued, \(Sentence.number(unprocessed)) not processed by the exporter yet)"
      : ""
    let what =
      "\(Sentence.count(pending, "pending deletion"))\(parts) \(pending == 1 ? "hasn't" : "haven't") reached the server"
    if choices.discardsPendingDeletes {
      return Precondition(
        name, holds: true, isStated: true,
        "\(what) and will be lost, as requested with --discard-pending-deletes.")
    }
    return Precondition(
      name, holds: false,
      "\(what) and would be lost: the objects come back at the next import. Let the app export first, or pass --discard-pending-deletes."
    )
  }

  /// Rows that lost their records would be uploaded under new names, next to the server's copies.
  static func noLostRecords(_ target: Target) throws -> Precondition {
    let name = "no-lost-records"
    guard let count = try target.mirror?.lostRecords().count, count > 0 else {
      return Precondition(name, holds: true, "No row lost its record.")
    }
    return Precondition(
      name, holds: false,
      "\(lost(count)), so registering \(Sentence.form(count, "it", "them")) would make \(Sentence.form(count, "it", "them")) appear twice on all devices. Don't launch the app; restore a backup of the store that has the \(Sentence.form(count, "record", "records"))."
    )
  }

  /// Says first what an operation does to rows that lost their records.
  /// - Parameter how: what duplicates them, in the middle of a sentence.
  static func warnOfLostRecords(
    _ assessment: inout Operation.Assessment, _ target: Target, _ how: String
  ) throws {
    guard let count = try target.mirror?.lostRecords().count, count > 0 else { return }
    assessment.risk = .high
    assessment.texts.effect = assessment.texts.effect.replacing(", so nothing is duplicated", with: "")
    assessment.texts.risks.insert(
      "\(lost(count)): \(how), so \(Sentence.form(count, "it exists", "they exist")) twice afterward. Restore a backup of the store that has the \(Sentence.form(count, "record", "records")) instead.",
      at: 0)
  }

  private static func lost(_ count: Int) -> String {
    "\(Sentence.count(count, "object")) had \(Sentence.form(count, "a record that is", "records that are")) gone here, and the server probably has \(Sentence.form(count, "it", "them")) under the old \(Sentence.form(count, "name", "names"))"
  }

  /// True for a row of the view `records` if the object was deleted and no flag says so yet.
  private static var isUnprocessedDeletion: String {
    let others = [RecordState.orphan, .deleteLeftover, .pendingCloudDelete].map { "'\($0.rawValue)'" }
    return "NOT objectExists AND state NOT IN (\(others.joined(separator: ", ")))"
  }

  /// A sentence on deletions that no flag shows yet, of objects whose insertion is in history: an export that processes
  /// all of it adds both up to nothing. Nil if there are none.
  static func deletionsThatMayBeSkipped(_ target: Target) throws -> String? {
    guard target.tables.hasHistory else { return nil }
    let condition = """
      \(isUnprocessedDeletion) AND NOT needsUpload
        AND (entityNumber, pk) IN (SELECT entityNumber, pk FROM temp.changes WHERE change = 'insert')
      """
    let count = try count(target, "records", condition)
    guard count > 0 else { return nil }
    let names = try names(ofDeleted: condition, limit: 3, target)
    let which =
      names.isEmpty
      ? ""
      : " (\(names.joined(separator: ", "))\(count > names.count ? " and \(count - names.count) more" : ""))"
    return """
      \(Sentence.count(count, "deletion"))\(which) that \(Sentence.form(count, "isn't", "aren't")) exported yet may be \
      skipped, because history has the insertion of \(Sentence.form(count, "that object", "those objects")) as \
      well. Let the app export first, or check 'storescope records STORE --state orphan' after the next export.
      """
  }

  /// The first of the deleted objects for whose records the condition holds, by title where the store still has one.
  private static func names(ofDeleted condition: String, limit: Int, _ target: Target) throws -> [String] {
    let objects = try target.connection.rows(
      "SELECT entityNumber, pk FROM temp.records WHERE \(condition) ORDER BY entityNumber, pk LIMIT \(limit)"
    ) { ObjectKey(entity: $0.integer(0), primaryKey: $0.integer(1)) }
    let deleted = try DeletedObjects(target.store, target.mirror)
    return try objects.compactMap { object in
      guard let entity = target.store.schema[object.entity] else { return nil }
      let title = try deleted.title(of: object).map { " \"\($0)\"" } ?? ""
      return "\(entity.name)/p\(object.primaryKey)\(title)"
    }
  }

  /// A sentence on what a framework without a history token processes; nil without history.
  static func processedAgain(_ target: Target) throws -> String? {
    guard let history = try HistoryReader(target.store) else { return nil }
    let totals: (objects: Int, transactions: Int)
    do { totals = try history.totalsOfApp() } catch let error as StoreScopeError where error.kind == .limit {
      return nil
    }
    guard totals.objects > 0 else { return "History has no change by the app anymore." }
    return """
      That is \(Sentence.count(totals.objects, "object")) in \(Sentence.count(totals.transactions, "transaction")).
      """
  }

  static func count(_ target: Target, _ view: String, _ condition: String) throws -> Int {
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
