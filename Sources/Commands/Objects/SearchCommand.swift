import Base
import Evidence
import Lens
import Rendering
import SQLite
import StoreModel

extension Command {
  static let search = Command(
    "search", summary: "find a value anywhere, also inside archives and JSON",
    arguments: [
      .init("TEXT", kind: .word, isRepeatable: true, help: "what to look for; several words are one text")
    ],
    options: [
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, isRepeatable: true,
        help: "only objects of this entity and its sub-entities"),
      OptionDefinition(.exact, help: "match the whole value, letter for letter"),
      OptionDefinition(.caseSensitive, help: "match case"),
    ],
    discussion: """
      Finds strings, URIs and UUIDs that contain TEXT, ignoring case and how accents are encoded. Property lists,
      keyed archives, compressed data and JSON are decoded first, in files next to the store too.

      A number finds equal numbers: 5 finds 5.0, and 1,312.40 finds 1312.4. A month (2026-03), a day or a minute finds
      all dates in it; write it as tables print it, in UTC, or with --local in local time.

      If no value contains PROPERTY=VALUE as typed, VALUE is looked for in that property. An address (Trip/p3) finds
      its object, and so does the name of its CloudKit record, or the beginning of that name.

      Values of deleted objects that are still in history or in copies of records are searched too; --json lists them
      as 'deleted'. The server's copies of other objects aren't searched; 'trace' shows where they differ.

      Examples:
        storescope search App.store lisbon
        storescope search App.store 2026-03-20 --entity Trip --json
        storescope search App.store weather.condition=rain
        storescope search App.store 423285F9
      """,
    documents: [DocumentForm(payload: "matches", SearchDocument.keys)]
  ) { invocation in
    let session = try invocation.store()
    let arguments = invocation.arguments
    let words = arguments.positionals.joined(separator: " ")
    guard !words.trimmed.isEmpty else { throw UsageError.conflict("TEXT is empty; give a text to find.") }
    let isExact = arguments.has(.exact)
    let open = try session.open()
    let store = open.store
    let chosen = try arguments.all(.entity).map { try store.entity(named: $0) }
    let entities = store.schema.entities.filter { entity in
      chosen.isEmpty || chosen.contains { $0.root == entity.root && $0.subtree.contains(entity.number) }
    }
    let question = SearchQuestion(
      isExact ? words : String(words.trimmed),
      TextPattern.Options(isWhole: isExact, isCaseSensitive: isExact || arguments.has(.caseSensitive)),
      of: entities, invocation.dates)
    let limit = max(DeletedSearch.limit, try invocation.limit() ?? 0)
    var answer = try SearchDocument(question, limit, invocation, session, open)
    if answer.isEmpty, let value = question.value(in: store, invocation.dates) {
      let found = try SearchDocument(value, limit, invocation, session, open)
      // A property that exists is what was asked for, even if nothing is found there.
      if value.property != nil || !found.isEmpty { answer = found }
      if value.property == nil, !found.isEmpty {
        invocation.note(
          "No value contains '\(question.text)': searched for '\(value.text)' in \(value.entities[0].name).")
      }
    }
    if answer.isEmpty { try EarlierCommits.unread(session, open).forEach(invocation.note) }
    return Outcome(try answer.document())
  }
}

/// What `search` prints.
private struct SearchDocument {
  static let keys: [Shape.Key] = [
    .init("matches", .list(.object(matchFields.keys())), "matches in objects that exist"),
    .init("deleted", .list(.object(deletedFields.keys())), "matches in what is left of deleted objects"),
    .init("searchedFor", .text, "the text that was actually searched for"),
    .init("deletedCount", .integer.orNull, "matches in deleted objects; null if they weren't counted"),
    .init("similar", .list(.object(similarFields.keys())), "similar strings, if nothing was found"),
  ]
  private static let similarFields: [Field<(similar: SimilarTexts.Text, store: CoreDataStore)>] = [
    Field("text", "the text") { $0.similar.text },
    Field("uri", .uri, "an object that has it") { $0.store.uri($0.similar.object) },
    Field("property", "the property that holds it") { $0.similar.property },
  ]

