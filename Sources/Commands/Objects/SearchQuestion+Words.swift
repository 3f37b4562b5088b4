import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

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
