/// A page for a browser, before anybody decides how it looks.
package struct Page: Sendable {
  package struct Figure: Sendable {
    package var label: String
    package var value: String
    /// A few words below.
    package var note: String
    package var tone: Tone

    package init(_ label: String, _ value: String, note: String = "", tone: Tone = .plain) {
      self.label = label
      self.value = value
      self.note = note
      self.tone = tone
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
    /// In place of the numbers that are drawn.
    package var data: PageTable?

    package init(id: String, title: String, summary: String, content: Content?, data: PageTable? = nil) {
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
    package var pairs: [(String, String)]
    package var table: PageTable?

    package init(
      id: String, tone: Tone, weight: String, title: String, text: String, pairs: [(String, String)],
      table: PageTable?
    ) {
      self.id = id
      self.tone = tone
      self.weight = weight
      self.title = title
      self.text = text
      self.pairs = pairs
      self.table = table
    }
  }

  package var title: String
  /// What kind of page it is, of what, and when; above the verdict.
  package var origin: String
  package var verdict: String
  package var tone: Tone
  package var lead: [String]
  /// What the page contains and what not, in a sentence.
  package var notice: String
  /// The part that says more of it.
  package var noticeTarget: String
  package var figures: [Figure]
  package var parts: [Part]
  package var footer: String

  package init(
    title: String, origin: String, verdict: String, tone: Tone, lead: [String], notice: String,
    noticeTarget: String, figures: [Figure], parts: [Part], footer: String
  ) {
    self.title = title
    self.origin = origin
    self.verdict = verdict
    self.tone = tone
    self.lead = lead
    self.notice = notice
    self.noticeTarget = noticeTarget
    self.figures = figures
    self.parts = parts
    self.footer = footer
  }
}
