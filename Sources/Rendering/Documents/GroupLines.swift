import Values

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
        var shown = blanks + cells.joined(separator: String(repeating: " ", count: Self.gap))
        while shown.last == " " { shown.removeLast() }
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
