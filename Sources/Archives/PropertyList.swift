package import Values

/// A property list, as its binary and XML forms hold it.
package enum PropertyList: Sendable, Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  /// Only for numbers above `Int64.max`.
  case unsigned(UInt64)
  case real(Double)
  case string(String)
  case data([UInt8])
  case date(CoreDataDate)
  /// A keyed archive's reference into its `$objects`.
  case uid(UInt64)
  case array([PropertyList])
  case set([PropertyList])
  case dictionary(PropertyListDictionary)
}

extension PropertyList {
  /// The value under that key, where this is a dictionary that has it.
  package subscript(key: String) -> PropertyList? { dictionary?[key] }

  package var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  package var integer: Int64? {
    guard case .integer(let value) = self else { return nil }
    return value
  }

  package var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  package var data: [UInt8]? {
    guard case .data(let value) = self else { return nil }
    return value
  }

  package var array: [PropertyList]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  package var dictionary: PropertyListDictionary? {
    guard case .dictionary(let value) = self else { return nil }
    return value
  }
}

extension PropertyList: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, PropertyList)...) {
    self = .dictionary(PropertyListDictionary(elements.map { PropertyListDictionary.Entry($0.0, $0.1) }))
  }
}
