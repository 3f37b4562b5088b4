import Base
import SQLite
import StoreModel

extension MirrorViews {
  /// One row per thing that isn't sent yet; each kind says below which. No object is in it twice: what is flagged in its
  /// record is an upload or a delete even where the app changed it again since, and a row that was just saved is
  /// unanalyzed, not unregistered.
  package var pending: View? {
    let parts = PendingItem.Kind.allCases.compactMap { pending($0) }
    guard !parts.isEmpty else { return nil }
    let columns = Self.pendingColumns(Part(reason: "", row: "")).map { column in
      var column = column
      column.stored = quotedIdentifier(column.name)
      return column
    }
    return View(
      "pending", rows: "pending change", columns,
      from: "(\(parts.map(\.stored).joined(separator: "\nUNION ALL\n")))")
  }

  private static let keys = PendingItem.fields.keys()

  private static func pendingColumns(_ part: Part) -> [View.Column] {
    [
      .init("kind", of: keys, part.kind).open,
      .init("entity", of: keys, part.entity).named(.structure),
      .init("pk", of: keys, part.key).open,
      .init("uri", of: keys, part.uri).open,
      .init("recordName", of: keys, part.recordName),
      .init("transaction", of: keys, part.transaction).open,
      .init("author", of: keys, part.author).named(.author),
      .init("since", of: keys, part.since ?? "NULL").open,
      .init("reason", of: keys, part.reason).opened(as: "reasonWithoutNames"),
      .init("zone", of: keys, part.zone).named(.zone),
      .init("entityNumber", .integer, "the number of the object's entity", part.entityNumber).open,
      .init("row", .integer, "the key of its row, in the table of its kind", part.row).open,
      .init(
        "reasonWithoutNames", .text, "the reason without names of zones and records",
        part.unnamedReason ?? part.reason, isShown: false),
      .init("isDeletion", .bool, "the object was deleted here", part.isDeletion, isShown: false),
      .init("maySkip", .bool, "an exporter may leave the deletion out", part.maySkip, isShown: false),
      .init(
        "isRepeated", .bool, "exported before, and processed again without a token", part.isRepeated,
        isShown: false),
      .init(
        "mayBeOlder", .bool, "purged history may have more of its cause", part.mayBeOlder, isShown: false),
    ]
  }

  /// Those of one kind.
  /// - Parameter object: the one that is asked for; all of them where nil.
  /// - Returns: nil where the store lacks the tables.
  func pending(_ kind: PendingItem.Kind, of object: ObjectScope? = nil) -> View? {
    switch kind {
    case .upload: flagged(kind, uploadReason, object)
    case .cloudDelete:
      flagged(
        kind,
        "'The object was deleted here; the next export deletes its record on the server.'", object)
    case .link:
      link(
        kind, "IIF(l.isPending, 'waits for an object that isn''t here yet', 'is pending upload')", object)
    case .linkDelete: link(kind, "'was removed here and must be deleted on the server'", object)
    case .share: share(object)
    case .moveReceipt: moveReceipt(object)
    case .unanalyzed: unanalyzed
    case .unregistered: unregistered
    }
  }

  /// Which rows of a view of the mirror's are pending things of a kind.
  struct Rows {
    let view: View
    let flags: [String]
    /// Over the flags.
    let condition: String

    /// SQL for how many there are.
    var count: String { view.count(flags, "WHERE \(condition)") }
  }

