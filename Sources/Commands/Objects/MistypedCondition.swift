import Lens
import SQLite
import StoreModel
import Values

/// Slips in conditions that have one meaning only.
enum MistypedCondition {
  /// Without what belongs to a statement around it: `WHERE`, and a semicolon at the end.
  static func bare(_ condition: String) -> String {
    condition.replacing(/^\s*(?i:where)\s+/, with: "").replacing(/\s*(;\s*)+$/, with: "")
  }

  /// With straight quotes, `>=` for `=>`, lists as SQL has them, and without the words of NSPredicate and the names of
  /// tables: `'coffee' IN tags`, `title IN 'Arrival'`, `title BEGINSWITH[c] 'Tram'`, `ZTITLE = 'Arrival'`.
  static func corrected(_ condition: String, of entity: SchemaEntity) -> String {
    var text = condition.replacing(/[“„”‘‚’`]([^“„”‘‚’`'"]+)[“”‘’`]/) { "'\($0.1)'" }
    text.replace("=>", with: ">=")
    text.replace("=<", with: "<=")
    text = withoutObjectiveC(withoutPredicateWords(withoutColumnNames(text, of: entity)), of: entity)
    if let match = text.wholeMatch(of: /\s*['"]([^'"]+)['"]\s+(?i:in)\s+(\w[\w.]*)\s*/) {
      return "\(match.2) CONTAINS \(match.1)"
    }
    if let match = text.wholeMatch(of: /\s*(\w[\w.]*)\s+(?i:in)\s+(['"][^'"]+['"]|\d+)\s*/) {
      return "\(match.1) = \(match.2)"
    }
    text.replace(/(?i)\bin\s*\(([^'()]*"[^'()]*)\)/) { "IN (\($0.1.replacing("\"", with: "'")))" }
    return text
  }

  /// The property that is stored in the column of that name, as other tools show it.
  static func property(storedAs column: String, of entity: SchemaEntity) -> String? {
    let name = column.lowercased()
    if name == "z_pk" { return "pk" }
    let leaf = entity.attributes.lazy.flatMap(\.leaves).first { $0.column?.lowercased() == name }
    return leaf?.path
      ?? entity.relationships.first {
        if case .toOne(let column, _, _) = $0.storage { column.lowercased() == name } else { false }
      }?.name
  }

  private static func withoutColumnNames(_ text: String, of entity: SchemaEntity) -> String {
    var parts = text.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
    // Every second part is in quotes.
    for index in stride(from: 0, to: parts.count, by: 2) {
      parts[index] = parts[index].replacing(/\b[Zz]\w+\b/) { match -> String in
        property(storedAs: String(match.0), of: entity).map(WrittenCondition.quoted) ?? String(match.0)
      }
    }
    return parts.joined(separator: "'")
  }

  /// https://developer.apple.com/documentation/foundation/nspredicate
  private static func withoutPredicateWords(_ text: String) -> String {
    var text = text.replacing(
      /(?<before>^\s*|\(\s*|\b(?:and|or|not)\s+)(?:ANY|SOME)\s+(?=\w+(?:\.[\w.]+)?\s*(?:[=<>!]|in\b|like\b|contains\b|beginswith\b|endswith\b))/
        .ignoresCase()
    ) { String($0.before) }
    text.replace(/\bBETWEEN\s*\{([^{},]+),([^{},]+)\}/.ignoresCase()) {
      "BETWEEN \($0.1.trimmed) AND \($0.2.trimmed)"
    }
    text.replace(/\bIN\s*\{([^{}]+)\}/.ignoresCase()) { "IN (\($0.1))" }
    // Whether any object meets it; other numbers of them are another question.
    let subquery =
      /SUBQUERY\s*\(\s*(\w+)\s*,\s*(\$\w+)\s*,\s*\$\w+\.([^()$]+)\)\s*\.@count\s*(?:>\s*0|>=\s*1|!=\s*0|<>\s*0)/
    text.replace(subquery.ignoresCase()) { "\($0.1).\($0.3.trimmed)" }
    text.replace(/\bILIKE\b/.ignoresCase(), with: "LIKE")
    let expression = /\s+(?:MATCHES(?:\[[cdnl]+\])?|REGEXP|RLIKE)\s*'([^']+)'|\s*~\*?\s*'([^']+)'/
    text.replace(expression.ignoresCase()) { match -> String in
      // NSPredicate asks for the whole text, databases for a part.
      let asked =
        match.1.map { match.0.lowercased().contains("matches") ? "^\($0)$" : "\($0)" }
        ?? match.2.map(String.init)
      return asked.flatMap(SQLHabits.pattern).map { " LIKE '\($0)'" } ?? String(match.0)
    }
    text.replace(/\bcount\s*\(\s*([A-Za-z]\w*)\s*\)/.ignoresCase()) { "\($0.1).@count" }
    let comparison =
      /\b(BEGINSWITH|ENDSWITH|CONTAINS|LIKE)(\[[cdnl]+\])?\s*(?:'((?:[^']|'')*)'|"([^"]*)"|([^\s'"()]+))/
    text = text.replacing(comparison.ignoresCase()) { match -> String in
      let word = match.1.uppercased()
      // SQL has CONTAINS and LIKE too.
      guard word.hasSuffix("WITH") || match.2 != nil, let value = match.3 ?? match.4 ?? match.5 else {
        return String(match.0)
      }
      let isEscaped = match.3 != nil
      let pattern = likePattern(word, String(value))
      return "LIKE '\(isEscaped ? pattern : pattern.replacing("'", with: "''"))'"
    }
    return text
  }

  /// YES and NO of Booleans, and nil.
  private static func withoutObjectiveC(_ text: String, of entity: SchemaEntity) -> String {
    text.replacing(/\b(\w+)\s*(==?|!=|<>)\s*(YES|NO|nil)\b/.ignoresCase()) { match -> String in
      let isEqual = match.2.first == "="
      if match.3.lowercased() == "nil" { return "\(match.1) IS \(isEqual ? "" : "NOT ")NULL" }
      guard entity.attribute(named: String(match.1))?.description.type == .boolean else {
        return String(match.0)
      }
      return "\(match.1) \(match.2) \(match.3.lowercased() == "yes" ? 1 : 0)"
    }
  }

  private static func likePattern(_ word: String, _ value: String) -> String {
    switch word {
    case "BEGINSWITH": "\(value)%"
    case "ENDSWITH": "%\(value)"
    case "CONTAINS": "%\(value)%"
    default: value.replacing("*", with: "%").replacing("?", with: "_")
    }
  }
}
