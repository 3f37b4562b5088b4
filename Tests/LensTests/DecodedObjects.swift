import Base
import Forge
import Foundation
import Lens
import Rendering
import StoreModel
import TestSupport

/// All objects of a store, decoded, by their URIs.
final class DecodedObjects {
  let store: CoreDataStore
  private var values: [String: [String: DataValue]] = [:]
  private var entities: [String: String] = [:]
  private var uris: [Int64: [String]] = [:]
  /// Roots of hierarchies that aren't looked at: they say no more, and take long.
  private(set) var tooLarge: Set<Int64> = []
  private static let most = 3000

  init(_ store: CoreDataStore) throws {
    self.store = store
    for entity in store.schema.entities where store.tables.holdsObjects(entity.table) {
      var options = ObjectRows.Options()
      options.includesSubentities = false
      options.toMany = .all
      let rows = try ObjectRows(entity, in: store, options: options)
      guard try rows.count() <= Self.most else {
        tooLarge.insert(entity.root)
        continue
      }
      let collector = RowCollector()
      try rows.produce(into: collector) {}
      let names = rows.columns.map(\.name)
      for row in collector.rows {
        guard let uri = row[0]?.text else { continue }
        uris[entity.number, default: []].append(uri)
        entities[uri] = entity.name
        values[uri] = Dictionary(
          zip(names, row).compactMap { name, value in value.map { (name, $0) } },
          uniquingKeysWith: { one, _ in one })
      }
    }
  }

  /// With those of sub-entities; none if one of them is too large.
  func objects(of entity: SchemaEntity) -> [String] {
    if tooLarge.contains(entity.root) { return [] }
    return store.schema.descendants(of: entity).flatMap { uris[$0.number] ?? [] }
  }

  func contains(_ uri: String) -> Bool { values[uri] != nil }
  func entity(of uri: String) -> String? { entities[uri] }

  private static let types: [AttributeType] = [
    .string, .uuid, .boolean, .date, .double, .float, .integer16, .integer32, .integer64,
  ]

  /// Attributes whose values all are what their type says; a store may hold anything.
  func askable(_ entity: SchemaEntity) -> [SchemaAttribute] {
    entity.attributes.filter { !$0.description.isEnumeration }.flatMap(\.leaves).filter { leaf in
      guard leaf.column != nil, Self.types.contains(leaf.description.type) else { return false }
      return objects(of: entity).allSatisfy { uri in
        switch (
          value(names: leaf.path.split(separator: ".").map(String.init), of: uri), leaf.description.type
        ) {
        case (nil, _), (.null, _), (.text, .string), (.text, .uuid), (.bool, .boolean), (.date, .date),
          (.real, .double), (.real, .float), (.integer, .integer16), (.integer, .integer32),
          (.integer, .integer64):
          true
        default: false
        }
      }
    }
  }

  /// A value that an object has; nil for none.
  func value(_ leaf: SchemaAttribute, of entity: SchemaEntity, _ random: inout SeededGenerator) -> DataValue?
  {
    let all = objects(of: entity)
    for _ in 0..<4 {
      guard let uri = all.randomElement(using: &random) else { return nil }
      let value = value(names: leaf.path.split(separator: ".").map(String.init), of: uri)
      if let value, value != .null { return value }
    }
    return nil
  }

  private func value(names: [String], of uri: String) -> DataValue? {
    var value = values[uri]?[ViewNames.key(for: names[0])]
    for name in names.dropFirst() { value = value?[name] ?? .null }
    return value
  }

  enum Found {
    /// An object on the way to it isn't there.
    case missing
    case value(DataValue)
  }

  /// What the names lead to from an object.
  func value(_ names: [String], of uri: String) -> Found {
    guard let first = names.first, let entity = entities[uri].flatMap({ store.schema[$0] }) else {
      return .missing
    }
    if names.count > 1, entity.relationships.contains(where: { $0.name == first }) {
      guard case .text(let next)? = value(names: [first], of: uri), contains(next) else { return .missing }
      return value(Array(names.dropFirst()), of: next)
    }
    return .value(value(names: names, of: uri) ?? .null)
  }