  private let question: SearchQuestion
  private let identity: StoreIdentity
  private let open: OpenStore
  private var store: CoreDataStore { open.store }
  private let search: ValueSearch
  private let first: SearchMatch?
  private let titles: ObjectTitles
  /// Objects that exist, by their URI, the names of their records, or a title of several properties.
  private let named: [SearchMatch]
  private let deleted: [DeletedSearch.Match]
  /// How many there are, listed or not; nil if they could not be read.
  private let deletedCount: Int?
  private let progress: Progress
  private let note: (String) -> Void

  /// - Parameter limit: so many matches of objects that are named or deleted are listed.
  init(
    _ question: SearchQuestion, _ limit: Int, _ invocation: Invocation, _ session: Session, _ open: OpenStore
  ) throws {
    self.question = question
    self.open = open
    identity = try session.identity()
    let progress = invocation.progress
    self.progress = progress
    note = invocation.note
    titles = ObjectTitles(open.store)
    let matches = try NamedObjects(open, note).matches(question, limit: limit)
    named = matches.filter(\.exists).map(\.found)
    do {
      let objects = try DeletedObjects(open.store, open.mirror())
      let gone = try matches.filter { !$0.exists }.map { try DeletedSearch.match($0.found, in: objects) }
      let answer = try DeletedSearch.answer(to: question, in: objects, open.store, limit: limit) {
        progress.step("searching deleted objects")
      }
      (deleted, deletedCount) = (gone + answer.matches, gone.count + answer.count)
    } catch let error as SQLiteError where !error.isInterrupt {
      note("Deleted objects weren't searched: \(Sentence.ended(error.message))")
      (deleted, deletedCount) = ([], nil)
    }
    search = ValueSearch(question, in: open.store, readers: open.otherReaders) { progress.step("searching") }
    first = try search.next()
  }

  /// Without a match the answer is another.
  var isEmpty: Bool { first == nil && named.isEmpty && deleted.isEmpty }

  func document() throws -> Document {
    let similar =
      isEmpty
      ? try SimilarTexts.find(question, in: store) { progress.step("looking for similar values") } : []
    if let deletedCount, deletedCount > deleted.count {
      note(
        "Of \(Sentence.count(deletedCount, "match", "matches")) in deleted objects, the first \(Sentence.number(deleted.count)) are listed; --limit N lists more."
      )
    }
    if isEmpty { search.problems.forEach(note) }
    return Document(
      command: "search", store: identity,
      fields: [
        Document.Field("matches", rows: matches), .init("deleted", rows: deletedMatches),
        .init("searchedFor", .text(question.text)),
        .init("deletedCount", deletedCount.map { .integer(Int64($0)) } ?? .null),
        .init("similar", .array(similar.map { Self.similarFields.object(of: ($0, store)) })),
      ], payload: "matches", blocks: isEmpty ? [.text(absence(similar))] : matchBlocks)
  }

  private var matchBlocks: [Document.Block] {
    let existing: Document.Block =
      first == nil && named.isEmpty
      ? .text("\(none) anymore. Deleted objects had it:")
      : .table(shownMatches.neverCutting("object").leavingOut("title").counting("match", "matches"))
    guard !deleted.isEmpty else { return [existing] }
    let gone = shownDeleted.counting("match in deleted objects", "matches in deleted objects")
    return [existing, .text(""), .table(gone)]
  }

  /// How the sentence begins if nothing is found.
  private var none: String {
    "No \(question.property?.name ?? "value") \(question.options.isWhole ? "is" : "contains") '\(question.text)'"
  }

  /// What is said if nothing is found.
  private func absence(_ similar: [SimilarTexts.Text]) -> String {
    guard !similar.isEmpty else {
      let command = store.command("rows", "ENTITY", "--where", "CONDITION")
      return "\(none). To compare values with <, > or LIKE:\n\(command)"
    }
    let words = similar.map {
      "'\($0.text)' (\(TextForPeople.objectName(ofURI: store.uri($0.object))) \($0.property))"
    }
    return "\(none). Similar: \(words.joined(separator: ", "))."
  }

