/// How a command's result is printed. `Renderer` is the one place that tells them apart.
package enum Format: String, Sendable, CaseIterable {
  case table, json, ndjson, csv, markdown
}
