package import Base

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
      elements.contains(where: \.isContainer)
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

  private static func of(kind: String, bytes: Int) -> String {
    let size = Sentence.size(Int64(bytes))
    return kind == "unknown" ? "‹\(size)›" : "‹\(kind) \(size)›"
  }
}

/// A nested value, a member a line, indented by its depth.
enum TreeText {
  static func of(_ value: DataValue, style: TextStyle) -> String {
    var text = ""
    write(value, depth: 0, style: style, into: &text)
    return text
  }

  private static func write(_ value: DataValue, depth: Int, style: TextStyle, into text: inout String) {
    switch value {
    case .object(let members): entries(members.map { ($0.name, $0.value) }, depth, style, &text)
    case .array(let elements): entries(elements.map { ("-", $0) }, depth, style, &text)
    default: text += indentation(depth) + line(value, indent: 2 * depth, style) + "\n"
    }
  }

  private static func entries(
    _ entries: [(String, DataValue)], _ depth: Int, _ style: TextStyle, _ text: inout String
  ) {
    let width = entries.filter { !isNested($0.1) }.map { TerminalText.width($0.0) }.max() ?? 0
    for (name, value) in entries {
      let name = TerminalText.escaped(name)
      if isNested(value) {
        text += indentation(depth) + style.faint(name) + "\n"
        write(value, depth: depth + 1, style: style, into: &text)
      } else {
        text +=
          indentation(depth) + style.faint(TerminalText.padded(name, to: width, right: false)) + "  "
          + line(value, indent: 2 * depth + width + 2, style) + "\n"
      }
    }
  }

  private static func line(_ value: DataValue, indent: Int, _ style: TextStyle) -> String {
    let text = CellText.of(value, dates: style.dates)
    return style.width.map { TerminalText.wrapped(text, to: $0, indent: indent) } ?? text
  }

  private static func isNested(_ value: DataValue) -> Bool {
    switch value {
    case .object(let members): !members.isEmpty
    case .array(let elements): elements.contains(where: \.isContainer)
    default: false
    }
  }

  private static func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}

extension DataValue {
  fileprivate var isContainer: Bool {
    switch self {
    case .array, .object: true
    default: false
    }
  }
}
