package import Base

/// A table in a page: sorted and filtered by whoever reads it, where scripts run.
package struct PageTable: Sendable {
  package enum Cell: Sendable {
    case empty
    case text(String)
    /// A name out of the store or a code, which is never broken up.
    case name(String)
    case count(Int)
    case real(Double)
    case bytes(Int64)
    /// To the minute.
    case date(CoreDataDate)
    /// To the second, with its fraction.
    case moment(CoreDataDate)
    /// A duration, with one decimal.
    case seconds(Double)
    /// Digits without a word in them, broken wherever a line ends.
    case digits(String)
    /// A name that leads to a file next to the page.
    case link(String, to: String)
    /// One word with a weight.
    case badge(String, Tone)

    package static func optional(_ date: CoreDataDate?) -> Cell { date.map(Cell.date) ?? .empty }
    package static func optional(_ name: String?) -> Cell { name.map(Cell.name) ?? .empty }
  }

  package var caption: String
  package var columns: [String]
  package var rows: [[Cell]]
  /// How many rows there are, which may be more than these.
  private let total: Int
  /// What lists them all.
  private let command: String?
  /// What stands in place of a table without rows.
  private(set) var emptyText: String

  /// - Parameters:
  ///   - total: how many items there are; nil if these are all.
  ///   - most: more of them are only counted.
  package init<Item>(
    _ caption: String, _ columns: [String], of items: some Collection<Item>, total: Int? = nil,
    most: Int = 1000, command: String? = nil, emptyText: String = "None.", row: (Item) -> [Cell]
  ) {
    self.caption = caption
    self.columns = columns
    rows = items.prefix(most).map(row)
    self.total = total ?? items.count
    self.command = command
    self.emptyText = emptyText
  }

  /// What is said below a table that shows so many rows; nil if these are all.
  func more(after shown: Int) -> String? {
    guard total > shown else { return nil }
    let rest = "and \(Sentence.number(total - shown)) more of \(Sentence.number(total))"
    return rest + (command.map { ": run 'storescope \($0)'" } ?? "")
  }

  func isNumber(_ column: Int) -> Bool { has(column) { $0.isNumber } }

  fileprivate func has(_ column: Int, _ condition: (Cell) -> Bool) -> Bool {
    rows.contains { $0.indices.contains(column) && condition($0[column]) }
  }
}

extension PageTable.Cell {
  fileprivate var isDate: Bool {
    switch self {
    case .date, .moment: true
    default: false
    }
  }

  fileprivate var isNumber: Bool {
    switch self {
    case .count, .real, .bytes, .seconds: true
    default: false
    }
  }

  var value: DataValue {
    switch self {
    case .empty: .null
    case .text(let text), .name(let text), .digits(let text), .link(let text, _), .badge(let text, _):
      .text(text)
    case .count(let count): .count(count)
    case .real(let number): .real(number)
    case .bytes(let bytes): .text(Sentence.size(bytes))
    case .seconds(let seconds): .text(Sentence.seconds(seconds))
    case .date(let date), .moment(let date): .date(date)
    }
  }
}

/// A `PageTable` as HTML.
enum TableMarkup {
  /// Where the table's name stands. Its caption has it in any case, for those who hear the page.
  enum Title {
    case heading
    /// Above it already.
    case above
  }

  /// Of a longer table paper gets the beginning; the style sheet has the same number.
  static let printedRows = 20
  /// Wider tables are cards on a phone.
  private static let narrow = 3

