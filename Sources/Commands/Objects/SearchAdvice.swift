import Lens
import Rendering
import SQLite
import StoreModel
import Values

/// What `search` says where it found nothing, and of values that are nearly the same.
struct SearchAdvice {
  private let question: SearchQuestion
  private let isEmpty: Bool
  private let open: OpenStore
  private let progress: Progress

  /// - Parameter isEmpty: whether nothing was found.
  init(_ question: SearchQuestion, isEmpty: Bool, _ open: OpenStore, _ progress: Progress) {
    (self.question, self.isEmpty, self.open, self.progress) = (question, isEmpty, open, progress)
  }

  private var store: CoreDataStore { open.store }

  private var text: String { question.text }

  /// Each with a blank before it.
  func sentences(_ similar: [SimilarTexts.Text]) -> String {
    "\(missing)\(entity)\(list(similar))\(dates)\(numbers)\(booleans)\(conditions)\(patterns)\(mistyped)"
  }

  /// An address that no object has.
  private var missing: String {
    if text.contains(/^p\d+$/), let entity = question.entities.first {
      return " An address has its entity in front, as in \(entity.name)/\(text)."
    }
    guard ObjectReference.isAddress(text), let reference = try? ObjectReference.parse(text, in: store) else {
      return ""
    }
    return " \(reference.entity.name) has no object \(reference.primaryKey)."
  }

  /// Who names an entity wants its objects.
  private var entity: String {
    guard question.property == nil, let entity = try? store.entity(named: text) else { return "" }
    return " \(entity.name) is an entity:\n\(store.command("rows", entity.name))"
  }

  /// Where to find Booleans, which aren't searched: half of all objects would have them.
  private var booleans: String {
    guard question.property == nil, ["true", "false", "yes", "no"].contains(text.lowercased()) else {
      return ""
    }
    let value = ["true", "yes"].contains(text.lowercased()) ? 1 : 0
    let commands = question.entities.flatMap { entity in
      // Sub-entities' objects are among their parent's.
      entity.attributes.filter { attribute in
        attribute.description.type == .boolean
          && entity.parent.flatMap { store.schema[$0]?.attribute(named: attribute.name) } == nil
      }.map { attribute in
        let column = View.entityColumns(of: entity)[attribute.name] ?? attribute.name
        return RowsWords.command(
          of: entity, where: "\(WrittenCondition.quoted(column)) = \(value)", in: store)
      }
    }
    guard !commands.isEmpty else { return "" }
    return " Booleans aren't searched. These list their objects:\n"
      + commands.prefix(Self.mostCommands).joined(separator: "\n")
  }

  private static let mostCommands = 8

  /// `Trip.bugdet=1312`, where there is such an entity or property by nearly that name.
  private var mistyped: String {
    guard question.property == nil, let written = question.written,
      written.attribute.wholeMatch(of: /[\w.]+/) != nil
    else { return "" }
    var parts = written.attribute.split(separator: ".", maxSplits: 1).map(String.init)
    if !written.entity.isEmpty { parts = [written.entity, written.attribute] }
    let named = parts.count > 1 ? entity(nearly: parts[0]) : nil
    let properties = (named.map(store.schema.descendants(of:)) ?? question.entities).flatMap(\.attributes)
      .flatMap { [$0.name] + $0.leaves.map(\.path) }
    let name = named == nil ? written.attribute : parts[1]
    guard
      let near = PropertyName.meant(by: name, among: Set(properties).sorted())
        ?? Suggestion.nearest(to: name, in: Set(properties).sorted())
    else { return "" }
    let meant = "\(named.map { $0.name + "." } ?? "")\(near)=\(written.value)"
    guard meant != text else { return "" }
    return
      "\nThere is no property '\(written.attribute)'. Did you mean '\(store.command("search", meant))'?"
  }

  private func entity(nearly name: String) -> SchemaEntity? {
    let names = store.schema.entities.map(\.name)
    return (try? store.entity(named: name))
      ?? Suggestion.nearest(to: name, in: names).flatMap { store.schema[$0] }
  }

  /// `J*s`, and `>4`, which no property is named for.
  private var patterns: String {
    if text.contains(/^[<>]=?\s*-?[\d.,]+$/) { return Self.comparison(in: store) }
    guard question.property == nil, text.contains("*"), text.count > 2 else { return "" }
    let pattern = quotedText("%\(text.replacing("*", with: "%"))%")
    for entity in question.entities {
      guard let title = ColumnRanks.titles(of: entity).first,
        let column = View.entityColumns(of: entity)[title]
      else { continue }
      let condition = "\(WrittenCondition.quoted(column)) LIKE \(pattern)"
      if isMet(condition, entity) { return objects(of: entity, where: condition) }
    }
    return " An asterisk is searched as it is."
  }

  private static func comparison(in store: CoreDataStore) -> String {
    "\nTo compare with < and >: \(store.command("rows")) ENTITY --where CONDITION"
  }

