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
