/// A value as commands compute it and renderers print it: what JSON can say, and the few kinds more
/// that a store holds. Objects keep their members in the order in which they were made.
package indirect enum DataValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case date(CoreDataDate)
  case blob(BlobSummary)
  case array([DataValue])
  case object([Member])

  /// One named value of an object.
  package struct Member: Sendable, Hashable {
    package var name: String
    package var value: DataValue

    package init(_ name: String, _ value: DataValue) {
      self.name = name
      self.value = value
    }
  }

  /// The member of that name, where this is an object that has one.
  package subscript(name: String) -> DataValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  package var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension DataValue: ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
  package init(stringLiteral value: String) { self = .text(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(arrayLiteral elements: DataValue...) { self = .array(elements) }
  package init(nilLiteral: ()) { self = .null }
  package init(dictionaryLiteral elements: (String, DataValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}

extension DataValue {
  package static func optional(_ value: (some FieldValue)?) -> DataValue { value.fieldValue ?? .null }
  package static func count(_ integer: Int) -> DataValue { .integer(Int64(integer)) }
}

/// What is shown of binary data: size, kind, hash and, where it could be decoded, its content. The bytes
/// themselves stay in the store.
package struct BlobSummary: Sendable, Hashable {
  package var bytes: Int
  /// A `BlobKind`'s name, for example `png`, `keyedArchive` or `unknown`.
  package var kind: String
  /// SHA-256 in lower-case hexadecimal digits.
  package var sha256: String
  package var value: DataValue?

  package init(bytes: Int, kind: String, sha256: String, value: DataValue? = nil) {
    self.bytes = bytes
    self.kind = kind
    self.sha256 = sha256
    self.value = value
  }
}
