package import Values

/// A table in a page: sorted and filtered by whoever reads it, where scripts run.
package struct PageTable: Sendable {
  package struct Column: Sendable {
    package var name: String
    package var isNumber: Bool

    package init(_ name: String, isNumber: Bool = false) {
      self.name = name
      self.isNumber = isNumber
    }
  }

  package enum Cell: Sendable {
    case empty
    case text(String)
    /// A name out of the store or a code, which is never broken up.
    case name(String)
    case count(Int)
    case bytes(Int64)
    case date(CoreDataDate)
    /// One word with a weight.
    case badge(String, Tone)

    package static func optional(_ date: CoreDataDate?) -> Cell { date.map(Cell.date) ?? .empty }
    package static func optional(_ name: String?) -> Cell { name.map(Cell.name) ?? .empty }
  }

  package var caption: String
  package var columns: [Column]
  package var rows: [[Cell]]
  /// What is said below where there are more rows than these.
  package var more: String?
  /// What stands in place of a table without rows.
  package var emptyText: String

  package init(
    caption: String, columns: [Column], rows: [[Cell]], more: String? = nil, emptyText: String = "None."
  ) {
    self.caption = caption
    self.columns = columns
    self.rows = rows
    self.more = more
    self.emptyText = emptyText
  }
}

/// A `PageTable` as HTML.
enum TableMarkup {
  /// Where the table's name stands. Its caption has it in any case, for those who hear the page.
  enum Title {
    case caption, heading
    /// Above it already.
    case above
  }

  static func of(_ table: PageTable, title: Title) -> Markup {
    let heading: Markup =
      title == .heading ? .tag("h3", ["class": "of-table"], .text(table.caption)) : .nothing
    guard !table.rows.isEmpty else {
      return .group([heading, .tag("p", ["class": "empty"], .text(table.emptyText))])
    }
    let hasDates = table.columns.indices.map { column in
      table.rows.contains {
        if case .date? = $0.indices.contains(column) ? $0[column] : nil { true } else { false }
      }
    }
    let head = zip(table.columns, hasDates).map { column, isDate in
      Markup.tag(
        "th", ["scope": "col", "class": column.isNumber ? "number" : isDate ? "date" : ""], .text(column.name)
      )
    }
    let rows = table.rows.map { row in
      Markup.tag(
        "tr", [:], all: row.enumerated().map { index, value in cell(value, isFirst: index == 0) })
    }
    return .group([
      heading,
      .tag(
        "div",
        ["class": "scroll", "tabindex": "0", "role": "group", "aria-label": table.caption],
        .tag(
          "table", [:],
          .tag("caption", ["class": title == .caption ? "" : "unseen"], .text(table.caption)),
          .tag("thead", [:], .tag("tr", [:], all: head)), .tag("tbody", [:], all: rows))),
      table.more.map { .tag("p", ["class": "more"], .text($0)) } ?? .nothing,
    ])
  }

  /// `data-v` is what a column is sorted by, where that isn't the text.
  private static func cell(_ cell: PageTable.Cell, isFirst: Bool) -> Markup {
    func make(_ attributes: KeyValuePairs<String, String>, _ content: Markup) -> Markup {
      let scope = isFirst ? [Markup.Attribute(name: "scope", value: "row")] : []
      return .element(
        isFirst ? "th" : "td",
        scope + attributes.map { Markup.Attribute(name: $0.key, value: $0.value) }, [content])
    }
    switch cell {
    case .empty: return make([:], .nothing)
    case .text(let text): return make([:], .text(text))
    case .name(let name): return make(["class": "name"], .tag("bdi", [:], .text(name)))
    case .count(let count):
      let text = Sentence.number(count)
      return text == String(count)
        ? make(["class": count == 0 ? "number zero" : "number"], .text(text))
        : make(["class": "number", "data-v": String(count)], .text(text))
    case .bytes(let bytes):
      return make(
        ["class": bytes == 0 ? "number zero" : "number", "data-v": String(bytes)],
        .text(Sentence.size(bytes)))
    case .date(let date):
      guard let iso = date.iso8601 else { return make([:], .text(TextForPeople.minute(date))) }
      return make(
        ["class": "date", "data-v": iso],
        .tag("time", ["datetime": iso], .text(TextForPeople.minute(date))))
    case .badge(let word, let tone):
      return make([:], .tag("span", ["class": "badge \(tone.rawValue)"], .text(word)))
    }
  }
}

/// How an answer sounds. A word says the same.
package enum Tone: String, Sendable { case good, waiting, bad, plain }
