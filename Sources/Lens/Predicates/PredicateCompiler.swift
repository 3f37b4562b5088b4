import Base
import SQLite
import StoreModel

/// Makes SQL of a predicate, over the tables themselves: values are compared as the store has them, dates as seconds and UUIDs
/// as bytes. What is true, false and unknown follows Core Data's SQLite store; `help predicates` says it.
struct PredicateCompiler: PredicateTerms {
  let store: CoreDataStore
  /// Values of `$NAME`.
  let parameters: [String: String]
  let date: (String) -> CoreDataDate?
  /// What Apple's SQLite store can't fetch with, though this tool can; in the order of the predicate.
  var lacks: [String] = []
  /// Those of the entity itself that it names.
  var properties: Set<String> = []
  var used: Set<String> = []
  /// Whether the answer depends on more of an attribute than whether it is there.
  var readsValues = false
  var bound: [String: Scope] = [:]
  var aliases = 0
  let root: Scope

  /// Where the names of a path begin: a table under an alias, whose rows are of an entity.
  struct Scope {
    let alias: String
    let entity: SchemaEntity
  }

  /// What a value is, for what it may be compared with.
  enum Kind: String {
    case text = "a text", integer = "a whole number", real = "a number", bool = "a Boolean", date = "a date"
    case uuid = "a UUID", object = "an object", any = "a value"
    /// Bytes and decoded values, which are there or not.
    case opaque = "data"

    var isNumber: Bool { [.integer, .real, .bool].contains(self) }
  }

  struct Value {
    var sql: String
    var kind: Kind
    /// A condition that holds if the objects on the way are there; nil if there are none.
    var exists: String?
    /// Of an object, the number of its hierarchy's root.
    var root: Int64?

    func isComparable(with other: Value) -> Bool {
      if kind == .opaque || other.kind == .opaque { return false }
      return kind == other.kind && root == other.root || kind == .any || other.kind == .any
        || (kind.isNumber || kind == .date) && (other.kind.isNumber || other.kind == .date)
    }
  }

  init(
    _ entity: SchemaEntity, in store: CoreDataStore, parameters: [String: String],
    date: @escaping (String) -> CoreDataDate?
  ) {
    (self.store, self.parameters, self.date) = (store, parameters, date)
    root = Scope(alias: "object", entity: entity)
  }

  /// - Returns: a condition for `Z_PK` of the entity's table.
  mutating func keys(_ tree: PredicateTree) throws -> String {
    let condition = try sql(tree)
    return """
      Z_PK IN (SELECT object.Z_PK FROM main.\(quotedIdentifier(root.entity.table)) AS object WHERE \(condition))
      """
  }

  mutating func sql(_ tree: PredicateTree) throws -> String {
    switch tree {
    case .constant(let value): return value ? "1" : "0"
    case .all(let parts): return Self.joined(try parts.map { try sql($0) }[...], by: " AND ")
    case .any(let parts): return Self.joined(try parts.map { try sql($0) }[...], by: " OR ")
    case .not(let part): return "(NOT \(try sql(part)))"
    case .comparison(let comparison): return try sql(comparison)
    }
  }

  /// In halves: SQLite limits the depth of a chain, too. https://www.sqlite.org/limits.html
  private static func joined(_ parts: ArraySlice<String>, by word: String) -> String {
    guard parts.count > 100 else { return "(\(parts.joined(separator: word)))" }
    let half = parts.count / 2
    return "(\(joined(parts.prefix(half), by: word))\(word)\(joined(parts.dropFirst(half), by: word)))"
  }

  // MARK: Comparisons

  private mutating func sql(_ comparison: Comparison) throws -> String {
    var comparison = comparison
    let couldRead = readsValues
    defer {
      if case (.path, .null) = (comparison.left.form, comparison.right.form) { readsValues = couldRead }
    }
    // `'x' IN tags.name` and `tags CONTAINS 'Tag/p1'` ask for any of them.
    if comparison.quantifier == nil, comparison.comparison == .isIn, try collection(comparison.right) != nil {
      (comparison.left, comparison.right) = (comparison.right, comparison.left)
      (comparison.comparison, comparison.quantifier) = (.equal, .any)
    }
    guard let (chain, rest) = try collection(comparison.left) else {
      if let quantifier = comparison.quantifier {
        throw PredicateMistake("\(quantifier.rawValue) needs a to-many relationship", comparison.left.offset)
      }
      return try condition(comparison, left: value(comparison.left))
    }
    if comparison.quantifier == nil, comparison.comparison == .contains, rest.isEmpty {
      (comparison.comparison, comparison.quantifier) = (.equal, .any)
    }
    guard let quantifier = comparison.quantifier else {
      throw PredicateMistake(
        "this leads to many objects", comparison.left.offset,
        "Write ANY or NONE in front of it, or ask for its @count, as in tags.@count == 0")
    }
    if chain.toManys > 1 { lack("ANY over two to-many relationships") }
    if quantifier == .all { lack("ALL") }
    let holds = try condition(comparison, left: value(rest, in: chain.end, at: comparison.left.offset))
    switch quantifier {
    case .any: return "EXISTS (\(chain.select("1", where: holds)))"
    case .none: return "NOT EXISTS (\(chain.select("1", where: holds)))"
    case .all: return "NOT EXISTS (\(chain.select("1", where: "(\(holds)) IS NOT TRUE")))"
    }
  }

