import Containers
import Evidence
import Lens
import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

extension Command {
  static let search = Command(
    "search", summary: "find a value anywhere: in every entity, also inside archives and JSON",
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
      all dates in it; write it as tables print it or in another usual way (20.03.2026, 'March 20, 2026'), in UTC, or
      with --local in local time.

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
    let words = invocation.arguments.positionals.joined(separator: " ")
    guard !words.trimmed.isEmpty else { throw UsageError.conflict("TEXT is empty; give a text to find.") }
    let text = invocation.arguments.has(.exact) ? words : SearchQuestion.asCopied(words)
    let open = try session.open()
    let anywhere = try SearchQuestion(text, invocation, open.store)
    let questions = [anywhere] + (try anywhere.others(invocation, open.store))
    let limit = max(DeletedSearch.limit, try invocation.limit() ?? 0)
    let deleted = try DeletedFindings.all(questions, open, limit, invocation)
    var answer = try SearchDocument(anywhere, deleted[0], limit, invocation, session, open)
    for (question, deleted) in zip(questions, deleted).dropFirst() where answer.isEmpty {
      let next = try SearchDocument(question, deleted, limit, invocation, session, open)
      // A property that exists is what was asked for, even if nothing is found there.
      let isNamed = question.property != nil && !question.isGuess
      guard isNamed || !next.isEmpty else { continue }
      if !isNamed {
        let place = question.property.map { " in \($0.attribute)" } ?? question.ofEntity
        let what = question.isYear ? "dates of that year" : "'\(question.text)'\(place)"
        invocation.note("No value contains '\(text)': searched for \(what).")
      }
      answer = next
    }
    var similar = try answer.similar
    if answer.isEmpty, let accented = similar.first(where: { $0.isAccented(answer.question.text) }) {
      let question = try SearchQuestion(
        accented.text, in: answer.question.property, isGuess: answer.question.isGuess, invocation, open.store)
      let deleted = try DeletedFindings.all([question], open, limit, invocation)[0]
      invocation.note("No value contains '\(answer.question.text)': searched for '\(accented.text)'.")
      answer = try SearchDocument(question, deleted, limit, invocation, session, open)
      similar = []
    }
    if answer.isEmpty, open.opened?.files.isWALMissing == true { invocation.note(StoreFiles.walMissing) }
    return Outcome(try answer.document(similar))
  }
}

/// What `search` prints.
private struct SearchDocument {
  static let keys: [Shape.Key] = [
    .init("matches", .list(.object(matchKeys)), "matches in objects that exist"),
    .init("deleted", .list(.object(deletedKeys)), "matches in what is left of deleted objects"),
    .init("searchedFor", .text, "the text that was actually searched for"),
    .init("deletedCount", .integer.orNull, "matches in deleted objects; null if they weren't counted"),
    .init("similar", .list(.object(SearchAdvice.fields.keys())), "similar strings, if nothing was found"),
  ]

  let question: SearchQuestion
  private let identity: StoreIdentity
  private let open: OpenStore
  private var store: CoreDataStore { open.store }
  private let search: ValueSearch
  private let first: ValueSearch.Match?
  private let titles: ObjectTitles
  /// Objects that exist, by their URI or by the names of their records.
  private let named: [NamedObjects.Match]
  private let deleted: DeletedFindings
  private let progress: Progress
  private let note: (String) -> Void

