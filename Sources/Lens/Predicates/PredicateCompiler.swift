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
  private(set) var lacks: [String] = []
  /// Those of the entity itself that it names.
  var properties: Set<String> = []
  private(set) var used: Set<String> = []
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

  private mutating func sql(_ tree: PredicateTree) throws -> String {
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

  private mutating func lack(_ what: String) { if !lacks.contains(what) { lacks.append(what) } }

  // MARK: Values

  /// A value that is compared with one of this kind: literals are read as such.
  private mutating func value(
    _ expression: Expression, for kind: Kind, root: Int64? = nil
  ) throws -> Value {
    switch (expression.form, kind) {
    case (.null, _): throw PredicateMistake("nil can't stand here", expression.offset, "Use == nil")
    case (_, .opaque): throw PredicateMistake("data can only be compared with nil", expression.offset)
    case (.text(let text), _): return try literal(text, as: kind, root, isTyped: false, expression.offset)
    case (.variable(let name), _):
      guard let text = parameters[name] else {
        var mistake = PredicateMistake(
          "$\(name) has no value", expression.offset, "Give it with --param \(name)=VALUE")
        (mistake.name, mistake.known) = (name, parameters.keys.sorted())
        throw mistake
      }
      used.insert(name)
      return try literal(text, as: kind, root, isTyped: true, expression.offset)
    case (.integer(let number), .text), (.integer(let number), .uuid):
      throw PredicateMistake("\(kind.rawValue) needs quotes", expression.offset, "As in '\(number)'")
    default: return try value(expression)
    }
  }

  /// - Parameter isTyped: whether it was given apart, so that a text may stand for a number.
  private func literal(
    _ text: String, as kind: Kind, _ root: Int64?, isTyped: Bool, _ offset: Int
  ) throws -> Value {
    func mistake() -> PredicateMistake { PredicateMistake("'\(text)' isn't \(kind.rawValue)", offset) }
    switch kind {
    case .date:
      guard let date = date(text) else {
        throw PredicateMistake("'\(text)' isn't a date", offset, "'storescope help dates' has the spellings")
      }
      return Value(sql: "\(date.seconds)", kind: .date)
    case .uuid:
      guard let bytes = Hexadecimal.uuidBytes(text) else { throw mistake() }
      return Value(sql: "x'\(bytes.withUnsafeBytes(Hexadecimal.uppercase))'", kind: .uuid)
    case .object: return Value(sql: String(try key(text, root, offset)), kind: kind, root: root)
    case .integer, .real, .bool:
      guard isTyped else { throw mistake() }
      if let number = Int64(text) { return Value(sql: String(number), kind: .integer) }
      if let number = Double(text), number.isFinite { return Value(sql: "\(number)", kind: .real) }
      guard let truth = ["YES": 1, "TRUE": 1, "NO": 0, "FALSE": 0][text.uppercased()] else { throw mistake() }
      return Value(sql: "\(truth)", kind: .bool)
    case .text, .any, .opaque: return Value(sql: Self.sql(text), kind: .text)
    }
  }

  /// SQLite ends a literal at NUL: https://www.sqlite.org/nulinstr.html
  private static func sql(_ text: String) -> String {
    guard text.utf8.contains(0) else { return quotedText(text) }
    return "CAST(x'\(Array(text.utf8).withUnsafeBytes(Hexadecimal.uppercase))' AS TEXT)"
  }

  private func key(_ word: String, _ root: Int64?, _ offset: Int) throws -> Int64 {
    guard let uri = ObjectURI(word) ?? ObjectURI("x-coredata:///\(word)"), case .permanent(let key) = uri.key
    else { throw PredicateMistake("'\(word)' isn't an object", offset, "Write 'Entity/p1', or a URI") }
    guard let entity = store.schema[uri.entity] else {
      throw unknown(uri.entity, store.schema.entities.map(\.name), "entity", offset)
    }
    guard uri.storeUUID.isEmpty || uri.storeUUID.uppercased() == store.uuid.uppercased() else {
      throw PredicateMistake("'\(word)' is an object of another store", offset)
    }
    guard entity.root == root else {
      throw PredicateMistake("no object of \(entity.name) can be here", offset)
    }
    let number = try? store.connection.first(
      "SELECT Z_ENT FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = \(key)"
    ) { $0.integer(0) }
    if let actual = number.flatMap({ store.schema[$0] }), !entity.subtree.contains(actual.number) {
      throw PredicateMistake("'\(word)' is \(actual.name)/p\(key)", offset)
    }
    return key
  }

  func unknown(_ name: String, _ known: [String], _ what: String, _ offset: Int) -> PredicateMistake {
    var mistake = PredicateMistake("there is no \(what) '\(name)'", offset)
    (mistake.name, mistake.known) = (name, known)
    return mistake
  }

  mutating func value(_ expression: Expression) throws -> Value {
    let offset = expression.offset
    switch expression.form {
    case .null: return Value(sql: "NULL", kind: .any)
    case .bool(let value): return Value(sql: value ? "1" : "0", kind: .bool)
    case .integer(let number): return Value(sql: String(number), kind: .integer)
    case .real(let number): return Value(sql: "\(number)", kind: .real)
    case .text(let text): return Value(sql: Self.sql(text), kind: .text)
    case .variable: return try value(expression, for: .text)
    case .list: throw PredicateMistake("a list can only follow IN and BETWEEN", offset)
    case .cast(let inner, let type):
      guard type == "NSDate" else { throw unknown(type, ["NSDate"], "type for CAST", offset) }
      let date = try value(inner, for: .date)
      guard date.kind == .date || date.kind.isNumber else {
        throw PredicateMistake("\(date.kind.rawValue) isn't a date", inner.offset)
      }
      return Value(sql: date.sql, kind: .date)
    case .negative(let inner):
      let number = try number(inner)
      return Value(sql: "(-\(number.sql))", kind: number.kind)
    case .arithmetic("**", let left, let right):
      lack("**")
      return Value(sql: "pow(\(try number(left).sql), \(try number(right).sql))", kind: .real)
    case .arithmetic(let sign, let left, let right):
      let (one, other) = (try number(left), try number(right))
      let dates = [one, other].count { $0.kind == .date }
      let kind: Kind =
        dates == 1 ? .date : dates == 2 || one.kind == .real || other.kind == .real ? .real : .integer
      return Value(sql: "(\(one.sql) \(sign) \(other.sql))", kind: kind)
    case .subquery: throw PredicateMistake("SUBQUERY needs .@count behind it", offset)
    case .of(let inner, let step): return try value(step, of: inner)
    case .call(let name, let arguments): return try call(name, arguments, at: offset)
    case .path(let root, let steps): return try value(steps, in: scope(root), at: offset)
    }
  }

  private mutating func number(_ expression: Expression) throws -> Value {
    let value =
      if case .variable = expression.form { try value(expression, for: .real) } else { try value(expression) }
    guard value.kind.isNumber || value.kind == .date || value.kind == .any else {
      throw PredicateMistake("\(value.kind.rawValue) can't be calculated with", expression.offset)
    }
    return value
  }

  private mutating func value(_ step: Step, of inner: Expression) throws -> Value {
    if case .subquery(let collection, let variable, let tree) = inner.form {
      guard step.name == "@count" else { throw unknown(step.name, ["@count"], "aggregate", step.offset) }
      guard let (chain, rest) = try self.collection(collection), rest.isEmpty else {
        throw PredicateMistake("SUBQUERY takes a to-many relationship", collection.offset)
      }
      let outer = bound[variable]
      bound[variable] = chain.end
      defer { bound[variable] = outer }
      return Value(sql: "(\(chain.select("COUNT(*)", where: try sql(tree))))", kind: .integer)
    }
    if case .variable(let name) = inner.form {
      throw PredicateMistake("no SUBQUERY here has the variable $\(name)", inner.offset)
    }
    guard step.name == "length" else { throw unknown(step.name, ["length"], "property", step.offset) }
    return try length(value(inner), at: step.offset)
  }

  func length(_ text: Value, at offset: Int) throws -> Value {
    guard text.kind == .text else { throw PredicateMistake("only a text has a length", offset) }
    return Value(sql: "text_length(\(text.sql))", kind: .integer)
  }

  private mutating func call(_ name: String, _ arguments: [Expression], at offset: Int) throws -> Value {
    let known = "uppercase lowercase length abs ceiling floor trunc now sum average min max count".split(
      separator: " "
    ).map(String.init)
    guard known.contains(name) else { throw unknown(name, known, "function", offset) }
    guard arguments.count == (name == "now" ? 0 : 1) else {
      throw PredicateMistake("\(name) takes \(name == "now" ? "no value" : "one value")", offset)
    }
    switch name {
    case "now": return Value(sql: "\(Platform.now().seconds)", kind: .date)
    case "sum", "average", "min", "max", "count":
      return try aggregate(name == "average" ? "avg" : name, arguments[0])
    case "uppercase", "lowercase":
      let text = try value(arguments[0], for: .text)
      guard text.kind == .text else { throw PredicateMistake("\(name) takes a text", arguments[0].offset) }
      return Value(
        sql: "cased(\(text.sql), \(name == "uppercase" ? 1 : 0))", kind: .text, exists: text.exists)
    case "length": return try length(value(arguments[0]), at: arguments[0].offset)
    default:
      if name != "abs" { lack(name) }
      let number = try number(arguments[0])
      // SQLite's abs fails for the least of whole numbers.
      let sql =
        name == "abs"
        ? "CASE WHEN \(number.sql) < 0 THEN -\(number.sql) ELSE \(number.sql) END"
        : "\(name == "ceiling" ? "ceil" : name)(\(number.sql))"
      return Value(sql: "(\(sql))", kind: number.kind)
    }
  }
}
