import Lens
import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

/// One text that `search` looks for, and where.
struct SearchQuestion {
  let text: String
  /// The property that was typed in front of the text; nil for all of them.
  let property: AttributeValue?
  /// Whether nobody knows if there is such a property: one inside of decoded values.
  let isGuess: Bool
  /// Whether the text is a year for certain, and not a number.
  let isYear: Bool
  let entities: [SchemaEntity]
  /// Whether no entity was named.
  let isOfAll: Bool
  let isExact: Bool
  let options: TextPattern.Options
  let moment: DateParser
  /// What the text stands for as a date.
  let period: Range<CoreDataDate>?

  init(
    _ text: String, in property: AttributeValue? = nil, of entity: String = "", isGuess: Bool = false,
    isYear: Bool = false, _ invocation: Invocation, _ store: CoreDataStore
  ) throws {
    (self.text, self.property, self.isGuess) = (text, property, isGuess)
    let own = property?.entity ?? entity
    let names = own.isEmpty ? invocation.arguments.all(.entity) : [own]
    let chosen = try names.map { try store.entity(named: $0) }
    isOfAll = names.isEmpty
    entities =
      names.isEmpty
      ? store.schema.entities
      : store.schema.entities.filter { entity in
        chosen.contains { $0.root == entity.root && $0.subtree.contains(entity.number) }
      }
    isExact = invocation.arguments.has(.exact)
    options = TextPattern.Options(
      isWhole: isExact, isCaseSensitive: isExact || invocation.arguments.has(.caseSensitive))
    // What is printed can be searched.
    moment = DateParser(now: Platform.dateOfOutput(), printsLocal: invocation.dates.isLocal)
    let isOfDate = entities.contains {
      property.map(\.attribute).flatMap($0.attribute(named:))?.description.type == .date
    }
    period = moment.printedPeriod(text, isDate: isOfDate || isYear)
    self.isYear = isYear
  }

  /// The only property that is searched; nil for all.
  var searched: PropertyName? { property.map { PropertyName($0.attribute) } }

  /// Where it was looked for, with a blank before it; nothing for the whole store.
  var ofEntity: String { isOfAll ? "" : " in \(entities.first?.name ?? "")" }

  /// How the sentence begins if nothing is found.
  var none: String {
    let isValue = property != nil && (period != nil || WrittenNumber(text) != nil)
    let verb = isExact || isValue ? "is" : WrittenNumber(text) != nil ? "is or contains" : "contains"
    return "No \(property?.attribute ?? "value") \(verb) '\(text)'"
  }

  /// What the same words may mean if no value has them: the value of one property, or what was copied with something
  /// around it. A value with an equals sign in it comes before these.
  func others(_ invocation: Invocation, _ store: CoreDataStore) throws -> [SearchQuestion] {
    let described = PastedText.pairs(in: text).compactMap { ofProperty($0, in: store) }
    if !described.isEmpty {
      return try described.map { try SearchQuestion($0.value, in: $0, invocation, store) }
    }
    if let ofProperty = ofProperty(written, in: store) {
      let value = ofProperty.value
      return try [value, PastedText.meant(by: value), Self.part(value)].compactMap(\.self).map {
        try SearchQuestion($0, in: ofProperty, invocation, store)
      }
    }
    if let part = Self.part(text) { return [try SearchQuestion(part, invocation, store)] }
    if WrittenDate(text)?.unit == .year, let year = Int(text), (1900...2100).contains(year) {
      return [try SearchQuestion(text, isYear: true, invocation, store)]
    }
    let members = try members(store).map {
      try SearchQuestion($0.value, in: $0, isGuess: true, invocation, store)
    }
    // An equals sign behind a relationship is for `rows`, as the advice says.
    guard !isExact, !text.contains("=") || text.contains("recordName") else { return members }
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    if isOfAll, parts.count == 2, let entity = try? store.entity(named: parts[0]) {
      return members + [try SearchQuestion(parts[1], of: entity.name, invocation, store)]
    }
    return members
      + (try PastedText.meant(by: text).map { [try SearchQuestion($0, invocation, store)] } ?? [])
  }

  /// What `lisb*` and `%lisb%` ask for: here a text is a part of a value anyway. Nil for other words.
  private static func part(_ text: String) -> String? {
    text.wholeMatch(of: /[*%]?([^*%]{2,})[*%]|[*%]([^*%]{2,})/).flatMap { $0.1 ?? $0.2 }.map(String.init)
  }

