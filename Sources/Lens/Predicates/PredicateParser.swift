/// Reads a predicate. One pass without going back: what stands in parentheses may be a condition or a value, and is judged
/// where it is used.
struct PredicateParser: PredicateTerms {
  /// Far from what the stack holds. SQLite takes less of some forms.
  private static let depthLimit = 100

  private let tokens: [PredicateToken]
  private var index = 0
  private var depth = 0
  /// What the subqueries around this place bind.
  private var bound: [String] = []

  /// - Throws: `PredicateMistake`.
  static func parsed(_ text: String) throws -> PredicateTree {
    var parser = PredicateParser(tokens: try PredicateScanner.tokens(of: text))
    let tree = try parser.condition { try $0.disjunction() }
    guard parser.token.kind == .end else {
      throw PredicateMistake("the condition ends before this", parser.token.offset, "Join with AND or OR")
    }
    return tree
  }

  private init(tokens: [PredicateToken]) { self.tokens = tokens }

  /// What a pair of parentheses may hold.
  private enum Node {
    case predicate(PredicateTree)
    case value(Expression)
  }

  private var token: PredicateToken { tokens[index] }
  private mutating func advance() { if index < tokens.count - 1 { index += 1 } }

  /// Whether the next token is one of these signs or words, in whatever case; takes it.
  private mutating func takes(_ words: String...) -> Bool {
    guard isNext(words) else { return false }
    advance()
    return true
  }

  private func isNext(_ words: [String]) -> Bool {
    switch token.kind {
    case .sign(let sign): words.contains(sign)
    case .word(let word, isQuoted: false): words.contains(word.uppercased())
    default: false
    }
  }

  private mutating func expect(_ sign: String, _ what: String) throws {
    if sign == ")", isNext([","]) {
      throw PredicateMistake("a list is in braces", token.offset, "As in IN {'a', 'b'}")
    }
    guard takes(sign) else { throw PredicateMistake("\(what) needs '\(sign)' here", token.offset) }
  }

  private mutating func nested<R>(_ body: (inout Self) throws -> R) throws -> R {
    depth += 1
    defer { depth -= 1 }
    try checkDepth(depth)
    return try body(&self)
  }

  private func checkDepth(_ depth: Int) throws {
    guard depth > Self.depthLimit else { return }
    throw PredicateMistake("more than \(Self.depthLimit) levels are nested", token.offset)
  }

  // MARK: Conditions

  private mutating func condition(_ part: (inout Self) throws -> Node) throws -> PredicateTree {
    let offset = token.offset
    guard case .predicate(let tree) = try nested(part) else { throw unfinished(offset) }
    return tree
  }

  /// About a value without a comparison.
  private func unfinished(_ offset: Int) -> PredicateMistake {
    guard case .word(let word, isQuoted: false) = token.kind else {
      return PredicateMistake("this is a value, not a condition", offset, "Compare it, as in == YES")
    }
    var mistake = PredicateMistake(
      "'\(word)' is no operator", token.offset, "'storescope help predicates' lists them; SQL needs --where")
    (mistake.name, mistake.known) = (word, Self.operators.keys.filter { $0.count > 2 })
    return mistake
  }

  private mutating func operand(_ part: (inout Self) throws -> Node) throws -> Expression {
    let offset = token.offset
    guard case .value(let expression) = try nested(part) else {
      throw PredicateMistake("this is a condition, not a value", offset)
    }
    return expression
  }

  private mutating func disjunction() throws -> Node {
    try joined("OR", "||", PredicateTree.any) {
      try $0.joined("AND", "&&", PredicateTree.all) { try $0.negation() }
    }
  }

  private mutating func joined(
    _ word: String, _ sign: String, _ form: ([PredicateTree]) -> PredicateTree,
    _ part: (inout Self) throws -> Node
  ) throws -> Node {
    let first = try part(&self)
    guard isNext([word, sign]) else { return first }
    guard case .predicate(let tree) = first else {
      throw PredicateMistake(
        "a value can't be joined", token.offset, "Compare it, as in == YES")
    }
    var parts = [tree]
    while takes(word, sign) { parts.append(try condition(part)) }
    return .predicate(form(parts))
  }

  private mutating func negation() throws -> Node {
    takes("NOT", "!") ? .predicate(.not(try condition { try $0.negation() })) : try comparison()
  }

