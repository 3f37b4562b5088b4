import SQLite
package import StoreModel
import Values

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
    package static let limit = 11
  }

  private let typed: TypedValue
  private let equal: TextPattern
  private let alike: TextPattern
  private let partial: TextPattern
  private let blobs: ValueMatcher

  private init(_ text: String, _ store: CoreDataStore) {
    typed = TypedValue(text)
    equal = TextPattern(text, TextPattern.Options(isWhole: true, isCaseSensitive: true))
    alike = TextPattern(text, TextPattern.Options(isWhole: true))
    partial = TextPattern(text)
    blobs = ValueMatcher(text, TextPattern.Options(), store.externalFiles)
  }

  /// - Parameters:
  ///   - entities: whose objects; with those of entities below them if they are in the list too.
  ///   - attribute: in which attribute, or a composite's leaf; nil for all texts.
  ///   - step: called for every row.
  ///   - problem: gets a clause for each value that could not be searched.
  /// - Returns: the closest; nil if there is none.
  package static func find(
    _ text: String, entities: [SchemaEntity], attribute: SchemaAttribute? = nil, in store: CoreDataStore,
    step: () -> Void = {}, problem: (String) -> Void = { _ in }
  ) throws -> Result? {
    let finder = ObjectFinder(text, store)
    defer { finder.blobs.problems.forEach(problem) }
    let tables = SearchedTable.all(of: entities, in: store) { property in
      guard let attribute else { return [.string, .uri].contains(property.type) }
      return property.isPart(of: attribute)
    }
    var result: Result?
    for table in tables {
      let statement = try table.statement(in: store)
      while try statement.step() {
        step()
        let properties = table.properties[statement.integer(1)] ?? []
        guard
          let closeness = properties.compactMap({
            finder.closeness(statement.cell(2 + $0.column), $0.property)
          })
          .min()
        else { continue }
        if result == nil || closeness < result?.closeness ?? .partial {
          result = Result(closeness: closeness, objects: [])
        }
        guard closeness == result?.closeness, result?.objects.count ?? 0 < Result.limit else { continue }
        result?.objects.append(ObjectKey(entity: statement.integer(1), primaryKey: statement.integer(0)))
        if closeness == .equal, result?.objects.count == Result.limit { return result }
      }
    }
    return result
  }

  private func closeness(_ cell: Cell, _ property: ValueMatcher.Property) -> Closeness? {
    switch cell.type {
    case .null: typed.isNull ? .equal : nil
    case .text: cell.withBytes(closeness)
    case .integer where property.mayBeUnread && SearchedTable.unreadBytes(cell) != nil: blob(cell, property)
    case .integer, .real: number(cell, property.type)
    case .blob: blob(cell, property)
    }
  }

  private func closeness(_ utf8: UnsafeRawBufferPointer) -> Closeness? {
    if utf8.isEmpty { return typed.text.isEmpty ? .equal : nil }
    guard partial.hit(in: utf8) != nil else { return nil }
    if equal.hit(in: utf8) != nil { return .equal }
    return alike.hit(in: utf8) != nil ? .alike : .partial
  }

  private func number(_ cell: Cell, _ type: AttributeType) -> Closeness? {
    switch type {
    case .date:
      guard let moments = typed.moments, moments.contains(cell.real) else { return nil }
      return cell.real < moments.lowerBound + 0.000_001 ? .equal : .alike
    case .boolean:
      let truth = typed.truth ?? (typed.equals(1) ? true : typed.equals(0) ? false : nil)
      return truth == (cell.integer != 0) ? .equal : nil
    default:
      let isEqual =
        cell.type == .integer ? typed.equals(cell.integer) : typed.equals(cell.real, isFloat: type == .float)
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

  /// What can be searched by a name, as SQL names it.
  package var attributeNames: [String] {
    attributes.flatMap { attribute in
      attribute.description.isEnumeration ? [attribute.path] : attribute.leaves.map(\.path)
    }
  }
}