  /// - Parameter limit: so many matches of objects that are named or deleted are listed.
  init(
    _ question: SearchQuestion, _ deleted: DeletedFindings, _ limit: Int, _ invocation: Invocation,
    _ session: Session, _ open: OpenStore
  ) throws {
    self.question = question
    self.open = open
    let store = open.store
    identity = try session.identity()
    progress = invocation.progress
    note = invocation.note
    titles = ObjectTitles(store)
    let progress = progress
    search = ValueSearch(
      question.text, period: question.period, question.options, entities: question.entities,
      property: question.searched, in: store, readers: open.otherReaders
    ) { progress.step("searching") }
    first = try search.next()
    var all: [NamedObjects.Match] = []
    if question.property == nil {
      let numbers = question.isOfAll ? nil : Set(question.entities.map(\.number))
      let objects = NamedObjects(open, entities: numbers)
      all = try Self.named(question.text, isExact: question.isExact, objects, limit, note)
      for object in try titles.objects(titled: question.text, of: question.entities, limit: limit) {
        let title = try titles.title(of: object) ?? question.text
        all.append(NamedObjects.Match(object: object, property: "title", text: title, exists: true))
      }
    }
    named = all.filter(\.exists)
    self.deleted = try deleted.adding(all.filter { !$0.exists }, open)
  }

  private static func named(
    _ text: String, isExact: Bool, _ objects: NamedObjects, _ limit: Int, _ note: (String) -> Void
  ) throws -> [NamedObjects.Match] {
    var found: [NamedObjects.Match] = []
    do { found = try objects.object(address: text).map { [$0] } ?? [] } catch let error as StoreScopeError {
      // It may be a part of a value all the same.
      note(error.description)
    }
    do {
      let ofRecords = try objects.objects(recordName: text, isExact: isExact, limit: min(limit, .max - 1) + 1)
      if ofRecords.count > limit {
        note(
          "Only the first \(Sentence.number(limit)) of the records whose names begin with '\(text)' are listed."
        )
      }
      found += ofRecords.prefix(limit)
    } catch let error as SQLiteError where !error.isInterrupt {
      note("Record names weren't searched: \(Sentence.ended(error.message))")
    }
    return found
  }

  /// Without a match the answer is another.
  var isEmpty: Bool { first == nil && named.isEmpty && deleted.matches.isEmpty }

  private var advice: SearchAdvice { SearchAdvice(question, isEmpty: isEmpty, open, progress) }

  /// What may have been meant instead.
  var similar: [SimilarTexts.Text] { get throws { try advice.similar } }

  func document(_ similar: [SimilarTexts.Text]) throws -> Document {
    var fields = [
      Document.Field("matches", rows: matches), .init("deleted", rows: deletedMatches),
      .init("searchedFor", .text(question.text)),
      .init("deletedCount", deleted.count.map { .integer(Int64($0)) } ?? .null),
    ]
    if let count = deleted.count, count > deleted.matches.count {
      note(
        "Of \(Sentence.count(count, "match", "matches")) in deleted objects, the first \(Sentence.number(deleted.matches.count)) are listed; --limit N lists more."
      )
    }
    var blocks: [Document.Block] = []
    let isFound = first != nil || !named.isEmpty
    fields.append(.init("similar", .array(similar.map(advice.value))))
    if isEmpty {
      blocks = [.text("\(question.none).\(advice.sentences(similar))")]
      search.problems.forEach(note)
    } else {
      blocks =
        !isFound
        ? [.text("\(question.none) anymore. Deleted objects had it:")]
        : [.table(shownMatches.neverCutting("object").leavingOut("title").counting("match", "matches"))]
      if !deleted.matches.isEmpty {
        blocks += [
          .text(""),
          .table(shownDeleted.counting("match in deleted objects", "matches in deleted objects")),
        ]
      }
      if !similar.isEmpty {
        blocks += [.text(""), .text("With accents:\(advice.list(similar, after: ""))")]
      }
    }
    return Document(
      command: "search", store: identity, fields: fields, payload: "matches", blocks: blocks)
  }

  // MARK: - Matches

  /// Long enough to see what it is about, short enough for a line of a terminal.
  private static let snippet = 100
  /// A UUID is whole.
  private static let shortSnippet = 36
  private static let shortTitle = 20
  /// Enough to see where in the value it is.
  private static let lead = 8

