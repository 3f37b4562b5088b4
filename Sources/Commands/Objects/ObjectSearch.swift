import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import SQLite
import StoreModel

/// Finds the one object that words name: by a URI, `Person/p12`, `Person 12` or the name of its record; or else the only
/// one among what is closest to the words of all that `search` finds. Of deleted objects, what is left of them counts.
struct ObjectSearch {
  /// What commands take them as.
  static let arguments: [Command.Argument] = [
    .init(
      "OBJECT", kind: .object,
      help: "a URI, Entity/pN, a record name, a title or another value, or property=value"),
    .init(
      "VALUE", kind: .attributeValue, isOptional: true, isRepeatable: true,
      help: "property=value or a primary key, if OBJECT is an entity's name"),
  ]
  /// What is said where words are none of them.
  private static let forms =
    "use a URI, Entity/pN, 'Entity N', a record name, a title or another value of it, or property=value"

  private let open: OpenStore
  private let store: CoreDataStore
  private let reader: TraceReader
  private let titles: ObjectTitles
  private let deleted: DeletedObjects
  private let invocation: Invocation

  init(_ invocation: Invocation) throws {
    self.invocation = invocation
    open = try invocation.store().open()
    store = open.store
    reader = try TraceReader(open)
    titles = ObjectTitles(store)
    deleted = try DeletedObjects(store, open.mirror())
  }

  /// The object's key, with its own entity, which may be below the one that was named. Whether the object exists isn't
  /// said: history and the mirror know of deleted ones.
  func find(_ words: [String]) throws -> ObjectKey {
    do { return try found(String(words.joined(separator: " ").trimmed)) } catch var error as StoreScopeError
      where error.kind == .notFound
    {
      let unread = (try? EarlierCommits.unread(invocation.store(), open)) ?? []
      if !unread.isEmpty {
        error.advice = ([error.advice.map(Sentence.ended)].compactMap(\.self) + unread).joined(separator: " ")
      }
      throw error
    }
  }

  /// The keys of the object that `--object` names.
  /// - Parameter entity: what `--entity` names.
  /// - Throws: `UsageError` if no object of that entity can be it.
  func scope(_ word: String, within entity: SchemaEntity?) throws -> ObjectScope {
    let object = try find([word])
    let numbers = store.schema.hierarchy(ofNumber: object.entity)
    if let entity, !entity.subtree.overlaps(numbers) {
      throw UsageError.conflict(
        "No \(entity.name) can be \(store.entityName(ofNumber: object.entity))/p\(object.primaryKey); leave out --entity or --object."
      )
    }
    return ObjectScope(entities: numbers, primaryKey: object.primaryKey)
  }

  private func found(_ text: String) throws -> ObjectKey {
    // Screens print a title in quotes behind an address.
    let address = text.firstRange(of: " \"").map { String(text[..<$0.lowerBound]) } ?? text
    if ObjectReference.isAddress(address) { return try key(ObjectReference.parse(address, in: store)) }
    if let reference = ObjectReference.numbered(text, in: store) { return try object(reference, text) }
    if let object = try reader.object(recordName: text)
      ?? WrittenUUID(text).flatMap({ try reader.object(recordName: $0.text) })
    {
      return object
    }
    if let entity = try? store.entity(named: text) {
      throw StoreScopeError(
        .invalid, text, "is an entity, not an object",
        advice: "'storescope rows STORE \(ShellQuotes.word(entity.name))' lists its objects")
    }
    let asked = SearchQuestion(text, of: store.schema.entities, invocation.dates)
    // An exact match of the whole text wins, so that is searched first. Otherwise a leading entity or property narrows
    // the search.
    let value = asked.value(in: store, invocation.dates)
    let whole = try (asked, closest(asked))
    let part = whole.1.closeness == .equal ? nil : try value.map { try ($0, closest($0)) }
    for (question, closest) in [part, whole].compactMap(\.self) {
      guard let first = closest.matches.first else { continue }
      let object = try one(of: closest.matches.map(\.object), text)
      if closest.closeness != .equal || question.property == nil {
        try say(question.text, object, ", found by \(first.property)")
      }
      return object
    }
    throw try notFound(value ?? asked, text)
  }

  /// `Note 5` is a usual title, and a title may be a number: it is an address only if no object is called that. People
  /// choose if there are both.
  private func object(_ reference: ObjectReference, _ text: String) throws -> ObjectKey {
    let isWhole = TextPattern.Options(isWhole: true)
    var objects = try closest(
      SearchQuestion(text, isWhole, of: store.schema.entities, invocation.dates)
    ).matches.map(\.object)
    objects += try titles.objects(
      titled: String(reference.primaryKey), of: store.schema.descendants(of: reference.entity), parts: 1,
      limit: ClosestMatches.limit
    ).filter { !objects.contains($0) }
    do {
      let numbered = try key(reference)
      if try reader.trace(of: numbered, hasSteps: false).isKnown {
        objects = [numbered] + objects.filter { $0 != numbered }
      }
      guard !objects.isEmpty else { return numbered }
    } catch let error as StoreScopeError where error.kind == .notFound && !objects.isEmpty {
      // The row with that key is of another entity.
    }
    let object = try one(of: objects, text)
    try say(text, object)
    return object
  }

