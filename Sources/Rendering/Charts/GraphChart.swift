/// Things and what connects them: entities, their relationships and who inherits from whom.
package struct GraphChart: Sendable, Equatable {
  package struct Node: Sendable, Equatable {
    package var label: String
    /// A few words below the name.
    package var note: String
    /// Drawn with a broken line: it has no objects of its own.
    package var isAbstract: Bool

    package init(_ label: String, note: String, isAbstract: Bool = false) {
      self.label = label
      self.note = note
      self.isAbstract = isAbstract
    }
  }

  package struct Edge: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
      /// From the entity to its parent.
      case inheritance
      /// How many there are at either end; nil at the end of a relationship without an inverse.
      case relationship(manyAtStart: Bool?, manyAtEnd: Bool)
    }

    package var from: Int
    package var to: Int
    package var kind: Kind
    package var label: String

    package init(from: Int, to: Int, kind: Kind, label: String) {
      self.from = from
      self.to = to
      self.kind = kind
      self.label = label
    }
  }

  package var nodes: [Node]
  /// Between nodes by their index.
  package var edges: [Edge]

  package init(nodes: [Node], edges: [Edge]) {
    self.nodes = nodes
    self.edges = edges.filter { nodes.indices.contains($0.from) && nodes.indices.contains($0.to) }
  }

  /// The chart of these nodes alone, with what connects them.
  package func keeping(_ kept: [Int]) -> GraphChart {
    let places = Dictionary(kept.enumerated().map { ($1, $0) }) { first, _ in first }
    return GraphChart(
      nodes: kept.map { nodes[$0] },
      edges: edges.compactMap { edge in
        guard let from = places[edge.from], let to = places[edge.to] else { return nil }
        return Edge(from: from, to: to, kind: edge.kind, label: edge.label)
      })
  }
}