  private static let matchKeys: [Shape.Key] = [
    .init("uri", .uri, "the object's URI"), .init("entity", .text, "its entity"),
    .init("pk", .integer, "its primary key"), .init("property", .text, "the property that holds the text"),
    .init("snippet", .text, "the text, with what is around it"),
    .init("place", .text.orNull, "the path in a decoded value"),
    .init("title", .text.orNull, "what people would recognize the object by"),
  ]
  private static let deletedKeys =
    matchKeys + [
      .init("deletedAt", .date, "when it was deleted"),
      .init("deletedBy", .text.orNull, "the author who deleted it"),
    ]

  private static func column(_ key: Shape.Key) -> RowStream.Column {
    .init(key.name, isNumber: key.name == "pk")
  }

  /// A row up to its title.
  private func begin(
    _ sink: any RowSink, _ object: ObjectKey, _ property: String, _ hit: TextHit, _ place: String = ""
  ) {
    sink.beginRow()
    sink.value(.text(store.uri(object)))
    sink.value(.text(store.entityName(ofNumber: object.entity)))
    sink.integer(object.primaryKey)
    sink.value(.text(property))
    sink.value(.text(hit.snippet(Self.snippet)))
    sink.value(place.isEmpty ? .null : .text(property + place))
  }

  private var matches: RowStream {
    RowStream(columns: Self.matchKeys.map(Self.column)) { sink in
      for match in named {
        begin(sink, match.object, match.property, TextHit(whole: match.text))
        sink.value(.optional(try titles.title(of: match.object)))
        guard try sink.endRow() else { return }
      }
      try forEach { match in
        begin(sink, match.object, match.property, match.hit, match.place)
        sink.value(.optional(try titles.title(of: match.object)))
        return try sink.endRow()
      }
    }
  }

  /// A list of its own: whoever counts matches means objects that exist.
  private var deletedMatches: RowStream {
    RowStream(columns: Self.deletedKeys.map(Self.column)) { sink in
      for match in deleted.matches {
        begin(sink, match.object, match.property, match.hit, match.place)
        sink.value(.optional(match.title))
        sink.value(.optional(match.deletion?.at))
        sink.value(.optional(match.deletion?.author))
        guard try sink.endRow() else { return }
      }
    }
  }

  private var shownDeleted: RowStream {
    let rows = deleted.matches.map { match -> [DataValue] in
      [
        .text(TextForPeople.objectName(ofURI: store.uri(match.object))),
        .optional(match.title.map { $0.shortened(to: Self.shortTitle) }),
        .text(match.property + match.place), shown(match.hit),
        .optional(match.deletion?.at), .optional(match.deletion.map { $0.author ?? "(none)" }),
      ]
    }
    let columns = ["object", "title", "property", "match", "deleted", "author"]
    return RowStream(columns: columns.map { .init($0) }, rows: rows).toTheMinute().leavingOut(
      "title", "property")
  }

  /// A date that was found as one is shown as dates are.
  private func shown(_ hit: TextHit) -> DataValue {
    let snippet = hit.snippet(Self.shortSnippet, lead: Self.lead)
    let date = snippet.utf8.count == ISO8601.capacity ? ISO8601.parse(snippet) : nil
    return date.map(DataValue.date) ?? .text(snippet)
  }

  private var shownMatches: RowStream {
    let columns = [RowStream.Column("object"), .init("title"), .init("property"), .init("match")]
    return RowStream(columns: columns) { sink in
      func add(_ object: ObjectKey, _ property: String, _ value: DataValue) throws -> Bool {
        sink.beginRow()
        sink.value(.text(TextForPeople.objectName(ofURI: store.uri(object))))
        sink.value(.optional(try titles.title(of: object).map { $0.shortened(to: Self.shortTitle) }))
        sink.value(.text(property))
        sink.value(value)
        return try sink.endRow()
      }
      for match in named {
        guard try add(match.object, match.property, .text(match.text)) else { return }
      }
      try forEach { try add($0.object, $0.property + $0.place, shown($0.hit)) }
    }
  }

  private func forEach(_ body: (ValueSearch.Match) throws -> Bool) throws {
    defer { search.problems.forEach(note) }
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
