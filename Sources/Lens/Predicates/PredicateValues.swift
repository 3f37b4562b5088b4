import Base
import SQLite
import StoreModel

/// Literals, calculations and functions as SQL; key paths are in PredicatePaths.
extension PredicateCompiler {
  /// A value that is compared with one of this kind: literals are read as such.
  mutating func value(_ expression: Expression, for kind: Kind, root: Int64? = nil) throws -> Value {
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
      let function = ["abs": "magnitude", "ceiling": "ceil"][name] ?? name
      return Value(sql: "\(function)(\(number.sql))", kind: number.kind)
    }
  }
}
