import Base
import Comparison
import Lens
import Rendering
import StoreModel

/// The objects that differ, read while they are printed: one stream, of which text, JSON and CSV each take what they show.
struct DiffObjects {
  enum Change: String, CaseIterable {
    case added, removed, changed

    var meaning: String {
      switch self {
      case .added: "objects that only the other store has"
      case .removed: "objects that only the first store has"
      case .changed: "objects that differ"
      }
    }
  }

  struct Object {
    let prefix: [UInt8]
    let key: Int64
    /// In the other store.
    let otherKey: Int64
    /// What differs. Of an object that only one store has, its values if they are asked for.
    let properties: [PropertyChange]
    let title: () throws -> String?
  }

  private let comparison: StoreComparison
  private let stores: (store: CoreDataStore, other: CoreDataStore)
  private let uuids: (store: String, other: String)
  private let titles: (store: ObjectTitles, other: ObjectTitles)

  init(
    _ comparison: StoreComparison, stores: (store: CoreDataStore, other: CoreDataStore),
    uuids: (store: String, other: String)
  ) {
    self.comparison = comparison
    self.stores = stores
    self.uuids = uuids
    titles = (ObjectTitles(stores.store), ObjectTitles(stores.other))
  }

  /// Calls `body` with each object of one entity with this change, until it returns false.
  /// - Returns: false if it did.
  @discardableResult
  func forEach(
    _ change: Change, _ index: Int, hasValues: Bool = false, _ body: (Object) throws -> Bool
  ) throws -> Bool {
    let entity = comparison.entities[index]
    let isAdded = change == .added
    let prefix = ObjectURI.prefix(storeUUID: isAdded ? uuids.other : uuids.store, entity: entity.name)
    let (number, titles) =
      isAdded ? (entity.other?.number, titles.other) : (entity.store?.number, titles.store)
    func pass(_ key: Int64, _ otherKey: Int64, _ properties: [PropertyChange]) throws -> Bool {
      try body(
        Object(prefix: prefix, key: key, otherKey: otherKey, properties: properties) {
          try number.flatMap { try titles.title(of: ObjectKey(entity: $0, primaryKey: key)) }
        })
    }
    if change == .changed {
      guard let objects = comparison.objects, !entity.changed.isEmpty else { return true }
      let reader = try objects.changes(of: comparison.entityIndexes[index])
      return try entity.changed.forEach {
        try pass($0, reader.otherKey(of: $0) ?? $0, reader.changes(of: $0))
      }
    }
    guard hasValues, let rows = try rows(change, of: entity) else {
      return try entity[change].forEach { try pass($0, $0, []) }
    }
    // URI, key and entity come first.
    let names = rows.columns.dropFirst(3).map(\.name)
    var goesOn = true
    try withoutActuallyEscaping(pass) { pass in
      let collector = RowCollector { cells in
        guard case .integer(let key)? = cells.dropFirst().first ?? nil else { return true }
        goesOn = try pass(
          key, key,
          zip(names, cells.dropFirst(3)).compactMap { name, value in
            guard let value, value != .null else { return nil }
            let what = PropertyChange.What.value(from: isAdded ? .null : value, to: isAdded ? value : .null)
            return PropertyChange(name: name, what: what)
          })
        return goesOn
      }
      try rows.produce(into: collector, isWanted: entity[change].contains) {}
    }
    return goesOn
  }

  /// Objects that only one store has, with their values as `rows` prints them; nil if there are none.
  private func rows(_ change: Change, of entity: EntityDifference) throws -> ObjectRows? {
    guard let found = change == .added ? entity.other : entity.store, let first = entity[change].runs.first,
      let last = entity[change].runs.last
    else { return nil }
    var options = ObjectRows.Options()
    options.includesSubentities = false
    // Other links are at their other end.
    options.toMany = .untold
    options.primaryKeys = first.lowerBound...last.upperBound
    return try ObjectRows(found, in: change == .added ? stores.other : stores.store, options: options)
  }

  // MARK: - JSON

  static let areMatchedByRecord = "objects are matched by record"
  private static let areCompared = "objects are compared"

