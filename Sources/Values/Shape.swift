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
