/// A regular expression of MATCHES, which the whole text has to satisfy, in what ICU's and Swift's have in common.
///
/// Swift's own can't be stopped, and `(a+)+b` takes it time that doubles with each letter of a text. Here all ways to go on
/// are followed at the same time (https://swtch.com/~rsc/regexp/regexp1.html), so the time is that of pattern times text.
struct PredicatePattern {
  private enum Instruction {
    case one(ScalarSet)
    case either(Int, Int)
    case jump(Int)
    case only(Assertion)
    case end
  }

  fileprivate enum Assertion { case start, end, boundary, noBoundary }

  private var instructions: [Instruction] = []
  private let options: PredicateTree.Comparison.Options
  /// Repetitions with numbers are written out, and what they repeat may be empty.
  private var steps = 0
  private static let mostSteps = 20_000

  /// - Throws: `PredicateMistake` at the offset in the pattern.
  init(_ pattern: String, _ options: PredicateTree.Comparison.Options) throws {
    var parser = PatternParser(scalars: Array(pattern.unicodeScalars), options: options)
    let part = try parser.whole()
    self.options = parser.options
    try add(part)
    instructions.append(.end)
  }

  /// - Parameter check: throws if the time is up; called again and again.
  func matches(_ text: String, check: () throws -> Void = {}) rethrows -> Bool {
    let scalars = Array(PredicateFunctions.folded(text, options).unicodeScalars)
    var current = Places(count: instructions.count)
    var next = current
    enter(0, &current, scalars, 0)
    for (index, scalar) in scalars.enumerated() {
      if current.list.isEmpty { return false }
      if index % 256 == 255 { try check() }
      next.clear()
      for place in current.list {
        if case .one(let set) = instructions[place], set.contains(scalar) {
          enter(place + 1, &next, scalars, index + 1)
        }
      }
      swap(&current, &next)
    }
    return current.list.contains(instructions.count - 1)
  }

  /// Instructions that a text may be at, each once.
  private struct Places {
    private(set) var list: [Int] = []
    private var isIn: [Bool]
    init(count: Int) { isIn = Array(repeating: false, count: count) }

    mutating func insert(_ place: Int) -> Bool {
      if isIn[place] { return false }
      isIn[place] = true
      list.append(place)
      return true
    }

    mutating func clear() {
      for place in list { isIn[place] = false }
      list.removeAll(keepingCapacity: true)
    }
  }

  /// Follows what takes no scalar.
  private func enter(_ place: Int, _ places: inout Places, _ text: [Unicode.Scalar], _ index: Int) {
    var open = [place]
    while let place = open.popLast() {
      guard places.insert(place) else { continue }
      switch instructions[place] {
      case .one, .end: break
      case .jump(let other): open.append(other)
      case .either(let one, let other): open += [other, one]
      case .only(let assertion): if Self.holds(assertion, text, index) { open.append(place + 1) }
      }
    }
  }

  private static func holds(_ assertion: Assertion, _ text: [Unicode.Scalar], _ index: Int) -> Bool {
    let isBoundary =
      (index > 0 && ScalarSet.isWord(text[index - 1]))
      != (index < text.count && ScalarSet.isWord(text[index]))
    return switch assertion {
    case .start: index == 0
    case .end: index == text.count
    case .boundary: isBoundary
    case .noBoundary: !isBoundary
    }
  }

  private mutating func add(_ part: PatternPart) throws {
    steps += 1
    guard steps < Self.mostSteps else {
      throw PredicateMistake("this pattern is too large", 0, "Repeat less often")
    }
    switch part {
    case .one(let set): instructions.append(.one(set))
    case .only(let assertion): instructions.append(.only(assertion))
    case .sequence(let parts): for part in parts { try add(part) }
    case .choice(let parts):
      var ends: [Int] = []
      for part in parts.dropLast() {
        let split = instructions.count
        instructions.append(.end)
        try add(part)
        ends.append(instructions.count)
        instructions.append(.end)
        instructions[split] = .either(split + 1, instructions.count)
      }
      if let last = parts.last { try add(last) }
      for end in ends { instructions[end] = .jump(instructions.count) }
    case .repeated(let part, let least, let most):
      for _ in 0..<least { try add(part) }
      let first = instructions.count
      guard let most else {
        instructions.append(.end)
        try add(part)
        instructions.append(.jump(first))
        instructions[first] = .either(first + 1, instructions.count)
        return
      }
      var splits: [Int] = []
      for _ in least..<most {
        splits.append(instructions.count)
        instructions.append(.end)
        try add(part)
      }
      for split in splits { instructions[split] = .either(split + 1, instructions.count) }
    }
  }
}

