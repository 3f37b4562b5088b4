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
    var texts = HiddenTexts()
    var text = texts.hiding(condition)
    text.replace(/[“„”‘‚’`]([^“„”‘‚’`'"]+)[“”‘’`]/) { texts.literal(String($0.1)) }
    text.replace("=>", with: ">=")
    text.replace("=<", with: "<=")
    text.replace("&&", with: "AND")
    text = withoutColumnNames(text, of: entity)
    text = withoutPredicateWords(text, &texts)
    text = withoutObjectiveC(text, of: entity)
    if let match = text.wholeMatch(of: /\s*['"]([^'"]+)['"]\s+(?i:in)\s+(\w[\w.]*)\s*/) {
      text = "\(match.2) CONTAINS \(texts.shown(match.1))"
    } else if let match = text.wholeMatch(of: /\s*(\w[\w.]*)\s+(?i:in)\s+(['"][^'"]+['"]|\d+)\s*/) {
      text = "\(match.1) = \(match.2)"
    }
    text.replace(/(?i)\bin\s*\(([^'()]*"[^'()]*)\)/) { list in
      let values = list.1.replacing(/"([^"]*)"/) { texts.literal(texts.content($0.1)) }
      return "IN (\(values))"
    }
    return texts.shown(text[...])
  }

  /// The same of a statement: NSPredicate's words only, as names there are of any entity.
  static func withoutPredicateWords(_ sql: String) -> String {
    var texts = HiddenTexts()
    let text = withoutPredicateWords(texts.hiding(sql), &texts)
    return texts.shown(text.replacing("&&", with: "AND")[...])
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
    text.replacing(/\b[Zz]\w+\b/) { match -> String in
      property(storedAs: String(match.0), of: entity).map(WrittenCondition.quoted) ?? String(match.0)
    }
  }

  /// https://developer.apple.com/documentation/foundation/nspredicate
  private static func withoutPredicateWords(_ text: String, _ texts: inout HiddenTexts) -> String {
    var text = text.replacing(
      /(?<before>^\s*|\(\s*|\b(?:where|and|or|not)\s+)(?:ANY|SOME)\s+(?=\w+(?:\.[\w.]+)?\s*(?:[=<>!]|in\b|like\b|contains\b|beginswith\b|endswith\b))/
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
    let expression = /\s+(MATCHES(?:\[[cdnl]+\])?|REGEXP|RLIKE)\s*'([^']+)'|\s*~\*?\s*'([^']+)'/
    text.replace(expression.ignoresCase()) { match -> String in
      // NSPredicate asks for the whole text, databases for a part.
      let isWhole = match.1?.lowercased().hasPrefix("matches") ?? false
      let typed = (match.2 ?? match.3).map(texts.content) ?? ""
      return SQLHabits.pattern(isWhole ? "^\(typed)$" : typed).map { " LIKE " + texts.literal($0) }
        ?? String(match.0)
    }
    text.replace(/\bcount\s*\(\s*([A-Za-z]\w*)\s*\)(?=\s*[<>=!])/.ignoresCase()) { "\($0.1).@count" }
    let comparison =
      /\b(BEGINSWITH|ENDSWITH|CONTAINS|LIKE)(\[[cdnl]+\])?\s*(?:'([^']*)'|"([^"]*)"|([^\s'"()]+))/
    text.replace(comparison.ignoresCase()) { match -> String in
      let word = match.1.uppercased()
      // SQL has CONTAINS and LIKE too.
      guard word.hasSuffix("WITH") || match.2 != nil,
        let value = (match.3 ?? match.4).map(texts.content) ?? match.5.map(String.init)
      else {
        return String(match.0)
      }
      let pattern = SQLHabits.likePattern(word, value)
      return "LIKE \(texts.literal(pattern.text))\(pattern.escape)"
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
}

/// The texts within quotes, out of the way while the words around them are changed: what looks like a word or a sign of
/// another language may stand in a value, too. The quotes stay, each around a mark.
private struct HiddenTexts {
  /// As people mean them, without doubled quotes.
  private var contents: [String] = []
  private static let mark: Character = "\u{F0000}"

  mutating func hiding(_ sql: String) -> String {
    sql.replacing(/'((?:[^']|'')*)'|"((?:[^"]|"")*)"/) { match -> String in
      let quote = match.1 == nil ? "\"" : "'"
      let content = String(match.1 ?? match.2 ?? "").replacing(quote + quote, with: quote)
      return quote + hide(content) + quote
    }
  }

  /// A text in SQL, hidden.
  mutating func literal(_ content: String) -> String { "'\(hide(content))'" }

  private mutating func hide(_ content: String) -> String {
    contents.append(content)
    return "\(Self.mark)\(contents.count - 1)\(Self.mark)"
  }

  /// Of what stands between quotes.
  func content(_ hidden: Substring) -> String {
    Int(hidden.filter { $0 != Self.mark }).flatMap { contents.indices.contains($0) ? contents[$0] : nil }
      ?? String(hidden)
  }

  /// With the texts in their places again.
  func shown(_ text: Substring) -> String {
    String(text).replacing(/(['"]?)\x{F0000}(\d+)\x{F0000}/) { match -> String in
      let content = content(match.2)
      return match.1.isEmpty ? content : match.1 + content.replacing(match.1, with: match.1 + match.1)
    }
  }
}
