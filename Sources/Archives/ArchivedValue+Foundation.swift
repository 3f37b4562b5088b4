package import Values

/// Foundation's common classes as Swift values. Each is nil where the value is of another kind.
extension ArchivedValue {
  package var isNull: Bool {
    guard case .null = self else { return false }
    return true
  }

  /// An object with fields, whatever its class.
  package var object: ArchivedObject? {
    guard case .object(let object) = self else { return nil }
    return object
  }

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

  /// NSURL: the text of the whole URL.
  package var url: String? { object?.url(depth: 0) }

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
