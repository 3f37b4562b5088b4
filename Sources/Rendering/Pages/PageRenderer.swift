import SystemCalls
package import Values

/// Pages as HTML: one file that asks for nothing else, reads without scripts, and prints.
package struct PageRenderer {
  private let page: Page

  package init(_ page: Page) { self.page = page }

  package func render(to output: OutputBuffer) {
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
        .group(page.lead.map { .tag("p", ["class": "lead"], TimeMarkup.sentence($0)) }),
        .tag(
          "p", ["class": "notice"], .text(page.notice + " "),
          .tag("a", ["href": "#\(page.noticeTarget)"], "What it contains"), ".")),
      .tag(
        "nav", ["aria-label": "Contents"],
        .tag(
          "ul", [:],
          all: page.parts.map { part in
            .tag("li", [:], .tag("a", ["href": "#\(part.id)"], .text(part.title)))
          })),
      .tag("main", ["id": "content", "tabindex": "-1"], all: [figures] + page.parts.map(part)),
      .tag("footer", [:], .tag("p", [:], .text(page.footer))),
      .tag("script", [:], .verbatim(PageScript.text)),
    ]
  }

  private var figures: Markup {
    .tag(
      "dl", ["class": "figures"],
      all: page.figures.map { figure in
        .tag(
          "div", ["class": figure.tone.rawValue],
          .tag("dt", [:], .tag("a", ["href": "#\(figure.target)"], .text(figure.label))),
          .tag("dd", ["class": "value"], TimeMarkup.sentence(figure.value)),
          figure.note.isEmpty ? .nothing : .tag("dd", ["class": "note"], TimeMarkup.sentence(figure.note)))
      })
  }

  private func part(_ part: Page.Part) -> Markup {
    .tag(
      "section", ["id": part.id, "aria-labelledby": "\(part.id)-h"],
      all: [.tag("h2", ["id": "\(part.id)-h"], .text(part.title))] + part.blocks.map(block))
  }

  private func block(_ block: Page.Block) -> Markup {
    switch block {
    case .text(let text): .tag("p", [:], TimeMarkup.sentence(text))
    case .list(let sentences):
      .tag("ul", ["class": "sentences"], all: sentences.map { .tag("li", [:], TimeMarkup.sentence($0)) })
    case .picture(let picture): self.picture(picture)
    case .pictures(let pictures): .tag("div", ["class": "side"], all: pictures.map(self.picture))
    case .table(let table): TableMarkup.of(table, title: .heading)
    case .folded(let table): Self.folded(table)
    case .pairs(let pairs): Self.pairs(pairs)
    case .cards(let cards): .group(cards.map(card))
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

  private func card(_ card: Page.Card) -> Markup {
    .tag(
      "article", ["class": "card \(card.tone.rawValue)", "id": card.id],
      .tag(
        "h3", [:], .tag("span", ["class": "badge \(card.tone.rawValue)"], .text(card.weight)),
        .text(" " + card.title)), .tag("p", [:], TimeMarkup.sentence(card.text)),
      .tag("p", [:], .tag("strong", [:], "Fix:"), .text(" "), TimeMarkup.sentence(card.fix)),
      .tag(
        "details", [:], .tag("summary", [:], "Why it matters, and the evidence"), Self.pairs(card.pairs),
        card.table.map { TableMarkup.of($0, title: .heading) } ?? .nothing))
  }

  // MARK: - Pictures

  private func picture(_ picture: Page.Picture) -> Markup {
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

  private func drawn(_ picture: Page.Picture) -> (Markup, PageTable?, [String]) {
    let id = "p-\(picture.id)"
    switch picture.content {
    case nil: return (.nothing, nil, [])
    case .chart(.counts(let chart)):
      let drawing = CountDrawing(chart)
      return (drawing.markup(id: id, description: picture.summary), drawing.table, drawing.notes)
    case .chart(.marks(let chart)):
      let drawing = MarkDrawing(chart)
      return (drawing.markup(id: id, description: picture.summary), nil, drawing.notes)
    case .chart(.bars(let chart)): return (ShareDrawing(chart).markup(id: id), nil, [])
    case .shares(let chart):
      let drawing = ShareDrawing(chart)
      return (drawing.markup(id: id), drawing.table, [])
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
