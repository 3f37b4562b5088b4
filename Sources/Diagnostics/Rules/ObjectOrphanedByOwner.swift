import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  static let objectOrphanedByOwner = Rule(
    "object-orphaned-by-owner"
  ) { examination, findings in
    let store = examination.store
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    for entity in store.schema.entities where store.tables.holdsObjects(entity.table) {
      let owners = owners(of: entity, in: store.schema)
      let names = View.entityColumns(of: entity)
      let columns = owners.compactMap { names[$0.relationship] }.map(quotedIdentifier)
      guard !columns.isEmpty, columns.count == owners.count, let view = views[entity.name] else { continue }
      let isOrphan = columns.map { "\($0) IS NULL" }.joined(separator: " AND ")
      let counts = try store.connection.first(
        "SELECT COUNT(*), TOTAL(\(isOrphan)) FROM \(quotedIdentifier(view))"
      ) { (all: $0.integer(0), orphans: Int64(clamping: $0.real(1))) }
      guard let counts, Double(counts.orphans) >= examination.setting("least", of: findings.header),
        Double(counts.orphans) >= examination.setting("share", of: findings.header) * Double(counts.all)
      else { continue }
      let bytes = try bytes(of: entity, where: isOrphan, view: view, in: store)
      findings.add(
        subject: "\(entity.name) \(owners.map(\.relationship).joined(separator: ", "))",
        [
          "entity": .text(entity.name), "orphans": .integer(counts.orphans), "all": .integer(counts.all),
          "bytes": .integer(bytes),
          "relationships": .text(owners.map(\.relationship).joined(separator: ", ")),
          "owners": .text(owners.map(\.owner).joined(separator: ", ")),
        ])
    }
  }

  /// To-one relationships of the entity that lead to what deletes it when it is deleted itself. Trees aren't among them: a
  /// root has no parent.
  private static func owners(
    of entity: SchemaEntity, in schema: StoreSchema
  ) -> [(relationship: String, owner: String)] {
    entity.relationships.compactMap { relationship in
      guard !relationship.isInherited, case .toOne = relationship.storage,
        let inverse = relationship.description.inverse, let owner = schema[relationship.destination],
        owner.root != entity.root,
        owner.relationships.contains(where: {
          $0.name == inverse && $0.description.deleteRule == .cascade && !$0.description.isTransient
        })
      else { return nil }
      return (relationship.name, owner.name)
    }
  }

  /// Of the values in their rows; files next to the store don't count.
  private static func bytes(
    of entity: SchemaEntity, where condition: String, view: String, in store: CoreDataStore
  ) throws -> Int64 {
    let columns = store.tables.columns(of: entity.table).map {
      "COALESCE(LENGTH(CAST(t.\(quotedIdentifier($0.name)) AS BLOB)), 0)"
    }
    // Long expressions are refused.
    var bytes: Int64 = 0
    for start in stride(from: 0, to: columns.count, by: 100) {
      let sum = columns[start..<min(start + 100, columns.count)].joined(separator: " + ")
      bytes +=
        try store.connection.first(
          """
          SELECT TOTAL(\(sum)) FROM main.\(quotedIdentifier(entity.table)) t
          WHERE t.Z_PK IN (SELECT pk FROM \(quotedIdentifier(view)) WHERE \(condition))
          """
        ) { Int64(clamping: $0.real(0)) } ?? 0
    }
    return bytes
  }
}
