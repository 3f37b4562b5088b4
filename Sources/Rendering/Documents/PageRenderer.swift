import Base

/// Pages as HTML: one file that asks for nothing else, reads without scripts, and prints.
struct PageRenderer {
  private let document: Document
  private let page: Document.Head

  /// - Returns: nil for a document that is no page.
  init?(_ document: Document) {
    guard let head = document.head else { return nil }
    (self.document, page) = (document, head)
  }

  func render(to output: OutputBuffer) throws {
    let body = try body
    output.text("<!DOCTYPE html>\n")
    Markup.tag(
      "html", ["lang": "en", "xmlns": "http://www.w3.org/1999/xhtml"], head, .tag("body", [:], all: body)
    ).write(to: output)
    output.text("\n")
  }

  private var head: Markup {
    .tag(
      "head", [:], .tag("meta", ["charset": "utf-8"]),
      .tag("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy]),
      .tag("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"]),
      .tag("meta", ["name": "color-scheme", "content": "light dark"]),
      .tag("meta", ["name": "referrer", "content": "no-referrer"]),
      .tag("meta", ["name": "robots", "content": "noindex"]), .tag("title", [:], .text(page.title)),
      .tag("style", [:], .verbatim(PageStyle.text)))
  }

  /// Nothing is loaded, sent or embedded; of styles and scripts exactly these two run.
  /// https://www.w3.org/TR/CSP3/#grammardef-hash-source
  private static let policy =
    "default-src 'none'; style-src 'sha256-\(hash(PageStyle.text))'; script-src 'sha256-\(hash(PageScript.text))'; "
    + "base-uri 'none'; form-action 'none'"

  private static func hash(_ text: String) -> String {
    var hash = SHA256()
    Array(text.utf8).withUnsafeBytes { hash.update($0) }
    return Base64.encode(hash.finish())
  }

  private var body: [Markup] {
    get throws {
      let content = try document.blocks.map(block)
      return header + [
        contents, .tag("main", ["id": "content", "tabindex": "-1"], all: content),
        .tag("footer", [:], .tag("p", [:], .text("Made by \(page.maker)."))),
        .tag("script", [:], .verbatim(PageScript.text)),
      ]
    }
  }

  private var header: [Markup] {
    [
      .tag("a", ["class": "skip", "href": "#content"], "Skip to the content"), MarkDrawing.symbols,
      .tag(
        "header", [:],
        .tag(
          "p", ["class": "origin"], .tag("strong", [:], .tag("bdi", [:], .text(page.name))),
          .tag(
            "span", ["class": "made"], .text("made "), TimeMarkup.time(page.made), TimeMarkup.zone)),
        .tag("p", ["class": "identity"], .text(page.identity)),
        .tag(
          "h1", ["class": "verdict \(page.tone.rawValue)"],
          .tag("span", ["class": "word"], .text(page.word), .tag("span", ["class": "unseen"], ":")),
          .text(" "), .tag("span", ["class": "news"], TimeMarkup.sentence(page.news))),
        page.fix.map { fix in
          .tag("p", ["class": "fix"], .tag("strong", [:], "Fix:"), .text(" "), TimeMarkup.sentence(fix))
        } ?? .nothing,
        .group(
          ([document.warning].compactMap(\.self) + page.lead).map {
            .tag("p", ["class": "lead"], TimeMarkup.sentence($0))
          }),
        .tag(
          "p", ["class": "notice"], .text(page.notice + " "),
          .tag("a", ["href": "#\(page.noticeTarget)"], "What it contains"), ".")),
    ]
  }

  private var contents: Markup {
    .tag(
      "nav", ["aria-label": "Contents"],
      .tag(
        "ul", [:],
        all: document.blocks.compactMap { block in
          guard case .section(let section) = block else { return nil }
          return .tag("li", [:], .tag("a", ["href": "#\(section.id)"], .text(section.title)))
        }))
  }

  private static func figures(_ figures: [Document.Figure]) -> Markup {
    .tag(
      "dl", ["class": "figures"],
      all: figures.map { figure in
        .tag(
          "div", ["class": figure.tone.rawValue],
          .tag("dt", [:], .tag("a", ["href": "#\(figure.target)"], .text(figure.label))),
          .tag("dd", ["class": "value"], TimeMarkup.sentence(figure.value)),
          figure.note.isEmpty ? .nothing : .tag("dd", ["class": "note"], TimeMarkup.sentence(figure.note)))
      })
  }

