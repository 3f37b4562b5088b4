import Base
import Lens
import SQLite
import StoreModel

/// Finds the objects of one entity that differ, reading both stores in the order of their keys.
struct RowComparer {
  let store: ComparedStore
  let other: ComparedStore
  /// Nil where objects are matched by their keys.
  let partners: Partners?
  let step: () -> Void

  func difference(_ pair: EntityPair) throws -> EntityDifference {
    var difference = EntityDifference(
      name: pair.name, store: store.schema[pair.name], other: other.schema[pair.name])
    if let partners {
      try compare(pair, partners, &difference)
    } else {
      try merge(pair, &difference)
    }
    return difference
  }

  // MARK: By key

  private func merge(_ pair: EntityPair, _ difference: inout EntityDifference) throws {
    let ours = try pair.store.map { try store.cursor(Self.sql($0, pair.storeColumns)) }
    let theirs = try pair.other.map { try other.cursor(Self.sql($0, pair.otherColumns)) }
    var hasOurs = try ours?.next() ?? false
    var hasTheirs = try theirs?.next() ?? false
    while hasOurs || hasTheirs {
      step()
      let key = hasOurs ? ours?.row.integer(0) : nil
      let otherKey = hasTheirs ? theirs?.row.integer(0) : nil
      if let key, let otherKey, key == otherKey, let ours, let theirs {
        if try differs(pair, ours.row, theirs.row) { difference.changed.append(key) }
        difference.rows.store += 1
        difference.rows.other += 1
        hasOurs = try ours.next()
        hasTheirs = try theirs.next()
      } else if let key, let ours, otherKey.map({ key < $0 }) ?? true {
        difference.removed.append(key)
        difference.rows.store += 1
        hasOurs = try ours.next()
      } else if let otherKey, let theirs {
        difference.added.append(otherKey)
        difference.rows.other += 1
        hasTheirs = try theirs.next()
      }
    }
  }

  /// The rows of exactly this entity, by key.
  private static func sql(_ entity: SchemaEntity, _ columns: [String]) -> String {
    EntityPair.select(columns, from: entity) + " WHERE Z_ENT = \(entity.number) ORDER BY Z_PK"
  }

  // MARK: By record

  private func compare(
    _ pair: EntityPair, _ partners: Partners, _ difference: inout EntityDifference
  ) throws {
    let lookup = try pair.other.map { try other.cursor(Self.lookup($0, pair.otherColumns)) }
    // Of the other store's objects, those whose partner has a row: a record may outlive its object.
    let found = ObjectMap(empty: false, bytes: ComparedStore.mapBytes)
    if let entity = pair.store {
      let ours = try store.cursor(Self.sql(entity, pair.storeColumns))
      while try ours.next() {
        step()
        let key = ours.row.integer(0)
        difference.rows.store += 1
        switch try partners.partner(of: key, root: entity.root) {
        case .unknown: difference.unmatched.store.append(key)
        case .none: difference.removed.append(key)
        case .key(let otherKey):
          guard let lookup, try lookup.find(otherKey) else {
            difference.removed.append(key)
            continue
          }
          if try differs(pair, ours.row, lookup.row) { difference.changed.append(key) }
          try found.set(ObjectKey(number: otherKey), true)
        }
      }
    }
    guard let entity = pair.other else { return }
    let theirs = try other.cursor(Self.sql(entity, []))
    while try theirs.next() {
      step()
      let key = theirs.row.integer(0)
      difference.rows.other += 1
      switch try partners.partner(ofOther: key, root: entity.root) {
      case .unknown: difference.unmatched.other.append(key)
      case .none: difference.added.append(key)
      case .key:
        if try !found[ObjectKey(number: key)] { difference.added.append(key) }
      }
    }
  }

  private static func lookup(_ entity: SchemaEntity, _ columns: [String]) -> String {
    EntityPair.select(columns, from: entity) + " WHERE Z_PK = ? AND +Z_ENT = \(entity.number)"
  }

  // MARK: Cells

  private func differs(_ pair: EntityPair, _ row: Statement, _ otherRow: Statement) throws -> Bool {
    for cells in pair.plainCells where !row.cell(cells.store).holdsSame(as: otherRow.cell(cells.other)) {
      return true
    }
    for target in pair.targets {
      let (one, two) = (row.cell(target.cells.store), otherRow.cell(target.cells.other))
      if try leadsElsewhere(one, two, roots: (target.root, target.otherRoot)) { return true }
    }
    return try pair.others.contains { try differs($0, row, otherRow) }
  }

  private func leadsElsewhere(_ one: Cell, _ two: Cell, roots: (store: Int64, other: Int64)) throws -> Bool {
    guard let partners, one.type == .integer, two.type == .integer else { return !one.holdsSame(as: two) }
    return switch try partners.partner(of: one.integer, root: roots.store) {
    case .key(let key): key != two.integer
    case .none: true
    // Of two targets without records nothing can be said.
    case .unknown: try partners.partner(ofOther: two.integer, root: roots.other) != .unknown
    }
  }

  func differs(_ property: PropertyPair, _ row: Statement, _ otherRow: Statement) throws -> Bool {
    switch property.kind {
    case .attribute(let cells, _, _):
      return cells.contains { cells in
        let (one, two) = (row.cell(cells.store), otherRow.cell(cells.other))
        guard cells.mayBeInFile else { return !one.holdsSame(as: two) }
        return !ExternalContents.areSame(
          .init(cell: one, files: store.store.externalFiles, isTagged: cells.isExternal.store),
          .init(cell: two, files: other.store.externalFiles, isTagged: cells.isExternal.other))
      }
    case .toOne(let cells, let target, let otherTarget):
      return try leadsElsewhere(
        row.cell(cells.store), otherRow.cell(cells.other), roots: (target.root, otherTarget.root))
    }
  }
}

/// Values that may lie in files: what counts is the content, as each save gives its file a new name.
enum ExternalContents {
  struct Side {
    var cell: Cell
    var files: ExternalFiles
    /// Whether the attribute's values bear a tag.
    var isTagged: Bool
  }

  static func areSame(_ one: Side, _ other: Side) -> Bool {
    let isSame = one.cell.holdsSame(as: other.cell)
    guard one.cell.type == .blob, other.cell.type == .blob else { return isSame }
    let places = (place(one), place(other))
    guard places.0 != nil || places.1 != nil else {
      return isSame && one.isTagged == other.isTagged || content(one) == content(other)
    }
    if let file = places.0, file.path == places.1?.path { return true }
    if let file = places.0, let other = places.1, file.state != other.state { return false }
    switch (content(one), content(other)) {
    case (let content?, let otherContent?): return content == otherContent
    // Neither can be read: both are missing, or links.
    case (nil, nil): return isSame
    default: return false
    }
  }

  /// The file that has the value; nil where the cell itself has it.
  private static func place(_ side: Side) -> ContainedFile? {
    guard side.isTagged else { return nil }
    return side.cell.withBytes { bytes in
      switch ExternalValue(bytes) {
      case .file(let name) where ExternalFiles.isFileName(name): side.files.file(name, .externalData)
      case .fileBackedFuture(let name, _) where ExternalFiles.isFileName(name):
        side.files.file(name, .fileBackedFuture)
      default: nil
      }
    }
  }

  /// Nil where it can't be read.
  private static func content(_ side: Side) -> [UInt8]? {
    side.cell.withBytes { bytes in
      side.isTagged ? try? ExternalValue.content(of: bytes, side.files) ?? [] : [UInt8](bytes)
    }
  }
}
