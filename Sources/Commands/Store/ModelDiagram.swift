import Base
import Rendering
import Reports
import StoreModel

/// The model as a diagram: entities with their own attributes, relationships and inheritance.
struct ModelDiagram {
  private let entities: [SchemaEntity]
  private let graph: GraphChart

  /// - Parameter chosen: the entities that are drawn; all if there are none.
  init(_ store: CoreDataStore, _ chosen: [SchemaEntity], rows: [Int64: Int]) {
    let all = store.schema.entities
    let numbers = Set(chosen.map(\.number))
    let kept = all.indices.filter { numbers.isEmpty || numbers.contains(all[$0].number) }
    entities = kept.map { all[$0] }
    graph = EntityGraph.make(store, rows: rows).keeping(kept)
  }

  var special: [Format: () -> Document.Special] {
    [.mermaid: { .text(mermaid) }, .dot: { .text(dot) }, .svg: { .text(svg) }]
  }

  private var svg: String {
    GraphPicture.svg(
      graph, title: "Entities and relationships",
      description: Sentence.count(entities.count, "entity", "entities"))
  }

  /// A class diagram, because diagrams of entities have no inheritance: https://mermaid.js.org/syntax/classDiagram.html
  private var mermaid: String {
    var lines = ["classDiagram"]
    for (index, entity) in entities.enumerated() {
      lines.append("  class E\(index)[\"\(Self.mermaidText(entity.name))\"] {")
      if entity.isAbstract { lines.append("    <<abstract>>") }
      lines += attributes(entity).map {
        "    \(Self.mermaidText($0.type.filter { $0 != " " })) \(Self.mermaidText($0.name))"
      }
      lines.append("  }")
    }
    for edge in graph.edges {
      switch edge.kind {
      case .inheritance: lines.append("  E\(edge.to) <|-- E\(edge.from)")
      case .relationship(let manyAtStart, let manyAtEnd):
        let start = manyAtStart.map { "\"\($0 ? "*" : "0..1")\" " } ?? ""
        lines.append(
          "  E\(edge.from) \(start)\(manyAtStart == nil ? "-->" : "--") \"\(manyAtEnd ? "*" : "0..1")\" E\(edge.to) : \(Self.mermaidText(Self.names(edge)))"
        )
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// https://graphviz.org/doc/info/shapes.html#record
  private var dot: String {
    var lines = [
      "digraph model {", "  rankdir=LR;", "  node [shape=record, fontname=\"Helvetica\", fontsize=11];",
      "  edge [fontname=\"Helvetica\", fontsize=9];",
    ]
    for (index, entity) in entities.enumerated() {
      let own = attributes(entity).map { "\(Self.dotField($0.name)): \(Self.dotField($0.type))\\l" }.joined()
      let style = entity.isAbstract ? ", style=dashed" : ""
      lines.append("  E\(index) [label=\"{\(Self.dotField(entity.name))|\(own)}\"\(style)];")
    }
    for edge in graph.edges {
      let ends =
        switch edge.kind {
        case .inheritance: "arrowhead=empty"
        case .relationship(let manyAtStart, let manyAtEnd):
          "dir=both, arrowtail=\(manyAtStart == true ? "crow" : manyAtStart == false ? "tee" : "none"), arrowhead=\(manyAtEnd ? "crow" : "tee"), label=\"\(Self.dotText(Self.names(edge)))\""
        }
      lines.append("  E\(edge.from) -> E\(edge.to) [\(ends)];")
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  private func attributes(_ entity: SchemaEntity) -> [(name: String, type: String)] {
    entity.attributes.filter { !$0.isInherited }.map { ($0.name, $0.description.type.name) }
  }

  /// `Trip.entries ↔ Entry.trip`: the names alone.
  private static func names(_ edge: GraphChart.Edge) -> String {
    edge.label.split(separator: " ").filter { $0 != "↔" }.map { part in
      part.split(separator: ".", maxSplits: 1).last.map(String.init) ?? String(part)
    }.joined(separator: " / ")
  }

  /// Names come from the store: nothing in them ends a label or begins a tag.
  private static func mermaidText(_ text: String) -> String {
    String(
      TerminalText.escaped(text).map { "\"<>{}[]()#;:`~\\$*\n".contains($0) ? "_" : $0 })
  }

  private static func dotText(_ text: String) -> String {
    TerminalText.escaped(text).map { "\"\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }

  private static func dotField(_ text: String) -> String {
    TerminalText.escaped(text).map { "\"\\{}|<> ".contains($0) ? "\\\($0)" : "\($0)" }.joined()
  }
}
