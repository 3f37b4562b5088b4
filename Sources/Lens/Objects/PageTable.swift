import Values

/// Where the pages of very many objects lie. Core Data hands out primary keys in a row, so objects are kept in pages of
/// neighbors: a page's place is looked up, and within it the object's own place is a part of its key.
struct PageTable {
  /// A small store's few objects need few slots, and a store is asked through several maps.
  private static let (smallCacheSize, cacheSize) = (16, 4096)
  /// What no object's page is.
  static let noPage = ObjectKey(entity: .min, primaryKey: .min)
  private static let nowhere = (page: noPage, place: 0)

  private var places: [ObjectKey: Int] = [:]
  /// The last page asked for of those that share a slot. Without it each look would hash two numbers with a hash that
  /// is made to withstand chosen keys.
  private var cache = ContiguousArray(repeating: nowhere, count: smallCacheSize)

  var count: Int { places.count }

  private func slot(_ page: ObjectKey) -> Int {
    Int(truncatingIfNeeded: page.primaryKey &+ page.entity &* 977) & (cache.count - 1)
  }

  /// Nil where the page has no place.
  mutating func place(of page: ObjectKey) -> Int? {
    let slot = slot(page)
    if cache[slot].page == page { return cache[slot].place }
    guard let place = places[page] else { return nil }
    cache[slot] = (page, place)
    return place
  }

  mutating func set(_ page: ObjectKey, _ place: Int) {
    places[page] = place
    if places.count == Self.smallCacheSize, cache.count < Self.cacheSize {
      cache = ContiguousArray(repeating: Self.nowhere, count: Self.cacheSize)
    }
    cache[slot(page)] = (page, place)
  }

  mutating func remove(_ page: ObjectKey) {
    places[page] = nil
    let slot = slot(page)
    if cache[slot].page == page { cache[slot] = Self.nowhere }
  }

  /// Every page with its place, in the order of the keys.
  var sorted: [(page: ObjectKey, place: Int)] {
    places.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}

/// How an object's key is split into its page and its place there: objects of a page have the same entity and the same
/// key but for the lowest eight bits.
extension ObjectKey {
  static let countOfPage = 256

  var page: ObjectKey { ObjectKey(entity: entity, primaryKey: primaryKey >> 8) }

  package var placeInPage: Int { Int(primaryKey & 255) }

  /// The object at that place of this page.
  func object(at place: Int) -> ObjectKey {
    ObjectKey(entity: entity, primaryKey: primaryKey << 8 | Int64(place))
  }
}