  static let keys: [Shape.Key] = [
    .init("added", .list(.uri), Change.added.meaning, if: areCompared),
    .init("removed", .list(.uri), Change.removed.meaning, if: areCompared),
    .init(
      "changed",
      .list(
        .object([
          .init("uri", .uri, "the object"),
          .init("other", .uri, "the same object in the other store", if: "it has another URI there"),
          .init("title", .text.orNull, "what people would recognize it by"),
          .init("properties", .list(PropertyChange.shape), "what differs"),
        ])), Change.changed.meaning, if: areCompared),
    .init(
      "addedObjects", .list(ObjectRows.shape), "those in 'added', with their values", if: "there are some"),
    .init(
      "removedObjects", .list(ObjectRows.shape), "those in 'removed', with their values",
      if: "there are some"),
    .init(
      "unmatchedInStore", .list(.uri), "objects of the first store without a record to match them by",
      if: areMatchedByRecord),
    .init("unmatchedInOther", .list(.uri), "the same of the other store", if: areMatchedByRecord),
  ]

  /// Lists of one of the comparison's entities.
  func fields(_ index: Int) throws -> [Document.Field] {
    let entity = comparison.entities[index]
    // `other` is a changed object's URI in the other store, where that is another one.
    let others =
      uuids.store == uuids.other && comparison.matching == .key
      ? nil : ObjectURI.prefix(storeUUID: uuids.other, entity: entity.name)
    let names = ["uri"] + (others == nil ? [] : ["other"]) + ["title", "properties"]
    let changed = RowStream(columns: names.map { .init($0) }) { sink in
      try forEach(.changed, index) { object in
        sink.beginRow()
        sink.objectURI(prefix: object.prefix, primaryKey: object.key)
        if let others { sink.objectURI(prefix: others, primaryKey: object.otherKey) }
        sink.value(.optional(try object.title()))
        sink.value(.array(object.properties.map(\.value)))
        return try sink.endRow()
      }
    }
    var fields: [Document.Field] = [
      .init("added", list: list(entity.added, entity.name, uuids.other)),
      .init("removed", list: list(entity.removed, entity.name, uuids.store)),
      .init("changed", rows: changed),
    ]
    for (name, change) in [("addedObjects", Change.added), ("removedObjects", .removed)] {
      guard let rows = try rows(change, of: entity) else { continue }
      let keys = entity[change]
      fields.append(
        .init(
          name,
          rows: RowStream(columns: rows.columns.map { .init($0.name) }, count: { keys.count }) { sink in
            try rows.produce(into: sink, isWanted: keys.contains) {}
          }))
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

  // MARK: - CSV

  /// All of it, one row per property; for added and removed objects one row each, followed by one per value if `hasValues`.
  /// A row with `reordered` has neither value: the same links have another order.
  func flat(hasValues: Bool) -> RowStream {
    RowStream(
      columns: ["change", "entity", "uri", "property", "from", "to", "title"].map { .init($0) }
    ) { sink in
      for index in comparison.entities.indices {
        for change in Change.allCases {
          let goesOn = try forEach(change, index, hasValues: hasValues) { object in
            let title = try object.title()
            func row(_ what: String, _ cells: [DataValue]) throws -> Bool {
              sink.beginRow()
              sink.value(.text(what))
              sink.value(.text(comparison.entities[index].name))
              sink.objectURI(prefix: object.prefix, primaryKey: object.key)
              for cell in cells { sink.value(cell) }
              sink.value(.optional(title))
              return try sink.endRow()
            }
            if change != .changed, try !row(change.rawValue, [.null, .null, .null]) { return false }
            return try object.properties.allSatisfy { property in
              let (from, to) = property.ends
              return try row(
                property.isReordering ? "reordered" : change.rawValue, [.text(property.name), from, to])
            }
          }
          guard goesOn else { return }
        }
      }
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

extension EntityDifference {
  subscript(change: DiffObjects.Change) -> KeyList {
    switch change {
    case .added: added
    case .removed: removed
    case .changed: changed
    }
  }
}

extension [EntityDifference] {
  /// How many objects of each differ.
  func counts(under name: String) -> RowStream {
    RowStream(
      objects: map { entity in
        .object(
          [.init(name, .text(entity.name))]
            + DiffObjects.Change.allCases.map { .init($0.rawValue, .count(entity[$0].count)) })
      })
  }
}

extension PropertyChange {
  fileprivate var isReordering: Bool { what == .links(removed: [], added: [], isReordered: true) }

  /// Of links, those that went and those that came.
  var ends: (DataValue, DataValue) {
    switch what {
    case .value(let from, let to): (from, to)
    case .links(let removed, let added, _):
      (
        removed.isEmpty ? .null : .array(removed.map(DataValue.text)),
        added.isEmpty ? .null : .array(added.map(DataValue.text))
      )
    }
  }
}
