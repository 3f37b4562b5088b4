import Base

/// Documents as text for people, on a terminal or in a file.
struct TextRenderer {
  private let output: OutputBuffer
  private let options: Renderer.Options
  private let style: TextStyle
  private let limit: Int
  private let isVertical: Bool
  /// Whether the columns were asked for by name.
  private let isChosen: Bool
  private let numbers: ObjectNumbers?

  init(_ renderer: Renderer, isChosen: Bool) {
    output = renderer.output
    options = renderer.options
    style = renderer.options.style
    limit = renderer.tableLimit
    isVertical = renderer.options.format == .vertical
    self.isChosen = isChosen
    numbers = renderer.numbers
  }

  func render(_ document: Document) throws {
    for (index, block) in document.blocks.enumerated() {
      switch block {
      case .heading(let text):
        // Behind items there is an empty line already.
        if index > 0, !document.blocks[index - 1].isItems { output.text("\n") }
        output.text(style.bold(wrapped(TerminalText.escaped(text))) + "\n")
      case .text(let text):
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
          output.text(wrapped(sentence(String(line)), indent: Self.indent(of: line)) + "\n")
        }
      case .list(let sentences):
        for text in sentences { output.text(wrapped("• " + sentence(text), indent: 2) + "\n") }
      case .state(let word, let rest, let color):
        let text = wrapped(sentence(word + rest(style.dates)))
        let word = TerminalText.escaped(word)
        guard let color, text.hasPrefix(word) else {
          output.text(text + "\n")
          continue
        }
        output.text(style.colored(word, color) + String(text.dropFirst(word.count)) + "\n")
      case .pairs(let pairs, let links): self.pairs(pairs, links)
      case .facts(let facts):
        output.text(FactLines.of(facts.map { ($0.name, sentence($0.text(style.dates))) }, style))
      case .tally(let entries): output.text(TallyLines.of(entries, style))
      case .groups(let groups): output.text(GroupLines(style, numbers).of(try groups()))
      case .table(let stream): try table(stream)
      case .items(let items):
        if index > 0 { output.text("\n") }
        defer { if index < document.blocks.count - 1 { output.text("\n") } }
        try ItemListText(output: output, options: options, numbers: numbers).print(items)
      case .tree(let value): output.text(TreeText.of(value, style: style))
      case .verbatim(let text): output.text(text)
      case .lines(let lines): output.text(lines.map { "  \(TerminalText.escaped($0))\n" }.joined())
      case .chart(let chart): output.text(ChartText.of(try chart(), style: style))
      // `Document.plainBlocks` has none of them.
      case .section, .figures, .pictures, .grid: continue
      }
    }
  }

  private func sentence(_ text: String) -> String { style.dates.shortened(TerminalText.escaped(text)) }

  /// Where the text of a list's item begins.
  private static func indent(of line: Substring) -> Int {
    let blanks = line.prefix { $0 == " " }.count
    return line.dropFirst(blanks).hasPrefix("• ") ? blanks + 2 : blanks
  }

  private func wrapped(_ text: String, indent: Int = 0) -> String {
    guard style.wrapsText, let width = style.width else { return text }
    return TerminalText.wrapped(text, to: width, indent: indent)
  }

  private func pairs(_ pairs: [(String, DataValue)], _ links: Set<String>) {
    let pairs = pairs.map { (TerminalText.escaped($0.0), links.contains($0.0) ? numbered($0.1) : $0.1) }
    let width = pairs.map { TerminalText.width($0.0) }.max() ?? 0
    for (name, value) in pairs {
      output.text(
        style.faint(TerminalText.padded(name, to: width, right: false)) + "  "
          + wrapped(CellText.of(value, dates: style.dates), indent: width + 2) + "\n")
    }
  }

  /// `Person/p1, Person/p2` as `[1] Person/p1, [2] Person/p2`.
  private func numbered(_ links: DataValue) -> DataValue {
    guard let numbers, case .text(let text) = links else { return links }
    let objects = text.split(separator: ",").map { $0.drop { $0 == " " } }
    return .text(
      objects.map { object in numbers.add(String(object)).map { "[\($0)] \(object)" } ?? String(object) }
        .joined(separator: ", "))
  }

  private func table(_ stream: RowStream) throws {
    let names: Set = ["object", "uri"]
    let linkColumn = numbers == nil ? nil : stream.columns.firstIndex { names.contains($0.name) }
    let stores = numbers == nil ? nil : stream.numberedStores
    let isNumbered = linkColumn != nil || stores != nil
    let first = isNumbered ? [RowStream.Column("#", isNumber: true)] : []
    let table = TextTable(
      columns: first + stream.columns, style: style, output: output,
      options: TextTable.Options(
        isNumbered: isNumbered, isVertical: isVertical, isChosen: isChosen,
        showsNull: stream.showsNull, leavesOutEmpty: stream.leavesOutEmpty))
    let sentences = stream.columns.indices.filter { stream.columns[$0].isSentence }
    var unnumbered = stores?.addresses[...] ?? []
    let sink = TextRowSink(
      of: stream, limit: stream.showsAll ? .max : limit,
      longestCell: style.width == nil && !isVertical ? 200 : isVertical ? 4000 : 1000, dates: style.dates
    ) { cells in
      var cells = cells
      for index in sentences where cells.indices.contains(index) {
        cells[index].text = style.dates.shortened(cells[index].text)
      }
      if let linkColumn, cells.indices.contains(linkColumn) {
        let number = numbers?.add(cells[linkColumn].text).map(String.init) ?? ""
        cells.insert(TextCell(text: number, kind: .number), at: 0)
      } else if let address = unnumbered.popFirst(), let numbers {
        cells.insert(TextCell(text: String(numbers.add(store: address)), kind: .number), at: 0)
      }
      table.add(cells)
      return !output.isClosed
    }
    try stream.produce(sink)
    guard sink.rows > 0 || sink.wasLimited else {
      // It may quote stored values.
      return output.text(wrapped(TerminalText.escaped(try stream.emptyText())) + "\n")
    }
    let left = table.finish()
    if let last = try stream.lastLine(shown: sink.rows, isCut: sink.wasLimited, style.dates) {
      note(last)
    } else if let counted = stream.counted {
      let behind = stream.skipped > 0 ? " after the first \(Sentence.number(stream.skipped))" : ""
      note("(\(Sentence.count(sink.rows, counted.one, counted.many))\(behind))")
    }
    if !left.isEmpty { note(Self.omission(of: left)) }
    if let stores { note(stores.hint) }
  }

  private func note(_ text: String) {
    let lines = text.split(separator: "\n").flatMap { wrapped(String($0)).split(separator: "\n") }
    output.text(lines.map { style.faint(String($0)) + "\n" }.joined())
  }

  private static func omission(of columns: [String]) -> String {
    let most = 8
    let named = columns.prefix(most).joined(separator: ", ")
    let rest = columns.count > most ? " and \(columns.count - most) more" : ""
    return
      "Not shown: \(named)\(rest). A wider terminal, --columns or --format vertical shows them."
  }
}