private indirect enum PatternPart {
  case one(ScalarSet)
  case only(PredicatePattern.Assertion)
  case sequence([PatternPart])
  case choice([PatternPart])
  case repeated(PatternPart, least: Int, most: Int?)
}

/// What one scalar of a text may be.
private struct ScalarSet {
  enum Item {
    case range(ClosedRange<UInt32>)
    case kind(Kind, isNegated: Bool)
  }
  enum Kind: Character { case digit = "d", word = "w", space = "s", line = "." }

  var items: [Item]
  var isNegated = false
  /// Compared in both cases: ranges are as they were typed, texts are folded.
  var ignoresCase = false

  func contains(_ scalar: Unicode.Scalar) -> Bool {
    var isIn = has(scalar)
    if !isIn, ignoresCase {
      let upper = scalar.properties.uppercaseMapping.unicodeScalars
      if upper.count == 1, let upper = upper.first { isIn = has(upper) }
    }
    return isIn != isNegated
  }

  private func has(_ scalar: Unicode.Scalar) -> Bool {
    items.contains { item in
      switch item {
      case .range(let range): range.contains(scalar.value)
      case .kind(let kind, let isNegated): Self.isOf(kind, scalar) != isNegated
      }
    }
  }

  static func isWord(_ scalar: Unicode.Scalar) -> Bool { isOf(.word, scalar) }

  /// https://unicode.org/reports/tr18/#Compatibility_Properties
  private static func isOf(_ kind: Kind, _ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    switch kind {
    case .digit: return properties.generalCategory == .decimalNumber
    case .space: return properties.isWhitespace
    case .line: return ![0xA, 0xB, 0xC, 0xD, 0x85, 0x2028, 0x2029].contains(scalar.value)
    case .word:
      let others: [Unicode.GeneralCategory] = [
        .decimalNumber, .connectorPunctuation, .nonspacingMark, .spacingMark, .enclosingMark,
      ]
      return properties.isAlphabetic || properties.isJoinControl
        || others.contains(properties.generalCategory)
    }
  }
}

private struct PatternParser {
  let scalars: [Unicode.Scalar]
  var options: PredicateTree.Comparison.Options
  private var index = 0
  private var depth = 0
  private static let depthLimit = 64
  private static let mostRepeats = 1000
  private static let repeats: [Unicode.Scalar] = ["*", "+", "?", "{"]

  init(scalars: [Unicode.Scalar], options: PredicateTree.Comparison.Options) {
    (self.scalars, self.options) = (scalars, options)
  }

  private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

  private mutating func takes(_ text: String) -> Bool {
    let wanted = Array(text.unicodeScalars)
    guard scalars[index...].starts(with: wanted) else { return false }
    index += wanted.count
    return true
  }

  private func mistake(_ problem: String) -> PredicateMistake {
    PredicateMistake("in this pattern, \(problem)", scalars[..<index].map(UTF8.width).reduce(0, +))
  }

  mutating func whole() throws -> PatternPart {
    if takes("(?i)") { options.insert(.ignoresCase) }
    let part = try choice()
    guard next == nil else { throw mistake("a ')' has no '('") }
    return part
  }

  private mutating func choice() throws -> PatternPart {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.depthLimit else { throw mistake("more than \(Self.depthLimit) groups are nested") }
    var choices: [PatternPart] = []
    repeat {
      var parts: [PatternPart] = []
      while let scalar = next, scalar != "|", scalar != ")" { parts.append(try repeated()) }
      choices.append(.sequence(parts))
    } while takes("|")
    return choices.count == 1 ? choices[0] : .choice(choices)
  }

  private mutating func repeated() throws -> PatternPart {
    let part = try single()
    guard let sign = next, Self.repeats.contains(sign) else { return part }
    index += 1
    var (least, most): (Int, Int?) = (sign == "+" ? 1 : 0, sign == "?" ? 1 : nil)
    if sign == "{" {
      guard let first = number() else {
        throw mistake("'{' needs a number; for the sign itself, write '\\{'")
      }
      (least, most) = (first, takes(",") ? number() : first)
      guard takes("}"), most ?? least >= least, max(least, most ?? 0) <= Self.mostRepeats else {
        throw mistake("a repetition is written {2}, {2,} or {2,5}, up to \(Self.mostRepeats)")
      }
    }
    // As few as possible or as many is the same for a whole text.
    _ = takes("?")
    if let next, Self.repeats.contains(next) { throw mistake("'\(next)' repeats a repetition") }
    return .repeated(part, least: least, most: most)
  }

