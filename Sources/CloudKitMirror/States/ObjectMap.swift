import Values

/// A value for each of very many objects, in little memory: Core Data hands out primary keys in a row, so the values
/// lie in pages of neighbours instead of in a hash table. A million objects with a byte each take about a megabyte.
struct ObjectMap<Value> {
  private static var pageSize: Int64 { 256 }
  /// Values of neighbours that no real store has so many of: 67 million objects, or 260,000 whose keys lie far apart.
  private static var pageLimit: Int { 1 << 18 }

  private var places: [ObjectKey: Int] = [:]
  private var pages: [ContiguousArray<Value>] = []
  private let empty: Value
  /// Neighbours are asked one after the other.
  private var last: (key: ObjectKey, place: Int)?

  /// `empty` is what an object has that was never set.
  init(empty: Value) { self.empty = empty }

  private static func page(of key: ObjectKey) -> ObjectKey {
    ObjectKey(entity: key.entity, primaryKey: key.primaryKey >> 8)
  }

  subscript(key: ObjectKey) -> Value {
    let page = Self.page(of: key)
    if let last, last.key == page { return pages[last.place][Int(key.primaryKey & 255)] }
    guard let place = places[page] else { return empty }
    return pages[place][Int(key.primaryKey & 255)]
  }

  /// - Throws: `StoreScopeError` where the keys lie too far apart to be kept in memory.
  mutating func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let page = Self.page(of: key)
    if last?.key != page { last = (page, try place(of: page)) }
    guard let last else { return }
    body(&pages[last.place][Int(key.primaryKey & 255)])
  }

  private mutating func place(of page: ObjectKey) throws -> Int {
    if let known = places[page] { return known }
    guard pages.count < Self.pageLimit else {
      throw StoreScopeError(
        "The primary keys of the objects in history and in the mirror's records lie too far apart to compare them; 'storescope doctor' checks whether the store is damaged."
      )
    }
    pages.append(ContiguousArray(repeating: empty, count: Int(Self.pageSize)))
    places[page] = pages.count - 1
    return pages.count - 1
  }

  /// Calls `body` for every object of a page that was touched, in the order of the keys, until it returns false.
  func forEach(_ body: (ObjectKey, Value) throws -> Bool) rethrows {
    for (page, place) in places.sorted(by: { $0.key < $1.key }) {
      for (index, value) in pages[place].enumerated() {
        let key = ObjectKey(entity: page.entity, primaryKey: page.primaryKey << 8 | Int64(index))
        guard try body(key, value) else { return }
      }
    }
  }
}