  private static let quantifiers: [String: Comparison.Quantifier] = [
    "ANY": .any, "SOME": .any, "ALL": .all, "NONE": .none,
  ]
  private static let operators: [String: Comparison.Operator] = [
    "=": .equal, "==": .equal, "!=": .notEqual, "<>": .notEqual, "<": .less, "<=": .lessOrEqual,
    "=<": .lessOrEqual, ">": .greater, ">=": .greaterOrEqual, "=>": .greaterOrEqual, "BETWEEN": .between,
    "IN": .isIn, "BEGINSWITH": .beginsWith, "CONTAINS": .contains, "ENDSWITH": .endsWith, "LIKE": .like,
    "MATCHES": .matches,
  ]

  /// Those that a predicate is written with, for completion.
  static let words: [String] =
    ["AND", "NOT", "OR", "SELF", "SUBQUERY("] + quantifiers.keys.sorted()
    + operators.keys.sorted().filter { $0.first?.isLetter ?? false }

  private mutating func comparison() throws -> Node {
    if takes("TRUEPREDICATE") { return .predicate(.constant(true)) }
    if takes("FALSEPREDICATE") { return .predicate(.constant(false)) }
    var quantifier: Comparison.Quantifier?
    if case .word(let word, isQuoted: false) = token.kind, let known = Self.quantifiers[word.uppercased()] {
      quantifier = known
      advance()
    }
    let left = try sum()
    let place = token.offset
    guard let comparison = takenOperator() else {
      if quantifier != nil { throw PredicateMistake("this needs a comparison", place) }
      return left
    }
    guard case .value(let left) = left else {
      throw PredicateMistake("a condition can't be compared", place, "Join it with AND or OR")
    }
    let options = try takenOptions()
    if comparison == .between, !isNext(["{"]) {
      throw PredicateMistake("BETWEEN takes two values in braces", token.offset, "As in BETWEEN {1, 9}")
    }
    let right = try operand { try $0.sum() }
    if takenOperator() != nil {
      throw PredicateMistake("comparisons don't chain", tokens[index - 1].offset, "Join two with AND")
    }
    return .predicate(
      .comparison(
        .init(
          quantifier: quantifier, left: left, comparison: comparison, options: options, right: right,
          offset: place)))
  }

  private mutating func takenOperator() -> Comparison.Operator? {
    let word: String
    switch token.kind {
    case .sign(let sign): word = sign
    case .word(let name, isQuoted: false): word = name.uppercased()
    default: return nil
    }
    guard let comparison = Self.operators[word] else { return nil }
    advance()
    return comparison
  }

  private mutating func takenOptions() throws -> Comparison.Options {
    guard takes("[") else { return [] }
    let offset = token.offset
    guard case .word(let letters, _) = token.kind, letters.lowercased().allSatisfy("cdn".contains) else {
      throw PredicateMistake("the options are [c], [d], [cd] and [n]", offset)
    }
    advance()
    try expect("]", "an option")
    var options: Comparison.Options = []
    if letters.lowercased().contains("c") { options.insert(.ignoresCase) }
    if letters.lowercased().contains("d") { options.insert(.ignoresDiacritics) }
    return options
  }

  // MARK: Values

  private mutating func sum() throws -> Node { try calculated([["+", "-"], ["*", "/"], ["**"]]) }

  /// - Parameter levels: signs, the loosest first.
  private mutating func calculated(_ levels: [[String]]) throws -> Node {
    guard let signs = levels.first else { return try signed() }
    var node = try calculated(Array(levels.dropFirst()))
    var count = 0
    while isNext(signs), case .sign(let sign) = token.kind {
      count += 1
      try checkDepth(count)
      let place = token.offset
      advance()
      guard case .value(let left) = node else {
        throw PredicateMistake("a condition can't be calculated with", place)
      }
      let right = try operand { try $0.calculated(Array(levels.dropFirst())) }
      node = .value(.init(form: .arithmetic(sign, left, right), offset: place))
    }
    return node
  }

  private mutating func signed() throws -> Node {
    let start = token.offset
    guard takes("-") else { return try postfix() }
    let operand = try operand { try $0.signed() }
    // A number with its sign is a literal.
    let form: Form =
      switch operand.form {
      case .integer(let number): .integer(-number)
      case .real(let number): .real(-number)
      default: .negative(operand)
      }
    return .value(.init(form: form, offset: start))
  }

