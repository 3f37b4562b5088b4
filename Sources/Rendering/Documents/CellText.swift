package import Values

/// One cell as people see it: short, and on one line.
package enum CellText {
  /// The value's text; empty for null.
  package static func of(_ value: DataValue) -> String {
    switch value {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): value.description
    case .text(let text): TerminalText.escaped(text)
    case .date(let date): date.shortISO8601 ?? "\(date.seconds) s since 2001-01-01"
    case .blob(let blob):
      if let value = blob.value, blob.kind != "text" {
        of(value)
      } else {
        of(kind: blob.kind, bytes: blob.bytes)
      }
    case .array(let elements):
      elements.contains(where: isNested)
        ? "[" + elements.map(of).joined(separator: ", ") + "]" : elements.map(of).joined(separator: ", ")
    case .object where value["externalFile"] != nil && value["problem"]?.text != nil:
      "‹" + TerminalText.escaped(value["problem"]?.text ?? "") + "›"
    case .object(let members):
      "{" + members.map { TerminalText.escaped($0.name) + ": " + of($0.value) }.joined(separator: ", ") + "}"
    }
  }

  private static func isNested(_ value: DataValue) -> Bool {
    switch value {
    case .array, .object: true
    default: false
    }
  }

  private static func of(kind: String, bytes: Int) -> String {
    let size = bytes < 10_000 ? "\(bytes) B" : "\(bytes / 1000) kB"
    return kind == "unknown" ? "‹\(size)›" : "‹\(kind) \(size)›"
  }
}
