import SQLite
package import StoreModel
package import Values

/// Finds objects by a value as people type it: first those that have exactly that, then those that have it in other
/// capitals or, of a date, within what was typed, then those that have it as a part.
package struct ObjectFinder {
  package enum Closeness: Int, Sendable, Comparable {
    case equal, alike, partial

    package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
  }

  /// Objects that are equally close, by entity and key.
  package struct Result: Sendable {
    package var closeness: Closeness
    /// So many at most.
    package var objects: [ObjectKey]
    /// What has it of the first of them, and that property's type.
    package var property: (name: String, type: AttributeType)?
    package static let limit = 11

    package init(
      closeness: Closeness, objects: [ObjectKey], property: (name: String, type: AttributeType)? = nil
    ) {
      self.closeness = closeness
      self.objects = objects
      self.property = property
    }
  }

  private let typed: TypedValue
  private let equal: TextForms
  private let alike: TextForms
  private let partial: TextForms
  private let blobs: ValueMatcher

  private init(_ typed: TypedValue, _ store: CoreDataStore, _ asked: PropertyName? = nil) {
    self.typed = typed
    equal = TextForms(typed, TextPattern.Options(isWhole: true, isCaseSensitive: true))
    alike = TextForms(typed, TextPattern.Options(isWhole: true))
    partial = TextForms(typed)
    blobs = ValueMatcher(typed, TextPattern.Options(), store.externalFiles, in: asked)
  }

  /// - Parameters:
  ///   - period: what the text stands for as a date; nil to read it as one in UTC.
  ///   - entities: whose objects; with those of entities below them if they are in the list too.
  ///   - attribute: in which attribute, or a composite's leaf; nil for all that may hold such a value.
  ///   - path: as it was asked for, with a place in its decoded value if there is one.
  ///   - onlyTexts: without an attribute, only in texts.
  ///   - step: called for every row.
  ///   - problem: gets a clause for each value that could not be searched.
  /// - Returns: the closest; nil if there is none.
  package static func find(
    _ text: String, period: Range<CoreDataDate>? = nil, entities: [SchemaEntity],
    attribute: SchemaAttribute? = nil, path: String? = nil, onlyTexts: Bool = false,
    in store: CoreDataStore, step: () -> Void = {}, problem: (String) -> Void = { _ in }
  ) throws -> Result? {
    let finder = ObjectFinder(TypedValue(text, period: period), store, path.map(PropertyName.init))
    defer { finder.blobs.problems.forEach(problem) }
    let tables = SearchedTable.all(of: entities, in: store) { property in
      guard let attribute else { return onlyTexts ? property.type == .string : finder.mayHold(property.type) }
      return property.isPart(of: attribute)
    }
    var result = Found()
    for table in tables {
      let statement = try table.statement(in: store)
      while try statement.step() {
        step()
        let properties = table.properties[statement.integer(1)] ?? []
        let found = properties.compactMap { place in
          finder.closeness(statement, place, table).map { (closeness: $0, property: place.property) }
        }
        guard let (closeness, property) = found.min(by: { $0.closeness < $1.closeness }) else { continue }
        result.add(
          ObjectKey(entity: statement.integer(1), primaryKey: statement.integer(0)), closeness,
          (property.path, property.type))
        if result.isFull { return result.result }
      }
    }
    return result.result
  }

  /// The same in the values that history has of deleted objects.
  package static func find(
    _ text: String, period: Range<CoreDataDate>? = nil, entities: [SchemaEntity],
    attribute: SchemaAttribute? = nil, in deleted: DeletedObjects, _ store: CoreDataStore,
    step: () -> Void = {}
  ) throws -> Result? {
    let finder = ObjectFinder(TypedValue(text, period: period), store)
    var result = Found()
    try deleted.forEach(of: Set(entities.map(\.number)), step: step) { object, members in
      let found = members.compactMap {
        member -> (closeness: Closeness, property: (name: String, type: AttributeType))? in
        guard let leaf = store.schema[object.entity]?.attribute(named: member.name),
          attribute.map({ $0.leaves.contains { $0.path == leaf.path } })
            ?? finder.mayHold(leaf.description.type)
        else { return nil }
        let type = leaf.description.type
        return finder.closeness(member.value, type).map { ($0, (leaf.path, type)) }
      }
      if let (closeness, property) = found.min(by: { $0.closeness < $1.closeness }) {
        result.add(object, closeness, property)
      }
      return !result.isFull
    }
    return result.result
  }

  /// The closest so far.
  private struct Found {
    private(set) var result: Result?

    var isFull: Bool { result?.closeness == .equal && result?.objects.count == Result.limit }

    mutating func add(
      _ object: ObjectKey, _ closeness: Closeness, _ property: (name: String, type: AttributeType)
    ) {
      if result == nil || closeness < result?.closeness ?? .partial {
        result = Result(closeness: closeness, objects: [], property: property)
      }
      guard closeness == result?.closeness, let objects = result?.objects, objects.count < Result.limit,
        !objects.contains(object)
      else { return }
      result?.objects.append(object)
    }
  }

  private func closeness(_ value: DataValue, _ type: AttributeType) -> Closeness? {
    switch value {
    case .null: typed.isNull ? .equal : nil
    case .text(var text): text.withUTF8 { closeness(UnsafeRawBufferPointer($0)) }
    case .integer(let number): closeness(number: .integer(number), type)
    case .real(let number): closeness(number: .real(number), type)
    case .date(let date): closeness(number: .real(date.seconds), .date)
    case .bool(let value): closeness(number: .integer(value ? 1 : 0), .boolean)
    case .blob, .array, .object: nil
    }
  }

  /// Whether a value that is asked for without its attribute is looked for in one of that type. Every object has
  /// Booleans, and `search` looks into what has to be decoded.
  private func mayHold(_ type: AttributeType) -> Bool {
    switch type {
    case .string, .uri: true
    // A short word may stand in any UUID.
    case .uuid: typed.uuid != nil || typed.mayBeUUID && typed.text.utf8.count >= 8
    case .date: typed.moments != nil
    case .integer16, .integer32, .integer64, .decimal, .double, .float: typed.isNumber
    case .boolean, .binary, .transformable, .composite, .objectID, .undefined: false
    }
  }

  private func closeness(
    _ row: Statement, _ place: (column: Int, property: ValueMatcher.Property), _ table: SearchedTable
  ) -> Closeness? {
    if let bytes = table.unreadBytes(row, place.column) {
      blobs.skip(place.property, bytes: bytes)
      return nil
    }
    return closeness(row.cell(2 + place.column), place.property)
  }

  private func closeness(_ cell: Cell, _ property: ValueMatcher.Property) -> Closeness? {
    switch cell.type {
    case .null: typed.isNull ? .equal : nil
    case .text: cell.withBytes(closeness)
    case .integer: closeness(number: .integer(cell.integer), property.type)
    case .real: closeness(number: .real(cell.real), property.type)
    case .blob: blob(cell, property)
    }
  }

  private func closeness(_ utf8: UnsafeRawBufferPointer) -> Closeness? {
    if utf8.isEmpty { return typed.text.isEmpty ? .equal : nil }
    guard partial.hit(in: utf8) != nil else { return nil }
    if equal.hit(in: utf8) != nil { return .equal }
    guard alike.hit(in: utf8) != nil else { return .partial }
    // A UUID is the same in small letters.
    return typed.uuid?.isWhole == true ? .equal : .alike
  }

  private enum Number {
    case integer(Int64)
    case real(Double)

    var real: Double {
      switch self {
      case .integer(let number): Double(number)
      case .real(let number): number
      }
    }
  }

  private func closeness(number: Number, _ type: AttributeType) -> Closeness? {
    switch type {
    case .date:
      guard typed.isMoment(number.real) else { return nil }
      guard let moments = typed.moments else { return .equal }
      return number.real < moments.lowerBound + 0.000_001 ? .equal : .alike
    case .boolean: return typed.asTruth == (number.real != 0) ? .equal : nil
    default:
      let isEqual =
        switch number {
        case .integer(let number): typed.equals(number)
        case .real(let number): typed.equals(number, isFloat: type == .float)
        }
      return isEqual ? .equal : nil
    }
  }

  private func blob(_ cell: Cell, _ property: ValueMatcher.Property) -> Closeness? {
    guard blobs.find(in: cell, of: property) != nil else { return nil }
    guard property.type == .uuid else { return .partial }
    return cell.withBytes { bytes in Hexadecimal.uuid(bytes).map { alike.hit(in: $0) != nil } } == true
      ? .equal : .partial
  }
}

extension ValueMatcher.Property {
  /// Whether it is that attribute, or a leaf of that composite.
  func isPart(of attribute: SchemaAttribute) -> Bool { attribute.leaves.contains { $0.path == path } }
}

extension SchemaEntity {
  /// The attribute, or a composite's leaf by its path, that people mean by a name; in another case if no other is meant.
  package func attribute(named name: String) -> SchemaAttribute? {
    let all = attributes.flatMap { [$0] + $0.leaves }
    if let same = all.first(where: { $0.path == name }) { return same }
    return all.first { $0.path.lowercased() == name.lowercased() }
  }

  /// The same, or the attribute whose decoded value has a member by that path, such as `mapStyle.scheme`.
  package func attribute(holding path: String) -> SchemaAttribute? {
    attribute(named: path) ?? attribute(named: String(path.prefix { !".[".contains($0) }))
  }

  /// What can be searched by a name, as SQL names it.
  package var attributeNames: [String] {
    attributes.flatMap { attribute in
      attribute.description.isEnumeration ? [attribute.path] : attribute.leaves.map(\.path)
    }
  }
}
