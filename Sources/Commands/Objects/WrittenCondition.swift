import Lens
import SQLite
import StoreModel
import SystemCalls
import Values

/// A condition as people write it, without SQL's quotes: `rating > 4`, `title = Spring in Lisbon`, `condition=rain`.
struct WrittenCondition {
  let property: String
  /// As SQL has it.
  let comparison: String
  /// Without quotes around it.
  let value: String

  /// Nil for what is no single comparison of a property with a value, as most SQL is.
  init?(_ text: String) {
    guard
      let match = text.trimmed.wholeMatch(
        of:
          /(\w[\w.@]*)(?:\s*(<>|!=|[<>]=?|==?)\s*|\s+((?i:(?:not\s+)?like|(?:not\s+)?in|contains|is\s+not|is))\s+)(.+)/
      )
    else { return nil }
    property = String(match.1)
    let typed = (match.2 ?? match.3 ?? "=").uppercased().replacing(/\s+/, with: " ")
    comparison = typed.count > 2 && typed.hasPrefix("IS") ? "<>" : typed
    var value = match.4.trimmed[...]
    let isQuoted = value.count > 1 && value.first == value.last && "'\"".contains(value.first ?? " ")
    if isQuoted {
      value = value.dropFirst().dropLast()
    } else if value.lowercased().hasPrefix("not ") {
      // NOT is no part of a text.
      return nil
    }
    let isList = comparison.hasSuffix("IN")
    if isList {
      guard value.first == "(", value.last == ")" else { return nil }
      value = value.dropFirst().dropLast()
    }
    // More than one comparison, or SQL that is quoted already.
    guard !value.contains(where: { (isList ? "<>=()" : "'\"<>=()").contains($0) }) else { return nil }
    self.value = String(value)
  }

  /// The same comparison of another property.
  init(_ other: WrittenCondition, of property: String, comparison: String? = nil) {
    (self.property, self.comparison, value) = (property, comparison ?? other.comparison, other.value)
  }

  /// What other languages have for SQL's.
  private static let joints = ["&&": "AND", "||": "OR"]

  /// A text with several of them, joined with `and` and `or`, in SQL; nil if any is none, or is of another entity.
  static func sql(_ text: String, of entity: SchemaEntity, in store: CoreDataStore) -> String? {
    if let condition = WrittenCondition(text), !text.contains(/(?i)\s(and|or|&&|\|\|)\s/) {
      return condition.sql(of: entity, in: store)
    }
    var result = ""
    var rest = text[...]
    while let joint = rest.firstMatch(of: /\s+(and|or|&&|\|\|)\s+/.ignoresCase()) {
      guard let left = WrittenCondition(String(rest[..<joint.range.lowerBound]))?.sql(of: entity, in: store)
      else { return WrittenCondition(text)?.sql(of: entity, in: store) }
      result += "\(left) \(Self.joints[String(joint.1)] ?? joint.1.uppercased()) "
      rest = rest[joint.range.upperBound...]
    }
    // `Rock and Roll` is a value.
    guard let last = WrittenCondition(String(rest))?.sql(of: entity, in: store) else {
      return WrittenCondition(text)?.sql(of: entity, in: store)
    }
    return result + last
  }

  /// In SQL over the entity's view; nil if it has no such property, or one of numbers for what is none.
  func sql(of entity: SchemaEntity, in store: CoreDataStore) -> String? {
    let columns = View.entityColumns(of: entity)
    if let path = PropertyName.meant(by: property, among: Array(columns.keys)), let column = columns[path] {
      let attribute = entity.attribute(named: path)
      if attribute?.description.type.isNumber == true, !comparison.hasSuffix("IN"), !mayBeNumber(columns) {
        return nil
      }
      return sql(Self.quoted(column), attribute, among: columns)
    }
    let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
    if let path = PropertyPath(property, of: entity, called: view, in: store) {
      return sql(property, path.attribute, among: [:])
    }
    return sqlOfLinks(of: entity, in: store) ?? GuessedKey.sql(self, of: entity, in: store)
      ?? LinkCondition.sql(self, of: entity, in: store)
  }

  /// Whether objects are meant that don't have the value.
  var isNegated: Bool { ["!=", "<>"].contains(comparison) || comparison.hasPrefix("NOT ") }

