import Base
import SQLite

/// The SQL functions of predicates, in addition to SQLite's own. Each gives NULL for NULL.
enum PredicateFunctions {
  static func install(in connection: Connection) throws {
    try connection.addFunction(name: "cased", argumentCount: 2) { arguments in
      guard let text = arguments.optionalText(0) else { return .null }
      return .text(arguments.integer(1) == 1 ? text.uppercased() : text.lowercased())
    }
    try connection.addFunction(name: "glob_pattern", argumentCount: 1) { arguments in
      arguments.optionalText(0).map { .text(globPattern($0)) } ?? .null
    }
    try connection.addFunction(name: "folded", argumentCount: 2) { arguments in
      guard let text = arguments.optionalText(0) else { return .null }
      return .text(folded(text, .init(rawValue: Int(arguments.integer(1)))))
    }
    var known: (text: String, flags: Int64, pattern: PredicatePattern)?
    try connection.addFunction(name: "matches", argumentCount: 3) { arguments in
      guard let text = arguments.optionalText(0), let pattern = arguments.optionalText(1) else {
        return .null
      }
      let flags = arguments.integer(2)
      if let known, known.text == pattern, known.flags == flags {
        return .integer(known.pattern.matches(text) ? 1 : 0)
      }
      let compiled = try PredicatePattern(pattern, .init(rawValue: Int(flags)))
      known = (pattern, flags, compiled)
      return .integer(compiled.matches(text) ? 1 : 0)
    }
  }

  /// Without the differences that the options leave aside, scalar by scalar.
  static func folded(_ text: String, _ options: PredicateTree.Comparison.Options) -> String {
    var scalars = text.unicodeScalars
    if options.contains(.ignoresDiacritics), !text.utf8.allSatisfy({ $0 < 0x80 }) {
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

  /// LIKE's pattern as GLOB reads one (https://www.sqlite.org/lang_expr.html#glob): `[` begins a set there, and a set of one
  /// is what a backslash in front of a sign makes here.
  static func globPattern(_ text: String) -> String {
    var pattern = ""
    var isEscaped = false
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\" where !isEscaped:
        isEscaped = true
        continue
      case "[": pattern += "[[]"
      case "*" where isEscaped, "?" where isEscaped: pattern += "[\(scalar)]"
      default: pattern.unicodeScalars.append(scalar)
      }
      isEscaped = false
    }
    return pattern
  }
}
