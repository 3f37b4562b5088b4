package import Values

/// A value of a keyed archive: a field, or an element of a list. References are followed.
package enum ArchivedValue: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Only for numbers above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  case string(String)
  /// Part of the archive's own bytes: a list of a million references to one large object copies nothing.
  case data(ArraySlice<UInt8>)
  case date(CoreDataDate)
  case list(ArchivedList)
  case object(ArchivedObject)

  /// A reference that leads nowhere, or to another reference, is `null`.
  init(storage: KeyedArchiveStorage, number: Int) {
    guard case .uid(let uid) = storage.file.objects[number] else {
      self.init(storage: storage, number: number, index: -1)
      return
    }
    guard let index = Int(exactly: uid), index < storage.objects.count else {
      self = .null
      return
    }
    self.init(storage: storage, number: storage.objects[index], index: index)
  }

  private init(storage: KeyedArchiveStorage, number: Int, index: Int) {
    switch storage.file.objects[number] {
    case .null, .uid: self = .null
    case .bool(let value): self = .bool(value)
    case .integer(let value): self = .integer(value)
    case .unsigned(let value): self = .unsigned(value)
    case .real(let value): self = .real(value)
    case .date(let value): self = .date(value)
    // The first element of `$objects` stands for nil.
    case .string(let value): self = index == 0 && value == "$null" ? .null : .string(value)
    case .data(let range): self = .data(storage.file.bytes[range])
    case .array(let references), .set(let references):
      self = .list(ArchivedList(storage: storage, references: references))
    case .dictionary:
      self = .object(ArchivedObject(storage: storage, number: number, index: index))
    }
  }
}