  /// Nil where the store lacks the tables, and for kinds that more than a row's flags decides.
  func rows(of kind: PendingItem.Kind) -> Rows? {
    func rows(of view: View?, _ flags: [String], where condition: String) -> Rows? {
      view.map { Rows(view: $0, flags: flags, condition: condition) }
    }
    switch kind {
    // Before the flag there was no such column, and a link's absence says nothing.
    case .link:
      guard tables.has(.links, "ZISUPLOADED") else { return nil }
      return rows(of: links, ["isUploaded", "needsDelete"], where: "NOT isUploaded AND NOT needsDelete")
    // Flagged as not uploaded, as app authors report the framework flags it; with the upload flag set the delete was
    // sent, and the row will be dropped.
    case .linkDelete:
      return rows(of: links, ["isUploaded", "needsDelete"], where: "needsDelete AND NOT isUploaded")
    case .share:
      return rows(
        of: shares, ["needsShareUpdate", "needsShareDelete"], where: "(needsShareUpdate OR needsShareDelete)")
    case .moveReceipt: return rows(of: moveReceipts, ["needsCloudDelete"], where: "needsCloudDelete")
    case .upload, .cloudDelete, .unanalyzed, .unregistered: return nil
    }
  }

  /// SQL for the columns of one kind. What a kind doesn't set is NULL, or false.
  private struct Part {
    var entity = "NULL"
    var key = "NULL"
    var uri = "NULL"
    var recordName = "NULL"
    /// SQL for the number of the transaction that caused it.
    var cause: String?
    var since: String?
    var reason: String
    var unnamedReason: String?
    var isDeletion = "0"
    var maySkip = "0"
    var isRepeated = "0"
    var mayBeOlder = "0"
    var zone = "NULL"
    var entityNumber = "NULL"
    var row: String
    // Set in `view` for every kind.
    var kind = "NULL"
    var transaction = "NULL"
    var author = "NULL"
  }

  private func view(
    _ kind: PendingItem.Kind, _ part: Part, from source: String, where condition: String = "1"
  ) -> View {
    // Left out by SQLite where nobody asks for the transaction:
    // https://www.sqlite.org/optoverview.html#the_omit_outer_join_optimization
    let join = part.cause.flatMap { cause in
      tables.has(.transactions) ? "LEFT JOIN main.ATRANSACTION t ON t.Z_PK = \(cause)" : nil
    }
    var whole = part
    whole.kind = "'\(kind.rawValue)'"
    if join != nil {
      whole.transaction = "t.Z_PK"
      whole.author = View.text("ZAUTHOR", tables)
      whole.since = part.since ?? tables.sql(.transactions, "ZTIMESTAMP", "t")
    }
    return View(
      kind.rawValue, rows: "", Self.pendingColumns(whole),
      from: "\(source) \(join ?? "") WHERE \(condition)")
  }

  // MARK: Records

  private func flagged(_ kind: PendingItem.Kind, _ reason: String, _ object: ObjectScope?) -> View? {
    guard let records else { return nil }
    let source = records.select(
      [
        "row", "recordName", "zone", "entity", "entityNumber", "pk", "uri", "state", "acknowledged",
        "pendingExport", "objectExists", "pendingKind",
      ])
    // App authors report that a setup drops records of entities that the model doesn't have.
    let dropped = """
      COALESCE('The entity number ' || r.entityNumber || ' of its record is unknown',
        'Its record has no entity') || ', so a setup drops the record before anything is uploaded for it.'
      """
    return view(
      kind,
      Part(
        entity: "r.entity", key: "r.pk", uri: "r.uri", recordName: "r.recordName",
        cause: "flagged_by(r.entityNumber, r.pk)", reason: "IIF(r.entity IS NULL, \(dropped), \(reason))",
        isDeletion: kind == .cloudDelete ? "1" : "0", mayBeOlder: "may_be_older(r.entityNumber, r.pk)",
        zone: "r.zone", entityNumber: "r.entityNumber",
        row: "r.row"),
      from: "(\(source)) r",
      where: "r.pendingKind = '\(kind.rawValue)'" + Self.isOf(object, entity: "r.entityNumber", key: "r.pk"))
  }

