/// One field of a kind of row, or of an object in a document: its name, what it holds, what that means, and how it is read.
///
/// A kind of row has one list of them, next to its type. JSON, NDJSON, CSV, the JSON Schema, the columns of views, help and
/// the reference read that list, so a new column is one more `Field`.
package struct Field<Row>: Sendable {
  package var key: Shape.Key
  /// Nil leaves the key out.
  package let value: @Sendable (Row) -> DataValue?

  package var name: String { key.name }

  /// - Parameter condition: when the key is there, a clause: it is left out for nil then. Without one, nil is null.
  package init<Value: FieldValue>(
    _ name: String, _ meaning: String, if condition: String? = nil,
    _ value: @escaping @Sendable (Row) -> Value
  ) {
    self.init(name, condition == nil ? Value.shape : Value.shape.present, meaning, if: condition, value)
  }

  /// - Parameter shape: for values whose type doesn't show what they are.
  package init<Value: FieldValue>(
    _ name: String, _ shape: Shape, _ meaning: String, if condition: String? = nil,
    _ value: @escaping @Sendable (Row) -> Value
  ) {
    let isOptional = if case .orNull = Value.shape { condition == nil } else { false }
    key = Shape.Key(name, isOptional ? shape.orNull : shape, meaning, if: condition)
    let isAlways = condition == nil
    self.value = { row in
      guard let found = value(row).fieldValue else { return isAlways ? DataValue.null : Optional.none }
      return found
    }
  }

  /// Rows that are made while they are printed: the command hands them to the document.
  package init(_ name: String, rows: Shape, _ meaning: String) {
    key = Shape.Key(name, .list(rows), meaning)
    value = { _ in Optional.none }
  }

  /// Concatenates lists: the compiler is slow on one long literal.
  package static func list(_ parts: [Field]...) -> [Field] { parts.flatMap(\.self) }

  private init(_ key: Shape.Key, _ value: @escaping @Sendable (Row) -> DataValue?) {
    self.key = key
    self.value = value
  }

  package func of<Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> Field<Whole> {
    Field<Whole>(key) { [value] in value(part($0)) }
  }
}

extension Array {
  package func keys<Row>() -> [Shape.Key] where Element == Field<Row> { map(\.key) }

  package func members<Row>(of row: Row) -> [DataValue.Member] where Element == Field<Row> {
    compactMap { field in field.value(row).map { DataValue.Member(field.name, $0) } }
  }

  package func object<Row>(of row: Row) -> DataValue where Element == Field<Row> { .object(members(of: row)) }

  /// The fields of what is a part of something else, which has them, too.
  package func of<Row, Whole>(_ part: @escaping @Sendable (Whole) -> Row) -> [Field<Whole>]
  where Element == Field<Row> { map { $0.of(part) } }

  /// Some of them.
  package func only<Row>(_ names: [String]) -> Self where Element == Field<Row> {
    names.map { name in
      guard let field = first(where: { $0.name == name }) else { preconditionFailure("no field \(name)") }
      return field
    }
  }

  /// The same, there only if something is asked for or known.
  package func given<Row>(_ condition: String) -> Self where Element == Field<Row> {
    map { field in
      var field = field
      field.key = field.key.only(condition)
      return field
    }
  }
}

/// What a field can hold; the Swift type says what that is in JSON.
package protocol FieldValue: SendableMetatype {
  static var shape: Shape { get }
  var fieldValue: DataValue? { get }
}

/// A kind of row, or an object in documents, with the one list of its fields.
package protocol HasFields: FieldValue {
  static var fields: [Field<Self>] { get }
}

extension HasFields {
  package static var shape: Shape { .object(fields.keys()) }
  package var fieldValue: DataValue? { value }
  package var value: DataValue { Self.fields.object(of: self) }
}

/// One of some code words.
package protocol FieldWord: FieldValue, CaseIterable, RawRepresentable<String> {}

extension FieldWord {
  package static var shape: Shape { .words(Self.self) }
  package var fieldValue: DataValue? { .text(rawValue) }
}

extension String: FieldValue {
  package static var shape: Shape { .text }
  package var fieldValue: DataValue? { .text(self) }
}

extension Int: FieldValue {
  package static var shape: Shape { .integer }
  package var fieldValue: DataValue? { .count(self) }
}

extension Int64: FieldValue {
  package static var shape: Shape { .integer }
  package var fieldValue: DataValue? { .integer(self) }
}

extension Double: FieldValue {
  package static var shape: Shape { .number }
  package var fieldValue: DataValue? { .real(self) }
}

extension Bool: FieldValue {
  package static var shape: Shape { .bool }
  package var fieldValue: DataValue? { .bool(self) }
}

extension CoreDataDate: FieldValue {
  package static var shape: Shape { .date }
  package var fieldValue: DataValue? { .date(self) }
}

/// What only its maker knows: the field says what it is.
extension DataValue: FieldValue {
  package static var shape: Shape { .any }
  package var fieldValue: DataValue? { self }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  package static var shape: Shape { Wrapped.shape.orNull }
  // Not a key path: a generic type creates it again at each use.
  package var fieldValue: DataValue? { flatMap { $0.fieldValue } }
}

extension Array: FieldValue where Element: FieldValue {
  package static var shape: Shape { .list(Element.shape) }
  package var fieldValue: DataValue? { .array(map { $0.fieldValue ?? .null }) }
}

/// What a value in a command's JSON is. `storescope schema`, the page `JSON.md` and the tests take it from here.
package indirect enum Shape: Sendable {
  case text, integer, number, bool
  /// Every date may be null, with the stored number in a key of its own: see `SchemaWriter`.
  case date
  case uuid, uri, hash
  /// Whatever the store, or the kind of the thing, has there.
  case any
  /// One of these code words.
  case words([String])
  /// Text that matches a regular expression.
  case pattern(String)
  case list(Shape)
  /// Exactly these keys.
  case object([Key])
  /// These keys, and more that the store's model or the question gives; a clause says which.
  case open([Key], String)
  /// Keys that the store gives, all with values of one kind.
  case map(Shape)
  /// An object that several documents have, under its name in `$defs`.
  case named(String, [Key])
  /// What another command prints.
  case document(String)
  case either([Shape])
  case orNull(Shape)

  package struct Key: Sendable {
    package var name: String
    package var shape: Shape
    /// A clause without a full stop.
    package var meaning: String
    /// When it is there, a clause; nil if always.
    package var condition: String?

    package init(_ name: String, _ shape: Shape, _ meaning: String, if condition: String? = nil) {
      self.name = name
      self.shape = shape
      self.meaning = meaning
      self.condition = condition
    }

    /// The same, there only if something is asked for or known.
    package func only(_ condition: String) -> Key { Key(name, shape, meaning, if: condition) }

    package func being(_ shape: Shape) -> Key { Key(name, shape, meaning, if: condition) }
  }

  /// Dates and whatever values may be null anyway.
  package var orNull: Shape {
    switch self {
    case .date, .any, .orNull: self
    default: .orNull(self)
    }
  }

  /// The same where there is something.
  package var present: Shape { if case .orNull(let shape) = self { shape } else { self } }
  package var isInteger: Bool { if case .integer = present { true } else { false } }

  package static let texts = Shape.list(.text)

  package static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Shape {
    .words(type.allCases.map(\.rawValue))
  }

  /// One of these, or what the framework may write one day: `unknown (7)`.
  package static func known(_ words: [String]) -> Shape {
    .either([.words(words), .pattern("^unknown( \\(-?[0-9]+\\))?$")])
  }
}
