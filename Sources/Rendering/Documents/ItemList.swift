import Base

/// Something in a list where the first look is for how bad it is: a mark, a name, a title, and below them what else there
/// is to say.
package struct ListedItem {
  /// Colors are for the mark alone.
  package enum Grade: Sendable {
    case error, warning, note
  }

  package enum Line {
    case text(String)
    /// `Fix: …`
    case labeled(String, String)
    /// `Tag/p8` and what people recognize it by; and how many more there are.
    case objects([(name: String, title: String?)], more: Int)
    case table(RowStream)
  }

  package var grade: Grade
  package var mark: String
  package var name: String
  /// The fullest first; the first that fits on one line is shown, else the last in as many lines as it needs.
  package var titles: [String]
  package var lines: [Line]
  /// For those who want to know more: folded on a page, and left out elsewhere.
  package var facts: [(String, String)] = []
  package var evidence: PageTable?

  package init(_ grade: Grade, mark: String, name: String, titles: [String], lines: [Line] = []) {
    self.grade = grade
    self.mark = mark
    self.name = name
    self.titles = titles
    self.lines = lines
  }
}

/// Prints such a list: marks and names in columns, the lines of an item below its name.
struct ItemListText {
  let output: OutputBuffer
  let options: Renderer.Options
  let numbers: ObjectNumbers?

  private static let gap = 2
  /// So that what is below doesn't move from one list to the next.
  private static let leastMark = 7
  private static let leastTitle = 30

  func print(_ items: [ListedItem]) throws {
    let markWidth = max(Self.leastMark, items.map { TerminalText.width($0.mark) }.max() ?? 0) + Self.gap
    let nameWidth = (items.map { TerminalText.width($0.name) }.max() ?? 0) + Self.gap
    var hadLines = false
    for (index, item) in items.enumerated() {
      if index > 0, hadLines || !item.lines.isEmpty { output.text("\n") }
      hadLines = !item.lines.isEmpty
      let mark = TerminalText.padded(item.mark, to: markWidth, right: false)
      output.text(options.style.tinted(mark, item.grade) + head(of: item, markWidth, nameWidth) + "\n")
      for line in item.lines { try print(line, indent: markWidth) }
    }
  }

  /// The name, and a title next to it; below it if there is too little room.
  private func head(of item: ListedItem, _ markWidth: Int, _ nameWidth: Int) -> String {
    let style = options.style
    let name = TerminalText.escaped(item.name)
    let titles = item.titles.map(sentence)
    let indent = markWidth + nameWidth
    let width = style.width ?? .max
    let padded = TerminalText.padded(name, to: nameWidth, right: false)
    func shown(_ title: String) -> String { item.lines.isEmpty ? title : style.bold(title) }
    if let title = titles.first(where: { indent + TerminalText.width($0) <= width }) {
      return padded + shown(title)
    }
    guard let title = titles.last else { return name }
    // What has nothing below it is a line of a list: it goes on in its column.
    if item.lines.isEmpty, width - indent >= Self.leastTitle {
      return padded + shown(TerminalText.wrapped(title, to: width, indent: indent))
    }
    let lines = TerminalText.wrapped(title, to: width, indent: markWidth)
    return name + "\n" + String(repeating: " ", count: markWidth) + shown(lines)
  }

  private func sentence(_ text: String) -> String {
    options.style.dates.shortened(TerminalText.escaped(text))
  }

  private func print(_ line: ListedItem.Line, indent: Int) throws {
    func paragraph(_ text: String) {
      let text = options.style.width.map { TerminalText.wrapped(text, to: $0, indent: indent) } ?? text
      output.text(String(repeating: " ", count: indent) + text + "\n")
    }
    switch line {
    case .text(let text): paragraph(sentence(text))
    case .labeled(let label, let text): paragraph("\(label): \(sentence(text))")
    case .objects(let objects, let more): paragraph(Self.text(objects, more: more, numbers))
    case .table(let stream): try table(stream, indent: indent)
    }
  }

  static func text(
    _ objects: [(name: String, title: String?)], more: Int, _ numbers: ObjectNumbers?
  ) -> String {
    let names = objects.map { object -> String in
      let number = numbers?.add(object.name).map { "[\($0)] " } ?? ""
      let title = object.title.map { " \"\(TerminalText.escaped($0))\"" } ?? ""
      return number + TerminalText.escaped(object.name) + title
    }
    return names.joined(separator: ", ") + (more > 0 ? " … and \(Sentence.number(more)) more" : "")
  }

  /// A table that is moved to the right.
  private func table(_ stream: RowStream, indent: Int) throws {
    var options = options
    options.style.width = options.style.width.map { max(20, $0 - indent) }
    let bytes = try OutputBuffer.collecting { inner in
      let document = Document(command: "", blocks: [.table(stream)])
      try Renderer(output: inner, options: options, numbers: numbers).render(document)
    }
    for line in String(decoding: bytes, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false)
    where !line.isEmpty {
      output.text(String(repeating: " ", count: indent) + line + "\n")
    }
  }
}

extension TextStyle {
  /// Bold, in the color that goes with it.
  fileprivate func tinted(_ text: String, _ grade: ListedItem.Grade) -> String {
    switch grade {
    case .error: styled(text, "1;31")
    case .warning: styled(text, "1;33")
    case .note: styled(text, "1;36")
    }
  }
}
