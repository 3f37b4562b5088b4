package import Base

/// What a command found out, before anybody decides how it looks: fields for machines, blocks for people.
package struct Document {
  /// Names the schema in JSON: `storescope/COMMAND/1`.
  package var command: String
  /// Nil for commands that need no store.
  package var store: StoreIdentity?
  /// With which it is compared.
  package var other: StoreIdentity?
  /// Members of the JSON object, in order, after `schema` and `store`.
  package var fields: [Field]
  /// The field whose elements are the lines of NDJSON and the rows of CSV.
  package var payload: String?
  /// Whether `--limit` is about the elements of the payload; if not, none is left out.
  package var isLimited = true
  /// The answer on top of a document for others, which can be a page.
  package var head: Head?
  /// What people see, from top to bottom.
  package var blocks: [Block]
  /// What is said on standard error where only the payload's rows are printed: as CSV, as NDJSON, in chosen columns.
  package var asides: [String] = []
  /// The first line for people, of what else is printed.
  package var warning: String? {
    guard [store, other].contains(where: { $0?.isRedacted == true }) else { return nil }
    return other == nil || store?.isRedacted == true
      ? StoreIdentity.redacted : "The second store is a redacted copy: values are placeholders."
  }
  /// The result in formats that only this command has, made when it is printed.
  package var special: [Format: () -> Special] = [:]

  package enum Special: Sendable {
    case json(DataValue)
    case text(String)
  }

  package init(
    command: String, store: StoreIdentity? = nil, other: StoreIdentity? = nil, fields: [Field] = [],
    payload: String? = nil, head: Head? = nil, blocks: [Block] = []
  ) {
    self.command = command
    self.store = store
    self.other = other
    self.fields = fields
    self.payload = payload
    self.head = head
    self.blocks = blocks
  }

  package struct Field {
    package enum Content {
      case value(DataValue)
      /// Rows as objects, keyed by their columns' names.
      case rows(RowStream)
      /// The same, with the columns' names in a field `columns` before them.
      case rowsAndColumns(RowStream)
      /// Rows of one column, as its bare values.
      case list(RowStream)
      /// Objects too large to be held, as lists in them are made while they are printed. `flat` says the same in rows,
      /// for CSV; where columns are chosen, its rows stand under `flatName`.
      case objects([[Field]], flat: RowStream, flatName: String)

      /// The same in rows; a single value is one.
      var rows: RowStream {
        switch self {
        case .rows(let stream), .rowsAndColumns(let stream), .list(let stream), .objects(_, let stream, _):
          stream
        case .value(.array(let elements)): RowStream(objects: elements)
        case .value(let value): RowStream(objects: [value])
        }
      }

      /// The same with other rows, if it is made of some.
      func replacingRows(_ other: (RowStream) -> RowStream) -> Content {
        switch self {
        case .rows(let stream): .rows(other(stream))
        case .rowsAndColumns(let stream): .rowsAndColumns(other(stream))
        case .list(let stream): .list(other(stream))
        case .value, .objects: self
        }
      }
    }

    package var name: String
    package var content: Content

    package init(_ name: String, _ value: DataValue) {
      self.name = name
      content = .value(value)
    }

    package init(_ name: String, rows: RowStream) {
      self.name = name
      content = .rows(rows)
    }

    package init(_ name: String, rowsAndColumns: RowStream) {
      self.name = name
      content = .rowsAndColumns(rowsAndColumns)
    }

    package init(_ name: String, list: RowStream) {
      self.name = name
      content = .list(list)
    }

    /// - Parameter flatName: what the rows of `flat` are; nil if they are the objects.
    package init(_ name: String, objects: [[Field]], flat: RowStream, flatName: String? = nil) {
      self.name = name
      content = .objects(objects, flat: flat, flatName: flatName ?? name)
    }
  }

  package struct Group {
    package struct Item {
      /// `Trip/p1`
      package var name: String
      package var title: String?
      package var date: CoreDataDate?
      package var note: String
      /// What else there is to say, below it.
      package var lines: [String]

      package init(
        _ name: String, title: String? = nil, date: CoreDataDate? = nil, note: String = "",
        lines: [String] = []
      ) {
        self.name = name
        self.title = title
        self.date = date
        self.note = note
        self.lines = lines
      }
    }

    package var count: Int
    package var title: String
    package var items: [Item]
    /// The date of the oldest of those that aren't listed.
    package var oldest: CoreDataDate?
    /// Whether it may be older than that.
    package var mayBeOlder: Bool
    /// Whether the items are objects of the store that the shell has open.
    package var hasObjects: Bool

    package init(
      count: Int, title: String, items: [Item], oldest: CoreDataDate? = nil, mayBeOlder: Bool = false,
      hasObjects: Bool = true
    ) {
      self.mayBeOlder = mayBeOlder
      self.hasObjects = hasObjects
      self.count = count
      self.title = title
      self.items = items
      self.oldest = oldest
    }
  }

  package enum Block {
    case heading(String)
    case text(String)
    case list([String])
    /// `links` are the names whose values are objects, as in `Person/p1, Person/p2`.
    case pairs([(String, DataValue)], links: Set<String> = [])
    case table(RowStream)
    /// Short facts with their names, two on a line where there is room.
    case facts([(name: String, text: (DateText) -> String)])
    /// Names with numbers, as many on a line as fit; those with a note have lines of their own.
    case tally([(name: String, count: Int, note: String)])
    /// Things of a kind, counted, each kind with some of them. Made when they are printed.
    case groups(() throws -> [Group])
    /// A state that stands out: its word in color, and what follows.
    case state(word: String, rest: (DateText) -> String, TextStyle.Color?)
    case items([ListedItem])
    /// A nested value, indented.
    case tree(DataValue)
    /// The program's own text, printed as it stands: a script, a page. Never anything out of a store.
    case verbatim(String)
    /// What people copy as it stands, such as commands: never wrapped, nor shortened.
    case lines([String])
    /// Made when it is printed.
    case chart(() throws -> Chart)
    /// With a heading that a page's contents lead to.
    case section(Section)
    case figures([Figure])
    /// Next to each other if there is room.
    case pictures([Picture])
    /// With more rows than `mostOpen` a page has it folded, with its caption as the handle. A detail is on a page only.
    case grid(PageTable, mostOpen: Int = .max, isDetail: Bool = false)

    var isItems: Bool { if case .items = self { true } else { false } }
  }
}

/// Which store a result speaks of.
package struct StoreIdentity: HasFields, Sendable, Equatable {
  package var path: String
  package var uuid: String?
  package var frameworkVersion: Int64?
  /// Whether it is a copy whose values are placeholders.
  package var isRedacted: Bool

  package init(path: String, uuid: String?, frameworkVersion: Int64?, isRedacted: Bool = false) {
    self.path = path
    self.uuid = uuid
    self.frameworkVersion = frameworkVersion
    self.isRedacted = isRedacted
  }

  package static let fields: [Field<Self>] = [
    Field("path", "as it was given, or found") { $0.path },
    Field("uuid", .uuid, "the store's identifier") { $0.uuid },
    Field("frameworkVersion", "the version of Core Data that wrote it last") { $0.frameworkVersion },
    Field("redacted", "true: its values are placeholders", if: "it is a redacted copy") {
      $0.isRedacted ? Optional(true) : nil
    },
  ]

  package static let shape = Shape.named("store", fields.keys())

  /// What whoever reads its values has to know first.
  package static let redacted = "This is a redacted copy: values are placeholders."
}
