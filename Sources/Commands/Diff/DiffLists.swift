import Comparison
import Rendering
import StoreModel
import Values

/// The objects that differ, read while they are printed.
struct DiffLists {
  private let comparison: StoreComparison
  private let uuids: (store: String, other: String)

  init(_ comparison: StoreComparison, uuids: (store: String, other: String)) {
    self.comparison = comparison
    self.uuids = uuids
  }

  /// Lists of one of the comparison's entities.
  func fields(_ index: Int) -> [Document.Field] {
    let entity = comparison.entities[index]
    var fields: [Document.Field] = [
      .init("added", list: list(entity.added, entity.name, uuids.other)),
      .init("removed", list: list(entity.removed, entity.name, uuids.store)),
      .init("changed", rows: changed(index)),
    ]
    if comparison.matching != .key {
      fields += [
        .init("unmatchedInStore", list: list(entity.unmatched.store, entity.name, uuids.store)),
        .init("unmatchedInOther", list: list(entity.unmatched.other, entity.name, uuids.other)),
      ]
    }
    return fields
  }

  private func list(_ keys: KeyList, _ entity: String, _ uuid: String) -> RowStream {
    let prefix = ObjectURI.prefix(storeUUID: uuid, entity: entity)
    return RowStream(columns: [.init("uri")]) { sink in
      try keys.forEach { key in
        sink.beginRow()
        sink.objectURI(prefix: prefix, primaryKey: key)
        return try sink.endRow()
      }
    }
  }

  /// `other` is the object's URI in the other store, where that is another one.
  private func changed(_ index: Int) -> RowStream {
    let isOneName = uuids.store == uuids.other && comparison.matching == .key
    return RowStream(
      columns: ["uri"].map { .init($0) } + (isOneName ? [] : [.init("other")]) + [.init("properties")]
    ) { sink in
      let prefix = ObjectURI.prefix(storeUUID: uuids.other, entity: comparison.entities[index].name)
      try forEachChange(index) { uri, otherKey, changes in
        sink.beginRow()
        sink.objectURI(prefix: uri.prefix, primaryKey: uri.key)
        if !isOneName { sink.objectURI(prefix: prefix, primaryKey: otherKey) }
        sink.value(.array(changes.map(\.value)))
        return try sink.endRow()
      }
    }
  }

  /// Calls `body` with each changed object of one entity until it returns false; whether it never did.
  @discardableResult
  func forEachChange(
    _ index: Int,
    _ body: ((prefix: [UInt8], key: Int64), _ otherKey: Int64, [PropertyChange]) throws -> Bool
  ) throws -> Bool {
    let entity = comparison.entities[index]
    guard let objects = comparison.objects, !entity.changed.isEmpty else { return true }
    let reader = try objects.changes(of: comparison.entityIndexes[index])
    let prefix = ObjectURI.prefix(storeUUID: uuids.store, entity: entity.name)
    return try entity.changed.forEach { key in
      try body((prefix, key), reader.otherKey(of: key) ?? key, reader.changes(of: key))
    }
  }

  // MARK: Rows

  /// All of it, one row per property; for added and removed objects one row each.
  var flat: RowStream {
    RowStream(
      columns: ["change", "entity", "uri", "property", "from", "to"].map { .init($0) }
    ) { sink in
      for index in comparison.entities.indices {
        let entity = comparison.entities[index]
        func all(_ keys: KeyList, _ change: String, _ uuid: String) throws -> Bool {
          let prefix = ObjectURI.prefix(storeUUID: uuid, entity: entity.name)
          return try keys.forEach { key in
            sink.beginRow()
            sink.value(.text(change))
            sink.value(.text(entity.name))
            sink.objectURI(prefix: prefix, primaryKey: key)
            for _ in 0..<3 { sink.null() }
            return try sink.endRow()
          }
        }
        guard try all(entity.added, "added", uuids.other), try all(entity.removed, "removed", uuids.store),
          try forEachProperty(
            index,
            { uri, name, from, to in
              sink.beginRow()
              sink.value("changed")
              sink.value(.text(entity.name))
              sink.objectURI(prefix: uri.prefix, primaryKey: uri.key)
              for value in [.text(name), from, to] { sink.value(value) }
              return try sink.endRow()
            })
        else { return }
      }
    }
  }

  private func forEachProperty(
    _ index: Int, _ body: ((prefix: [UInt8], key: Int64), String, DataValue, DataValue) throws -> Bool
  ) throws -> Bool {
    try forEachChange(index) { uri, _, changes in
      for change in changes {
        let (from, to) = Self.ends(change)
        guard try body(uri, change.name, from, to) else { return false }
      }
      return true
    }
  }

  /// Of links, those that went and those that came.
  static func ends(_ change: PropertyChange) -> (DataValue, DataValue) {
    switch change.what {
    case .value(let from, let to): (from, to)
    case .links(let removed, let added, let isReordered):
      (
        removed.isEmpty ? .null : .array(removed.map(DataValue.text)),
        added.isEmpty ? (isReordered ? "another order" : .null) : .array(added.map(DataValue.text))
      )
    }
  }

  /// `Person/p12` for an object's URI of either store.
  func short(_ value: DataValue) -> DataValue {
    switch value {
    case .text(let text):
      guard let uri = ObjectURI(text), [uuids.store, uuids.other].contains(uri.storeUUID),
        case .permanent(let key) = uri.key
      else { return value }
      return .text("\(uri.entity)/p\(key)")
    case .array(let elements):
      let names = elements.map { short($0).text ?? "" }
      return .text(names.joined(separator: ", "))
    default: return value
    }
  }
}
