/// Slips in conditions that have one meaning only.
enum MistypedCondition {
  /// Without what belongs to a statement around it: `WHERE`, and a semicolon at the end.
  static func bare(_ condition: String) -> String {
    condition.replacing(/^\s*(?i:where)\s+/, with: "").replacing(/\s*(;\s*)+$/, with: "")
  }

  /// With straight quotes, `>=` for `=>`, and lists as SQL has them: `'coffee' IN tags`, `title IN 'Arrival'`.
  static func corrected(_ condition: String) -> String {
    var text = condition.replacing(/[“„”‘‚’`]([^“„”‘‚’`'"]+)[“”‘’`]/) { "'\($0.1)'" }
    text.replace("=>", with: ">=")
    text.replace("=<", with: "<=")
    text.replace(/\bZ_PK\b/, with: "pk")
    if let match = text.wholeMatch(of: /\s*['"]([^'"]+)['"]\s+(?i:in)\s+(\w[\w.]*)\s*/) {
      return "\(match.2) CONTAINS \(match.1)"
    }
    if let match = text.wholeMatch(of: /\s*(\w[\w.]*)\s+(?i:in)\s+(['"][^'"]+['"]|\d+)\s*/) {
      return "\(match.1) = \(match.2)"
    }
    text.replace(/(?i)\bin\s*\(([^'()]*"[^'()]*)\)/) { "IN (\($0.1.replacing("\"", with: "'")))" }
    return text
  }
}
