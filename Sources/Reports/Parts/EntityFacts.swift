package import Base
package import Rendering
import SQLite
package import StoreModel

/// One entity: its place in the model and its rows.
package struct EntityFacts: HasFields {
  package var name: String
  package var number: Int64
  package var parent: String?
  package var table: String
  /// Nil if its table can't be read.
  package var rows: Int?
  package var attributes: Int
  package var relationships: Int
  package var isAbstract: Bool

  static func read(
    _ store: CoreDataStore, _ parts: inout PartReader, progress: (String) -> Void
  ) throws -> [EntityFacts] {
    var unread: [(table: String, error: SQLiteError)] = []
    let rows = try store.rowCounts {
      progress("counting \($0)")
    } skip: {
      unread.append(($0, $1))
    }
    for (table, error) in unread {
      let names = store.schema.entities.filter { $0.table == table }.map(\.name)
      parts.add("Objects of \(names.joined(separator: ", "))", error)
    }
    return store.schema.entities.map { entity in
      EntityFacts(
        entity, in: store.schema,
        rows: unread.contains { $0.table == entity.table } ? nil : rows[entity.number] ?? 0)
    }
  }

  init(_ entity: SchemaEntity, in schema: StoreSchema, rows: Int?) {
    name = entity.name
    number = entity.number
    parent = entity.parent.flatMap { schema[$0]?.name }
    table = entity.table
    self.rows = rows
    attributes = entity.attributes.count
    relationships = entity.relationships.count
    isAbstract = entity.isAbstract
  }

  package static let fields: [Field<Self>] = [
    Field("name", "the model's name") { $0.name }, Field("number", "its number in this store") { $0.number },
    Field("parent", "the entity it inherits from") { $0.parent },
    Field("table", "the table of its rows") { $0.table },
    Field("rows", "objects of exactly this entity") { $0.rows },
    Field("attributes", "attributes, inherited ones included") { $0.attributes },
    Field("relationships", "relationships, inherited ones included") { $0.relationships },
    Field("abstract", "whether it has no objects of its own") { $0.isAbstract },
  ]
}

/// The entities as a graph: each pair of inverse relationships is one line.
package enum EntityGraph {
  /// All entities, with their numbers of rows.
  package static func make(_ store: CoreDataStore, rows: [Int64: Int]) -> GraphChart {
    let entities = store.schema.entities
    let facts = entities.map { EntityFacts($0, in: store.schema, rows: rows[$0.number] ?? 0) }
    return make(store, facts, atMost: entities.count)
  }

  /// More boxes than this are no picture any more.
  static let mostNodes = 150

  /// The graph without entities that have no objects, unless others inherit from them or all are empty.
  static func folded(_ graph: GraphChart, _ facts: [EntityFacts]) -> GraphChart {
    let filled = facts.filter { $0.rows != 0 }
    let parents = Dictionary(firstOf: facts.map { ($0.name, $0.parent) })
    var shown: Set<String> = []
    for facts in filled.isEmpty ? facts : filled {
      var name: String? = facts.name
      while let next = name, shown.insert(next).inserted { name = parents[next] ?? nil }
    }
    return graph.keeping(graph.nodes.indices.filter { shown.contains(graph.nodes[$0].label) })
  }

  static func make(
    _ store: CoreDataStore, _ facts: [EntityFacts], atMost limit: Int = mostNodes
  ) -> GraphChart {
    let entities = Array(store.schema.entities.prefix(limit))
    let indexes = Dictionary(
      firstOf: entities.enumerated().map { ($1.number, $0) })
    let nodes = zip(entities, facts).map { entity, facts in
      GraphChart.Node(
        entity.name,
        note: facts.isAbstract && facts.rows == 0
          ? "abstract" : facts.rows.map { Sentence.count($0, "object") } ?? "unreadable",
        isAbstract: facts.isAbstract)
    }
    var edges: [GraphChart.Edge] = []
    var drawn: Set<String> = []
    for (index, entity) in entities.enumerated() {
      if let parent = entity.parent.flatMap({ indexes[$0] }) {
        edges.append(
          .init(
            from: index, to: parent, kind: .inheritance,
            label: "\(entity.name) inherits from \(entities[parent].name)"))
      }
      for relationship in entity.relationships where !relationship.isInherited {
        guard let target = indexes[relationship.destination] else { continue }
        let inverse = relationship.description.inverse
        let own = "\(entity.name).\(relationship.name)"
        guard let inverse else {
          edges.append(
            .init(
              from: index, to: target,
              kind: .relationship(manyAtStart: nil, manyAtEnd: relationship.description.isToMany), label: own)
          )
          continue
        }
        let other = "\(entities[target].name).\(inverse)"
        guard drawn.insert([own, other].sorted().joined(separator: " ↔ ")).inserted else { continue }
        let back = entities[target].relationships.first { $0.name == inverse }
        edges.append(
          .init(
            from: index, to: target,
            kind: .relationship(
              manyAtStart: back?.description.isToMany ?? false, manyAtEnd: relationship.description.isToMany),
            label: "\(own) ↔ \(other)"))
      }
    }
    return GraphChart(nodes: nodes, edges: edges)
  }
}
