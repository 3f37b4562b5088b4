package import Values

/// A page for a browser, before anybody decides how it looks.
package struct Page: Sendable {
  package struct Figure: Sendable {
    package var label: String
    package var value: String
    /// A few words below.
    package var note: String
    package var tone: Tone
    /// The id of the part or picture that has the details.
    package var target: String

    package init(_ label: String, _ value: String, note: String = "", tone: Tone = .plain, target: String) {
      self.label = label
      self.value = value
      self.note = note
      self.tone = tone
      self.target = target
    }
  }

  /// A section with a heading of its own, which the page's contents lead to.
  package struct Part: Sendable {
    package var id: String
    package var title: String
    package var blocks: [Block]

    package init(id: String, title: String, blocks: [Block]) {
      self.id = id
      self.title = title
      self.blocks = blocks
    }
  }

  package enum Block: Sendable {
    case text(String)
    case list([String])
    case picture(Picture)
    /// Next to each other if there is room.
    case pictures([Picture])
    case table(PageTable)
    /// Opened by whoever wants it; its caption is the handle.
    case folded(PageTable)
    case pairs([(String, String)])
    case cards([Card])
  }

  package struct Picture: Sendable {
    package enum Content: Sendable {
      case chart(Chart)
      case shares(ShareChart)
      case graph(GraphChart)
    }

    package var id: String
    package var title: String
    /// What there is to see, in a sentence or two; stands below the title.
    package var summary: String
    /// Nil where there is nothing to draw; the summary says so then.
    package var content: Content?
    /// Tables below it, each folded; if there are none, the numbers that are drawn.
    package var data: [PageTable]

    package init(id: String, title: String, summary: String, content: Content?, data: [PageTable] = []) {
      self.id = id
      self.title = title
      self.summary = summary
      self.content = content
      self.data = data
    }
  }

  /// Something found: its weight, what it is, and what to do about it.
  package struct Card: Sendable {
    package var id: String
    package var tone: Tone
    /// The weight in one word.
    package var weight: String
    package var title: String
    package var text: String
    package var fix: String
    /// For those who want to know more.
    package var pairs: [(String, String)]
    package var table: PageTable?

    package init(
      id: String, tone: Tone, weight: String, title: String, text: String, fix: String,
      pairs: [(String, String)], table: PageTable?
    ) {
      self.id = id
      self.tone = tone
      self.weight = weight
      self.title = title
      self.text = text
      self.fix = fix
      self.pairs = pairs
      self.table = table
    }
  }

  /// The document's own title, which windows and search show.
  package var title: String
  /// What the page is about, as people call it.
  package var name: String
  /// A few words of what that is.
  package var identity: String
  package var made: CoreDataDate
  /// The answer in one word, and in its color.
  package var word: String
  package var tone: Tone
  /// The worst news, in a sentence or two.
  package var news: String
  package var fix: String?
  package var lead: [String]
  /// What the page contains and what not, in a sentence.
  package var notice: String
  /// The part that says more of it.
  package var noticeTarget: String
  package var figures: [Figure]
  package var parts: [Part]
  package var footer: String

  package init(
    title: String, name: String, identity: String, made: CoreDataDate, word: String, tone: Tone, news: String,
    fix: String?, lead: [String], notice: String, noticeTarget: String, figures: [Figure], parts: [Part],
    footer: String
  ) {
    self.title = title
    self.name = name
    self.identity = identity
    self.made = made
    self.word = word
    self.tone = tone
    self.news = news
    self.fix = fix
    self.lead = lead
    self.notice = notice
    self.noticeTarget = noticeTarget
    self.figures = figures
    self.parts = parts
    self.footer = footer
  }
}
