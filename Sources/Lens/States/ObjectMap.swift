import Values

/// A value for each of very many objects, in little memory: a million objects with a byte each take about a megabyte.
struct ObjectMap<Value> {
  /// What all values of a map may take in memory: eight million objects with eight bytes each, or a thousandth of them
  /// whose keys lie far apart.
  private static var byteLimit: Int { 64 << 20 }

  private var places = ObjectPages(bytes: byteLimit, perObject: MemoryLayout<Value>.stride)
  private var pages: [ContiguousArray<Value>] = []
  private let empty: Value

  /// `empty` is what an object has that was never set.
  init(empty: Value) { self.empty = empty }

  subscript(key: ObjectKey) -> Value {
    places.known(key).map { pages[$0][ObjectPages.offset(of: key)] } ?? empty
  }

  /// - Throws: `StoreScopeError` where the keys lie too far apart to be kept in memory.
  mutating func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let place = try places.place(key)
    if place == pages.count { pages.append(ContiguousArray(repeating: empty, count: ObjectPages.size)) }
    body(&pages[place][ObjectPages.offset(of: key)])
  }

  /// Every object of a page that was touched, in the order of the keys.
  func makeIterator() -> AnyIterator<(key: ObjectKey, value: Value)> {
    var places = places.sorted[...]
    let pages = pages
    var index = 0
    return AnyIterator {
      if index == ObjectPages.size {
        places.removeFirst()
        index = 0
      }
      guard let (page, place) = places.first else { return nil }
      defer { index += 1 }
      return (
        ObjectKey(entity: page.entity, primaryKey: page.primaryKey << 8 | Int64(index)), pages[place][index]
      )
    }
  }

  /// Calls `body` for every object of a page that was touched, in the order of the keys, until it returns false.
  func forEach(_ body: (ObjectKey, Value) throws -> Bool) rethrows {
    for (page, place) in places.sorted {
      for (index, value) in pages[place].enumerated() {
        let key = ObjectKey(entity: page.entity, primaryKey: page.primaryKey << 8 | Int64(index))
        guard try body(key, value) else { return }
      }
    }
  }
}
