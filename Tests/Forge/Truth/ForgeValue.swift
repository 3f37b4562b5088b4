package import Values

/// An attribute's value as a test or the demo gives it, and as the truth keeps it: what an app would have set,
/// not what lies in the file.
package enum ForgeValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case boolean(Bool)
  case real(Double)
  /// Text of String and URI attributes, and UUIDs in their usual grouping.
  case text(String)
  case date(CoreDataDate)
  /// Binary values as the app set them, without the tag of external storage; transformable ones as their
  /// transformer wrote them.
  case bytes([UInt8])
  /// A composite's elements by name.
  case composite([String: ForgeValue])

  /// A moment in ISO 8601. Text that is none stays text, which no Date attribute takes.
  package static func date(_ text: String) -> ForgeValue {
    ISO8601.parse(text).map(ForgeValue.date) ?? .text(text)
  }

  /// Text as the bytes of a binary attribute: what SwiftData makes of an array inside a structure.
  package static func json(_ text: String) -> ForgeValue { .bytes(Array(text.utf8)) }

  /// A model's default value; nil for those that have no attribute's type.
  init?(_ value: DataValue) {
    switch value {
    case .bool(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .date(let value): self = .date(value)
    case .null, .blob, .array, .object: return nil
    }
  }
}

extension ForgeValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(dictionaryLiteral elements: (String, ForgeValue)...) {
    self = .composite(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }
}
