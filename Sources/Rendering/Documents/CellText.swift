package import Values

/// One cell as people see it: short, and on one line.
package enum CellText {
  /// The value's text; empty for null.
  package static func of(_ value: DataValue, dates: DateText = DateText()) -> String {
    switch value {
    case .null: ""
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): String(value)
    case .real(let value): value.description
    case .text(let text): TerminalText.escaped(text)
    case .date(let date): dates.second(date)
    case .blob(let blob):
      if let value = blob.value, blob.kind != "text" {
        of(value, dates: dates)
      } else {
        of(kind: blob.kind, bytes: blob.bytes)
      }
    case .array(let elements):
      elements.contains(where: isNested)
        ? "[" + texts(elements, dates) + "]" : texts(elements, dates)
    case .object where value["externalFile"] != nil && value["problem"]?.text != nil:
      "‹" + TerminalText.escaped(value["problem"]?.text ?? "") + "›"
    case .object(let members):
      "{"
        + members.map { TerminalText.escaped($0.name) + ": " + of($0.value, dates: dates) }
        .joined(separator: ", ") + "}"
    }
  }

  private static func texts(_ elements: [DataValue], _ dates: DateText) -> String {
    elements.map { of($0, dates: dates) }.joined(separator: ", ")
  }

  private static func isNested(_ value: DataValue) -> Bool {
    switch value {
    case .array, .object: true
    default: false
    }
  }

  private static func of(kind: String, bytes: Int) -> String {
    let size = Sentence.size(Int64(bytes))
    return kind == "unknown" ? "‹\(size)›" : "‹\(kind) \(size)›"
  }
}
