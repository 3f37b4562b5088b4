/// How SQLite keeps values of an attribute's type, measured on real stores.
package struct StoredForm: Sendable {
  /// SQL that is true for a value of the type; `{}` stands for the column.
  package let condition: String
  /// What follows "it must be": `stored as text`.
  package let rule: String

  /// Nil for types that have no column, or may have any value.
  package init?(_ type: AttributeType) {
    let integer = "typeof({}) = 'integer'"
    let name = "(\(type.name))"
    switch type {
    case .integer16:
      (condition, rule) = (
        "\(integer) AND {} BETWEEN -32768 AND 32767", "a whole number from -32768 to 32767 \(name)"
      )
    case .integer32:
      (condition, rule) = (
        "\(integer) AND {} BETWEEN -2147483648 AND 2147483647",
        "a whole number from -2147483648 to 2147483647 \(name)"
      )
    case .integer64: (condition, rule) = (integer, "a whole number \(name)")
    case .boolean: (condition, rule) = ("\(integer) AND {} IN (0, 1)", "0 or 1 \(name)")
    case .double, .float, .date:
      // Whole seconds are integers.
      (condition, rule) = ("typeof({}) IN ('real', 'integer')", "stored as a number \(name)")
    case .decimal:
      // Text is accepted if it is a number with too many digits.
      (condition, rule) = (
        "typeof({}) IN ('real', 'integer') OR (typeof({}) = 'text' AND ({} GLOB '[0-9]*' OR {} GLOB '[-+.][0-9]*' OR {} = 'NaN'))",
        "stored as a number \(name)"
      )
    case .string, .uri: (condition, rule) = ("typeof({}) = 'text'", "stored as text \(name)")
    case .uuid:
      (condition, rule) = ("typeof({}) = 'blob' AND LENGTH({}) = 16", "stored as 16 bytes \(name)")
    case .binary, .transformable: (condition, rule) = ("typeof({}) = 'blob'", "stored as bytes \(name)")
    case .undefined, .objectID, .composite: return nil
    }
  }
}
