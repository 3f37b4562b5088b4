package import Base

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

/// A list that stands in a field of an archived object. Its elements are looked up when asked for, so that a
/// list in itself does no harm.
package struct ArchivedList: Sendable, RandomAccessCollection {
  let storage: KeyedArchiveStorage
  let references: BinaryObject.References

  package var startIndex: Int { 0 }
  package var endIndex: Int { references.count }

  package subscript(position: Int) -> ArchivedValue {
    ArchivedValue(storage: storage, number: storage.file.number(position, of: references))
  }
}

/// Foundation's common classes as Swift values. Each is nil where the value is of another kind.
extension ArchivedValue {
  /// An object with fields, whatever its class.
  package var object: ArchivedObject? { if case .object(let object) = self { object } else { nil } }

  /// NSString and NSMutableString.
  package var string: String? {
    switch self {
    case .string(let value): value
    case .object(let object): object.string
    default: nil
    }
  }

  /// A whole number; a Boolean counts as 0 or 1.
  package var integer: Int64? {
    switch self {
    case .integer(let value): value
    case .bool(let value): value ? 1 : 0
    case .real(let value): Int64(exactly: value)
    default: nil
    }
  }

  /// A number of any kind.
  package var real: Double? {
    switch self {
    case .real(let value): value
    case .integer(let value): Double(value)
    case .unsigned(let value): Double(value)
    default: nil
    }
  }

  /// A Boolean; of a number, whether it differs from zero.
  package var bool: Bool? {
    switch self {
    case .bool(let value): value
    case .integer(let value): value != 0
    default: nil
    }
  }

  /// NSData and NSMutableData.
  package var data: [UInt8]? {
    switch self {
    case .data(let value): Array(value)
    case .object(let object): object.data
    default: nil
    }
  }

  /// NSDate.
  package var date: CoreDataDate? {
    switch self {
    case .date(let value): value
    case .object(let object): object.date
    default: nil
    }
  }

  /// NSUUID: its sixteen bytes.
  package var uuidBytes: [UInt8]? { object?.uuidBytes }

  /// NSUUID as text in capitals.
  package var uuid: String? { uuidBytes.flatMap { bytes in bytes.withUnsafeBytes { Hexadecimal.uuid($0) } } }

  /// The elements of an NSArray, NSSet or NSOrderedSet, or of a list within a field.
  package var elements: [ArchivedValue]? {
    switch self {
    case .list(let list): Array(list)
    case .object(let object): object.elements
    default: nil
    }
  }

  /// The entries of an NSDictionary, of whatever kind.
  package var entries: [(key: ArchivedValue, value: ArchivedValue)]? { object?.entries }
}