  private var uploadReason: String {
    """
    CASE
      WHEN r.state = 'orphan' THEN 'The object doesn''t exist, so the next export deletes its record on the server.'
      WHEN r.acknowledged AND flagged_by(r.entityNumber, r.pk) = 0 AND may_be_older(r.entityNumber, r.pk)
        THEN 'Its record is flagged for upload; the history that could show why was purged.'
      WHEN r.acknowledged AND (r.pendingExport IS NULL OR flagged_by(r.entityNumber, r.pk) = 0)
        THEN 'Its record is flagged for upload; no transaction shows why.'
      WHEN r.acknowledged THEN 'The object changed since its record was last exported.'
      WHEN r.objectExists THEN 'The object was never uploaded.'
      ELSE 'The object was never uploaded, and was deleted since; the exporter hasn''t processed that yet.'
    END
    """
  }

  private static func isOf(_ object: ObjectScope?, entity: String, key: String) -> String {
    object.map { " AND " + $0.condition(entity: entity, primaryKey: key) } ?? ""
  }

  /// A column of the records of an object.
  private func records(of object: ObjectScope, _ column: String) -> String {
    guard let records else { return "(SELECT NULL)" }
    let condition = object.condition(entity: "entityNumber", primaryKey: "pk")
    return "(SELECT \(column) FROM (\(records.select([column, "entityNumber", "pk"], "WHERE \(condition)"))))"
  }

  // MARK: Links, shares and moves

  private func link(_ kind: PendingItem.Kind, _ state: String, _ object: ObjectScope?) -> View? {
    guard let links = rows(of: kind) else { return nil }
    let source = links.view.select(
      [
        "row", "recordName", "zone", "entity", "objectRecord", "relationship", "relatedEntity",
        "relatedRecord", "isPending",
      ] + links.flags)
    var part = Part(
      entity: "l.entity", recordName: "l.recordName", reason: "", zone: "l.zone", row: "l.row")
    var join = ""
    if findsRecordsByName {
      join = """
         LEFT JOIN main.ANSCKRECORDMETADATA o
          ON o.Z_PK = (SELECT m.Z_PK FROM main.ANSCKRECORDMETADATA m WHERE m.ZCKRECORDNAME = l.objectRecord LIMIT 1)
          AND o.ZENTITYID IS NOT NULL AND o.ZENTITYPK IS NOT NULL
        """
      part.entity = "COALESCE(model_entity(o.ZENTITYID), l.entity)"
      part.key = "o.ZENTITYPK"
      part.uri = "model_uri(o.ZENTITYID, o.ZENTITYPK)"
      part.entityNumber = "o.ZENTITYID"
    }
    func text(_ column: String) -> String { "COALESCE(l.\(column), '?')" }
    let name = "'The link ' || \(text("entity")) || '.' || \(text("relationship"))"
    // A name that the model doesn't have may be a value.
    func known(_ column: String) -> String { "COALESCE(model_name(l.\(column)), '?')" }
    let knownName = "'The link ' || \(known("entity")) || '.' || \(known("relationship"))"
    part.reason = """
      \(name) || ' between ' || \(text("objectRecord")) || ' and ' || \(text("relatedEntity")) || ' '
        || \(text("relatedRecord")) || ' ' || \(state) || '.'
      """
    part.unnamedReason = "\(knownName) || ' to ' || \(known("relatedEntity")) || ' ' || \(state) || '.'"
    let ends = object.map { object in
      let names = records(of: object, "recordName")
      return " AND (l.objectRecord IN \(names) OR l.relatedRecord IN \(names))"
    }
    return view(kind, part, from: "(\(source)) l\(join)", where: links.condition + (ends ?? ""))
  }

  /// No object's own.
  private func share(_ object: ObjectScope?) -> View? {
    guard let shares = rows(of: .share) else { return nil }
    let what = """
      IIF(s.needsShareDelete, 'must be deleted on the server', 'was edited here and must be saved on the server')
      """
    let source = shares.view.select(["row", "zone"] + shares.flags)
    return view(
      .share,
      Part(
        reason: "'The share of the zone ''' || COALESCE(s.zone, '?') || ''' ' || \(what) || '.'",
        unnamedReason: "'A zone''s share ' || \(what) || '.'", zone: "s.zone", row: "s.row"),
      from: "(\(source)) s", where: object == nil ? shares.condition : "0")
  }