  private mutating func condition(_ comparison: Comparison, left: Value) throws -> String {
    let right = comparison.right
    switch comparison.comparison {
    case .between:
      guard case .list(let bounds) = right.form, bounds.count == 2 else {
        throw PredicateMistake("BETWEEN takes two values", right.offset, "As in BETWEEN {1, 9}")
      }
      let values = try bounds.map { try other($0, than: left, isOrdered: true) }
      return compared(comparison, [left] + values) { "\($0[0]) BETWEEN \($0[1]) AND \($0[2])" }
    case .isIn:
      guard case .list(let list) = right.form else {
        var reversed = comparison
        (reversed.comparison, reversed.left, reversed.right) = (.contains, right, comparison.left)
        return try condition(reversed, left: value(right))
      }
      let values = try list.map { try other($0, than: left) }
      guard !values.isEmpty else { return "0" }
      return compared(comparison, [left] + values) {
        "\($0[0]) IN (\($0.dropFirst().joined(separator: ", ")))"
      }
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if case .null = comparison.left.form {
        throw PredicateMistake("nil stands on the right", comparison.left.offset)
      }
      if case .null = right.form {
        guard [.equal, .notEqual].contains(comparison.comparison) else {
          throw PredicateMistake("nothing is more or less than nil", right.offset, "Use == or !=")
        }
        return "(\(left.sql) IS \(comparison.comparison == .equal ? "" : "NOT ")NULL)"
      }
      // A literal on the left is read as what stands on the right.
      let isLiteral = comparison.left.isLiteral
      let isOrdered = ![.equal, .notEqual].contains(comparison.comparison)
      let far = try isLiteral ? value(right) : other(right, than: left, isOrdered: isOrdered)
      let left = try isLiteral ? other(comparison.left, than: far, isOrdered: isOrdered) : left
      // SQLite has the same signs: https://www.sqlite.org/lang_expr.html#operators
      return compared(comparison, [left, far]) { "\($0[0]) \(comparison.comparison.rawValue) \($0[1])" }
    case .beginsWith, .contains, .endsWith, .like, .matches:
      if comparison.left.isLiteral { lack("text operator without a key path on its left") }
      let values = [left, try value(right, for: .text)]
      for value in values where value.kind != .text && value.kind != .any {
        throw PredicateMistake(
          "\(comparison.comparison.rawValue) compares texts, not \(value.kind.rawValue)", comparison.offset)
      }
      if comparison.comparison == .matches, let pattern = literalText(right) {
        do { _ = try PredicatePattern(pattern, comparison.options) } catch let error as PredicateMistake {
          throw PredicateMistake(error.problem, right.offset, error.advice)
        }
      }
      return compared(comparison, values) { Self.text(comparison, $0[0], $0[1]) }
    }
  }

  /// What a value is compared with.
  private mutating func other(
    _ expression: Expression, than value: Value, isOrdered: Bool = false
  ) throws -> Value {
    let other = try self.value(expression, for: value.kind, root: value.root)
    if value.kind == .date, other.kind.isNumber, !expression.isLiteral {
      throw PredicateMistake(
        "this calculates a number, and the other side is a date", expression.offset,
        "A date needs quotes: '2026-04-01'")
    }
    let isRefused = isOrdered && [.object, .uuid].contains(value.kind)
    guard value.isComparable(with: other), !isRefused else {
      throw PredicateMistake(
        isRefused
          ? "\(value.kind.rawValue) is neither more nor less than another one"
          : "\(value.kind.rawValue) can't be compared with \(other.kind.rawValue)\(value.kind == other.kind ? " of that kind" : "")",
        expression.offset)
    }
    return other
  }

  private static func text(_ comparison: Comparison, _ one: String, _ other: String) -> String {
    switch comparison.comparison {
    case .beginsWith: "instr(\(one), \(other)) = 1"
    case .contains: "instr(\(one), \(other)) > 0"
    case .endsWith: "ends_with(\(one), \(other))"
    case .matches: "matches(\(one), \(other), \(comparison.options.rawValue))"
    default: "is_like(\(one), \(other))"
    }
  }

  /// Texts are folded as the options say. Core Data compares them by functions of its own then, which are false for NULL,
  /// unless the object itself is missing.
  private func compared(_ comparison: Comparison, _ values: [Value], _ form: ([String]) -> String) -> String {
    let flags = comparison.options.rawValue
    let isFolded = flags != 0 && values[0].kind == .text && comparison.comparison != .matches
    let sql = form(values.map { isFolded ? "folded(\($0.sql), \(flags))" : $0.sql })
    guard isFolded || comparison.comparison.isOfText else { return "(\(sql))" }
    let exist = values.compactMap(\.exists)
    guard !exist.isEmpty else { return "COALESCE(\(sql), 0)" }
    return "CASE WHEN \(exist.joined(separator: " AND ")) THEN COALESCE(\(sql), 0) END"
  }

  private func literalText(_ expression: Expression) -> String? {
    switch expression.form {
    case .text(let text): text
    case .variable(let name): parameters[name]
    default: nil
    }
  }

  mutating func lack(_ what: String) { if !lacks.contains(what) { lacks.append(what) } }
}
