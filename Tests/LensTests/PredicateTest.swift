import Base
import Forge
import Foundation
import Lens
import Rendering
import StoreModel
import TestSupport
import Testing

/// Asks one store by random predicates, and compares with what `Asked` says of its decoded objects.
struct PredicateTest {
  let world: DecodedObjects
  private var random: SeededGenerator
  /// Predicates that found some objects and not all.
  private(set) var partial = 0

  init(_ store: CoreDataStore, seed: UInt64) throws {
    world = try DecodedObjects(store)
    random = SeededGenerator(seed: seed)
  }

  mutating func run(_ count: Int) throws {
    let entities = world.store.schema.entities.filter { !world.objects(of: $0).isEmpty }
    guard !entities.isEmpty else { return }
    for _ in 0..<count {
      guard let entity = entities.randomElement(using: &random) else { return }
      let asked = condition(on: entity, Scope(), depth: Int.random(in: 0..<3, using: &random))
      let text = asked.text
      let all = world.objects(of: entity)
      let expected = Set(all.filter { asked.holds(for: $0, in: world) == true })
      var options = ObjectRows.Options()
      do {
        options.predicate = try ObjectPredicate(text, of: entity, in: world.store)
        let rows = try ObjectRows(entity, in: world.store, options: options)
        let collector = RowCollector()
        try rows.produce(into: collector) {}
        let found = Set(collector.rows.compactMap { $0.first??.text })
        if !expected.isEmpty, expected.count < all.count { partial += 1 }
        #expect(found == expected, "\(entity.name): \(text)\n\(options.predicate?.condition ?? "")")
      } catch { Issue.record("\(entity.name): \(text): \(error)") }
    }
  }

  // MARK: - Predicates

  /// What paths begin with: nothing, or the variable of a subquery.
  struct Scope {
    var prefix = ""
    /// To-one relationships on the way so far.
    var hops: [String] = []
  }

  private mutating func condition(on entity: SchemaEntity, _ scope: Scope, depth: Int) -> Asked {
    guard depth > 0 else { return comparison(on: entity, scope) }
    let parts = (0..<Int.random(in: 2...3, using: &random)).map { _ in
      condition(on: entity, scope, depth: depth - 1)
    }
    return switch Int.random(in: 0..<3, using: &random) {
    case 0: .all(parts)
    case 1: .any(parts)
    default: .not(parts[0])
    }
  }

  private mutating func comparison(on entity: SchemaEntity, _ scope: Scope) -> Asked {
    if let to = entity.relationships.filter({ $0.isAskable(in: world) && !$0.description.isToMany })
      .randomElement(using: &random), let target = world.store.schema[to.destination]
    {
      // Through a to-one relationship, or about it.
      switch Int.random(in: 0..<8, using: &random) {
      case 0...1 where scope.hops.count < 2:
        var inner = scope
        inner.hops.append(to.name)
        return comparison(on: target, inner)
      case 2: return .isNil(path(scope, [to.name]), Bool.random(using: &random))
      case 3:
        if let uri = world.objects(of: target).randomElement(using: &random) {
          return .object(path(scope, [to.name]), Bool.random(using: &random), uri: uri)
        }
      default: break
      }
    }
    if let to = entity.relationships.filter({ $0.isAskable(in: world) && $0.description.isToMany })
      .randomElement(using: &random), let target = world.store.schema[to.destination],
      Int.random(in: 0..<3, using: &random) == 0
    {
      return collection(path(scope, [to.name]), target, isNested: !scope.prefix.isEmpty)
    }
    let leaves = world.askable(entity)
    guard let leaf = leaves.randomElement(using: &random) else {
      return .constant(Bool.random(using: &random))
    }
    return comparison(path(scope, leaf.path.split(separator: ".").map(String.init)), leaf, of: entity)
  }

  private func path(_ scope: Scope, _ names: [String]) -> Asked.Path {
    .init(prefix: scope.prefix, names: scope.hops + names)
  }