  private func moveReceipt(_ object: ObjectScope?) -> View? {
    guard let receipts = rows(of: .moveReceipt) else { return nil }
    let source = receipts.view.select(
      ["row", "recordName", "zone", "movedAt", "entity", "entityNumber", "pk", "uri", "recordRow"]
        + receipts.flags)
    let isItsOwn = object.map { " AND r.recordRow IN \(records(of: $0, "row"))" }
    return view(
      .moveReceipt,
      Part(
        entity: "r.entity", key: "IIF(r.entityNumber IS NULL, NULL, r.pk)", uri: "r.uri",
        recordName: "r.recordName",
        since: "r.movedAt",
        reason:
          """
          'The object moved to another zone; its old record ''' || COALESCE(r.recordName, '?') || ''' in '''
            || COALESCE(r.zone, '?') || ''' must be deleted there.'
          """,
        unnamedReason: "'The object moved to another zone; its old record must be deleted where it was.'",
        zone: "r.zone", entityNumber: "r.entityNumber", row: "r.row"),
      from: "(\(source)) r", where: receipts.condition + (isItsOwn ?? ""))
  }

  // MARK: What only a pass over history and rows finds

  /// `PendingPass` goes through history: what happens to an object has to be summed up change by change. In SQL that
  /// took several times as long.
  private var unanalyzed: View? {
    guard tables.hasHistory || tables.has(.analyzerStates) else { return nil }
    let recordName =
      findsRecordsByObject
      ? """
      (SELECT m.ZCKRECORDNAME FROM main.ANSCKRECORDMETADATA m
        WHERE u.isRegistered AND m.ZENTITYID = u.entityNumber AND m.ZENTITYPK = u.pk LIMIT 1)
      """ : "NULL"
    let reason = """
      CASE
        WHEN u.maySkip
          THEN 'The object was deleted; without a history token, the next export processes its insertion again, '
            || 'too, and may skip the deletion.'
        WHEN u.isRepeated
          THEN 'The object was ' || u.what || ' and exported before; without a history token, the next export '
            || 'processes all of history again. The server probably has it already.'
        WHEN u.startsOver
          THEN 'The object was ' || u.what || '; without a history token, the next export processes all of history.'
        WHEN u.isInHistory
          THEN 'The object was ' || u.what || ' after the last transaction that the exporter processed.'
        ELSE 'An export that ended early saw that the object was ' || u.what || '; the next one continues from there.'
      END
      """
    var part = Part(
      entity: "model_entity(u.entityNumber)", key: "u.pk", uri: "model_uri(u.entityNumber, u.pk)",
      recordName: recordName, cause: "u.since", reason: reason, entityNumber: "u.entityNumber", row: "NULL")
    part.isDeletion = "u.what = 'deleted'"
    part.maySkip = "u.maySkip"
    part.isRepeated = "u.isRepeated"
    part.mayBeOlder = "u.mayBeOlder"
    return view(.unanalyzed, part, from: "lens_unanalyzed u")
  }

  /// `PendingPass` compares the keys of all rows with a map of all records, which takes a bit for each instead of a look
  /// into an index.
  private var unregistered: View? {
    guard tables.has(.records) else { return nil }
    let reason = """
      'The row has no record, and history doesn''t lead to one: it was written outside Core Data, or before history began. '
        || IIF(u.isScannedFor, 'The next export scans for unregistered rows and uploads it.',
          'It won''t be uploaded until the framework scans for unregistered rows.')
      """
    return view(
      .unregistered,
      Part(
        entity: "model_entity(u.entityNumber)", key: "u.pk", uri: "model_uri(u.entityNumber, u.pk)",
        reason: reason,
        entityNumber: "u.entityNumber", row: "NULL"),
      from: "lens_unregistered u")
  }
}
