import Comparison
import Lens
import Rendering
import StoreModel
import Values

/// The objects that differ, read while they are printed.
struct DiffLists {
  private let comparison: StoreComparison
  private let stores: (store: CoreDataStore, other: CoreDataStore)
  private let uuids: (store: String, other: String)
  let titles: (store: ObjectTitles, other: ObjectTitles)

  init(
    _ comparison: StoreComparison, stores: (store: CoreDataStore, other: CoreDataStore),
    uuids: (store: String, other: String)
  ) {
    self.comparison = comparison
    self.stores = stores
    self.uuids = uuids
    titles = (ObjectTitles(stores.store), ObjectTitles(stores.other))
  }

  /// Lists of one of the comparison's entities.
  func fields(_ index: Int) throws -> [Document.Field] {
    let entity = comparison.entities[index]
    var fields: [Document.Field] = [
      .init("added", list: list(entity.added, entity.name, uuids.other)),
      .init("removed", list: list(entity.removed, entity.name, uuids.store)),
      .init("changed", rows: changed(index)),
    ]
    if let added = try values(.added, of: entity) { fields.append(.init("addedObjects", rows: added.stream)) }
    if let removed = try values(.removed, of: entity) {
      fields.append(.init("removedObjects", rows: removed.stream))
    }
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

  /// Objects that only one store has, with their values.
  func values(_ side: DiffValues.Side, of entity: EntityDifference) throws -> DiffValues? {
    try DiffValues(side, entity, in: side == .added ? stores.other : stores.store)
  }

  /// `other` is the object's URI in the other store, where that is another one.
  private func changed(_ index: Int) -> RowStream {
    let isOneName = uuids.store == uuids.other && comparison.matching == .key
    let names = ["uri"] + (isOneName ? [] : ["other"]) + ["title", "properties"]
    return RowStream(columns: names.map { .init($0) }) { sink in
      let entity = comparison.entities[index]
      let prefix = ObjectURI.prefix(storeUUID: uuids.other, entity: entity.name)
      try forEachChange(index) { uri, otherKey, changes in
        sink.beginRow()
        sink.objectURI(prefix: uri.prefix, primaryKey: uri.key)
        if !isOneName { sink.objectURI(prefix: prefix, primaryKey: otherKey) }
        sink.value(.optional(try title(uri.key, entity.store, titles.store)))
        sink.value(.array(changes.map(\.value)))
        return try sink.endRow()
      }
    }
  }

  /// Calls `body` with each changed object of one entity until it returns false.
  /// - Returns: false if it did.
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

  /// All of it, one row per property; for added and removed objects one row each, followed by one per value if `hasValues`.
  /// A row with `reordered` has neither value: the same links have another order.
  func flat(hasValues: Bool) -> RowStream {
    RowStream(
      columns: ["change", "entity", "uri", "property", "from", "to", "title"].map { .init($0) }
    ) { sink in
      for index in comparison.entities.indices {
        let entity = comparison.entities[index]
        guard try flat(.added, entity, hasValues: hasValues, into: sink),
          try flat(.removed, entity, hasValues: hasValues, into: sink),
          try forEachChange(
            index,
            { uri, _, changes in
              let title = try title(uri.key, entity.store, titles.store)
              return try changes.allSatisfy { change in
                let (from, to) = Self.ends(change)
                return try row(
                  Self.isReordered(change) ? "reordered" : "changed", entity, uri,
                  [.text(change.name), from, to],
                  title, into: sink)
              }
            })
        else { return }
      }
    }
  }

  /// False if no more rows are wanted.
  private func flat(
    _ side: DiffValues.Side, _ entity: EntityDifference, hasValues: Bool, into sink: any RowSink
  ) throws -> Bool {
    let isAdded = side == .added
    let prefix = ObjectURI.prefix(storeUUID: isAdded ? uuids.other : uuids.store, entity: entity.name)
    func row(_ key: Int64, _ cells: [DataValue]) throws -> Bool {
      let title = try title(key, isAdded ? entity.other : entity.store, isAdded ? titles.other : titles.store)
      return try self.row(side.rawValue, entity, (prefix, key), cells, title, into: sink)
    }
    guard hasValues, let values = try values(side, of: entity) else {
      return try entity[side].forEach { try row($0, [.null, .null, .null]) }
    }
    return try values.forEach { key, members in
      guard try row(key, [.null, .null, .null]) else { return false }
      return try members.allSatisfy { member in
        try row(key, [.text(member.name)] + (isAdded ? [.null, member.value] : [member.value, .null]))
      }
    }
  }

  private func row(
    _ change: String, _ entity: EntityDifference, _ uri: (prefix: [UInt8], key: Int64), _ cells: [DataValue],
    _ title: String?, into sink: any RowSink
  ) throws -> Bool {
    sink.beginRow()
    sink.value(.text(change))
    sink.value(.text(entity.name))
    sink.objectURI(prefix: uri.prefix, primaryKey: uri.key)
    for value in cells { sink.value(value) }
    sink.value(.optional(title))
    return try sink.endRow()
  }

  private func title(_ key: Int64, _ entity: SchemaEntity?, _ titles: ObjectTitles) throws -> String? {
    try entity.flatMap { try titles.title(of: ObjectKey(entity: $0.number, primaryKey: key)) }
  }

  private static func isReordered(_ change: PropertyChange) -> Bool {
    change.what == .links(removed: [], added: [], isReordered: true)
  }

  /// Of links, those that went and those that came.
  static func ends(_ change: PropertyChange) -> (DataValue, DataValue) {
    switch change.what {
    case .value(let from, let to): (from, to)
    case .links(let removed, let added, _):
      (
        removed.isEmpty ? .null : .array(removed.map(DataValue.text)),
        added.isEmpty ? .null : .array(added.map(DataValue.text))
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
