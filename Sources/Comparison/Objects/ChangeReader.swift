import Lens
import SQLite
import StoreModel
import Values

/// Reads what changed in single objects of one entity.
package final class ChangeReader {
  private let pair: EntityPair
  private let comparer: RowComparer
  private let links: [LinkReader]
  private let ours: Cursor?
  private let theirs: Cursor?
  private let objects: CommonObjects
  private let targets: [String: (store: RelationshipTarget, other: RelationshipTarget)]

  init(_ pair: EntityPair, _ links: [LinkPair], _ rows: RowComparer, _ linkComparer: LinkComparer) throws {
    self.pair = pair
    comparer = rows
    objects = linkComparer.objects
    self.links = try links.map { try LinkReader($0, linkComparer) }
    func cursor(_ entity: SchemaEntity?, _ columns: [String], _ store: ComparedStore) throws -> Cursor? {
      try entity.map { try store.cursor(EntityPair.select(columns, from: $0) + " WHERE Z_PK = ?") }
    }
    ours = try cursor(pair.store, pair.storeColumns, rows.store)
    theirs = try cursor(pair.other, pair.otherColumns, rows.other)
    var targets: [String: (RelationshipTarget, RelationshipTarget)] = [:]
    for property in pair.properties {
      guard case .toOne(_, let one, let two) = property.kind else { continue }
      targets[property.name] = (
        RelationshipTarget(entity: one.relationship.destination, in: rows.store.store),
        RelationshipTarget(entity: two.relationship.destination, in: rows.other.store)
      )
    }
    self.targets = targets
  }

  /// The properties of an object of both stores that differ; `key` is the store's.
  package func changes(of key: Int64) throws -> [PropertyChange] {
    guard let ours, let theirs, let root = pair.store?.root, let otherKey = otherKey(of: key, root: root),
      try ours.find(key), try theirs.find(otherKey)
    else { return [] }
    var changes: [PropertyChange] = []
    for property in pair.properties where comparer.differs(property, ours.row, theirs.row) {
      changes.append(
        PropertyChange(
          name: property.name,
          what: .value(
            from: value(property, ours.row, isOther: false), to: value(property, theirs.row, isOther: true))))
    }
    for link in links {
      let difference = try link.difference(key)
      guard !difference.isEmpty else { continue }
      let uris = try link.uris(difference)
      changes.append(
        PropertyChange(
          name: link.pair.name,
          what: .links(removed: uris.removed, added: uris.added, isReordered: difference.isReordered)))
    }
    return changes
  }

  /// The other store's key of an object that both have.
  package func otherKey(of key: Int64) -> Int64? {
    pair.store.flatMap { otherKey(of: key, root: $0.root) }
  }

  private func otherKey(of key: Int64, root: Int64) -> Int64? { objects.partner(of: key, root: root) }

  private func value(_ property: PropertyPair, _ row: Statement, isOther: Bool) -> DataValue {
    switch property.kind {
    case .attribute(_, let store, let other):
      let whole = isOther ? other : store
      let leaves = whole.leaves.map { ($0.attribute.path, $0.decoder.value(row.cell($0.cell))) }
      return CompositeValue.assemble(
        whole.attribute, Dictionary(leaves, uniquingKeysWith: { one, _ in one }))
    case .toOne(let cells, let store, let other):
      let target = isOther ? other : store
      guard let key = row.optionalInteger(isOther ? cells.other : cells.store),
        let uris = targets[property.name]
      else { return .null }
      return .text(
        (isOther ? uris.other : uris.store).uri(
          of: key, entity: target.entityCell.flatMap(row.optionalInteger)))
    }
  }
}