  private mutating func collection(_ path: Asked.Path, _ target: SchemaEntity, isNested: Bool) -> Asked {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return .count(path, sign(), Int64.random(in: 0..<4, using: &random))
    case 1 where !isNested:
      let inner = condition(on: target, Scope(prefix: "$x"), depth: Int.random(in: 0..<2, using: &random))
      return .subquery(path, inner, sign(), Int64.random(in: 0..<3, using: &random))
    case 2:
      let numbers = world.askable(target).filter { [.integer16, .integer32].contains($0.description.type) }
      guard let leaf = numbers.randomElement(using: &random) else { fallthrough }
      let function = ["sum", "avg", "min", "max"].randomElement(using: &random) ?? "sum"
      let value = integer(leaf, of: target)
      return .aggregate(
        function, path, leaf.path.split(separator: ".").map(String.init), sign(), Double(value) + 0.5)
    default:
      guard let leaf = world.askable(target).randomElement(using: &random) else {
        return .count(path, "==", 0)
      }
      var whole = path
      whole.names += leaf.path.split(separator: ".").map(String.init)
      let quantifier = ["ANY", "SOME", "ALL", "NONE"].randomElement(using: &random) ?? "ANY"
      // The comparison is made of the whole path, and judged by what is left behind the collection.
      let inner = simple(
        .init(prefix: "", names: Array(whole.names[path.names.count...])), leaf, of: target, isAlone: false)
      return .related(quantifier, path, inner)
    }
  }

  private mutating func sign() -> String {
    ["==", "=", "!=", "<>", "<", "<=", "=<", ">", ">=", "=>"].randomElement(using: &random) ?? "=="
  }

  private mutating func comparison(_ path: Asked.Path, _ leaf: SchemaAttribute, of entity: SchemaEntity)
    -> Asked
  {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .isNil(path, Bool.random(using: &random))
    case 1 where leaf.description.type == .string:
      return .length(path, sign(), Int64.random(in: 0..<30, using: &random))
    case 2 where [.integer16, .integer32].contains(leaf.description.type):
      let operation = ["+", "-", "*", "/"].randomElement(using: &random) ?? "+"
      return .calculated(
        path, operation, Int64.random(in: 1..<5, using: &random), sign(), integer(leaf, of: entity))
    default: return simple(path, leaf, of: entity)
    }
  }

  private mutating func integer(_ leaf: SchemaAttribute, of entity: SchemaEntity) -> Int64 {
    guard case .integer(let number)? = world.value(leaf, of: entity, &random) else { return 1 }
    return number
  }

  /// One comparison whose right side is a literal or two.
  private mutating func simple(
    _ path: Asked.Path, _ leaf: SchemaAttribute, of entity: SchemaEntity, isAlone: Bool = true
  )
    -> Asked
  {
    let values = (0..<3).map { _ in world.value(leaf, of: entity, &random) ?? .null }
    let options = ["", "", "[c]", "[d]", "[cd]", "[n]"].randomElement(using: &random) ?? ""
    guard case .text(let text) = values[0], leaf.description.type == .string else {
      let literals = values.map { literal($0, leaf.description.type) }
      switch Int.random(in: 0..<4, using: &random) {
      case 0 where leaf.description.type != .boolean && leaf.description.type != .uuid:
        return .between(path, literals[0], literals[1], "")
      case 1: return .isIn(path, literals, "")
      default:
        let isOrdered = leaf.description.type != .boolean && leaf.description.type != .uuid
        return .compare(
          path, isOrdered ? sign() : ["==", "!="].randomElement(using: &random) ?? "==", literals[0], "")
      }
    }
    let texts = values.map { Asked.Literal(text: quoted($0.text ?? ""), value: .text($0.text ?? "")) }
    switch Int.random(in: 0..<7, using: &random) {
    case 0: return .isIn(path, texts, options)
    case 1: return .between(path, texts[0], texts[1], options)
    case 2: return .compare(path, sign(), texts[0], options)
    case 3 where isAlone:
      let upper = Bool.random(using: &random)
      return .cased(path, upper, upper ? text.uppercased() : text)
    default:
      let operation =
        ["BEGINSWITH", "CONTAINS", "ENDSWITH", "LIKE", "MATCHES"].randomElement(using: &random) ?? ""
      return .text(path, operation, piece(of: text, for: operation), options)
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + text.replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'"
  }

  /// A part of a text that is in the store, in another case or without its marks at times, as a pattern at times.
  private mutating func piece(of text: String, for operation: String) -> String {
    var scalars = Array(text.unicodeScalars.prefix(200))
    if operation != "ENDSWITH", operation != "CONTAINS" || Bool.random(using: &random) {
      scalars = Array(scalars.prefix(Int.random(in: 0...6, using: &random)))
    } else {
      scalars = Array(scalars.suffix(Int.random(in: 0...6, using: &random)))
    }
    var piece = String(String.UnicodeScalarView(scalars))
    switch Int.random(in: 0..<4, using: &random) {
    case 0: piece = piece.uppercased()
    case 1: piece = piece.folding(options: .diacriticInsensitive, locale: nil)
    default: break
    }
    if operation == "LIKE" {
      piece = piece.replacing("*", with: "\\*").replacing("?", with: "\\?")
      return ["\(piece)*", "*\(piece)*", "?\(piece.dropFirst())*", piece].randomElement(
        using: &random) ?? piece
    }
    if operation == "MATCHES" {
      piece = NSRegularExpression.escapedPattern(for: piece)
      return [
        "\(piece).*", ".*\(piece).*", "(?:\(piece)|x)\\w*.*", "[A-Z\\s]+.*", "[^a-m]{2,}.*?",
        "\\b\\w+\\b.*",
        "(\\d|\\D)+", "\(piece)(.?){3}.*",
      ].randomElement(using: &random) ?? piece
    }
    return piece
  }

  private mutating func literal(_ value: DataValue, _ type: AttributeType) -> Asked.Literal {
    switch value {
    case .date(let date):
      let seconds = date.seconds.rounded()
      let text = CoreDataDate(seconds: seconds).iso8601.map { "'\($0)'" } ?? "\(seconds)"
      let spelling = [
        text, "CAST(\(text), 'NSDate')", "CAST(\(Int64(seconds)), \"NSDate\")", "\(Int64(seconds))",
      ]
      return .init(text: spelling.randomElement(using: &random) ?? text, value: .real(seconds))
    case .bool(let value):
      let text = (value ? ["YES", "1", "TRUE", "true"] : ["NO", "0", "FALSE"]).randomElement(using: &random)
      return .init(text: text ?? "YES", value: .integer(value ? 1 : 0))
    case .integer(let number): return .init(text: "\(number)", value: .integer(number))
    case .real(let number):
      // As a float has it, too.
      let near = (number * 4).rounded() / 4
      return .init(text: "\(near)", value: .real(near))
    case .text(let uuid) where type == .uuid:
      return .init(text: "'\(Bool.random(using: &random) ? uuid.lowercased() : uuid)'", value: .text(uuid))
    default:
      switch type {
      case .boolean: return .init(text: "YES", value: .integer(1))
      case .uuid:
        let uuid = "00000000-0000-0000-0000-000000000000"
        return .init(text: "'\(uuid)'", value: .text(uuid))
      case .string: return .init(text: "'x'", value: .text("x"))
      case .date: return .init(text: "'2026-03-20'", value: .real(795_657_600))
      default: return .init(text: "1", value: .integer(1))
      }
    }
  }
}

extension SchemaRelationship {
  fileprivate func isAskable(in world: DecodedObjects) -> Bool {
    guard storage != .none, let target = world.store.schema[destination] else { return false }
    return world.store.tables.holdsObjects(target.table) && !world.tooLarge.contains(target.root)
  }
}
