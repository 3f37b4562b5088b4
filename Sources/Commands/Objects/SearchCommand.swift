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
      Finds texts, URIs and UUIDs that contain TEXT, ignoring case and how accents are encoded. Property lists, keyed
      archives, compressed data and JSON are decoded first, in files next to the store too. A number finds equal
      numbers (5 finds 5.0, and 1,312.40 finds 1312.4), a date all dates in it: a month (2026-03), a day, a minute, as
      tables print them or in another usual spelling (20.03.2026, 'March 20, 2026'), in UTC or with --local in local time.
      If nothing contains it, PROPERTY=VALUE looks in that property only. An address (Trip/p3) finds its object, and so does the
      name of its CloudKit record, or the beginning of it. Values that history and copies of records still have of
      deleted objects are searched too; --json lists them as 'deleted'. Of other objects the server's copies aren't
      searched; 'trace' shows where they differ.

      Examples:
        storescope search App.store lisbon
        storescope search App.store 2026-03-20 --entity Trip --json
        storescope search App.store weather.condition=rain
        storescope search App.store 423285F9
      """
  ) { invocation in
    let session = try invocation.store()
    let words = invocation.arguments.positionals.joined(separator: " ")
    guard !words.trimmed.isEmpty else { throw UsageError.conflict("TEXT is empty; give a text to find.") }
    let text = invocation.arguments.has(.exact) ? words : SearchDocument.asCopied(words)
    let open = try session.open()
    let anywhere = try SearchDocument(text, nil, invocation, session, open)
    guard anywhere.isEmpty else { return Outcome(try anywhere.document) }
    // What may be a value with an equals sign in it is one first.
    if let property = anywhere.property {
      invocation.note(
        "No value contains '\(text)': searched for '\(property.value)' in \(property.attribute).")
      return Outcome(try SearchDocument(property.value, property, invocation, session, open).document)
    }
    // What is behind an equals sign is a relationship's, which `conditions` says how to ask for.
    if !invocation.arguments.has(.exact), !text.contains("=") || text.contains("recordName"),
      let meant = PastedText.meant(by: text)
    {
      let search = try SearchDocument(meant, nil, invocation, session, open)
      if !search.isEmpty {
        invocation.note("No value contains '\(text)': searched for '\(meant)'.")
        return Outcome(try search.document)
      }
    }
    return Outcome(try anywhere.document)
  }
}

/// What `search` prints.
private struct SearchDocument {
  private let text: String
  private let isExact: Bool
  private let moment: TypedMoment
  private let period: Range<CoreDataDate>?
  private let identity: StoreIdentity
  private let store: CoreDataStore
  private let entities: [SchemaEntity]
  /// The only one that is searched; nil for all.
  private let searched: PropertyName?
  private let search: ValueSearch
  private let first: ValueSearch.Match?
  private let titles: ObjectTitles
  /// Objects that exist, by their URI or by the names of their records.
  private let named: [NamedObjects.Match]
  /// Of deleted objects.
  private let deleted: [DeletedSearch.Match]
  /// How many of them there are, listed or not; nil if they could not be read.
  private let deletedCount: Int?
  private let progress: Progress
  private let note: (String) -> Void

  init(
    _ text: String, _ property: AttributeValue?, _ invocation: Invocation, _ session: Session,
    _ open: OpenStore
  ) throws {
    self.text = text
    let store = open.store
    self.store = store
    identity = try session.identity()
    progress = invocation.progress
    note = invocation.note
    titles = ObjectTitles(store)
    searched = property.map { PropertyName($0.attribute) }
    let ofProperty = property.flatMap { $0.entity.isEmpty ? nil : [$0.entity] }
    let names = ofProperty ?? invocation.arguments.all(.entity)
    let chosen = try names.map { try store.entity(named: $0) }
    entities =
      names.isEmpty
      ? store.schema.entities
      : store.schema.entities.filter { entity in
        chosen.contains { $0.root == entity.root && $0.subtree.contains(entity.number) }
      }
    isExact = invocation.arguments.has(.exact)
    let options = TextPattern.Options(
      isWhole: isExact, isCaseSensitive: isExact || invocation.arguments.has(.caseSensitive))
    let progress = progress
    // What is printed can be searched.
    moment = TypedMoment(now: Platform.dateOfOutput(), printsLocal: invocation.dates.isLocal)
    period = moment.printedPeriod(text)
    search = ValueSearch(text, period: period, options, entities: entities, property: searched, in: store) {
      progress.step("searching")
    }
    first = try search.next()
    let limit = max(DeletedSearch.limit, try invocation.limit() ?? 0)
    var all: [NamedObjects.Match] = []
    if property == nil {
      let objects = NamedObjects(open, entities: names.isEmpty ? nil : Set(entities.map(\.number)))
      all = try Self.named(text, isExact: isExact, objects, limit, note)
      for object in try titles.objects(titled: text, of: entities, limit: limit) {
        let title = try titles.title(of: object) ?? text
        all.append(NamedObjects.Match(object: object, property: "title", text: title, exists: true))
      }
    }
    named = all.filter(\.exists)
    do {
      let objects = try DeletedObjects(store, open.mirror())
      let found = try DeletedSearch.matches(
        text, period: period, options, of: entities, property: searched, in: objects, store, limit: limit
      ) { progress.step("searching deleted objects") }
      let gone = try all.filter { !$0.exists }.map {
        try DeletedSearch.match($0.object, $0.property, $0.text, in: objects)
      }
      deleted = gone + found.matches
      deletedCount = gone.count + found.count
      if found.matches.count < found.count {
        note(
          "Of \(Sentence.count(found.count, "match", "matches")) in deleted objects, the first \(Sentence.number(limit)) are listed; --limit N lists more."
        )
      }
    } catch let error as SQLiteError where !error.isInterrupt {
      note("Deleted objects weren't searched: \(Sentence.ended(error.message))")
      deleted = []
      deletedCount = nil
    }
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
          "Of the records whose names begin with '\(text)', the first \(Sentence.number(limit)) are listed.")
      }
      found += ofRecords.prefix(limit)
    } catch let error as SQLiteError where !error.isInterrupt {
      note("Record names weren't searched: \(Sentence.ended(error.message))")
    }
    return found
  }

  /// Without a match the answer is another.
  var isEmpty: Bool { first == nil && named.isEmpty && deleted.isEmpty }

  /// `mood=grateful` and `Trip mood=grateful`, where there is such a property.
  var property: AttributeValue? {
    guard text.last != "=" else { return nil }
    if let property = AttributeValue(text), let entity = try? store.entity(named: property.entity) {
      let descendants = store.schema.descendants(of: entity)
      return descendants.contains { $0.attribute(holding: property.attribute) != nil } ? property : nil
    }
    guard let property = AttributeValue(anyEntity: text) else { return nil }
    return entities.contains { $0.attribute(holding: property.attribute) != nil } ? property : nil
  }

  var document: Document {
    get throws {
      var fields = [
        Document.Field("matches", rows: matches), .init("deleted", rows: deletedMatches),
        .init("searchedFor", .text(text)),
        .init("deletedCount", deletedCount.map { .integer(Int64($0)) } ?? .null),
      ]
      var blocks: [Document.Block] = []
      let isFound = first != nil || !named.isEmpty
      let similar = try similar
      let isValue = searched != nil && (period != nil || WrittenNumber(text) != nil)
      let verb = isExact || isValue ? "is" : WrittenNumber(text) != nil ? "is or contains" : "contains"
      let none = "No \(searched?.name ?? "value") \(verb) '\(text)'"
      fields.append(.init("similar", .array(similar.map(value))))
      if isEmpty {
        blocks = [.text("\(none).\(hint(similar))\(dates)\(numbers)\(booleans)\(conditions)")]
        search.problems.forEach(note)
      } else {
        blocks =
          !isFound
          ? [.text("\(none) anymore. Deleted objects had it:")]
          : [.table(shownMatches.neverCutting("object").leavingOut("title").counting("match", "matches"))]
        if !deleted.isEmpty {
          blocks += [
            .text(""),
            .table(shownDeleted.counting("match in deleted objects", "matches in deleted objects")),
          ]
        }
        if !similar.isEmpty { blocks += [.text(""), .text("With accents:\(hint(similar, after: ""))")] }
      }
      return Document(
        command: "search", store: identity, fields: fields, payload: "matches", blocks: blocks)
    }
  }

  /// Without the blanks around it, and what tables put for the rest of a long text.
  static func asCopied(_ text: String) -> String {
    var text = text.trimmed
    if text.last == "…" { text = text.dropLast() }
    if text.first == "…" { text = text.dropFirst() }
    return text.isEmpty ? "…" : String(text)
  }

  // MARK: - Matches

  /// Long enough to see what it is about, short enough for a line of a terminal.
  private static let snippet = 100
  /// A UUID is whole.
  private static let shortSnippet = 36
  private static let shortTitle = 20
  /// Enough to see where in the value it is.
  private static let lead = 8

  private static let columns = [
    RowStream.Column("uri"), .init("entity"), .init("pk", isNumber: true), .init("property"),
    .init("snippet"), .init("place"), .init("title"),
  ]

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
    RowStream(columns: Self.columns) { sink in
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
    RowStream(columns: Self.columns + [.init("deletedAt"), .init("deletedBy")]) { sink in
      for match in deleted {
        begin(sink, match.object, match.property, match.hit, match.place)
        sink.value(.optional(match.title))
        sink.value(.optional(match.deletion?.at))
        sink.value(.optional(match.deletion?.author))
        guard try sink.endRow() else { return }
      }
    }
  }

  private var shownDeleted: RowStream {
    let rows = deleted.map { match -> [DataValue] in
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

  /// Where to find Booleans, which aren't searched: half of all objects would have them.
  private var booleans: String {
    guard searched == nil, ["true", "false", "yes", "no"].contains(text.lowercased()) else { return "" }
    let value = ["true", "yes"].contains(text.lowercased()) ? 1 : 0
    for entity in entities {
      guard let attribute = entity.attributes.first(where: { $0.description.type == .boolean }) else {
        continue
      }
      return
        " Booleans aren't searched; 'rows \(entity.name) --where \"\(attribute.name) = \(value)\"' finds them."
    }
    return ""
  }

  /// `rating > 4` and `trip=Spring`, which `rows` can ask of an entity.
  private var conditions: String {
    guard let match = text.wholeMatch(of: /(?:(\w+)\s+)?(\w[\w.]*)\s*(<>|!=|[<>]=?|=)\s*(.+)/) else {
      return ""
    }
    let name = String(match.2)
    let value = WrittenNumber(String(match.4)) == nil ? quotedText(String(match.4)) : String(match.4)
    let owners = match.1.map { named in entities.filter { $0.name == named } } ?? entities
    guard
      let entity = owners.first(where: { entity in
        entity.relationships.contains { $0.name == name }
          || match.3 != "=" && entity.attribute(named: name) != nil
      })
    else { return "" }
    let condition = "\(name) \(match.3) \(value)"
    // Texts have single quotes around them in SQL.
    let quoted =
      condition.contains { "\"$`\\!".contains($0) } ? ShellQuotes.word(condition) : "\"\(condition)\""
    return " These objects: rows \(entity.name) --where \(quoted)"
  }

  // MARK: - Near matches

  /// What may have been meant: where something is found, only the same words with accents, which `search` doesn't ignore.
  private var similar: [SimilarTexts.Text] {
    get throws {
      guard isEmpty || !isExact && text.count > 2 && text.allSatisfy({ $0.isASCII && $0.isLetter }) else {
        return []
      }
      let step = { progress.step("looking for similar values") }
      if isEmpty, WrittenNumber(text) != nil {
        return try SimilarNumbers.find(text, entities: entities, property: searched, in: store, step: step)
      }
      let attribute = searched.flatMap { searched in
        entities.lazy.compactMap { $0.attribute(named: searched.name) }.first
      }
      let similar = try SimilarTexts.find(
        text, entities: entities, attribute: attribute, in: store, step: step)
      return isEmpty ? similar : similar.filter { $0.isAccented(text) }
    }
  }

  private var numbers: String {
    guard let number = WrittenNumber(text)?.readings[0], searched == nil else { return "" }
    if WrittenDate(text)?.unit == .year, (1900...2100).contains(number.real) {
      return " A year alone is searched as a number; '\(text)-03' finds dates of a month."
    }
    return " A number finds equal numbers only; 'rows ENTITY --where' compares with < and >."
  }

  /// What looks like a date and isn't read as one.
  private var dates: String {
    let forms = SpelledDate.forms(of: text)
    if forms.count > 1 { return " It may be \(forms[0]) or \(forms[1]); write one of them." }
    if let period {
      if moment.lacksYear(text), let day = period.lowerBound.iso8601?.prefix(10) {
        return " The day was taken for \(day); type the year to search another one."
      }
      return text.contains(":")
        ? " Times are \(moment.printsLocal ? "local" : "UTC, and local with --local")." : ""
    }
    let words = ["today", "yesterday"].contains(text.lowercased())
    guard words || text.contains(/^\d{1,4}[.\/-]\d{1,2}[.\/-]\d{1,4}|^\d\d?:\d\d(:\d\d)?$/) else { return "" }
    return " Dates are searched as 2026-03-20, 2026-03 or '2026-03-20 16:30'."
  }

  private func value(_ similar: SimilarTexts.Text) -> DataValue {
    [
      "text": .text(similar.text), "uri": .text(store.uri(similar.object)),
      "property": .text(similar.property),
    ]
  }

  private func hint(_ similar: [SimilarTexts.Text], after label: String = " Similar:") -> String {
    guard !similar.isEmpty else { return "" }
    let words = similar.map {
      "'\($0.text)' (\(TextForPeople.objectName(ofURI: store.uri($0.object))) \($0.property))"
    }
    return "\(label) \(words.joined(separator: ", "))."
  }
}

extension String {
  fileprivate func shortened(to length: Int) -> String { count > length ? prefix(length - 1) + "…" : self }
}
