/// An object with fields in a keyed archive: a cheap reference to it.
package struct ArchivedObject: Sendable {
  let storage: KeyedArchiveStorage
  /// The object's number in the property list.
  let number: Int
  /// The object's place in `$objects`: the same for all references to it. Is -1 for `$top`, and for a dictionary
  /// that stands within a field instead of in `$objects`.
  package let index: Int

  init(storage: KeyedArchiveStorage, number: Int, index: Int = -1) {
    self.storage = storage
    self.number = number
    self.index = index
  }

  package var className: String? { classNames.first }

  /// The class and its superclasses, the class first; empty where the archive names none.
  package var classNames: [String] { storage.classNames(of: number) }

  /// Whether the object is of this class or of one that inherits from it.
  package func isKind(of name: String) -> Bool { classNames.contains(name) }

  /// The field of that name; nil where the object has none.
  package subscript(key: String) -> ArchivedValue? {
    storage.fields.value(of: key, in: number).map { ArchivedValue(storage: storage, number: $0) }
  }

  /// The fields' names in stored order, without `$class`.
  package var keys: [String] {
    storage.fields.range(of: number).map { storage.fields.field(at: $0).key }.filter { $0 != "$class" }
  }

  /// All fields in stored order, without `$class`.
  package var fields: [(key: String, value: ArchivedValue)] {
    storage.fields.range(of: number).compactMap { position in
      let (key, number) = storage.fields.field(at: position)
      return key == "$class" ? nil : (key, ArchivedValue(storage: storage, number: number))
    }
  }
}

extension ArchivedObject: Hashable {
  package static func == (one: Self, other: Self) -> Bool {
    one.storage === other.storage && one.number == other.number && one.index == other.index
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(index)
  }
}