  static func of(_ table: PageTable, title: Title) -> Markup {
    let heading: Markup =
      title == .heading ? .tag("h3", ["class": "of-table"], .text(table.caption)) : .nothing
    guard !table.rows.isEmpty else {
      return .group([heading, .tag("p", ["class": "empty"], .text(table.emptyText))])
    }
    let head = table.columns.enumerated().map { column, name in
      let isDate = table.has(column) { $0.isDate }
      return Markup.tag(
        "th", ["scope": "col", "class": table.isNumber(column) ? "number" : isDate ? "date" : ""],
        .text(name), isDate ? TimeMarkup.zone : .nothing)
    }
    let rows = table.rows.map { row in
      Markup.tag(
        "tr", [:],
        all: row.enumerated().map { index, value in
          cell(
            value, index == 0 ? nil : table.columns.indices.contains(index) ? table.columns[index] : "")
        })
    }
    let cut = table.rows.count - printedRows
    return .tag(
      "div", ["class": table.rows.count > 8 ? "of-table" : "of-table short"], heading,
      .tag(
        "div",
        ["class": "scroll", "tabindex": "0", "role": "group", "aria-label": table.caption],
        .tag(
          "table", ["class": table.columns.count > narrow ? "cards" : ""],
          .tag("caption", ["class": "unseen"], .text(table.caption)),
          .tag("thead", [:], .tag("tr", [:], all: head)), .tag("tbody", [:], all: rows))),
      cut > 0
        ? .tag(
          "p", ["class": "more printed"],
          .text("Printed: the first \(printedRows) of \(Sentence.count(table.rows.count, "row"))."))
        : .nothing,
      table.more(after: table.rows.count).map { .tag("p", ["class": "more"], .text($0)) } ?? .nothing)
  }

  private static let longestName = 44

  /// `com.apple.coredata.schemamigra…0011aabb`: the middle of a long name says the least.
  static func shortened(_ name: String) -> String {
    guard name.count > longestName else { return name }
    return name.prefix(longestName * 2 / 3) + "…" + name.suffix(longestName / 3 - 1)
  }

  /// `data-v` is what a column is sorted by, where that isn't the text.
  /// - Parameter label: of the column; nil for the first one, which names the row.
  private static func cell(_ cell: PageTable.Cell, _ label: String?) -> Markup {
    func make(_ attributes: KeyValuePairs<String, String>, _ content: Markup) -> Markup {
      let own = label.map { [Markup.Attribute(name: "data-l", value: $0)] }
      let scope = [Markup.Attribute(name: "scope", value: "row")]
      return .element(
        label == nil ? "th" : "td",
        (own ?? scope) + attributes.map { Markup.Attribute(name: $0.key, value: $0.value) }, [content])
    }
    func dated(_ date: CoreDataDate, _ precision: TimeMarkup.Precision) -> Markup {
      guard let iso = date.iso8601 else { return make([:], .text(TextForPeople.minute(date))) }
      return make(["class": "date", "data-v": iso], TimeMarkup.time(date, precision))
    }
    switch cell {
    // A heading without a text would be read as nothing.
    case .empty: return .tag("td", [:])
    case .text(let text): return make([:], TimeMarkup.sentence(text))
    case .name(let name):
      let short = shortened(name)
      return make(["class": "name"], .tag("bdi", short == name ? [:] : ["title": name], .text(short)))
    case .link(let name, let target):
      return make(["class": "name"], .tag("a", ["href": target], .tag("bdi", [:], .text(shortened(name)))))
    case .digits(let text): return make(["class": "digits"], .text(text))
    case .count(let count):
      let text = Sentence.number(count)
      return text == String(count)
        ? make(["class": count == 0 ? "number zero" : "number"], .text(text))
        : make(["class": "number", "data-v": String(count)], .text(text))
    case .real(let number): return make(["class": "number"], .text("\(number)"))
    case .bytes(let bytes):
      return make(
        ["class": bytes == 0 ? "number zero" : "number", "data-v": String(bytes)],
        .text(Sentence.size(bytes)))
    case .seconds(let seconds):
      return make(
        ["class": "number", "data-v": String(Sentence.seconds(seconds).prefix { $0 != " " })],
        .text(Sentence.seconds(seconds)))
    case .date(let date): return dated(date, .minute)
    case .moment(let date): return dated(date, .second)
    case .badge(let word, let tone):
      return make([:], .tag("span", ["class": "badge \(tone.rawValue)"], .text(word)))
    }
  }
}

/// How an answer sounds. A word says the same.
package enum Tone: String, Sendable { case good, waiting, bad, plain }