  /// `rating > 4` and `trip=Spring`, which `rows` can ask of an entity.
  private var conditions: String {
    let parts = text.split(separator: " ", maxSplits: 1).map(String.init)
    let named = parts.count == 2 ? question.entities.filter { $0.name == parts[0] } : []
    let property = question.property.map { "\($0.attribute) = " } ?? ""
    let asked = property + (named.isEmpty ? text : parts[1])
    // One word is none, and a store may have thousands of entities to ask.
    guard asked.contains(where: { $0.isWhitespace || "<>=!~".contains($0) }) else { return "" }
    let candidates = (named.isEmpty ? question.entities : named).lazy.compactMap { entity in
      sql(asked, of: entity).map { (entity, $0) }
    }
    // A property may be several entities', and only some have such objects.
    guard
      let (entity, sql) = candidates.first(where: { isMet($1, $0) })
        ?? (question.isGuess || isOfMember ? nil : candidates.first)
    else { return "" }
    return objects(of: entity, where: sql)
  }

  private func isMet(_ condition: String, _ entity: SchemaEntity) -> Bool {
    guard (try? open.lens()) != nil else { return false }
    return Predicate.isMet(condition, entity, in: store) ?? false
  }

  /// Whether nobody knows if decoded values have such a part.
  private var isOfMember: Bool {
    guard let property = question.property else { return false }
    return !question.entities.contains { $0.attribute(named: property.attribute) != nil }
  }

  private func sql(_ asked: String, of entity: SchemaEntity) -> String? {
    let corrected = MistypedCondition.corrected(asked, of: entity)
    // What an attribute equals was searched.
    if let condition = WrittenCondition(corrected), condition.comparison == "=",
      entity.attribute(named: condition.property) != nil,
      !["null", "nil"].contains(condition.value.lowercased())
    {
      return nil
    }
    return WrittenCondition.sql(corrected, of: entity, in: store)
  }

  /// On a line of its own it can be copied.
  private func objects(of entity: SchemaEntity, where sql: String) -> String {
    "\nThese objects: \(RowsWords.command(of: entity, where: sql, in: store))"
  }

  // MARK: - Near matches

  /// What may have been meant: where something is found, only the same words with accents, which `search` doesn't ignore.
  var similar: [SimilarTexts.Text] {
    get throws {
      guard isEmpty || !question.isExact && text.count > 2 && text.allSatisfy({ $0.isASCII && $0.isLetter })
      else {
        return []
      }
      let step = { progress.step("looking for similar values") }
      if isEmpty, WrittenNumber(text) != nil {
        return try SimilarNumbers.find(
          text, entities: question.entities, property: question.searched, in: store, step: step)
      }
      let attribute = question.searched.flatMap { searched in
        question.entities.lazy.compactMap { $0.attribute(named: searched.name) }.first
      }
      let similar = try SimilarTexts.find(
        text, entities: question.entities, attribute: attribute, in: store, step: step)
      return isEmpty ? similar : similar.filter { $0.isAccented(text) }
    }
  }

  private var numbers: String {
    guard let number = WrittenNumber(text)?.readings[0], question.property == nil else { return "" }
    if WrittenDate(text)?.unit == .year, (1900...2100).contains(number.real) {
      return " No date is in that year either."
    }
    return " A number finds equal numbers only.\(Self.comparison(in: store))"
  }

  /// What looks like a date and isn't read as one.
  private var dates: String {
    let forms = SpelledDate.forms(of: text)
    if forms.count > 1 { return " It may be \(forms[0]) or \(forms[1]); write one of them." }
    if let period = question.period {
      if question.moment.lacksYear(text), let day = period.lowerBound.iso8601?.prefix(10) {
        return " The day was taken for \(day); type the year to search another one."
      }
      return text.contains(":")
        ? " Times are \(question.moment.printsLocal ? "local" : "UTC, and local with --local")." : ""
    }
    let words = ["today", "yesterday"].contains(text.lowercased())
    guard words || text.contains(/^\d{1,4}[.\/-]\d{1,2}[.\/-]\d{1,4}|^\d\d?:\d\d(:\d\d)?$/) else { return "" }
    return " Dates are searched as 2026-03-20, 2026-03 or '2026-03-20 16:30'."
  }

  func value(_ similar: SimilarTexts.Text) -> DataValue { Self.fields.object(of: (similar, store)) }

  static let fields: [Field<(similar: SimilarTexts.Text, store: CoreDataStore)>] = [
    Field("text", "the text") { $0.similar.text },
    Field("uri", .uri, "an object that has it") { $0.store.uri($0.similar.object) },
    Field("property", "the property that holds it") { $0.similar.property },
  ]

  func list(_ similar: [SimilarTexts.Text], after label: String = " Similar:") -> String {
    guard !similar.isEmpty else { return "" }
    let words = similar.map {
      "'\($0.text)' (\(TextForPeople.objectName(ofURI: store.uri($0.object))) \($0.property))"
    }
    return "\(label) \(words.joined(separator: ", "))."
  }
}
