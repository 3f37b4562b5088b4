/// The order in which Core Data lists an entity's to-many relationships in a change mask: that of a dictionary from
/// property names, which is a matter of hashing.
///
/// Reproduced from the published behavior of CFString's hash and of an open-addressed table, and confirmed on real
/// stores: of more than a thousand masks with several candidates every one named the relationship whose other side
/// changed in the same transaction.
struct PropertyDictionary {
  /// The table's sizes, and how many keys each holds before the next is taken.
  private static let sizes = [3, 7, 13, 23, 41, 71, 127, 191, 251, 383, 631, 1087, 1723, 2803, 4523, 7351]
  private static let limits = [3, 6, 11, 19, 32, 52, 85, 118, 155, 237, 390, 672, 1065, 1732, 2795, 4543]

  private var slots = [String?](repeating: nil, count: sizes[0])
  private var size = 0
  private var count = 0

  /// Keys from the first slot to the last.
  var order: [String] { slots.compactMap { $0 } }

  /// False where the dictionary is larger than is known to be right.
  mutating func insert(_ key: String) -> Bool {
    if count == Self.limits[size] {
      guard size + 1 < Self.sizes.count else { return false }
      let keys = order
      size += 1
      slots = [String?](repeating: nil, count: Self.sizes[size])
      for key in keys { place(key) }
    }
    count += place(key) ? 1 : 0
    return true
  }

  @discardableResult
  private mutating func place(_ key: String) -> Bool {
    var slot = Int(Self.hash(key) % UInt64(slots.count))
    while let other = slots[slot] {
      if other == key { return false }
      slot = (slot + 1) % slots.count
    }
    slots[slot] = key
    return true
  }

  /// Over UTF-16, at most 96 units: the first, middle and last 32 of a longer string.
  static func hash(_ text: String) -> UInt64 {
    var units = Array(text.utf16)
    let length = units.count
    if length > 96 {
      let middle = length / 2 - 16
      units = Array(units[..<32] + units[middle..<middle + 32] + units[(length - 32)...])
    }
    var hash = UInt64(length)
    var index = 0
    while index + 4 <= units.count {
      hash =
        hash &* 67_503_105 &+ UInt64(units[index]) &* 16_974_593 &+ UInt64(units[index + 1]) &* 66_049
        &+ UInt64(units[index + 2]) &* 257 &+ UInt64(units[index + 3])
      index += 4
    }
    while index < units.count {
      hash = hash &* 257 &+ UInt64(units[index])
      index += 1
    }
    return hash &+ hash << UInt64(length & 31)
  }
}