  private func mayBeNumber(_ columns: [String: String]) -> Bool {
    WrittenNumber(value) != nil || ["null", "nil"].contains(value.lowercased())
      || Suggestion.spelled(value, in: columns.keys) != nil
  }

  /// A dotted name in brackets: these need no other quotes in a shell.
  static func quoted(_ name: String) -> String {
    let isPlain = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    return isPlain ? name : name.contains("]") ? quotedIdentifier(name) : "[\(name)]"
  }

  private func sql(
    _ column: String, _ attribute: SchemaAttribute?, among columns: [String: String]
  ) -> String {
    if ["null", "nil"].contains(value.lowercased()) {
      return "\(column) IS \(isNegated ? "NOT " : "")NULL"
    }
    if comparison == "CONTAINS" || attribute?.holdsData == true {
      let content = attribute?.holdsData == true ? "blob_json(\(column))" : column
      let pattern = value.contains("%") ? value : "%\(value)%"
      return "\(content) \(isNegated ? "NOT " : "")LIKE \(quotedText(pattern))"
    }
    if comparison.hasSuffix("IN") {
      let values = value.split(separator: ",").map {
        self.literal(Self.unquoted($0.trimmed), of: attribute, among: columns)
      }
      return "\(column) \(comparison) (\(values.joined(separator: ", ")))"
    }
    let literal = self.literal(comparison.hasSuffix("LIKE") ? pattern : value, of: attribute, among: columns)
    // A day is midnight in SQL.
    let isDay = attribute?.description.type == .date && literal.contains(/^'\d{4}-\d\d-\d\d'$/)
    return
      "\(isDay && ["=", "=="].contains(comparison) ? "date(\(column))" : column) \(comparison) \(literal)"
  }

  /// A list's value as people mean it.
  private static func unquoted(_ text: Substring) -> String {
    guard let match = text.wholeMatch(of: /'(.*)'/) else {
      return String(text.replacing(/^['"]|['"]$/, with: ""))
    }
    return String(match.1).replacing("''", with: "'")
  }

  /// As SQL takes it; the same for what is no date, or may be two.
  private static func date(_ text: String) -> String {
    let moment = DateParser(now: Platform.dateOfOutput(), printsLocal: false)
    guard WrittenDate(text) == nil, let written = moment.parse(text)?.iso8601
    else { return text }
    return written.contains("T00:00:00.") ? String(written.prefix(10)) : String(written.prefix(19)) + "Z"
  }

  /// Elsewhere an asterisk is any text, and without one a part is meant.
  private var pattern: String {
    if value.contains("%") { return value }
    return value.contains("*") ? value.replacing("*", with: "%") : "%\(value)%"
  }

  private func literal(
    _ value: String, of attribute: SchemaAttribute?, among columns: [String: String]
  ) -> String {
    if let other = Suggestion.spelled(value, in: columns.keys) { return Self.quoted(columns[other] ?? other) }
    switch attribute?.description.type {
    case .date: return quotedText(Self.date(value))
    case .boolean where ["yes", "true"].contains(value.lowercased()): return "1"
    case .boolean where ["no", "false"].contains(value.lowercased()): return "0"
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean, nil:
      if Double(value) != nil { return value }
      guard let number = WrittenNumber(value)?.readings.first else { return quotedText(value) }
      return number.integer.map(String.init) ?? number.real.description
    default: return quotedText(value)
    }
  }

  /// `entries > 3` and `entries.@count > 3` count; `tags = Tag/p3` asks for one of them.
  private func sqlOfLinks(of entity: SchemaEntity, in store: CoreDataStore) -> String? {
    let property = property.replacing(/\.@?count$/, with: "")
    guard let link = ViewNames.toMany(property, of: entity, in: store) else { return nil }
    let view = Self.quoted(link.view)
    if Int(value) != nil {
      return "(SELECT COUNT(*) FROM \(view) WHERE source = pk) \(comparison) \(value)"
    }
    guard comparison == "=" || comparison == "==" || comparison == "CONTAINS",
      let target = try? ObjectReference.parse(value, in: store)
    else { return nil }
    return "pk IN (SELECT source FROM \(view) WHERE target = \(target.primaryKey))"
  }
}
