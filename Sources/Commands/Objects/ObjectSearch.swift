import Containers
import Diagnostics
import Evidence
import Lens
import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

/// Finds the object that people mean by words: a URI, `Person/p12`, `Person 12`, a record name, `Person name=Ann`,
/// `name=Ann`, a title or any other text, UUID, number or date of it. Of deleted objects, what is left of them counts.
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
  static let forms =
    "use a URI, Entity/pN, 'Entity N', a record name, a title or another value of it, or property=value"

  private let store: CoreDataStore
  private let reader: TraceReader
  private let titles: ObjectTitles
  private let deleted: DeletedObjects
  private let dates: DateText
  private let named: NamedObjects
  private let progress: Progress
  private let choice: ObjectChoice
  /// Then what isn't found may be in it.
  private let isWALMissing: Bool
  /// Says on stderr what was taken for what.
  private let note: (String) -> Void

  init(_ invocation: Invocation) throws {
    let open = try invocation.store().open()
    store = open.store
    reader = try TraceReader(open)
    titles = ObjectTitles(store)
    deleted = try DeletedObjects(store, open.mirror())
    dates = invocation.dates
    named = NamedObjects(open)
    progress = invocation.progress
    choice = ObjectChoice(invocation, store, reader, titles, deleted)
    isWALMissing = open.opened?.files.isWALMissing ?? false
    note = invocation.note
  }

  /// The object's key, with its own entity, which may be below the one that was named. Whether the object exists isn't
  /// said: history and the mirror know of deleted ones.
  func find(_ words: [String]) throws -> ObjectKey {
    do { return try found(words) } catch var error as StoreScopeError
      where error.kind == .notFound && isWALMissing
    {
      error.advice = [error.advice.map(Sentence.ended), StoreFiles.walMissing].compactMap(\.self)
        .joined(separator: " ")
      throw error
    }
  }

  private func found(_ words: [String]) throws -> ObjectKey {
    let typed = words.joined(separator: " ").trimmed
    if let object = try quoted(typed) { return object }
    let text = String(typed)
    if let named = AttributeValue(text), !isText(named.entity) {
      return try byAttribute(named)
    }
    let ofAny = AttributeValue(anyEntity: text)
    if let named = ofAny?.dividing(isEntity: { (try? store.entity(named: $0)) != nil }) {
      return try byAttribute(named)
    }
    if let ofAny, let found = try byTargetOfAny(ofAny) { return found }
    if let object = try named(text, among: store.schema.entities) { return object }
    if !text.contains(" "),
      let object = try reader.object(recordName: text)
        ?? WrittenUUID(text).flatMap({ try reader.object(recordName: $0.text) })
    {
      return object
    }
    if let ofAny, let found = try byAttributeOfAny(ofAny) { return found }
    do { return try byText(text) } catch let error as StoreScopeError where error.kind == .notFound {
      if let error = ofAny.flatMap(noProperty) { throw error }
      guard let meant = PastedText.meant(by: text), let object = try? found([meant]) else { throw error }
      note("'\(text)' is taken for '\(meant)'")
      return object
    }
  }

  /// `Trip "Spring in Lisbon"` and `Trip/p1 "Spring in Lisbon"`, as screens name objects; of an address, the title doesn't
  /// matter. Nil for other texts.
  private func quoted(_ text: Substring) throws -> ObjectKey? {
    guard let match = text.wholeMatch(of: /(\w+|\w+\/p\d+) "(.+)"/) else { return nil }
    let (name, title) = (String(match.1), String(match.2))
    if name.contains("/") { return try concrete(ObjectReference.parse(name, in: store)) }
    guard let entity = try? store.entity(named: name) else { return nil }
    let entities = store.schema.descendants(of: entity)
    guard let called = try objects(called: title, among: entities) else {
      return try byText("\(name) \(title)")
    }
    return try choice.one(
      of: called, none: "", some: "objects of \(name) have the title '\(title)'", title)
  }

  /// Whether a word in front of `attribute=value` is no entity at all, so that all of it may be a text.
  private func isText(_ word: String) -> Bool {
    let names = store.schema.entities.map(\.name)
    return (try? store.entity(named: word)) == nil && Suggestion.nearest(to: word, in: names) == nil
  }

  /// The object that a text names by entity and key; nil for a text that doesn't.
  ///
  /// `Note/p5` is an address, whatever else is called that. `Note 5` is a usual title, too: it is taken for an address only
  /// if no object is called exactly that, and people choose if both exist.
  private func named(_ text: String, among entities: [SchemaEntity]) throws -> ObjectKey? {
    if ObjectReference.isAddress(text) { return try concrete(ObjectReference.parse(text, in: store)) }
    let reference: ObjectReference
    do {
      guard let numbered = try ObjectReference.numbered(text, in: store) else { return nil }
      reference = numbered
    } catch let error as StoreScopeError {
      // 'Chapter 12' may be a title, where Chapter is no entity.
      guard try find(text, in: entities, nil) != nil else { throw error }
      return nil
    }
    let number = String(reference.primaryKey)
    // A title may be a number, too.
    let called =
      try objects(called: text, among: entities)
      ?? titled(number, among: store.schema.descendants(of: reference.entity), parts: 1)
    let numbered: ObjectKey
    do { numbered = try concrete(reference) } catch let error as StoreScopeError where error.kind == .notFound
    {
      guard let called else { throw error }
      return try choice.oneOfAnyProperty(called, none: "", text)
    }
    let isKnown = try reader.trace(of: numbered, hasSteps: false).isKnown
    guard let called else {
      if isKnown { note("'\(text)' is taken for \(try choice.name(of: numbered))") }
      return numbered
    }
    guard isKnown, !called.objects.contains(numbered) else {
      return try choice.oneOfAnyProperty(called, none: "", text)
    }
    return try choice.one(
      of: ObjectFinder.Result(closeness: .equal, objects: [numbered] + called.objects), none: "",
      some: "objects may be meant by '\(text)'", text)
  }

  /// The objects with exactly that value or title, in any capitals; nil if there are none.
  private func objects(called text: String, among entities: [SchemaEntity]) throws -> ObjectFinder.Result? {
    if let found = try find(text, in: entities, nil), found.closeness != .partial { return found }
    return try titled(text, among: entities)
  }

  /// Those whose title is made of several attributes.
  private func titled(
    _ text: String, among entities: [SchemaEntity], parts: Int = 2
  ) throws -> ObjectFinder.Result? {
    let objects = try titles.objects(
      titled: text, of: entities, parts: parts, limit: ObjectFinder.Result.limit)
    return objects.isEmpty ? nil : ObjectFinder.Result(closeness: .equal, objects: objects)
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

  private func concrete(_ reference: ObjectReference) throws -> ObjectKey {
    let number = try reference.storedEntity(in: store)
    let isKnown = number.map(reference.entity.subtree.contains) ?? false
    return ObjectKey(
      entity: isKnown ? number ?? 0 : reference.entity.number, primaryKey: reference.primaryKey)
  }

  // MARK: - By value

  private func byAttribute(_ named: AttributeValue) throws -> ObjectKey {
    let entity = try store.entity(named: named.entity)
    guard let attribute = entity.attribute(holding: named.attribute) else {
      if let relationship = entity.relationships.first(where: { $0.name == named.attribute }) {
        return try byTarget(named.value, relationship, entity)
      }
      throw try noProperty(named, of: entity)
    }
    guard attribute.leaves.contains(where: { $0.column != nil }) else {
      throw StoreScopeError(
        .lacking, "'\(attribute.path)' of \(entity.name) is not stored in '\(store.path)'",
        about: attribute.path, advice: "use another attribute, or \(entity.name)/p12")
    }
    guard store.tables.holdsObjects(entity.table) else {
      throw StoreScopeError(
        .lacking,
        "The table \(entity.table) of '\(store.path)' has no Z_PK or no Z_ENT, so its objects can't be looked up",
        advice: "use \(entity.name)/p12")
    }
    return try byAttribute(
      attribute, named, of: store.schema.descendants(of: entity), "No \(entity.name)")
  }

  /// What to say of `Entry name=Jonas`, where Entry has no such property: what has the value all the same.
  private func noProperty(_ named: AttributeValue, of entity: SchemaEntity) throws -> StoreScopeError {
    let names = entity.attributeNames + entity.relationships.map(\.name)
    var hint = Suggestion.sentence(for: named.attribute, in: names)
    let others = store.schema.entities.filter { $0.attribute(holding: named.attribute) != nil }
    if hint.isEmpty,
      let found = try find(named.value, in: store.schema.descendants(of: entity), nil)
        ?? others.first.flatMap({
          try find(named.value, in: others, $0.attribute(holding: named.attribute), path: named.attribute)
        })
    {
      hint = " " + (try meant(found.objects))
    }
    return StoreScopeError(
      .notFound, "\(entity.name) of '\(store.path)' has no property '\(named.attribute)'.\(hint)",
      about: named.attribute, advice: "'storescope entities STORE' lists them")
  }

  /// What to say of `titel=x`, where the property is mistyped; nil where nothing like it exists.
  private func noProperty(_ named: AttributeValue) -> StoreScopeError? {
    let names = store.schema.entities.flatMap { $0.attributeNames + $0.relationships.map(\.name) }
    guard !names.contains(named.attribute),
      let near = Suggestion.spelled(named.attribute, in: names)
        ?? Suggestion.nearest(to: named.attribute, in: names)
    else { return nil }
    return StoreScopeError(
      .notFound, "No entity in '\(store.path)' has a property '\(named.attribute)'. Did you mean '\(near)'?",
      about: named.attribute, advice: "'storescope entities STORE' lists them all")
  }

  /// Nil if no entity has such an attribute.
  private func byAttributeOfAny(_ named: AttributeValue) throws -> ObjectKey? {
    let entities = store.schema.entities.filter { $0.attribute(holding: named.attribute) != nil }
    guard let attribute = entities.first?.attribute(holding: named.attribute) else { return nil }
    return try byAttribute(attribute, named, of: entities, "No object")
  }

  /// - Parameter nobody: how the sentence begins if there is none.
  private func byAttribute(
    _ attribute: SchemaAttribute, _ named: AttributeValue, of entities: [SchemaEntity], _ nobody: String
  ) throws -> ObjectKey {
    let value = named.value
    let has = "\(named.attribute) '\(value)'"
    guard let result = try find(value, in: entities, attribute, path: named.attribute) else {
      throw try choice.notFound("\(nobody) has \(has)", value, entities, attribute)
    }
    return try choice.one(of: result, none: "\(nobody) has \(has)", some: "objects have \(has)", value)
  }

  /// `trip=Trip/p1`; nil if no entity has such a to-one relationship, or one has such an attribute.
  private func byTargetOfAny(_ named: AttributeValue) throws -> ObjectKey? {
    func relationship(of entity: SchemaEntity) -> SchemaRelationship? {
      entity.relationships.first {
        guard $0.name == named.attribute, case .toOne = $0.storage else { return false }
        return true
      }
    }
    let all = store.schema.entities
    guard !all.contains(where: { $0.attribute(named: named.attribute) != nil }) else { return nil }
    let owners = all.filter { relationship(of: $0) != nil }
    // Sub-entities have what their parent has.
    let highest = owners.filter { owner in !owners.contains { $0.number == owner.parent } }
    guard let entity = highest.first, let relationship = relationship(of: entity) else { return nil }
    guard highest.count == 1 else {
      throw StoreScopeError(
        .invalid,
        "'\(named.attribute)' is a relationship of \(highest.map(\.name).joined(separator: ", "))",
        about: named.attribute,
        advice: "put the entity in front, such as \(entity.name) \(named.attribute)=…")
    }
    return try byTarget(named.value, relationship, entity)
  }

  /// `Entry trip=Trip/p1`, `Entry trip='Spring in Lisbon'`
  private func byTarget(
    _ value: String, _ relationship: SchemaRelationship, _ entity: SchemaEntity
  ) throws -> ObjectKey {
    guard case .toOne(let column, _, _) = relationship.storage, store.tables.holdsObjects(entity.table) else {
      throw StoreScopeError(
        .invalid, "'\(relationship.name)' of \(entity.name) is a to-many relationship",
        about: relationship.name,
        advice:
          "ask for an object at its other end, such as \(store.entityName(ofNumber: relationship.destination))/p1"
      )
    }
    let target = try target(value, relationship)
    let numbers = store.schema.descendants(of: entity).map { String($0.number) }.joined(separator: ", ")
    let objects = try store.connection.rows(
      """
      SELECT Z_ENT, Z_PK FROM main.\(quotedIdentifier(entity.table))
      WHERE \(quotedIdentifier(column)) = ? AND Z_ENT IN (\(numbers)) ORDER BY Z_PK LIMIT \(ObjectFinder.Result.limit)
      """, [.integer(target.primaryKey)]
    ) { ObjectKey(entity: $0.integer(0), primaryKey: $0.integer(1)) }
    let name = try choice.name(of: target)
    guard !objects.isEmpty else {
      throw StoreScopeError(
        .notFound, "No \(entity.name) has \(relationship.name) \(name)", about: value)
    }
    return try choice.one(
      of: ObjectFinder.Result(closeness: .equal, objects: objects), none: "",
      some: "objects have \(relationship.name) \(name)", value)
  }

  /// The object that a relationship's value means: by its key, its address or a value of it.
  private func target(_ value: String, _ relationship: SchemaRelationship) throws -> ObjectKey {
    let entities = store.schema[relationship.destination].map { store.schema.descendants(of: $0) } ?? []
    let entity = store.entityName(ofNumber: relationship.destination)
    // A number is the other end's key, by the same decision.
    let name = Int64(value) == nil ? value : "\(entity) \(value)"
    if let object = try named(name, among: entities) { return object }
    let none = "No \(entity) has a value '\(value)'"
    guard let result = try find(value, in: entities, nil) else {
      throw try choice.notFound(none, value, entities, nil)
    }
    return try choice.oneOfAnyProperty(result, none: none, value)
  }

  private func firstObject(of entity: SchemaEntity) throws -> String? {
    guard store.tables.holdsObjects(entity.table) else { return nil }
    return try store.connection.first(
      "SELECT Z_ENT, Z_PK FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT BETWEEN ? AND ? ORDER BY Z_PK LIMIT 1",
      [.integer(entity.subtree.lowerBound), .integer(entity.subtree.upperBound)]
    ) { "\(store.entityName(ofNumber: $0.integer(0)))/p\($0.integer(1))" }
  }

  private func byText(_ text: String) throws -> ObjectKey {
    if let entity = try? store.entity(named: text) {
      throw StoreScopeError(
        .invalid, text, "is an entity, not an object",
        advice: try firstObject(of: entity).map { "choose one of its objects, such as \($0)" }
          ?? "it has no objects")
    }
    // `Person Ann`: of one entity only.
    var entities = store.schema.entities
    var value = text
    if let blank = text.firstIndex(of: " "), let entity = try? store.entity(named: String(text[..<blank])) {
      let rest = String(text[text.index(after: blank)...])
      let descendants = store.schema.descendants(of: entity)
      if try find(rest, in: descendants, nil) != nil || titled(rest, among: descendants) != nil {
        (entities, value) = (descendants, rest)
      }
    }
    guard let result = try find(value, in: entities, nil) else {
      if let object = try byBeginning(ofRecordName: text) { return object }
      if let titled = try titled(value, among: entities) {
        return try choice.one(of: titled, none: "", some: "objects have the title '\(value)'", value)
      }
      if let meant = RowsWords.command(for: text, in: store) {
        throw StoreScopeError(
          .notFound, "'\(store.path)' has no object '\(text)'. Did you mean '\(meant)'?", about: text)
      }
      if let meant = try ofAnyEntity(text) { throw meant }
      throw try choice.notFound(
        "'\(store.path)' has no object, record or value '\(text)'", text, entities, nil,
        advice:
          "\(Self.forms); 'storescope search STORE \(ShellQuotes.word(text))' also looks into archives")
    }
    return try choice.oneOfAnyProperty(result, none: "No object has the value '\(value)'", value)
  }

  /// What to say of `p3`: the objects with that key. Nil if there are none.
  private func ofAnyEntity(_ text: String) throws -> StoreScopeError? {
    guard text.wholeMatch(of: /p\d+/) != nil, let key = ObjectReference.key(text) else { return nil }
    let objects = try store.schema.entities.filter { $0.number == $0.root }.compactMap { root in
      try ObjectReference(entity: root, primaryKey: key).storedEntity(in: store).map {
        ObjectKey(entity: $0, primaryKey: key)
      }
    }
    guard !objects.isEmpty else { return nil }
    return StoreScopeError(
      .notFound, "'\(store.path)' has no object, record or value '\(text)'. \(try meant(objects))",
      about: text)
  }

  private func meant(_ objects: [ObjectKey]) throws -> String {
    let most = 3
    let names = try objects.prefix(most).map(choice.name).joined(separator: ", ")
    return "Did you mean \(names)\(objects.count > most ? " or another one" : "")?"
  }

  /// As tables cut them, and as people copy the first group.
  private func byBeginning(ofRecordName text: String) throws -> ObjectKey? {
    guard WrittenUUID(text) != nil else { return nil }
    let found = try named.objects(recordName: text, isExact: false, limit: ObjectFinder.Result.limit)
    var objects: [ObjectKey] = []
    for match in found where !objects.contains(match.object) { objects.append(match.object) }
    guard let first = found.first else { return nil }
    if objects.count == 1 {
      note("'\(text)' begins '\(first.text)', the record of \(try choice.name(of: first.object))")
    }
    return try choice.one(
      of: ObjectFinder.Result(closeness: .equal, objects: objects), none: "",
      some: "objects have a record whose name begins with '\(text)'", text)
  }

  private func find(
    _ value: String, in entities: [SchemaEntity], _ attribute: SchemaAttribute?, path: String? = nil
  ) throws -> ObjectFinder.Result? {
    let period = DateParser(now: Platform.dateOfOutput(), printsLocal: dates.isLocal)
      .printedPeriod(value, isDate: attribute?.description.type == .date)
    let here = try ObjectFinder.find(
      value, period: period, entities: entities, attribute: attribute, path: path, in: store,
      step: { progress.step("looking for '\(value)'") },
      problem: { note("A value wasn't compared: \(Sentence.ended($0))") })
    if here?.closeness == .equal { return here }
    var gone: ObjectFinder.Result?
    do {
      gone = try ObjectFinder.find(
        value, period: period, entities: entities, attribute: attribute, in: deleted, store,
        step: { progress.step("looking for '\(value)' in deleted objects") })
    } catch let error as SQLiteError where !error.isInterrupt {
      note("Deleted objects weren't searched: \(Sentence.ended(error.message))")
    }
    guard let gone else { return here }
    return here.map { gone.closeness < $0.closeness } ?? true ? gone : here
  }
}
