import Base
import Lens
import Rendering
import SQLite
import StoreModel

/// The objects that a text names without being one of their values: by their URI or address, by the name of their CloudKit
/// record, whole or its beginning, or by a title that several properties make.
struct NamedObjects {
  typealias Match = (found: SearchMatch, exists: Bool)

  /// Many names begin with fewer letters.
  private static let shortest = 4

  private let open: OpenStore
  private let note: (String) -> Void
  private var store: CoreDataStore { open.store }

  /// - Parameter note: says what could not be looked at, or isn't an object of this store.
  init(_ open: OpenStore, _ note: @escaping (String) -> Void) { (self.open, self.note) = (open, note) }

  /// - Parameters:
  ///   - withAddresses: false where an address was looked at before.
  ///   - limit: so many of each kind at most.
  func matches(_ question: SearchQuestion, withAddresses: Bool = true, limit: Int) throws -> [Match] {
    guard question.property == nil else { return [] }
    let text = question.text
    // A record may be of an entity that the model lacks.
    let isOfAll = question.entities.count == store.schema.entities.count
    let entities = isOfAll ? nil : Set(question.entities.map(\.number))
    var matches: [Match] = []
    // A text that isn't an object here may be a part of a value all the same.
    do {
      let named = withAddresses ? try object(address: text) : nil
      matches += [named].compactMap(\.self).filter { entities?.contains($0.found.object.entity) ?? true }
    } catch let error as StoreScopeError { note(error.description) }
    do {
      let records = try objects(
        recordName: text, of: entities, isExact: question.options.isWhole, limit: min(limit, .max - 1) + 1)
      if records.count > limit {
        note(
          "Only the first \(Sentence.number(limit)) of the records whose names begin with '\(text)' are listed."
        )
      }
      matches += records.prefix(limit)
    } catch let error as SQLiteError where !error.isInterrupt {
      note("Record names weren't searched: \(Sentence.ended(error.message))")
    }
    let titles = ObjectTitles(store)
    for object in try titles.objects(titled: text, of: question.entities, limit: limit) {
      let title = try titles.title(of: object) ?? text
      matches.append((SearchMatch(object, "title", hit: title), exists: true))
    }
    return matches
  }

  /// What a URI, an address or `Trip 3` names; nil if there isn't and never was such an object.
  /// - Throws: if it belongs to another store, or if the row with that key is of another entity.
  private func object(address text: String) throws -> Match? {
    let address = ObjectReference.isAddress(text) ? try ObjectReference.parse(text, in: store) : nil
    guard let reference = address ?? ObjectReference.numbered(text, in: store) else { return nil }
    let stored = try reference.storedEntity(in: store)
    let object = ObjectKey(entity: stored ?? reference.entity.number, primaryKey: reference.primaryKey)
    if stored == nil, try DeletedObjects(store, open.mirror()).deletion(of: object) == nil { return nil }
    return (SearchMatch(object, "uri", hit: store.uri(object)), exists: stored != nil)
  }

  /// Those of the records with that name.
  /// - Parameter isExact: whether the name is meant, letter for letter, and not what it begins with.
  private func objects(
    recordName text: String, of entities: Set<Int64>?, isExact: Bool, limit: Int
  ) throws -> [Match] {
    guard !text.isEmpty, let mirror = try open.mirror() else { return [] }
    func objects(_ name: String) throws -> [Match] {
      var filter = RecordFilter()
      if isExact || name.utf8.count < Self.shortest {
        filter.recordName = name
      } else {
        filter.recordNameStart = name
      }
      var found: [Match] = []
      try RecordReader(mirror, filter: filter).forEach { record in
        guard let whole = record.recordName, let object = record.object,
          entities?.contains(object.entity) ?? true
        else { return true }
        let start = whole.startIndex
        let end = whole.index(start, offsetBy: name.count, limitedBy: whole.endIndex) ?? whole.endIndex
        let hit = TextHit(whole, start..<end)
        found.append(
          (SearchMatch(object, "recordName", "", hit), exists: record.objectExists))
        return found.count < limit
      }
      return found
    }
    let found = try objects(text)
    // Names that the server or another tool gave needn't be written as UUIDs are.
    guard found.isEmpty, !isExact, let name = WrittenUUID(text)?.text, name != text else { return found }
    return try objects(name)
  }
}

extension SearchMatch {
  fileprivate init(_ object: ObjectKey, _ property: String, hit: String) {
    self.init(object, property, "", TextHit(whole: hit))
  }
}

/// How `search`, and whatever takes an object, read a text: as it is, or as the value in it.
extension SearchQuestion {
  /// - Parameter property: an attribute, or a place in its decoded value.
  init(
    _ text: String, _ options: TextPattern.Options = .init(), of entities: [SchemaEntity],
    in property: String? = nil, _ dates: DateText
  ) {
    let isOfDate = entities.contains {
      property.flatMap($0.attribute(named:))?.description.type == .date
    }
    // What is printed can be searched.
    let moment = DateParser(now: Platform.dateOfOutput(), printsLocal: dates.isLocal)
    self.init(
      text, options, period: moment.printedPeriod(text, isDate: isOfDate), of: entities,
      in: property.map(PropertyName.init))
  }

  /// The value in `title=lisbon`, `Trip title=lisbon`, `Trip.title=lisbon` or `Trip lisbon`, where there is such a
  /// property or entity; nil for other texts.
  func value(in store: CoreDataStore, _ dates: DateText) -> SearchQuestion? {
    func entity(_ name: Substring?) -> SchemaEntity? { name.flatMap { try? store.entity(named: String($0)) } }
    func owners(_ entity: SchemaEntity) -> [SchemaEntity] {
      let all = Set(store.schema.descendants(of: entity).map(\.number))
      return entities.filter { all.contains($0.number) }
    }
    guard let equals = text.firstIndex(of: "=") else {
      let parts = text.split(separator: " ", maxSplits: 1)
      guard let entity = entity(parts.first), parts.count == 2 else { return nil }
      return SearchQuestion(String(parts[1].trimmed), options, of: owners(entity), dates)
    }
    var names = text[..<equals].split(separator: " ")
    if names.count == 1, let dot = names[0].firstIndex(of: "."), entity(names[0][..<dot]) != nil {
      names = names[0].split(separator: ".", maxSplits: 1)
    }
    let named = names.count == 2 ? entity(names[0]).map(owners) : names.count == 1 ? entities : nil
    guard let named, let property = names.last.map(String.init),
      named.contains(where: { $0.attribute(holding: property) != nil })
    else { return nil }
    let operand = Self.operand(text[equals...])
    return operand.isEmpty ? nil : SearchQuestion(operand, options, of: named, in: property, dates)
  }

  /// What stands behind the equals sign: `=Ann`, `= Ann`, `== 'Ann'`.
  private static func operand(_ text: Substring) -> String {
    let value = text.drop { $0 == "=" }.trimmed
    guard let quote = value.first, quote == value.last, value.count > 1, "'\"".contains(quote) else {
      return String(value)
    }
    return String(value.dropFirst().dropLast())
  }
}