  // MARK: - Matches

  /// Long enough to see what it is about, short enough for a line of a terminal.
  private static let snippet = 100
  /// A UUID is whole.
  private static let shortSnippet = 36
  private static let shortTitle = 20
  /// Enough to see where in the value it is.
  private static let lead = 8

  /// A match, with what the store says of its object.
  private typealias Row = (
    match: SearchMatch, title: String?, deletion: DeletedObjects.Deletion?, store: CoreDataStore
  )
  private static let matchFields: [Field<Row>] = [
    Field("uri", .uri, "the object's URI") { $0.store.uri($0.match.object) },
    Field("entity", "its entity") { $0.store.entityName(ofNumber: $0.match.object.entity) },
    Field("pk", "its primary key") { $0.match.object.primaryKey },
    Field("property", "the property that holds the text") { $0.match.property },
    Field("snippet", "the text, with what is around it") { $0.match.hit.snippet(snippet) },
    Field("place", "the path in a decoded value") {
      $0.match.place.isEmpty ? nil : $0.match.property + $0.match.place
    },
    Field("title", "what people would recognize the object by") { $0.title },
  ]
  private static let deletedFields =
    matchFields + [
      Field("deletedAt", .date, "when it was deleted") { $0.deletion?.at },
      Field("deletedBy", "the author who deleted it") { $0.deletion?.author },
    ]

  private var matches: RowStream {
    RowStream(Self.matchFields) { sink in
      try forEach { match in
        try sink.push((match, titles.title(of: match.object), nil, store), Self.matchFields)
      }
    }
  }

  /// A list of its own: whoever counts matches means objects that exist.
  private var deletedMatches: RowStream {
    RowStream(Self.deletedFields) { sink in
      for match in deleted {
        let row = (match.found, match.title, match.deletion, store)
        guard try sink.push(row, Self.deletedFields) else { return }
      }
    }
  }

  private static let shownColumns = ["object", "title", "property", "match"]

  private func shownCells(_ match: SearchMatch, title: String?) -> [DataValue] {
    [
      .text(TextForPeople.objectName(ofURI: store.uri(match.object))),
      .optional(title.map { $0.shortened(to: Self.shortTitle) }), .text(match.property + match.place),
      shown(match),
    ]
  }

  private var shownDeleted: RowStream {
    let columns = Self.shownColumns + ["deleted", "author"]
    let rows = deleted.map { match in
      shownCells(match.found, title: match.title) + [
        .optional(match.deletion?.at), .optional(match.deletion.map { $0.author ?? "(none)" }),
      ]
    }
    return RowStream(columns: columns.map { .init($0) }, rows: rows).toTheMinute().leavingOut(
      "title", "property")
  }

  /// A date that was found as one is shown as dates are. A URI is longer than a UUID.
  private func shown(_ match: SearchMatch) -> DataValue {
    let length = match.property == "uri" ? Self.snippet : Self.shortSnippet
    let snippet = match.hit.snippet(length, lead: Self.lead)
    let date = snippet.utf8.count == ISO8601.capacity ? ISO8601.parse(snippet) : nil
    return date.map(DataValue.date) ?? .text(snippet)
  }

  private var shownMatches: RowStream {
    RowStream(columns: Self.shownColumns.map { .init($0) }) { sink in
      try forEach { match in
        sink.beginRow()
        try shownCells(match, title: titles.title(of: match.object)).forEach(sink.value)
        return try sink.endRow()
      }
    }
  }

  private func forEach(_ body: (SearchMatch) throws -> Bool) throws {
    defer { search.problems.forEach(note) }
    for match in named { guard try body(match) else { return } }
    var next = first
    while let match = next {
      guard try body(match) else { return }
      next = try search.next()
    }
  }
}

extension String {
  fileprivate func shortened(to length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
