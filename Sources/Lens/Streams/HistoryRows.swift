package import Base
import SQLite
package import StoreModel

/// Changes as rows, with the model's names.
package final class HistoryRows {
  package static let columns: [ObjectRows.Column] = HistoryChange.keys.map {
    .init(name: $0.name, isNumber: $0.shape.isInteger)
  }

  /// What people read: who, when, which object, what.
  package static let shortColumns: [ObjectRows.Column] = [
    "timestamp", "transaction", "author", "object", "title", "change", "properties",
  ].map { .init(name: $0, isNumber: $0 == "transaction") }

  private let reader: HistoryReader
  private let store: CoreDataStore
  private let filter: HistoryFilter
  private let isReversed: Bool
  private let names: ChangeNames
  private let entities: EntityNames

  package init(
    _ reader: HistoryReader, in store: CoreDataStore, filter: HistoryFilter = HistoryFilter(),
    isReversed: Bool = false
  ) {
    self.reader = reader
    self.store = store
    self.filter = filter
    self.isReversed = isReversed
    names = ChangeNames(store)
    entities = EntityNames(store)
  }

  /// The columns with dates that no calendar has, in any transaction.
  package func impossibleDates() throws -> Set<String> { try reader.transactions.impossibleDates() }

  package func count() throws -> Int { try reader.count(filter) }

  package func produce(into sink: any RowSink, step: () -> Void) throws {
    try produce(filter, into: sink, step: step)
  }

  /// Few changes are read by one thread as fast.
  private static let changesOfPart: Int64 = 4096

  /// The same changes in ranges of their transactions.
  /// - Parameters:
  ///   - readers: the store as each thread may read it.
  ///   - whileWaiting: see `RowParts`.
  /// - Returns: nil where they are few, the newest first, or chosen by more than their transactions.
  package func parts(
    readers: () throws -> [CoreDataStore], whileWaiting: @escaping () -> Void = {}
  ) throws -> RowParts? {
    guard !isReversed, filter == HistoryFilter(transactions: filter.transactions),
      let ranges = try reader.ranges(in: filter.transactions, changes: Self.changesOfPart)
    else { return nil }
    let stores = try readers()
    guard stores.count > 1 else { return nil }
    return RowParts(
      count: ranges.count,
      makers: try stores.compactMap { store in
        guard let reader = try HistoryReader(store) else { return nil }
        let rows = HistoryRows(reader, in: store)
        var filter = filter
        return { part, sink in
          filter.range = ranges[part]
          try rows.produce(filter, into: sink) {}
        }
      }, whileWaiting: whileWaiting)
  }

  private func produce(_ filter: HistoryFilter, into sink: any RowSink, step: () -> Void) throws {
    try reader.forEachChange(filter, reversed: isReversed) { cursor, transaction in
      step()
      let change = cursor.change
      let key = change.objectKey ?? 0
      sink.beginRow()
      change.transaction.map(sink.integer) ?? sink.null()
      transaction?.timestamp.map(sink.date) ?? sink.null()
      push(transaction?.author, sink)
      push(transaction?.bundle, sink)
      push(transaction?.process, sink)
      push(transaction?.context, sink)
      push(change.kindName, sink)
      let entity = entities[change.entity ?? 0]
      push(entity.name, sink)
      sink.integer(key)
      sink.objectURI(prefix: entity.uriPrefix, primaryKey: key)
      let properties = cursor.properties(names)
      sink.value(properties?.namesValue ?? .null)
      sink.value(names.tombstone(of: change, cursor.tombstoneCells))
      sink.value(properties?.unsureValue ?? .null)
      return try sink.endRow()
    }
  }

  /// - Parameters:
  ///   - isReversed: the newest first.
  ///   - tombstone: what was kept of a deleted object, in words.
  ///   - title: what people recognize an object by, if there is something; it gets what was kept of a deleted one.
  package func produceShort(
    into sink: any RowSink, isReversed: Bool,
    title: (ObjectKey, _ tombstone: DataValue) throws -> String?,
    tombstone: (DataValue) -> String,
    step: () -> Void
  ) throws {
    var last: Int64?
    var isFirst = true
    try reader.forEachChange(filter, reversed: isReversed) { cursor, transaction in
      step()
      let change = cursor.change
      let key = ObjectKey(entity: change.entity ?? 0, primaryKey: change.objectKey ?? 0)
      // When and who is said once per transaction.
      let isSame = change.transaction == last && !isFirst
      (last, isFirst) = (change.transaction, false)
      sink.beginRow()
      if isSame {
        for _ in 0..<3 { sink.skip() }
      } else {
        transaction?.timestamp.map(sink.date) ?? sink.null()
        change.transaction.map(sink.integer) ?? sink.null()
        push(transaction?.author ?? transaction?.process.map { "(none, \($0))" } ?? "(none)", sink)
      }
      push("\(entities[key.entity].name)/p\(key.primaryKey)", sink)
      let kept = names.tombstone(of: change, cursor.tombstoneCells)
      push(try title(key, kept) ?? "", sink)
      push(change.done, sink)
      if change.kind == .delete {
        push(kept == .null ? "" : tombstone(kept), sink)
      } else {
        push(cursor.properties(names)?.text ?? "", sink)
      }
      return try sink.endRow()
    }
  }

  private func push(_ text: String?, _ sink: any RowSink) {
    guard var text else { return sink.null() }
    text.withUTF8 { sink.text(UnsafeRawBufferPointer($0)) }
  }
}
