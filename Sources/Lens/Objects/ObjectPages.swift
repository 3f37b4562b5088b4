package import Values

/// Where the values of very many objects lie. Core Data hands out primary keys in a row, so objects are kept in pages
/// of neighbors: a page's place in an array is looked up, and within it the object's own place is a part of its key.
package struct ObjectPages {
  /// Objects of a page, which have the same entity and the same key but for the lowest eight bits.
  package static let size = 256
  private static let cacheSize = 4096

  /// Pages at most.
  package let limit: Int
  private var places: [ObjectKey: Int] = [:]
  /// The last page asked for of those that share a slot. Without it each look would hash two numbers with a hash that
  /// is made to withstand chosen keys.
  private var cache: ContiguousArray<(page: ObjectKey, place: Int)>

  /// - Parameter bytes: what all values may take together, in memory.
  package init(bytes: Int, perObject: Int) {
    limit = max(1, bytes / Self.size / max(1, perObject))
    cache = ContiguousArray(
      repeating: (ObjectKey(entity: .min, primaryKey: .min), 0), count: Self.cacheSize)
  }

  package var count: Int { places.count }

  package static func page(of key: ObjectKey) -> ObjectKey {
    ObjectKey(entity: key.entity, primaryKey: key.primaryKey >> 8)
  }

  package static func offset(of key: ObjectKey) -> Int { Int(key.primaryKey & 255) }

  /// The object at that place of a page.
  package static func key(_ offset: Int, of page: ObjectKey) -> ObjectKey {
    ObjectKey(entity: page.entity, primaryKey: page.primaryKey << 8 | Int64(offset))
  }

  private static func slot(_ page: ObjectKey) -> Int {
    Int(truncatingIfNeeded: page.primaryKey &+ page.entity &* 977) & (cacheSize - 1)
  }

  /// The place of the object's page; nil where it has none yet.
  package func known(_ key: ObjectKey) -> Int? {
    let page = Self.page(of: key)
    let recent = cache[Self.slot(page)]
    return recent.page == page ? recent.place : places[page]
  }

  /// The place of the object's page, which is the number of pages before where it is new.
  /// - Throws: `StoreScopeError` where the keys lie too far apart to be kept in memory.
  package mutating func place(_ key: ObjectKey) throws -> Int {
    let page = Self.page(of: key)
    let slot = Self.slot(page)
    if cache[slot].page == page { return cache[slot].place }
    var place = places.count
    if let known = places[page] {
      place = known
    } else {
      guard place < limit else { throw Self.tooFarApart }
      places[page] = place
    }
    cache[slot] = (page, place)
    return place
  }

  package static let tooFarApart = StoreScopeError(
    .limit,
    "There are too many objects, or their primary keys lie too far apart, to compare them all in memory",
    advice: "use 'storescope query' for some of them")

  /// Every page with its place, in the order of the keys.
  package var sorted: [(page: ObjectKey, place: Int)] {
    places.map { ($0.key, $0.value) }.sorted { $0.0 < $1.0 }
  }
}
