/// How a command's result is printed. `Renderer` is the one place that distinguishes them.
package enum Format: String, Sendable, CaseIterable {
  case table
  /// As `table`, one line per cell.
  case vertical
  case json, ndjson, csv, markdown
  /// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
  case sarif
  /// The XML that build servers read test results from.
  case junit
  /// A page for a browser.
  case html
  /// Diagrams: https://mermaid.js.org, https://graphviz.org, and a picture.
  case mermaid, dot, svg

  /// Those that every command prints; a document brings the text of the others along.
  package static let common: [Format] = [.table, .vertical, .json, .ndjson, .csv, .markdown]
}