  private mutating func number() -> Int? {
    var digits = ""
    while let scalar = next, ("0"..."9").contains(scalar) {
      digits.unicodeScalars.append(scalar)
      index += 1
    }
    return Int(digits)
  }

  private func literal(_ scalar: Unicode.Scalar) -> PatternPart {
    .sequence(folded(scalar).map { .one(ScalarSet(items: [.range($0.value...$0.value)])) })
  }

  private func folded(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    Array(PredicateFunctions.folded(String(Character(scalar)), options).unicodeScalars)
  }

  private func one(_ items: [ScalarSet.Item]) -> PatternPart { .one(ScalarSet(items: items)) }

  private mutating func single() throws -> PatternPart {
    guard let scalar = next else { throw mistake("something is missing at the end") }
    switch scalar {
    case "(": return try group()
    case "[":
      index += 1
      return .one(try set())
    case ".":
      index += 1
      return one([.kind(.line, isNegated: false)])
    case "^", "$":
      index += 1
      return .only(scalar == "^" ? .start : .end)
    case "*", "+", "?", "{", "}":
      throw mistake("'\(scalar)' repeats nothing; for the sign itself, write '\\\(scalar)'")
    case "\\":
      if takes("\\b") { return .only(.boundary) }
      if takes("\\B") { return .only(.noBoundary) }
      switch try escaped() {
      case .range(let range):
        return range.count == 1 ? literal(Unicode.Scalar(range.lowerBound) ?? " ") : one([.range(range)])
      case let kind: return one([kind])
      }
    default:
      index += 1
      return literal(scalar)
    }
  }

  private mutating func group() throws -> PatternPart {
    if !takes("(?:") {
      index += 1
      if next == "?" {
        throw mistake(
          "'(?' can only be '(?:', or '(?i)' at the beginning: it can't look around, name or set anything else"
        )
      }
    }
    let part = try choice()
    guard takes(")") else { throw mistake("a '(' has no ')'") }
    return part
  }

  private mutating func escaped() throws -> ScalarSet.Item {
    index += 1
    guard let letter = next else { throw mistake("something is missing behind '\\'") }
    index += 1
    if let kind = ScalarSet.Kind(rawValue: Character(letter.properties.lowercaseMapping)), kind != .line {
      return .kind(kind, isNegated: letter.properties.isUppercase)
    }
    func single(_ scalar: Unicode.Scalar) -> ScalarSet.Item { .range(scalar.value...scalar.value) }
    switch letter {
    case "n": return single("\n")
    case "t": return single("\t")
    case "r": return single("\r")
    case "f": return single("\u{C}")
    case "u": return single(try coded(4))
    case "x": return single(try coded(2))
    default:
      guard !letter.properties.isAlphabetic, letter.properties.numericType == nil else {
        index -= 1
        throw mistake("'\\\(letter)' can't be asked for")
      }
      return single(letter)
    }
  }

  private mutating func coded(_ count: Int) throws -> Unicode.Scalar {
    let digits = String(String.UnicodeScalarView(scalars[index...].prefix(count)))
    guard digits.utf8.count == count, digits.allSatisfy(\.isHexDigit), let value = UInt32(digits, radix: 16),
      let scalar = Unicode.Scalar(value)
    else {
      throw mistake("a code has \(count) digits here")
    }
    index += count
    return scalar
  }

  /// Behind `[`.
  private mutating func set() throws -> ScalarSet {
    var set = ScalarSet(items: [], isNegated: takes("^"), ignoresCase: options.contains(.ignoresCase))
    repeat {
      let first = try item()
      guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
        set.items.append(first)
        if case .range(let range) = first, let scalar = Unicode.Scalar(range.lowerBound),
          let base = folded(scalar).first
        {
          set.items.append(.range(base.value...base.value))
        }
        continue
      }
      index += 1
      guard case .range(let low) = first, case .range(let high) = try item(),
        low.lowerBound <= high.lowerBound
      else {
        throw mistake("a range goes from one letter to a later one")
      }
      set.items.append(.range(low.lowerBound...high.lowerBound))
    } while !takes("]")
    return set
  }

  private mutating func item() throws -> ScalarSet.Item {
    guard let scalar = next else { throw mistake("a '[' has no ']'") }
    if ["&&", "--", "~~"].contains(where: { scalars[index...].starts(with: $0.unicodeScalars) })
      || scalar == "["
    {
      throw mistake("sets can't be combined; for the sign itself, write '\\\(scalar)'")
    }
    if scalar == "\\" { return try escaped() }
    index += 1
    return .range(scalar.value...scalar.value)
  }
}
