import SQLite
package import StoreModel
package import Values

/// Changes as rows, with the model's names.
package final class HistoryRows {
  package static let columns: [ObjectRows.Column] = [
    .init(name: "transaction", isNumber: true), .init(name: "timestamp", isNumber: false),
    .init(name: "author", isNumber: false), .init(name: "bundle", isNumber: false),
    .init(name: "process", isNumber: false), .init(name: "context", isNumber: false),
    .init(name: "change", isNumber: false), .init(name: "entity", isNumber: false),
    .init(name: "pk", isNumber: true), .init(name: "uri", isNumber: false),
    .init(name: "properties", isNumber: false), .init(name: "tombstone", isNumber: false),
    .init(name: "unsure", isNumber: false),
  ]

  /// What fits a terminal: who, when, which object, what.
  package static let shortColumns: [ObjectRows.Column] = [
    .init(name: "transaction", isNumber: true), .init(name: "timestamp", isNumber: false),
    .init(name: "author", isNumber: false), .init(name: "change", isNumber: false),
    .init(name: "object", isNumber: false), .init(name: "properties", isNumber: false),
  ]

  private let reader: HistoryReader
  private let store: CoreDataStore
  private let filter: HistoryFilter
  private let isReversed: Bool
  private let names: ChangeNames

  package init(
    _ reader: HistoryReader, in store: CoreDataStore, filter: HistoryFilter = HistoryFilter(),
    isReversed: Bool = false
  ) {
    self.reader = reader
    self.store = store
    self.filter = filter
    self.isReversed = isReversed
    names = ChangeNames(store)
  }

  package func count() throws -> Int { try reader.count(filter) }

  package func produce(into sink: any RowSink, step: () -> Void) throws {
    try reader.forEachChange(filter, reversed: isReversed) { change in
      step()
      sink.beginRow()
      change.transactionNumber.map(sink.integer) ?? sink.null()
      change.transaction?.timestamp.map(sink.date) ?? sink.null()
      push(change.transaction?.author, sink)
      push(change.transaction?.bundle, sink)
      push(change.transaction?.process, sink)
      push(change.transaction?.context, sink)
      push(names.kind(of: change), sink)
      let entity = names.entity(change.entity)
      push(entity.name, sink)
      sink.integer(change.objectKey)
      sink.objectURI(prefix: entity.uriPrefix, primaryKey: change.objectKey)
      let properties = names.properties(of: change)
      sink.value(properties?.namesValue ?? .null)
      sink.value(names.tombstone(of: change))
      sink.value(properties?.unsureValue ?? .null)
      return try sink.endRow()
    }
  }

  package func produceShort(into sink: any RowSink, step: () -> Void) throws {
    try reader.forEachChange(filter, reversed: isReversed) { change in
      step()
      sink.beginRow()
      change.transactionNumber.map(sink.integer) ?? sink.null()
      change.transaction?.timestamp.map(sink.date) ?? sink.null()
      push(change.transaction?.author, sink)
      push(names.kind(of: change), sink)
      push("\(names.entity(change.entity).name)/p\(change.objectKey)", sink)
      if change.kind == .delete {
        sink.value(names.tombstone(of: change))
      } else {
        push(names.properties(of: change)?.text, sink)
      }
      return try sink.endRow()
    }
  }

  private func push(_ text: String?, _ sink: any RowSink) {
    guard var text else { return sink.null() }
    text.withUTF8 { sink.text(UnsafeRawBufferPointer($0)) }
  }
}
