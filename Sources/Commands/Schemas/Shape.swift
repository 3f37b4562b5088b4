import Lens

/// What a value in a command's JSON is. `storescope schema`, the page `JSON.md` and the tests take it from here.
package indirect enum Shape: Sendable {
  case text, integer, number, bool
  /// Every date may be null, with the stored number in a key of its own: see `SharedShapes`.
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
  }

  package var orNull: Shape { .orNull(self) }

  static func words<Word: CaseIterable & RawRepresentable<String>>(_ type: Word.Type) -> Shape {
    .words(type.allCases.map(\.rawValue))
  }

  /// One of these, or what the framework may write one day: `unknown (7)`.
  static func known(_ words: [String]) -> Shape {
    .either([.words(words), .pattern("^unknown( \\(-?[0-9]+\\))?$")])
  }
}

extension Shape.Key {
  /// Columns of a view, with the meanings that they have in SQL. A column may be NULL unless `shapes` says what it is.
  static func columns(
    _ names: [String], of view: String, as shapes: [String: Shape] = [:]
  ) -> [Shape.Key] {
    let columns = MirrorViews.documented.first { $0.name == view }?.columns ?? []
    return names.map { name in
      guard let column = columns.first(where: { $0.name == name }) else {
        preconditionFailure("the view \(view) has no column \(name)")
      }
      return Shape.Key(
        name, shapes[name] ?? Shape(column.type), column.meaning.replacing("NULL", with: "null"))
    }
  }

  /// The same, there only if something is asked for.
  func only(_ condition: String) -> Shape.Key { Shape.Key(name, shape, meaning, if: condition) }
}

extension [Shape.Key] {
  func only(_ condition: String) -> [Shape.Key] { map { $0.only(condition) } }
}

extension Shape {
  /// What a column of a view is in JSON.
  fileprivate init(_ type: View.ColumnType) {
    switch type {
    case .integer: self = .integer.orNull
    case .real: self = .number.orNull
    case .text: self = .text.orNull
    case .bool: self = .bool
    case .date: self = .date
    case .uuid: self = .uuid.orNull
    case .uri: self = .uri.orNull
    case .blob: self = SharedShapes.blob.orNull
    case .json, .any: self = .any
    }
  }
}
