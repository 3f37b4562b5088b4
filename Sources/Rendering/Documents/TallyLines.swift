import Values

/// Names with numbers, line by line in their order, so that what a screen cuts off is what comes last. One with a note
/// has a line of its own; between two of them the others share lines, all in the same columns.
enum TallyLines {
  private static let (indent, gap) = (2, 3)

  static func of(_ entries: [(name: String, count: Int, note: String)], _ style: TextStyle) -> String {
    let width = style.width ?? 80
    let entries = entries.map { entry -> Entry in
      (
        name: TerminalText.shortened(
          TerminalText.escaped(entry.name), to: max(8, width - 20), keepsEnd: true),
        count: Sentence.number(entry.count), note: TerminalText.escaped(entry.note)
      )
    }
    // As many columns as fit.
    var columns = max(1, width / (1 + 2 + 1 + gap))
    while columns > 1, taken(widths(of: lines(entries, columns))) > width { columns -= 1 }
    let lines = lines(entries, columns)
    let widths = widths(of: lines)
    return lines.map { line -> String in
      var text = String(repeating: " ", count: indent)
      text += zip(line, widths).map(cell).joined(separator: String(repeating: " ", count: gap))
      guard let first = line.first, let width = widths.first, !first.note.isEmpty else { return text + "\n" }
      let start = indent + width.name + 2 + width.count + 2
      let note = TerminalText.wrapped(
        "(\(first.note))", to: style.width ?? 80, indent: start, breaksWords: true)
      return "\(text)  \(note)\n"
    }.joined()
  }

  private typealias Entry = (name: String, count: String, note: String)

  private static func lines(_ entries: [Entry], _ columns: Int) -> [[Entry]] {
    var lines: [[Entry]] = []
    for entry in entries {
      if let line = lines.last, entry.note.isEmpty, line[0].note.isEmpty, line.count < columns {
        lines[lines.count - 1].append(entry)
      } else {
        lines.append([entry])
      }
    }
    return lines
  }

  private static func taken(_ widths: [(name: Int, count: Int)]) -> Int {
    widths.reduce(indent - gap) { $0 + $1.name + 2 + $1.count + gap }
  }

  private static func cell(_ entry: Entry, _ width: (name: Int, count: Int)) -> String {
    TerminalText.padded(entry.name, to: width.name, right: false) + "  "
      + TerminalText.padded(entry.count, to: width.count, right: true)
  }

  private static func widths(of lines: [[Entry]]) -> [(name: Int, count: Int)] {
    (0..<(lines.map(\.count).max() ?? 0)).map { column in
      let entries = lines.compactMap { $0.indices.contains(column) ? $0[column] : nil }
      return (entries.map { TerminalText.width($0.name) }.max() ?? 0, entries.map(\.count.count).max() ?? 0)
    }
  }
}