  private func block(_ block: Document.Block) throws -> Markup {
    switch block {
    case .section(let section):
      .tag(
        "section", ["id": section.id, "aria-labelledby": "\(section.id)-h"],
        all: [.tag("h2", ["id": "\(section.id)-h"], .text(section.title))]
          + (try section.blocks.map(self.block)))
    case .figures(let figures): Self.figures(figures)
    case .text(let text): .tag("p", [:], TimeMarkup.sentence(text))
    case .list(let sentences):
      .tag("ul", ["class": "sentences"], all: sentences.map { .tag("li", [:], TimeMarkup.sentence($0)) })
    case .pictures(let pictures) where pictures.count == 1: .group(pictures.map(picture))
    case .pictures(let pictures): .tag("div", ["class": "side"], all: pictures.map(picture))
    case .grid(let table, let mostOpen, _):
      table.rows.count > mostOpen ? Self.folded(table) : TableMarkup.of(table, title: .heading)
    case .table(let stream): TableMarkup.of(try PageTable(stream), title: .above)
    case .pairs(let pairs, _): Self.pairs(pairs.map { ($0, $1.text ?? CellText.of($1)) })
    case .items(let items): .group(try items.map(card))
    // As on a terminal.
    default:
      .tag(
        "pre", [:],
        .text(
          String(
            decoding: try Renderer.bytes(of: Document(command: "", blocks: [block]), as: .table),
            as: UTF8.self)))
    }
  }

  private static func pairs(_ pairs: [(String, String)]) -> Markup {
    .tag(
      "dl", ["class": "pairs"],
      all: pairs.map { name, text in
        .tag("div", [:], .tag("dt", [:], .text(name)), .tag("dd", [:], TimeMarkup.sentence(text)))
      })
  }

  private static func folded(_ table: PageTable) -> Markup {
    .tag("details", [:], .tag("summary", [:], .text(table.caption)), TableMarkup.of(table, title: .above))
  }

  private func card(_ item: ListedItem) throws -> Markup {
    let tone = item.grade.tone.rawValue
    return .tag(
      "article", ["class": "card \(tone)", "id": "finding-\(item.name)"],
      .tag(
        "h3", [:], .tag("span", ["class": "badge \(tone)"], .text(Sentence.begun(item.mark))),
        .text(" " + (item.titles.first ?? ""))), .group(try item.lines.map(line)),
      item.facts.isEmpty
        ? .nothing
        : .tag(
          "details", [:], .tag("summary", [:], "Why it matters, and the evidence"), Self.pairs(item.facts),
          item.evidence.map { TableMarkup.of($0, title: .heading) } ?? .nothing))
  }

  private func line(_ line: ListedItem.Line) throws -> Markup {
    switch line {
    case .text(let text): .tag("p", [:], TimeMarkup.sentence(text))
    case .labeled(let label, let text):
      .tag("p", [:], .tag("strong", [:], .text(label + ":")), .text(" "), TimeMarkup.sentence(text))
    case .objects(let objects, let more): .tag("p", [:], .text(ItemListText.text(objects, more: more, nil)))
    case .table(let stream): TableMarkup.of(try PageTable(stream), title: .above)
    }
  }

  // MARK: - Pictures

  private func picture(_ picture: Document.Picture) -> Markup {
    let (drawing, table, notes) = drawn(picture)
    let tables = picture.data.isEmpty ? [table].compactMap(\.self) : picture.data
    return .tag(
      "div", ["class": "picture"],
      .tag(
        "figure", [:],
        .tag(
          "figcaption", [:], .tag("h3", ["id": picture.id], .text(picture.title)),
          .tag("p", [:], TimeMarkup.sentence(picture.summary))),
        drawing, .group(notes.map { .tag("p", ["class": "more"], .text($0)) })),
      .group(tables.map(Self.folded)))
  }

  private func drawn(_ picture: Document.Picture) -> (Markup, PageTable?, [String]) {
    let id = "p-\(picture.id)"
    switch picture.content {
    case nil: return (.nothing, nil, [])
    case .chart(.counts(let chart)):
      let drawing = CountDrawing(chart)
      return (drawing.markup(id: id, description: picture.summary), drawing.table, drawing.notes)
    case .chart(.marks(let chart)):
      let drawing = MarkDrawing(chart)
      return (drawing.markup(id: id, description: picture.summary), nil, drawing.notes)
    case .chart(.bars(let chart)):
      let drawing = BarDrawing(chart)
      return (drawing.markup(), nil, [])
    case .graph(let chart):
      let drawing = GraphDrawing(chart).markup(id: id, title: picture.title, description: picture.summary)
      // Wider than a phone: it is moved sideways, with the keyboard too.
      let frame = Markup.tag(
        "div",
        ["class": "scroll", "tabindex": "0", "role": "group", "aria-label": picture.title], drawing)
      return (frame, nil, [])
    }
  }
}

/// How pages look. Colors are variables, one set for light and one for dark; text keeps a contrast of 4.5 to what is
/// behind it, shapes one of 3 (https://www.w3.org/TR/WCAG22/#contrast-minimum, #non-text-contrast). No `<` and no `&`: the
/// page is XML too.
enum PageStyle {
  static let text = String(decoding: PackageResources.page_css, as: UTF8.self)
}

/// What pages do beyond showing: tables are sorted and filtered, marks answer the pointer, the keyboard and a tap, graphs
/// are searched, and times are shown in the reader's own zone. Everything is there without it. No `<` and no `&`: the page
/// is XML too.
enum PageScript {
  static let text = String(decoding: PackageResources.page_js, as: UTF8.self)
}