  /// `mood=grateful`, `Trip mood=grateful` and `condition=rain`, where there is such a property.
  private func ofProperty(_ written: AttributeValue?, in store: CoreDataStore) -> AttributeValue? {
    var owners = entities
    var named = written
    if let property = AttributeValue(text), let entity = try? store.entity(named: property.entity) {
      (owners, named) = (store.schema.descendants(of: entity), property)
    }
    guard var property = named else { return nil }
    if let divided = property.dividing(isEntity: { (try? store.entity(named: $0)) != nil }),
      let entity = try? store.entity(named: divided.entity)
    {
      (owners, property) = (store.schema.descendants(of: entity), divided)
      property.entity = entity.name
    }
    // Records have the model's names behind a prefix, and so have logs.
    let name = property.attribute.replacing(/^CD_/, with: "")
    // Other tools show columns.
    let stored = owners.lazy.compactMap { MistypedCondition.property(storedAs: name, of: $0) }.first
    for spelling in [property.attribute, name, stored].compactMap(\.self)
    where owners.contains(where: { $0.attribute(holding: spelling) != nil }) {
      property.attribute = spelling
      return property
    }
    let leaves = Set(owners.flatMap(\.attributes).flatMap(\.leaves).map(\.path))
    guard let path = PropertyName.meant(by: name, among: leaves.sorted()) else { return nil }
    property.attribute = path
    return property
  }

  /// `scheme=terrain`, as what decoded values may have.
  private func members(_ store: CoreDataStore) -> [AttributeValue] {
    guard !isExact, property == nil, let named = written, !named.attribute.contains(".") else { return [] }
    let paths = entities.flatMap(\.attributes).flatMap(\.leaves).filter(\.holdsData).map(\.path)
    return Set(paths).sorted().prefix(Self.mostMembers).map { path in
      var member = named
      member.attribute = "\(path).\(named.attribute)"
      return member
    }
  }

  /// Each is a search of its own.
  private static let mostMembers = 20

  /// The text as a property with its value, whatever the store has: `mood=grateful`, `mood: grateful`.
  var written: AttributeValue? {
    guard text.last != "=" else { return nil }
    if let value = AttributeValue(anyEntity: text) { return value }
    // As our tables, JSON and logs print them.
    return text.wholeMatch(of: /"?([A-Za-z]\w*(?:\.\w+)*)"?\s*:\s*([^\/\s:].*)/)
      .flatMap { AttributeValue(anyEntity: "\($0.1) = \($0.2)") }
  }

  /// Without the blanks around it, and what tables put for the rest of a long text.
  static func asCopied(_ text: String) -> String {
    var text = text.trimmed
    if text.last == "…" { text = text.dropLast() }
    if text.first == "…" { text = text.dropFirst() }
    return text.isEmpty ? "…" : String(text)
  }
}

/// What a question found of deleted objects.
struct DeletedFindings {
  private(set) var matches: [DeletedSearch.Match] = []
  /// How many there are, listed or not; nil if they could not be read.
  private(set) var count: Int?

  /// Those of all questions, one after the other: history and the records are read once.
  static func all(
    _ questions: [SearchQuestion], _ open: OpenStore, _ limit: Int, _ invocation: Invocation
  ) throws -> [DeletedFindings] {
    let asked = questions.map {
      DeletedSearch.Question($0.text, period: $0.period, of: $0.entities, property: $0.searched)
    }
    do {
      let objects = try DeletedObjects(open.store, open.mirror())
      return try DeletedSearch.answers(
        to: asked, questions[0].options, in: objects, open.store, limit: limit
      ) { invocation.progress.step("searching deleted objects") }
      .map { DeletedFindings(matches: $0.matches, count: $0.count) }
    } catch let error as SQLiteError where !error.isInterrupt {
      invocation.note("Deleted objects weren't searched: \(Sentence.ended(error.message))")
      return questions.map { _ in DeletedFindings() }
    }
  }

  /// With objects that were named, in front.
  func adding(_ gone: [NamedObjects.Match], _ open: OpenStore) throws -> DeletedFindings {
    guard let count, !gone.isEmpty else { return self }
    let objects = try DeletedObjects(open.store, open.mirror())
    let named = try gone.map { try DeletedSearch.match($0.object, $0.property, $0.text, in: objects) }
    return DeletedFindings(matches: named + matches, count: named.count + count)
  }
}
