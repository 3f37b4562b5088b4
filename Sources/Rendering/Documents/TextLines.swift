import Base

/// Groups with some of their members: counts to the right, members below, dates in a column.
struct GroupLines {
  private let style: TextStyle
  private let numbers: ObjectNumbers?
  private static let gap = 2
  /// A list that isn't on a terminal is as wide as one.
  private static let widthOfFile = 100

  init(_ style: TextStyle, _ numbers: ObjectNumbers?) {
    self.style = style
    self.numbers = numbers
  }

  func of(_ groups: [Document.Group]) -> String {
    let width = style.width ?? Self.widthOfFile
    let countWidth = groups.map { Sentence.number($0.count).count }.max() ?? 0
    let indent = Self.gap + countWidth + Self.gap
    let blanks = String(repeating: " ", count: indent)
    let lines = groups.map { group in
      group.items.map { line($0, isObject: group.hasObjects) } + rest(of: group)
    }
    let all = lines.flatMap(\.self).filter(\.isWhole)
    let dateWidth = all.map { TerminalText.width($0.date) }.max() ?? 0
    let noteWidth = min(width / 4, all.map { TerminalText.width($0.note) }.max() ?? 0)
    let fixed =
      indent + (dateWidth > 0 ? Self.gap + dateWidth : 0) + (noteWidth > 0 ? Self.gap + noteWidth : 0)
    let nameWidth = min(
      max(12, width - fixed), all.map { TerminalText.width($0.name) }.max() ?? 0)
    var text = ""
    for (group, lines) in zip(groups, lines) {
      let count = TerminalText.padded(Sentence.number(group.count), to: indent - Self.gap, right: true)
      text += count + String(repeating: " ", count: Self.gap)
      text +=
        TerminalText.wrapped(TerminalText.escaped(group.title), to: width, indent: indent, breaksWords: true)
        + "\n"
      for line in lines {
        let name =
          line.isWhole ? TerminalText.shortened(line.name, to: nameWidth) : line.name
        var cells = [TerminalText.padded(name, to: nameWidth, right: false)]
        if dateWidth > 0 { cells.append(TerminalText.padded(line.date, to: dateWidth, right: false)) }
        if noteWidth > 0 { cells.append(TerminalText.shortened(line.note, to: noteWidth, keepsEnd: true)) }
        let shown = TerminalText.trimmed(
          blanks + cells.joined(separator: String(repeating: " ", count: Self.gap)))
        text += (line.isWhole ? shown : style.faint(shown)) + "\n"
        for detail in line.details {
          text += blanks + "  "
          text += TerminalText.wrapped(detail, to: width, indent: indent + 4, breaksWords: true) + "\n"
        }
      }
    }
    return text
  }

  private struct Line {
    var name: String
    var date = ""
    var note = ""
    var details: [String] = []
    var isWhole = true
  }

  private func line(_ item: Document.Group.Item, isObject: Bool) -> Line {
    let number = (isObject ? numbers : nil)?.add(item.name).map { "[\($0)] " } ?? ""
    let title = item.title.map { " " + TerminalText.escaped($0) } ?? ""
    return Line(
      name: number + TerminalText.escaped(item.name) + title,
      date: item.date.map { style.dates.minute($0, aligned: true) } ?? "",
      note: TerminalText.escaped(item.note), details: item.lines.map(TerminalText.escaped))
  }

  private func rest(of group: Document.Group) -> [Line] {
    group.rest(style.dates).map { [Line(name: $0, isWhole: false)] } ?? []
  }
}

extension Document.Group {
  /// How many items aren't listed; nil if all are, or none.
  func rest(_ dates: DateText) -> String? {
    let more = count - items.count
    guard more > 0, !items.isEmpty else { return nil }
    let earlier = mayBeOlder ? " or earlier" : ""
    return "… and \(Sentence.number(more)) more"
      + (oldest.map { ", the oldest \(dates.minute($0))\(earlier)" } ?? "")
  }
}

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

/// Short facts in one or two columns.
enum FactLines {
  private static let (indent, gap) = (2, 2)

  static func of(_ facts: [(name: String, text: String)], _ style: TextStyle) -> String {
    let width = style.width ?? 80
    func nameWidth(_ facts: some Sequence<(name: String, text: String)>) -> Int {
      facts.map { TerminalText.width($0.name) }.max() ?? 0
    }
    let left = facts.enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
    let right = facts.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
    let names = (nameWidth(left), nameWidth(right))
    let leftWidth = names.0 + gap + (left.map { TerminalText.width($0.text) }.max() ?? 0)
    let rightWidth = names.1 + gap + (right.map { TerminalText.width($0.text) }.max() ?? 0)
    let isRoomy = indent + leftWidth + 2 * gap + rightWidth <= width
    let start = indent + leftWidth + (isRoomy ? 2 * gap : gap)
    func fact(_ fact: (name: String, text: String), _ names: Int) -> String {
      style.faint(TerminalText.padded(fact.name, to: names, right: false)) + "  " + fact.text
    }
    let blanks = String(repeating: " ", count: indent)
    guard start + rightWidth <= width, !right.isEmpty else {
      let names = nameWidth(facts)
      return facts.map { fact in
        blanks + style.faint(TerminalText.padded(fact.name, to: names, right: false)) + "  "
          + TerminalText.wrapped(fact.text, to: width, indent: indent + names + gap) + "\n"
      }.joined()
    }
    return left.indices.map { index in
      let line = blanks + fact(left[index], names.0)
      guard right.indices.contains(index) else { return line + "\n" }
      let taken = indent + names.0 + gap + TerminalText.width(left[index].text)
      return line + String(repeating: " ", count: max(gap, start - taken)) + fact(right[index], names.1)
        + "\n"
    }.joined()
  }
}
