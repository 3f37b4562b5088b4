import Base

extension BinaryPropertyList {
  /// Writes a list. Every value becomes an object of its own but keys, which are written once.
  package static func write(_ list: PropertyList) -> [UInt8] {
    var writer = BinaryPropertyListWriter()
    return writer.write(list)
  }
}

/// Numbers all objects first, as the size of a reference depends on how many there are.
private struct BinaryPropertyListWriter {
  private enum Object {
    case leaf(PropertyList)
    case array([Int])
    case set([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var keys: [String: Int] = [:]
  private var output = Array("bplist00".utf8)

  mutating func write(_ list: PropertyList) -> [UInt8] {
    let top = number(list)
    let referenceSize = Self.size(of: UInt64(objects.count))
    var offsets: [Int] = []
    for object in objects {
      offsets.append(output.count)
      put(object, referenceSize: referenceSize)
    }
    let table = output.count
    let offsetSize = Self.size(of: UInt64(table))
    for offset in offsets { put(UInt64(offset), size: offsetSize) }
    output += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    put(UInt64(objects.count), size: 8)
    put(UInt64(top), size: 8)
    put(UInt64(table), size: 8)
    return output
  }

  private mutating func number(_ list: PropertyList) -> Int {
    let number = objects.count
    objects.append(.leaf(list))
    switch list {
    case .array(let elements): objects[number] = .array(elements.map { self.number($0) })
    case .set(let elements): objects[number] = .set(elements.map { self.number($0) })
    case .dictionary(let dictionary):
      let keys = dictionary.entries.map { key($0.key) }
      objects[number] = .dictionary(keys: keys, values: dictionary.entries.map { self.number($0.value) })
    default: break
    }
    return number
  }

  private mutating func key(_ name: String) -> Int {
    if let number = keys[name] { return number }
    let number = number(.string(name))
    keys[name] = number
    return number
  }

  private mutating func put(_ object: Object, referenceSize: Int) {
    switch object {
    case .leaf(let list): put(leaf: list)
    case .array(let elements):
      put(marker: 0xA0, length: elements.count)
      for element in elements { put(UInt64(element), size: referenceSize) }
    case .set(let elements):
      put(marker: 0xC0, length: elements.count)
      for element in elements { put(UInt64(element), size: referenceSize) }
    case .dictionary(let keys, let values):
      put(marker: 0xD0, length: keys.count)
      for number in keys + values { put(UInt64(number), size: referenceSize) }
    }
  }

  private mutating func put(leaf: PropertyList) {
    switch leaf {
    case .bool(let value): output.append(value ? 9 : 8)
    case .integer(let value): put(integer: value)
    case .unsigned(let value):
      // Sixteen bytes, as eight of them have a sign.
      output.append(0x14)
      put(0, size: 8)
      put(value, size: 8)
    case .real(let value):
      output.append(0x23)
      put(value.bitPattern, size: 8)
    case .date(let value):
      output.append(0x33)
      put(value.seconds.bitPattern, size: 8)
    case .string(let value): put(string: value)
    case .data(let value):
      put(marker: 0x40, length: value.count)
      output += value
    case .uid(let value):
      let size = Self.size(of: value)
      output.append(0x80 | UInt8(size - 1))
      put(value, size: size)
    case .null, .array, .set, .dictionary: output.append(0)
    }
  }

  private mutating func put(integer value: Int64) {
    let size = value < 0 ? 8 : Self.size(of: UInt64(value))
    output.append(0x10 | UInt8(size.trailingZeroBitCount))
    put(UInt64(bitPattern: value), size: size)
  }

  private mutating func put(string value: String) {
    let bytes = Array(value.utf8)
    if bytes.allSatisfy({ $0 < 128 }) {
      put(marker: 0x50, length: bytes.count)
      output += bytes
    } else {
      let units = Array(value.utf16)
      put(marker: 0x60, length: units.count)
      for unit in units { put(UInt64(unit), size: 2) }
    }
  }

  private mutating func put(marker: UInt8, length: Int) {
    if length < 15 {
      output.append(marker | UInt8(length))
    } else {
      output.append(marker | 15)
      put(integer: Int64(length))
    }
  }

  private mutating func put(_ value: UInt64, size: Int) {
    var shift = UInt64(size * 8)
    while shift > 0 {
      shift -= 8
      output.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  /// One, two, four or eight bytes.
  private static func size(of value: UInt64) -> Int {
    switch value {
    case ..<0x100: 1
    case ..<0x1_0000: 2
    case ..<0x1_0000_0000: 4
    default: 8
    }
  }
}
