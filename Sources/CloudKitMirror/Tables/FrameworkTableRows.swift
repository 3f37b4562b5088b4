import Archives
import SQLite
package import StoreModel
package import Values

/// Any one table of the mirror or of history, decoded column by column: what it holds is shown whatever it means.
package struct FrameworkTableRows {
  package struct Column: Sendable, Equatable {
    /// The attribute's own spelling, `ckRecordName`; of a column that isn't known, the column as it stands.
    package var name: String
    /// `integer`, `bool`, `date`, `string`, `uuid`, `archive` or `reference`; of an unknown column the declared type
    /// in small letters.
    package var type: String
    fileprivate var column: String
    fileprivate var kind: FrameworkAttribute.Kind?
  }

  /// The table's name in SQL.
  package let table: String
  /// The framework's entity; nil for a table of no known generation.
  package let entity: String?
  package let columns: [Column]
  private let store: CoreDataStore

  /// `name` is the table's in SQL or the framework's entity's, in capitals or not.
  /// - Throws: `StoreScopeError` where the store has no such table.
  package init(named name: String, in store: CoreDataStore) throws {
    let wanted = name.uppercased()
    let known = FrameworkTable.allCases.first { $0.rawValue == wanted || $0.entity.uppercased() == wanted }
    let present = Self.names(in: store)
    guard let table = present.first(where: { $0.uppercased() == known?.rawValue ?? wanted }) else {
      if let known {
        throw StoreScopeError(
          "'\(store.path)' has no table \(known.rawValue) (\(known.entity)); 'storescope mirror' lists those there are."
        )
      }
      let words = FrameworkTable.allCases.flatMap { [$0.rawValue, $0.entity] } + present
      throw StoreScopeError(
        "'\(name)' is no table of the mirror or of history.\(Suggestion.sentence(for: name, in: words)) 'storescope mirror' lists them."
      )
    }
    self.store = store
    self.table = table
    entity = known?.entity
    let attributes = known?.attributes ?? []
    columns = store.tables.columns(of: table).map { column in
      let attribute = attributes.first { $0.column == column.name.uppercased() }
      let type = attribute.map { $0.kind == .externalArchive ? "archive" : $0.kind.rawValue }
      return Column(
        name: attribute?.name ?? column.name, type: type ?? column.declaredType.lowercased(),
        column: column.name, kind: attribute?.kind)
    }
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

  /// Pushes every row in the order of its key. `step` is called for each.
  package func produce(into sink: any RowSink, step: () -> Void = {}) throws {
    let names = columns.map { quotedIdentifier($0.column) }.joined(separator: ", ")
    let order = columns.contains { $0.column.uppercased() == "Z_PK" } ? "Z_PK" : "1"
    let statement = try store.connection.prepare(
      "SELECT \(names) FROM main.\(quotedIdentifier(table)) ORDER BY \(order)")
    while try statement.step() {
      step()
      sink.beginRow()
      for (index, column) in columns.enumerated() { push(statement.cell(index), column.kind, into: sink) }
      guard try sink.endRow() else { return }
    }
  }

  private func push(_ cell: Cell, _ kind: FrameworkAttribute.Kind?, into sink: any RowSink) {
    switch (cell.type, kind) {
    case (.null, _): sink.null()
    case (.integer, .bool) where cell.integer == 0 || cell.integer == 1: sink.bool(cell.integer == 1)
    case (.integer, .date), (.real, .date): sink.date(CoreDataDate(seconds: cell.real))
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
      sink.value(["problem": .text("\(error)")])
    }
  }
}
