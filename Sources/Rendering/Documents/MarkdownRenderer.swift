import Base

/// Documents as GitHub-flavoured Markdown, to paste in an issue.
/// https://github.github.com/gfm/#tables-extension-
struct MarkdownRenderer {
  let output: OutputBuffer
  let limit: Int
  let dates: DateText
  /// Before each line of a table in a list.
  var indent = ""

  func render(_ document: Document) throws {
    for (index, block) in document.blocks.enumerated() {
      if index > 0 { output.text("\n") }
      switch block {
      case .heading(let text): output.text("## \(escaped(text))\n")
      case .text(let text):
        output.text(
          text.split(separator: "\n").map { sentence(String($0)) }.joined(separator: "\n")
            + "\n")
      case .list(let sentences): for text in sentences { output.text("- \(sentence(text))\n") }
      case .pairs(let pairs, _):
        for (name, value) in pairs { item(name, CellText.of(value, dates: dates)) }
      case .facts(let facts):
        for fact in facts { item(fact.name, dates.shortened(fact.text(dates))) }
      case .tally(let entries):
        for entry in entries {
          let note = entry.note.isEmpty ? "" : " (\(entry.note))"
          item(entry.name, Sentence.number(entry.count) + note)
        }
      case .groups(let groups):
        for group in try groups() {
          item(Sentence.number(group.count), group.title)
          for item in group.items {
            let parts = [item.name, item.title, item.date.map { dates.minute($0) }, item.note]
            output.text(
              "  - \(escaped(parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: ", ")))\n")
            for line in item.lines { output.text("    - \(escaped(line))\n") }
          }
          if let rest = group.rest(dates) { output.text("  - \(escaped(rest))\n") }
        }
      case .state(let word, let rest, _):
        output.text("**\(escaped(word))**\(escaped(dates.shortened(rest(dates))))\n")
      case .table(let stream): try table(stream)
      case .items(let items): try list(items)
      case .tree(let value): fenced(TreeText.of(value, style: TextStyle(dates: dates)))
      case .verbatim(let text): fenced(text)
      case .lines(let lines): fenced(lines.map { TerminalText.escaped($0) + "\n" }.joined())
      case .chart(let chart): fenced(ChartText.of(try chart(), style: TextStyle(width: 80)))
      // `Document.plainBlocks` has none of them.
      case .section, .figures, .pictures, .grid: continue
      }
    }
  }

  private func sentence(_ text: String) -> String { escaped(dates.shortened(text)) }

  private func table(_ stream: RowStream) throws {
    var isFirst = true
    let sink = TextRowSink(
      of: stream, limit: stream.showsAll ? .max : limit, longestCell: 200, dates: dates
    ) { cells in
      if isFirst {
        line(stream.columns.map { escaped($0.name) })
        line(zip(stream.columns, cells).map { $0.isNumber || $1.kind == .number ? "---:" : "---" })
        isFirst = false
      }
      line(
        zip(stream.columns, cells).map { column, cell in
          if cell.kind == .null { return stream.showsNull ? "NULL" : "" }
          return escaped(column.isSentence ? dates.shortened(cell.text) : cell.text)
        })
      return !output.isClosed
    }
    try stream.produce(sink)
    guard !isFirst else { return output.text(indent + escaped(try stream.emptyText()) + "\n") }
    if let last = try stream.lastLine(shown: sink.rows, isCut: sink.wasLimited, dates) {
      output.text(
        "\n" + last.split(separator: "\n").map { indent + escaped(String($0)) }.joined(separator: "\n") + "\n"
      )
    }
  }

  /// A section per mark; below each item what else there is to say, so that no two run together.
  private func list(_ items: [ListedItem]) throws {
    var rest = items[...]
    while let mark = rest.first?.mark {
      let section = rest.prefix { $0.mark == mark }
      if rest.count < items.count { output.text("\n") }
      output.text("### \(escaped(Sentence.begun(Sentence.form(section.count, mark))))\n\n")
      for item in section { try self.item(item) }
      rest = rest.dropFirst(section.count)
    }
  }

  private func item(_ item: ListedItem) throws {
    let name = TerminalText.escaped(item.name).filter { $0 != "`" }
    output.text("- **\(sentence(item.titles.first ?? ""))** (`\(name)`)\n")
    for line in item.lines {
      switch line {
      case .text(let text): output.text("  - \(sentence(text))\n")
      case .labeled(let label, let text): output.text("  - **\(escaped(label)):** \(sentence(text))\n")
      case .objects(let objects, let more):
        output.text("  - \(escaped(ItemListText.text(objects, more: more, nil)))\n")
      case .table(let stream):
        output.text("\n")
        var inner = self
        inner.indent = "    "
        try inner.table(stream)
        output.text("\n")
      }
    }
  }

  /// Between fences longer than any in the text: https://github.github.com/gfm/#fenced-code-blocks
  private func fenced(_ text: String) {
    var longest = 2
    var run = 0
    for character in text {
      run = character == "`" ? run + 1 : 0
      longest = max(longest, run)
    }
    let fence = String(repeating: "`", count: longest + 1)
    output.text("\(fence)\n\(text)\(fence)\n")
  }

  private func item(_ name: String, _ text: String) {
    output.text("- **\(escaped(name))**: \(escaped(text))\n")
  }

  private func line(_ cells: [String]) {
    output.text(indent + "| " + cells.joined(separator: " | ") + " |\n")
  }

  private static let special = Set("\\`*_[]<>|#".unicodeScalars)

  /// Data must not become markup.
  private func escaped(_ text: String) -> String {
    var result = ""
    // A sign with a mark on it is a sign all the same.
    for scalar in TerminalText.escaped(text).unicodeScalars {
      if Self.special.contains(scalar) { result.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
