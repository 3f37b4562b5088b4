import Lens

/// Four bits for each object: half the memory, and half the temporary file, of a byte.
///
/// An observer that has to remember more says first for which objects, and sees history again for those: see
/// `HistoryObserver.successor()`.
struct ObjectNibbles {
  static let most: UInt8 = 15
  /// Of two neighbors in a byte. History goes through objects much as they were made.
  private let pairs = ObjectMap(empty: UInt8(0), bytes: 256 << 10)

  private static func pair(of key: ObjectKey) -> (key: ObjectKey, shift: Int64) {
    (ObjectKey(entity: key.entity, primaryKey: key.primaryKey >> 1), (key.primaryKey & 1) << 2)
  }

  /// 0 where nothing was set.
  /// - Throws: see `ObjectMap`.
  subscript(key: ObjectKey) -> UInt8 {
    get throws {
      let (pair, shift) = Self.pair(of: key)
      return try pairs[pair] >> shift & 15
    }
  }

  /// - Returns: what `body` made of the value.
  @discardableResult
  func update(_ key: ObjectKey, _ body: (UInt8) -> UInt8) throws -> UInt8 {
    let (pair, shift) = Self.pair(of: key)
    var value: UInt8 = 0
    try pairs.update(pair) {
      value = body($0 >> shift & 15) & 15
      $0 = $0 & ~(15 << shift) | value << shift
    }
    return value
  }

  /// Calls `body` for every object that has another value than 0, in the order of entities and keys.
  func forEach(_ body: (ObjectKey, UInt8) throws -> Void) throws {
    try pairs.forEach { pair, values in
      guard values != 0 else { return }
      for place in Int64(0)...1 {
        let value = values >> (place << 2) & 15
        let key = ObjectKey(entity: pair.entity, primaryKey: pair.primaryKey << 1 | place)
        if value != 0 { try body(key, value) }
      }
    }
  }
}
