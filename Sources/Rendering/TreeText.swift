import Values

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
    default: text += indentation(depth) + CellText.of(value) + "\n"
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
          + CellText.of(value) + "\n"
      }
    }
  }

  private static func isNested(_ value: DataValue) -> Bool {
    switch value {
    case .object(let members): !members.isEmpty
    case .array(let elements): elements.contains { isContainer($0) }
    default: false
    }
  }

  private static func isContainer(_ value: DataValue) -> Bool {
    switch value {
    case .object, .array: true
    default: false
    }
  }

  private static func indentation(_ depth: Int) -> String { String(repeating: "  ", count: depth) }
}