  /// Those that are there.
  func objects(_ names: [String], of uri: String) -> [String] {
    guard case .value(.array(let list)) = value(names, of: uri) else { return [] }
    return list.compactMap(\.text).filter(contains)
  }
}

/// A predicate as a test asks it, and what it means: `predicates.md`, without SQL.
indirect enum Asked {
  struct Path {
    var prefix: String
    var names: [String]
    var text: String { (prefix.isEmpty ? "" : prefix + ".") + names.map(Self.escaped).joined(separator: ".") }
    private static let reserved: Set = [
      "first", "last", "size", "any", "all", "none", "in", "no", "yes", "self", "null",
    ]
    private static func escaped(_ name: String) -> String {
      reserved.contains(name.lowercased()) ? "#" + name : name
    }
  }
  struct Literal {
    var text: String
    var value: DataValue
  }

  case constant(Bool)
  case all([Asked])
  case any([Asked])
  case not(Asked)
  case isNil(Path, Bool)
  case object(Path, Bool, uri: String)
  case compare(Path, String, Literal, String)
  case between(Path, Literal, Literal, String)
  case isIn(Path, [Literal], String)
  case text(Path, String, String, String)
  case length(Path, String, Int64)
  case cased(Path, Bool, String)
  case calculated(Path, String, Int64, String, Int64)
  case related(String, Path, Asked)
  case count(Path, String, Int64)
  case subquery(Path, Asked, String, Int64)
  case aggregate(String, Path, [String], String, Double)

  var text: String {
    switch self {
    case .constant(let value): value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .all(let parts): "(" + parts.map(\.text).joined(separator: " AND ") + ")"
    case .any(let parts): "(" + parts.map(\.text).joined(separator: " || ") + ")"
    case .not(let part): "NOT (\(part.text))"
    case .isNil(let path, let isNil): "\(path.text) \(isNil ? "==" : "!=") nil"
    case .object(let path, let isEqual, let uri): "\(path.text) \(isEqual ? "==" : "!=") '\(uri)'"
    case .compare(let path, let sign, let value, let options): "\(path.text) \(sign)\(options) \(value.text)"
    case .between(let path, let low, let high, let options):
      "\(path.text) BETWEEN\(options) {\(low.text), \(high.text)}"
    case .isIn(let path, let values, let options):
      "\(path.text) IN\(options) {\(values.map(\.text).joined(separator: ", "))}"
    case .text(let path, let operation, let value, let options):
      "\(path.text) \(operation)\(options) '\(value.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    case .length(let path, let sign, let count): "length(\(path.text)) \(sign) \(count)"
    case .cased(let path, let isUpper, let value):
      "\(isUpper ? "uppercase:" : "lowercase:")(\(path.text)) == '\((isUpper ? value.uppercased() : value.lowercased()).replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    case .calculated(let path, let operation, let number, let sign, let value):
      "\(path.text) \(operation) \(number) \(sign) \(value)"
    case .related(let quantifier, let path, let inner): "\(quantifier) \(path.text).\(inner.text)"
    case .count(let path, let sign, let count): "\(path.text).@count \(sign) \(count)"
    case .subquery(let path, let inner, let sign, let count):
      "SUBQUERY(\(path.text), $x, \(inner.text)).@count \(sign) \(count)"
    case .aggregate(let function, let path, let names, let sign, let value):
      "\(path.text).@\(function).\(names.joined(separator: ".")) \(sign) \(value)"
    }
  }

  /// Nil where that is unknown.
  func holds(for uri: String, in world: DecodedObjects) -> Bool? {
    func value(_ path: Path) -> DataValue? {
      guard case .value(let value) = world.value(path.names, of: uri), value != .null else { return nil }
      return value
    }
    func isMissing(_ path: Path) -> Bool {
      if case .missing = world.value(path.names, of: uri) { true } else { false }
    }
    /// Texts compared with options are false where one isn't there, and unknown where its object isn't.
    func folded(_ path: Path, _ options: String, _ body: (String) -> Bool) -> Bool? {
      if isMissing(path) { return nil }
      return value(path)?.text.map { body(Self.folded($0, options)) } ?? false
    }
    switch self {
    case .constant(let value): return value
    case .all(let parts):
      let results = parts.map { $0.holds(for: uri, in: world) }
      return results.contains(false) ? false : results.contains(nil) ? nil : true
    case .any(let parts):
      let results = parts.map { $0.holds(for: uri, in: world) }
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .not(let part): return part.holds(for: uri, in: world).map { !$0 }
    case .isNil(let path, let isNil): return (value(path) == nil) == isNil
    case .object(let path, let isEqual, let other): return value(path).map { ($0.text == other) == isEqual }
    case .compare(let path, let sign, let literal, let options):
      guard options.isEmpty || options == "[n]" else {
        return folded(path, options) {
          Self.ordered(.text($0), sign, .text(Self.folded(literal.value.text ?? "", options)))
        }
      }
      return value(path).map { Self.ordered($0, sign, literal.value) }
    case .between(let path, let low, let high, let options):
      let low = Asked.compare(path, ">=", low, options).holds(for: uri, in: world)
      let high = Asked.compare(path, "<=", high, options).holds(for: uri, in: world)
      return low.flatMap { low in high.map { low && $0 } }
    case .isIn(let path, let values, let options):
      let results = values.map { Asked.compare(path, "==", $0, options).holds(for: uri, in: world) }
      return results.contains(true) ? true : results.contains(nil) ? nil : false
    case .text(let path, let operation, let pattern, let options):
      return folded(path, options) { text in
        let piece = Self.folded(pattern, options)
        let (all, part) = (Array(text.unicodeScalars), Array(piece.unicodeScalars))
        switch operation {
        case "BEGINSWITH": return all.starts(with: part)
        case "ENDSWITH": return all.suffix(part.count).elementsEqual(part) && all.count >= part.count
        case "CONTAINS":
          return part.isEmpty || all.indices.contains { all[$0...].starts(with: part) }
        case "LIKE": return Self.isLike(all[...], part[...])
        default: return Self.matches(text, pattern, options)
        }
      }
    case .length(let path, let sign, let count):
      return value(path)?.text.map {
        Self.ordered(.integer(Int64($0.unicodeScalars.count)), sign, .integer(count))
      }
    case .cased(let path, let isUpper, let other):
      return value(path)?.text.map {
        let (one, other) =
          isUpper ? ($0.uppercased(), other.uppercased()) : ($0.lowercased(), other.lowercased())
        return Array(one.unicodeScalars) == Array(other.unicodeScalars)
      }
    case .calculated(let path, let operation, let number, let sign, let other):
      guard case .integer(let one)? = value(path) else { return nil }
      let result =
        switch operation {
        case "+": one + number;
        case "-": one - number;
        case "*": one * number;
        default: one / number
        }
      return Self.ordered(.integer(result), sign, .integer(other))
    case .related(let quantifier, let path, let inner):
      let results = world.objects(path.names, of: uri).map { inner.holds(for: $0, in: world) == true }
      switch quantifier {
      case "ALL": return !results.contains(false)
      case "NONE": return !results.contains(true)
      default: return results.contains(true)
      }
    case .count(let path, let sign, let count):
      return Self.ordered(.integer(Int64(world.objects(path.names, of: uri).count)), sign, .integer(count))
    case .subquery(let path, let inner, let sign, let count):
      let matching = world.objects(path.names, of: uri).filter { inner.holds(for: $0, in: world) == true }
      return Self.ordered(.integer(Int64(matching.count)), sign, .integer(count))
    case .aggregate(let function, let path, let names, let sign, let other):
      let numbers = world.objects(path.names, of: uri).compactMap { object -> Int64? in
        guard case .value(.integer(let number)) = world.value(names, of: object) else { return nil }
        return number
      }
      let sum = Double(numbers.reduce(0, +))
      let result: Double? =
        switch function {
        case "sum": sum
        case "avg": numbers.isEmpty ? nil : sum / Double(numbers.count)
        case "min": numbers.min().map(Double.init)
        default: numbers.max().map(Double.init)
        }
      return result.map { Self.ordered(.real($0), sign, .real(other)) }
    }
  }

  private static func ordered(_ one: DataValue, _ sign: String, _ other: DataValue) -> Bool {
    func compared<V: Comparable>(_ one: V, _ other: V) -> Bool {
      switch sign {
      case "=", "==": one == other
      case "!=", "<>": one != other
      case "<": one < other
      case "<=", "=<": one <= other
      case ">": one > other
      default: one >= other
      }
    }
    func number(_ value: DataValue) -> Double? {
      switch value {
      case .integer(let number): Double(number)
      case .real(let number): number
      case .bool(let value): value ? 1 : 0
      case .date(let date): date.seconds
      default: nil
      }
    }
    if case .integer(let one) = one, case .integer(let other) = other { return compared(one, other) }
    if let one = number(one), let other = number(other) { return compared(one, other) }
    // Bytes: the standard library's own order takes letters with marks for the same in both spellings.
    let (one, other) = (Array((one.text ?? "").utf8), Array((other.text ?? "").utf8))
    switch sign {
    case "=", "==": return one == other
    case "!=", "<>": return one != other
    case "<": return one.lexicographicallyPrecedes(other)
    case "<=", "=<": return !other.lexicographicallyPrecedes(one)
    case ">": return other.lexicographicallyPrecedes(one)
    default: return !one.lexicographicallyPrecedes(other)
    }
  }

  private static func folded(_ text: String, _ options: String) -> String {
    var text = text
    if options.contains("d") {
      let marks: Set<Unicode.CanonicalCombiningClass> = [.notReordered, .nukta, .kanaVoicing, .virama]
      var scalars = String.UnicodeScalarView()
      for scalar in text.unicodeScalars {
        let isHangul = (0xAC00...0xD7A3).contains(scalar.value)
        let parts = isHangul ? String(scalar) : String(scalar).decomposedStringWithCanonicalMapping
        scalars.append(
          contentsOf: parts.unicodeScalars.filter {
            isHangul || marks.contains($0.properties.canonicalCombiningClass)
          })
      }
      text = String(scalars)
    }
    guard options.contains("c") else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      let one = upper.count == 1 ? upper.first ?? scalar : scalar
      scalars.append(one.properties.lowercaseMapping.unicodeScalars.first ?? one)
    }
    return String(scalars)
  }

  private static func isLike(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>)
    -> Bool
  {
    guard let sign = pattern.first else { return text.isEmpty }
    let rest = pattern.dropFirst()
    switch sign {
    case "*": return (text.startIndex...text.endIndex).contains { isLike(text[$0...], rest) }
    case "?": return !text.isEmpty && isLike(text.dropFirst(), rest)
    case "\\": return text.first == rest.first && !rest.isEmpty && isLike(text.dropFirst(), rest.dropFirst())
    default: return text.first == sign && isLike(text.dropFirst(), rest)
    }
  }

  /// By ICU.
  private static func matches(_ text: String, _ pattern: String, _ options: String) -> Bool {
    let pattern = options.contains("d") ? folded(pattern, "d") : pattern
    guard
      let expression = try? NSRegularExpression(
        pattern: "^(?:\(pattern))\\z", options: options.contains("c") ? .caseInsensitive : [])
    else { return false }
    return expression.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
  }
}
