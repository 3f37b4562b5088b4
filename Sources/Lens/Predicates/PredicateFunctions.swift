import Base
import SQLite

/// The SQL functions of predicates, in addition to SQLite's own, some of which end at a NUL
/// (https://www.sqlite.org/nulinstr.html). Each gives NULL for what is no text.
enum PredicateFunctions {
  static func install(in connection: Connection) throws {
    guard !connection.hasFunction(named: "folded") else { return }
    func add(
      _ name: String, texts: Int, _ others: Int,
      _ body: @escaping ([String], FunctionArguments) throws -> SQLiteValue
    ) throws {
      try connection.addFunction(name: name, argumentCount: texts + others) { arguments in
        guard (0..<texts).allSatisfy({ arguments.type($0) == .text }) else { return .null }
        return try body((0..<texts).map(arguments.text), arguments)
      }
    }
    func flag(_ value: Bool) -> SQLiteValue { .integer(value ? 1 : 0) }
    try add("cased", texts: 1, 1) { texts, arguments in
      .text(arguments.integer(1) == 1 ? texts[0].uppercased() : texts[0].lowercased())
    }
    try add("folded", texts: 1, 1) { texts, arguments in
      .text(folded(texts[0], .init(rawValue: Int(arguments.integer(1)))))
    }
    try add("text_length", texts: 1, 0) { texts, _ in .integer(Int64(texts[0].unicodeScalars.count)) }
    try add("ends_with", texts: 2, 0) { texts, _ in
      flag(texts[0].utf8.reversed().starts(with: texts[1].utf8.reversed()))
    }
    try add("is_like", texts: 2, 0) { texts, _ in flag(isLike(texts[0], pattern: texts[1])) }
    try connection.addFunction(name: "magnitude", argumentCount: 1) { arguments in
      switch arguments.value(0) {
      case .integer(.min): .real(-Double(Int64.min))
      case .integer(let number): .integer(abs(number))
      case .real(let number): .real(abs(number))
      default: .null
      }
    }
    var known: [String: PredicatePattern] = [:]
    try add("matches", texts: 2, 1) { [unowned connection] texts, arguments in
      let flags = arguments.integer(2)
      let key = "\(flags) \(texts[1])"
      if known[key] == nil {
        // A column may have another one in each row.
        if known.count > 100 { known = [:] }
        known[key] = try PredicatePattern(texts[1], .init(rawValue: Int(flags)))
      }
      return flag(try known[key]?.matches(texts[0], check: connection.checkLimits) ?? false)
    }
  }

  /// Without the differences that the options leave aside, scalar by scalar.
  static func folded(_ text: String, _ options: PredicateTree.Comparison.Options) -> String {
    // Most texts are, and the standard library has this in a loop over bytes.
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      return options.contains(.ignoresCase) ? text.lowercased() : text
    }
    var scalars = text.unicodeScalars
    if options.contains(.ignoresDiacritics) {
      // The parts of a Hangul syllable are no marks, and one sign of LIKE stands for the whole.
      scalars = .init(
        text.unicodeScalars.flatMap { scalar in
          (0xAC00...0xD7A3).contains(scalar.value)
            ? [scalar] : String(scalar).canonicallyDecomposed.unicodeScalars.filter { !isDiacritic($0) }
        })
    }
    guard options.contains(.ignoresCase) else { return String(scalars) }
    return String(String.UnicodeScalarView(scalars.map(ScalarFolding.fold)))
  }

  /// Marks that make another letter of the one before, as the voicing of kana does, are none.
  /// https://www.unicode.org/reports/tr44/#Canonical_Combining_Class_Values
  private static func isDiacritic(_ scalar: Unicode.Scalar) -> Bool {
    let others: [Unicode.CanonicalCombiningClass] = [.notReordered, .nukta, .kanaVoicing, .virama]
    return !others.contains(scalar.properties.canonicalCombiningClass)
  }

  private enum Sign: Equatable { case one, any, scalar(Unicode.Scalar) }

  /// `?` is one scalar and `*` any number of them, unless a backslash is in front.
  static func isLike(_ text: String, pattern: String) -> Bool {
    var signs: [Sign] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      let sign: Sign =
        isEscaped ? .scalar(scalar) : scalar == "?" ? .one : scalar == "*" ? .any : .scalar(scalar)
      let begins = sign == .scalar("\\") && !isEscaped
      if !begins { signs.append(sign) }
      isEscaped = begins
    }
    if isEscaped { signs.append(.scalar("\\")) }
    let scalars = Array(text.unicodeScalars)
    var (index, place) = (0, 0)
    // Where the last `*` is, and up to where it reaches; an earlier one never has to reach further.
    var star: (place: Int, index: Int)?
    while index < scalars.count {
      if place < signs.count, signs[place] == .any {
        star = (place, index)
        place += 1
      } else if place < signs.count, signs[place] == .one || signs[place] == .scalar(scalars[index]) {
        (index, place) = (index + 1, place + 1)
      } else if let last = star {
        star = (last.place, last.index + 1)
        (index, place) = (last.index + 1, last.place + 1)
      } else {
        return false
      }
    }
    return signs[place...].allSatisfy { $0 == .any }
  }
}
