package import Base

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

  /// Reads either form.
  package static func read(_ bytes: [UInt8]) throws(ArchiveError) -> PropertyList {
    bytes.starts(with: Array("bplist".utf8))
      ? try BinaryPropertyList.read(bytes) : try XMLPropertyList.read(bytes)
  }

  /// The value under that key, where this is a dictionary that has it.
  package subscript(key: String) -> PropertyList? { dictionary?[key] }

  package var string: String? { if case .string(let value) = self { value } else { nil } }
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
  package var data: [UInt8]? { if case .data(let value) = self { value } else { nil } }
  package var array: [PropertyList]? { if case .array(let value) = self { value } else { nil } }

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

/// A property list's dictionary: keeps the order in which its entries were stored, though equality ignores it.
/// Where a damaged file has a key twice, the first entry counts.
package struct PropertyListDictionary: Sendable {
  package struct Entry: Sendable, Equatable {
    package var key: String
    package var value: PropertyList

    package init(_ key: String, _ value: PropertyList) {
      self.key = key
      self.value = value
    }
  }

  package let entries: [Entry]
  private let positions: [String: Int]

  package init(_ entries: [Entry]) {
    var positions: [String: Int] = [:]
    positions.reserveCapacity(entries.count)
    var unique: [Entry] = []
    unique.reserveCapacity(entries.count)
    for entry in entries where positions[entry.key] == nil {
      positions[entry.key] = unique.count
      unique.append(entry)
    }
    self.entries = unique
    self.positions = positions
  }

  package subscript(key: String) -> PropertyList? { positions[key].map { entries[$0].value } }

  package var keys: [String] { entries.map(\.key) }
}

extension PropertyListDictionary: Equatable {
  package static func == (one: Self, other: Self) -> Bool {
    one.entries.count == other.entries.count
      && one.entries.allSatisfy { entry in other[entry.key] == entry.value }
  }
}

extension PropertyListDictionary: ExpressibleByDictionaryLiteral {
  package init(dictionaryLiteral elements: (String, PropertyList)...) {
    self.init(elements.map { Entry($0.0, $0.1) })
  }
}