  private func key(_ reference: ObjectReference) throws -> ObjectKey {
    let number = try reference.storedEntity(in: store)
    let isKnown = number.map(reference.entity.subtree.contains) ?? false
    return ObjectKey(
      entity: isKnown ? number ?? 0 : reference.entity.number, primaryKey: reference.primaryKey)
  }

  private func closest(_ question: SearchQuestion) throws -> ClosestMatches {
    let (text, progress) = (question.text, invocation.progress)
    var closest = ClosestMatches(to: text)
    let search = ValueSearch(question, in: store, readers: open.otherReaders) {
      progress.step("looking for '\(text)'")
    }
    while !closest.isFull, let match = try search.next() { closest.add(match) }
    search.problems.forEach(invocation.note)
    let named = try NamedObjects(open, invocation.note).matches(
      question, withAddresses: false, limit: ClosestMatches.limit)
    for match in named { closest.add(match.found) }
    guard closest.closeness != .equal else { return closest }
    do {
      try DeletedSearch.forEach(
        question, in: deleted, store, step: { progress.step("looking for '\(text)' in deleted objects") }
      ) { match, _ in
        closest.add(match)
        return !closest.isFull
      }
    } catch let error as SQLiteError where !error.isInterrupt {
      invocation.note("Deleted objects weren't searched: \(Sentence.ended(error.message))")
    }
    return closest
  }

  // MARK: - What is said

  /// That the object was taken for it; nothing if it is called that.
  private func say(_ text: String, _ object: ObjectKey, _ how: String = "") throws {
    guard try titles.title(of: object) ?? deleted.title(of: object) != text else { return }
    invocation.note("'\(text)' is taken for \(try name(of: object))\(how)")
  }

  /// `Trip/p4 "Somewhere warm?", deleted Apr 2 18:22 UTC by app`
  private func name(of object: ObjectKey) throws -> String {
    let name = try titles.name(of: object)
    guard try reader.exists(object) == false else { return name }
    guard !store.withholdsValues else { return "\(name), which doesn't exist" }
    let title = try deleted.title(of: object).map { " \"\($0)\"" } ?? ""
    guard let deletion = try deleted.deletion(of: object) else {
      return "\(name)\(title), which doesn't exist"
    }
    return "\(name)\(title) (deleted\(deletion.words(invocation.dates)))"
  }

  /// The only one; several are for people to choose from: by an address, and in the shell by the numbers that they get
  /// there.
  private func one(of objects: [ObjectKey], _ text: String) throws -> ObjectKey {
    if objects.count == 1 { return objects[0] }
    let most = ClosestMatches.limit - 1
    let hasMore = objects.count > most
    let count = Sentence.count(min(most, objects.count), "object")
    let problem = "\(hasMore ? "More than " : "")\(count) may be meant by '\(text)'"
    let names = try objects.prefix(most).map(name)
    let addresses = objects.prefix(most).map { TextForPeople.objectName(ofURI: store.uri($0)) }
    let numbers = invocation.number.map { addresses.compactMap($0) } ?? []
    guard let first = numbers.first else {
      let list = names.joined(separator: ", ") + (hasMore ? " and more" : "")
      throw StoreScopeError(
        .invalid, "\(problem): \(list)", about: text,
        advice: "Name one of them by its address, such as \(addresses[0])")
    }
    var error = StoreScopeError(
      .invalid, problem, about: text, advice: "Choose one of them by its number, as in 'show \(first)'")
    error.list = zip(numbers, names).map { "\($0)  \($1)" } + (hasMore ? ["… and more"] : [])
    throw error
  }

  private func notFound(_ question: SearchQuestion, _ text: String) throws -> StoreScopeError {
    let progress = invocation.progress
    var problem = "'\(store.path)' has no object, record or value '\(text)'"
    if let property = question.property { problem = "No object has \(property.name) '\(question.text)'" }
    let name = nearestName(text)
    let similar =
      store.withholdsValues || !name.isEmpty
      ? [] : try SimilarTexts.find(question, in: store) { progress.step("looking for similar words") }
    let words = similar.map {
      "'\($0.text)' (\(store.entityName(ofNumber: $0.object.entity))/p\($0.object.primaryKey))"
    }
    if !name.isEmpty { problem += ".\(name)" }
    if !words.isEmpty { problem += ". Similar: \(words.joined(separator: ", "))" }
    return StoreScopeError(.notFound, problem, about: text, advice: Self.forms)
  }

  /// Suggests the entity or the property whose name is nearly the first word, or nearly one in front of an equals sign.
  private func nearestName(_ text: String) -> String {
    let entities = store.schema.entities
    let head = text.prefix { $0 != "=" }
    let words = head.split { " .".contains($0) }.map(String.init)
    guard head.count < text.count else {
      return words.first.map { Suggestion.sentence(for: $0, in: entities.map(\.name)) } ?? ""
    }
    let names = entities.map(\.name) + entities.flatMap { $0.attributeNames + $0.relationships.map(\.name) }
    let unknown = words.prefix(2).first { Suggestion.spelled($0, in: names) == nil }
    return unknown.map { Suggestion.sentence(for: $0, in: names) } ?? ""
  }
}

extension DeletedObjects.Deletion {
  /// ` Apr 2 18:22 UTC by app`, as far as it is known.
  func words(_ dates: DateText) -> String {
    (at.map { " " + dates.minute($0) + dates.zone } ?? "") + (author.map { " by \($0)" } ?? "")
  }
}
