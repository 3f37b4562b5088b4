import Archives
package import Base
import SQLite
package import StoreModel

/// Any one table of the mirror or of history, decoded column by column: what it holds is shown whatever it means.
///
/// Numbers that stand for something (an interned text, an entity, a kind of change) are replaced by what they stand
/// for, and stay numbers where the store doesn't know it. A row that names an object ends with the object's URI.
package struct FrameworkTableRows {
  package struct Column: Sendable, Equatable {
    /// The attribute's own spelling, `ckRecordName`; of a column that isn't known, the column as it stands.
    package var name: String
    /// `integer`, `bool`, `date`, `string`, `uuid`, `archive`, `reference`, `entity`, `change` or `uri`; of an unknown
    /// column the declared type in small letters.
    package var type: String
    /// Nil where the column is none of the table's own.
    fileprivate var column: String?
    fileprivate var kind: FrameworkAttribute.Kind?
  }

  /// The table's name in SQL.
  package let table: String
  /// The framework's entity; nil for a table of no known generation.
  package let entity: String?
  package let columns: [Column]
  private let store: CoreDataStore

  /// `name` is one of the table's spellings, in capitals or not.
  /// - Throws: `StoreScopeError` where the store has no such table.
  package init(named name: String, in store: CoreDataStore) throws {
    let wanted = name.uppercased()
    let known = FrameworkTable.allCases.first { $0.spellings.contains { $0.uppercased() == wanted } }
    let present = Self.names(in: store)
    guard let table = present.first(where: { $0.uppercased() == known?.rawValue ?? wanted }) else {
      if let known {
        throw StoreScopeError(
          .notFound, store.path, "has no table \(known.rawValue) (\(known.entity))",
          advice: Self.overview(present))
      }
      let words = FrameworkTable.allCases.flatMap(\.spellings) + present
      throw StoreScopeError(
        .notFound, name,
        "isn't a table of the mirror or of history", advice: Self.overview(present)
      ).naming(name, among: words)
    }
    self.store = store
    self.table = table
    entity = known?.entity
    let attributes = known?.attributes ?? []
    let own = store.tables.columns(of: table).map { column in
      let attribute = attributes.first { $0.column == column.name.uppercased() }
      return Column(
        name: attribute?.name ?? column.name,
        type: attribute?.kind.typeName ?? column.declaredType.lowercased(),
        column: column.name, kind: attribute?.kind)
    }
    let namesObject = [.entity, .objectKey].allSatisfy { kind in own.contains { $0.kind == kind } }
    columns = own + (namesObject ? [Column(name: "uri", type: "uri")] : [])
  }

  /// One sentence: which tables there are to ask for.
  private static func overview(_ names: [String]) -> String {
    guard !names.isEmpty else { return "The store is not mirrored and keeps no history, so it has none." }
    let words = names.map { FrameworkTable(rawValue: $0.uppercased())?.word ?? $0 }
    let list = words.sorted().joined(separator: ", ")
    let isMirrored = names.contains { FrameworkTable(rawValue: $0.uppercased())?.isHistory != true }
    return isMirrored ? "It has \(list)." : "The store is not mirrored; of history it has \(list)."
  }

  /// The tables that can be asked for, by their names in SQL, sorted; those of the betas too.
  package static func names(in store: CoreDataStore) -> [String] {
    store.tables.tables.keys.filter { name in
      let capitals = name.uppercased()
      return FrameworkTable(rawValue: capitals) != nil || capitals.hasPrefix("ANSCK")
        || capitals.hasPrefix("ZNSCK")
    }.sorted()
  }

  package func count() throws -> Int {
    try store.connection.first("SELECT COUNT(*) FROM main.\(quotedIdentifier(table))") { Int($0.integer(0)) }
      ?? 0
  }

  /// The columns with dates that no calendar has, in the first so many rows.
  package func impossibleDates(limit: Int) throws -> Set<String> {
    let dates = columns.compactMap { column -> (name: String, sql: String)? in
      guard column.kind == .date, let name = column.column else { return nil }
      return (column.name, "t.\(quotedIdentifier(name))")
    }
    return try store.connection.impossibleDates(
      in: dates, "FROM main.\(quotedIdentifier(table)) t ORDER BY \(order)", limit: limit)
  }

  private var order: String { columns.contains { $0.column?.uppercased() == "Z_PK" } ? "t.Z_PK" : "1" }

  /// Pushes every row in the order of its key. `step` is called for each.
  package func produce(into sink: any RowSink, step: () -> Void = {}) throws {
    let hasStrings = store.tables.columns(of: FrameworkTable.transactionStrings.rawValue).contains {
      $0.name == "ZNAME"
    }
    let selected = columns.compactMap { column -> String? in
      guard let name = column.column.map(quotedIdentifier) else { return nil }
      guard hasStrings, column.kind == .internedString else { return "t.\(name)" }
      return "COALESCE((SELECT s.ZNAME FROM main.ATRANSACTIONSTRING s WHERE s.Z_PK = t.\(name)), t.\(name))"
    }
    let statement = try store.connection.prepare(
      "SELECT \(selected.joined(separator: ", ")) FROM main.\(quotedIdentifier(table)) t ORDER BY \(order)")
    let entityColumn = columns.firstIndex { $0.kind == .entity }
    let keyColumn = columns.firstIndex { $0.kind == .objectKey }
    let names = EntityNames(store)
    while try statement.step() {
      step()
      sink.beginRow()
      for (index, column) in columns.enumerated() where column.column != nil {
        push(statement.cell(index), column.kind, names, into: sink)
      }
      if let entityColumn, let keyColumn {
        let (entity, key) = (statement.cell(entityColumn), statement.cell(keyColumn))
        if entity.type == .integer, key.type == .integer, names[entity.integer].isKnown {
          sink.objectURI(prefix: names[entity.integer].uriPrefix, primaryKey: key.integer)
        } else {
          sink.null()
        }
      }
      guard try sink.endRow() else { return }
    }
  }

  private func push(
    _ cell: Cell, _ kind: FrameworkAttribute.Kind?, _ names: EntityNames, into sink: any RowSink
  ) {
    switch (cell.type, kind) {
    case (.null, _): sink.null()
    case (.integer, .bool) where cell.integer == 0 || cell.integer == 1: sink.bool(cell.integer == 1)
    case (.integer, .date), (.real, .date): sink.date(CoreDataDate(seconds: cell.real))
    case (.integer, .entity):
      let number = cell.integer
      let name = names[number].entity ?? store.primaryKeys.framework.first { $0.number == number }?.name
      sink.value(name.map(DataValue.text) ?? .integer(number))
    case (.integer, .change):
      let kind = ChangeKind(rawValue: cell.integer)
      sink.value(kind.map { .text($0.name) } ?? .integer(cell.integer))
    case (.integer, _): sink.integer(cell.integer)
    case (.real, _): sink.real(cell.real)
    case (.text, _): cell.withBytes(sink.text)
    case (.blob, .uuid):
      cell.withBytes { bytes in
        if bytes.count == 16 { sink.uuid(bytes) } else { sink.blob(bytes) }
      }
    case (.blob, .externalArchive): push(external: cell, into: sink)
    case (.blob, _): cell.withBytes(sink.blob)
    }
  }

  private func push(external cell: Cell, into sink: any RowSink) {
    do {
      let content = try cell.withBytes { try ExternalValue.content(of: $0, store.externalFiles) } ?? []
      content.withUnsafeBytes(sink.blob)
    } catch {
      sink.value(["problem": .text((error as? StoreScopeError)?.clause ?? "\(error)")])
    }
  }
}
