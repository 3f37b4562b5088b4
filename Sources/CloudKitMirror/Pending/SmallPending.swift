import SQLite
import StoreModel
import Values

/// What waits besides objects: links of many-to-many relationships, shares and moves.
package struct SmallPending {
  private let mirror: Mirror
  private let object: ObjectScope?

  /// - Parameter object: the one that is asked for; all of them where nil.
  package init(_ mirror: Mirror, of object: ObjectScope? = nil) {
    self.mirror = mirror
    self.object = object
  }

  /// The table and the condition on it; nil for kinds that aren't here, and where the store lacks the table.
  ///
  /// A link that was removed here is a delete once it is flagged as not uploaded, as app authors report the framework
  /// flags it; with the upload flag set the delete was sent, and the row waits to be dropped.
  private func source(_ kind: PendingItem.Kind) -> (from: String, condition: String)? {
    let tables = mirror.tables
    func flag(_ table: FrameworkTable, _ column: String) -> String { tables.flag(table, column, "p") }
    let (table, condition): (FrameworkTable, String)
    switch kind {
    case .link:
      // Before the flags there was no such column, and a link's absence says nothing.
      guard tables.has(.links, "ZISUPLOADED") else { return nil }
      (table, condition) = (
        .links, "\(flag(.links, "ZISUPLOADED")) = 0 AND \(flag(.links, "ZNEEDSDELETE")) = 0"
      )
    case .linkDelete:
      (table, condition) = (
        .links, "\(flag(.links, "ZNEEDSDELETE")) = 1 AND \(flag(.links, "ZISUPLOADED")) = 0"
      )
    case .share:
      (table, condition) = (
        .zones, "(\(flag(.zones, "ZNEEDSSHAREUPDATE")) = 1 OR \(flag(.zones, "ZNEEDSSHAREDELETE")) = 1)"
      )
    case .moveReceipt:
      (table, condition) = (.moveReceipts, "\(flag(.moveReceipts, "ZNEEDSCLOUDDELETE")) = 1")
    case .upload, .cloudDelete, .unanalyzed, .unregistered: return nil
    }
    guard tables.has(table) else { return nil }
    let ofObject = object.map { " AND (\(self.condition(table, $0)))" } ?? ""
    return ("main.\(table.rawValue) p", condition + ofObject)
  }

  /// SQL that holds for the rows that concern the object: links at either end.
  private func condition(_ table: FrameworkTable, _ object: ObjectScope) -> String {
    let tables = mirror.tables
    func records(_ column: String) -> String {
      let condition = object.condition(
        entity: tables.sql(.records, "ZENTITYID", "m"), primaryKey: tables.sql(.records, "ZENTITYPK", "m"))
      return
        "(SELECT \(tables.sql(.records, column, "m")) FROM main.ANSCKRECORDMETADATA m WHERE \(condition))"
    }
    guard tables.has(.records) else { return "0" }
    return switch table {
    case .links:
      ["ZRECORDNAME", "ZRELATEDRECORDNAME"].map {
        "\(tables.sql(.links, $0, "p")) IN \(records("ZCKRECORDNAME"))"
      }.joined(separator: " OR ")
    case .moveReceipts: "\(tables.sql(.moveReceipts, "ZRECORDMETADATA", "p")) IN \(records("Z_PK"))"
    default: "0"
    }
  }

  /// Rows of links whose removal the server knows already.
  package func sentLinkDeletes() throws -> Int {
    guard mirror.tables.has(.links) else { return 0 }
    func flag(_ column: String) -> String { mirror.tables.flag(.links, column, "p") }
    return try mirror.store.connection.first(
      """
      SELECT COUNT(*) FROM main.ANSCKMIRROREDRELATIONSHIP p
      WHERE \(flag("ZNEEDSDELETE")) = 1 AND \(flag("ZISUPLOADED")) = 1
      """
    ) { Int($0.integer(0)) } ?? 0
  }

  func count(_ kind: PendingItem.Kind) throws -> Int {
    guard let source = source(kind) else { return 0 }
    return try mirror.store.connection.first(
      "SELECT COUNT(*) FROM \(source.from) WHERE \(source.condition)"
    ) { Int($0.integer(0)) } ?? 0
  }

  /// Calls `body` for each until it returns false.
  func forEach(_ kind: PendingItem.Kind, _ body: (PendingItem) throws -> Bool) throws {
    guard let source = source(kind) else { return }
    let names = try RecordNames(mirror)
    var entities = EntityNames(mirror.store)
    let columns = columns(kind).joined(separator: ", ")
    let statement = try mirror.store.connection.prepare(
      "SELECT \(columns) FROM \(source.from) WHERE \(source.condition) ORDER BY p.Z_PK")
    while try statement.step() {
      let item =
        switch kind {
        case .share: share(statement)
        case .moveReceipt: try moveReceipt(statement, &entities)
        default: try link(kind, statement, names, &entities)
        }
      guard try body(item) else { return }
    }
  }

  private func columns(_ kind: PendingItem.Kind) -> [String] {
    let tables = mirror.tables
    switch kind {
    case .share:
      return ["p.Z_PK", tables.flag(.zones, "ZNEEDSSHAREDELETE", "p")]
    case .moveReceipt:
      return ["ZRECORDNAME", "ZZONENAME", "ZMOVEDAT", "ZRECORDMETADATA"].map {
        tables.sql(.moveReceipts, $0, "p")
      }
    default:
      return [
        "ZCKRECORDID", "ZRECORDZONE", "ZCDENTITYNAME", "ZRECORDNAME", "ZRELATIONSHIPNAME",
        "ZRELATEDENTITYNAME",
        "ZRELATEDRECORDNAME",
      ].map { tables.sql(.links, $0, "p") } + [tables.flag(.links, "ZISPENDING", "p")]
    }
  }

  private func share(_ row: Statement) -> PendingItem {
    let zone = mirror.zone(row.integer(0))?.name
    let what =
      row.integer(1) == 1
      ? "must be deleted on the server" : "was edited here and must be saved on the server"
    var item = PendingItem(
      .share, reason: "The share of the zone '\(zone ?? "?")' \(what).", unnamed: "A zone's share \(what).")
    item.zone = zone
    return item
  }

  private func moveReceipt(_ row: Statement, _ entities: inout EntityNames) throws -> PendingItem {
    let zone = row.optionalText(1)
    var item = PendingItem(
      .moveReceipt,
      reason: "The object moved to another zone; its old record in '\(zone ?? "?")' must be deleted there.",
      unnamed: "The object moved to another zone; its old record must be deleted where it was.")
    item.recordName = row.optionalText(0)
    item.zone = zone
    item.since = row.optionalReal(2).map(CoreDataDate.init(seconds:))
    let tables = mirror.tables
    guard let record = row.optionalInteger(3), tables.has(.records) else { return item }
    let columns = ["ZENTITYID", "ZENTITYPK"].map { tables.sql(.records, $0, "m") }.joined(separator: ", ")
    let key = try mirror.store.connection.first(
      "SELECT \(columns) FROM main.ANSCKRECORDMETADATA m WHERE m.Z_PK = ?", [.integer(record)]
    ) { ($0.optionalInteger(0), $0.optionalInteger(1)) }
    if let key, let entity = key.0, let primaryKey = key.1 {
      fill(&item, ObjectKey(entity: entity, primaryKey: primaryKey), &entities)
    }
    return item
  }

  private func link(
    _ kind: PendingItem.Kind, _ row: Statement, _ names: RecordNames?, _ entities: inout EntityNames
  ) throws -> PendingItem {
    func text(_ column: Int) -> String { row.optionalText(column) ?? "?" }
    var state = "was never uploaded"
    if kind == .linkDelete { state = "was removed here and must be deleted on the server" }
    if kind == .link, row.integer(7) == 1 { state = "waits for an object that isn't here yet" }
    let link = "The link \(text(2)).\(text(4))"
    var item = PendingItem(
      kind, reason: "\(link) between \(text(3)) and \(text(5)) \(text(6)) \(state).",
      unnamed: "\(link) to \(text(5)) \(state).")
    item.recordName = row.optionalText(0)
    item.zone = row.optionalInteger(1).flatMap { mirror.zone($0)?.name }
    item.entity = row.optionalText(2)
    if let name = row.optionalText(3), let key = try names?.object(named: name) {
      fill(&item, key, &entities)
    }
    return item
  }

  private func fill(_ item: inout PendingItem, _ key: ObjectKey, _ entities: inout EntityNames) {
    let names = entities[key.entity]
    item.entity = names.entity ?? item.entity
    item.primaryKey = key.primaryKey
    item.uri = names.uri(key.primaryKey)
  }
}
