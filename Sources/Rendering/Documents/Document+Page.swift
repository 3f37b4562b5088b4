package import Base

/// What a document for others has: an answer on top, parts with headings, figures and pictures. A page draws and folds
/// them; other formats have the same in words and short tables.
extension Document {
  /// The answer.
  package struct Head {
    /// The document's own title, which windows and search show.
    package var title: String
    /// What it is about, as people call it.
    package var name: String
    /// What leads, where a heading is all there is; nil if that is the answer.
    package var subject: String?
    /// A few words of what it is about.
    package var identity: String
    package var made: CoreDataDate
    /// With its version.
    package var maker: String
    /// The answer in one word, and in its color.
    package var word: String
    package var tone: Tone
    /// The worst news, in a sentence or two.
    package var news: String
    package var fix: String?
    package var lead: [String]
    /// What it contains and what not, in a sentence.
    package var notice: String
    /// The part that says more of it.
    package var noticeTarget: String

    package init(
      title: String, name: String, subject: String?, identity: String, made: CoreDataDate, maker: String,
      word: String, tone: Tone, news: String, fix: String?, lead: [String], notice: String,
      noticeTarget: String
    ) {
      self.title = title
      self.name = name
      self.subject = subject
      self.identity = identity
      self.made = made
      self.maker = maker
      self.word = word
      self.tone = tone
      self.news = news
      self.fix = fix
      self.lead = lead
      self.notice = notice
      self.noticeTarget = noticeTarget
    }
  }

  package struct Section {
    package var id: String
    package var title: String
    package var blocks: [Block]
    /// Whether only a page has it: its figure says as much in a line.
    package var isDetail: Bool

    package init(_ id: String, _ title: String, _ blocks: [Block], isDetail: Bool = false) {
      self.id = id
      self.title = title
      self.blocks = blocks
      self.isDetail = isDetail
    }
  }

  package struct Figure {
    package var label: String
    package var value: String
    /// A few words below.
    package var note: String
    package var tone: Tone
    /// The id of the section or picture that has the details.
    package var target: String

    package init(_ label: String, _ value: String, note: String = "", tone: Tone = .plain, target: String) {
      self.label = label
      self.value = value
      self.note = note
      self.tone = tone
      self.target = target
    }
  }

  package struct Picture {
    package enum Content {
      case chart(Chart)
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

    package init(
      _ id: String, _ title: String, _ summary: String, _ content: Content?, data: [PageTable] = []
    ) {
      self.id = id
      self.title = title
      self.summary = summary
      self.content = content
      self.data = data
    }
  }

  /// The blocks of formats that neither draw nor fold.
  var plainBlocks: [Block] { (head?.plain ?? []) + blocks.flatMap(\.plain) }
}

extension Document.Head {
  fileprivate var plain: [Document.Block] {
    var pairs: [(String, DataValue)] = [
      ("About", .text(identity)), ("Made by", .text("\(maker), \(TextForPeople.minute(made)) UTC")),
    ]
    if let fix { pairs.insert(("Fix", .text(fix)), at: 0) }
    var blocks: [Document.Block] = [.heading(subject.map { "\($0): \(word)" } ?? word), .text(news)]
    blocks += lead.map(Document.Block.text)
    blocks += [.pairs(pairs), .text(notice)]
    return blocks
  }
}

extension Document.Block {
  /// Longer tables are for the page.
  private static let (mostRows, mostRuns) = (12, 6)

  fileprivate var plain: [Document.Block] {
    switch self {
    case .section(let section):
      section.isDetail ? [] : [.heading(section.title)] + section.blocks.flatMap(\.plain)
    case .figures(let figures):
      [
        .pairs(
          figures.map { figure in
            let note = figure.note.isEmpty ? "" : " (\(figure.note))"
            return (figure.label, .text(TextForPeople.shortTimes(figure.value + note)))
          })
      ]
    case .pictures(let pictures):
      pictures.flatMap { picture -> [Document.Block] in
        let summary = Document.Block.text("\(picture.title): \(picture.summary)")
        // No sentence says how runs followed each other.
        guard case .chart(.marks) = picture.content, let runs = picture.data.first else { return [summary] }
        return [summary, .table(runs.stream(most: Self.mostRuns))]
      }
    case .grid(let table, _, let isDetail):
      isDetail ? [] : [.text(table.caption), .table(table.stream(most: Self.mostRows))]
    default: [self]
    }
  }
}

extension PageTable {
  /// Objects; the columns are the members that any of them has, in the order of their first use.
  package init(
    _ caption: String, objects: [DataValue], total: Int, command: String, emptyText: String = "None."
  ) {
    let stream = RowStream(objects: objects)
    let names = stream.columns.map(\.name)
    self.init(caption, names, of: objects, total: total, command: command) { object in
      names.map { Cell(object[$0] ?? .null) }
    }
  }

  /// A terminal's table.
  init(_ stream: RowStream) throws {
    let collector = RowCollector()
    try stream.produce(collector)
    self.init("", stream.columns.map(\.name), of: collector.rows, emptyText: try stream.emptyText()) {
      $0.map { $0.map(Cell.init) ?? .empty }
    }
  }

  /// The first rows, for a terminal or an issue.
  func stream(most: Int) -> RowStream {
    let shown = rows.prefix(most)
    var stream = RowStream(
      columns: columns.enumerated().map { .init($1, isNumber: isNumber($0)) },
      rows: shown.map { $0.map(\.value) }, emptyText: emptyText)
    stream.showsAll = true
    if let more = more(after: shown.count) { stream.footer = { _, _, _ in "… " + more } }
    return stream.toTheMinute()
  }
}

extension PageTable.Cell {
  init(_ value: DataValue) {
    switch value {
    case .null: self = .empty
    case .bool(let bool): self = .text(bool ? "yes" : "no")
    case .integer(let number): self = Int(exactly: number).map(Self.count) ?? .text("\(number)")
    case .real(let number): self = .real(number)
    case .date(let date): self = .moment(date)
    case .text(let text): self = text.utf8.count > 40 ? .text(text) : .name(text)
    case .array(let elements): self = .text(elements.map { CellText.of($0) }.joined(separator: ", "))
    case .object, .blob: self = .text("…")
    }
  }
}

extension ListedItem.Grade {
  package var tone: Tone {
    switch self {
    case .error: .bad
    case .warning: .waiting
    case .note: .plain
    }
  }
}