  /// A value and the names behind it.
  private mutating func postfix() throws -> Node {
    let start = token.offset
    let node = try primary()
    guard case .value(var expression) = node else { return node }
    var count = 0
    while true {
      count += 1
      try checkDepth(count)
      if isNext(["["]) {
        let place = tokens[min(index + 1, tokens.count - 1)]
        let name = if case .word(let word, _) = place.kind { word } else { "0" }
        throw PredicateMistake("[\(name)] can't be asked of a store", token.offset, "Use ANY or @count")
      }
      guard takes(".") else { return .value(expression) }
      guard case .word(let name, _) = token.kind else {
        throw PredicateMistake("a name has to follow the point", token.offset)
      }
      let step = Step(name: name, offset: token.offset)
      advance()
      if case .path(let root, let steps) = expression.form {
        expression.form = .path(root: root, steps + [step])
      } else {
        expression = .init(form: .of(expression, step), offset: start)
      }
    }
  }

  private mutating func primary() throws -> Node {
    let offset = token.offset
    func node(_ form: Form) -> Node { .value(.init(form: form, offset: offset)) }
    let kind = token.kind
    advance()
    switch kind {
    case .literal(let form): return node(form)
    case .variable(let name):
      return node(bound.contains(name) ? .path(root: .bound(name), []) : .variable(name))
    case .sign("("):
      let inner = try nested { try $0.disjunction() }
      try expect(")", "the parenthesis")
      return inner
    case .sign("{"): return node(.list(try arguments(upTo: "}")))
    case .word(let name, let isQuoted): return node(try named(name, isQuoted: isQuoted, at: offset))
    case .end: throw PredicateMistake("something is missing at the end", offset)
    case .sign(let sign): throw PredicateMistake("'\(sign)' can't stand here", offset)
    }
  }

  private mutating func named(_ name: String, isQuoted: Bool, at offset: Int) throws -> Form {
    let path = Form.path(root: .object, [.init(name: name, offset: offset)])
    if isQuoted { return path }
    switch name.uppercased() {
    case "TRUE", "YES": return .bool(true)
    case "FALSE", "NO": return .bool(false)
    case "NIL", "NULL": return .null
    case "SELF": return .path(root: .object, [])
    case let word
    where ["AND", "OR", "NOT"].contains(word) || Self.quantifiers[word] != nil || Self.operators[word] != nil:
      throw PredicateMistake("\(word) can't stand here", offset, "A property of that name is #\(name)")
    default: break
    }
    // Functions are written with and without a colon.
    let hasColon = token.kind == .sign(":")
    if hasColon { advance() }
    guard takes("(") else {
      if hasColon { throw PredicateMistake("a function needs parentheses here", token.offset) }
      return path
    }
    switch name.uppercased() {
    case "SUBQUERY": return try subquery()
    case "CAST":
      let parts = try arguments(upTo: ")")
      guard parts.count == 2, case .text(let type) = parts[1].form else {
        throw PredicateMistake(
          "CAST takes a value and the name of a type", offset, "CAST('2026-03-20', 'NSDate')")
      }
      return .cast(parts[0], type: type)
    default: return .call(name.lowercased(), try arguments(upTo: ")"))
    }
  }

  /// Values with commas between them.
  private mutating func arguments(upTo end: String) throws -> [Expression] {
    var values: [Expression] = []
    if takes(end) { return values }
    repeat { values.append(try operand { try $0.sum() }) } while takes(",")
    try expect(end, "the list")
    return values
  }

  /// Behind `SUBQUERY(`.
  private mutating func subquery() throws -> Form {
    let collection = try operand { try $0.postfix() }
    try expect(",", "SUBQUERY")
    guard case .variable(let name) = token.kind else {
      throw PredicateMistake("SUBQUERY needs a variable for its objects", token.offset, "As in $x")
    }
    advance()
    try expect(",", "SUBQUERY")
    bound.append(name)
    defer { bound.removeLast() }
    let condition = try condition { try $0.disjunction() }
    try expect(")", "SUBQUERY")
    return .subquery(collection, variable: name, condition)
  }
}
