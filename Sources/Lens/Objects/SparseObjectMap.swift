import Values

/// A value for some of very many objects: unlike `ObjectMap`, it has no memory for their neighbors. Of ten million objects
/// every fiftieth may be pending, which are neighbors of all others.
package struct SparseObjectMap<Value> {
  private struct Element {
    var value: Value
    let offset: UInt8
  }

  /// A number for each page; eight bytes per page, so 64 MB are keys in four billion neighbors.
  private var pages = ObjectPages(bytes: 64 << 20, perObject: 1)
  /// Of each page those objects that have a value, in the order of their keys.
  private var lists: ContiguousArray<ContiguousArray<Element>> = []
  private let empty: Value
  private let limit: Int
  private var count = 0

  /// - Parameters:
  ///   - empty: what an object has that was never set.
  ///   - bytes: what all values may take in memory.
  package init(empty: Value, bytes: Int = 64 << 20) {
    self.empty = empty
    limit = bytes / MemoryLayout<Element>.stride
  }

  package subscript(key: ObjectKey) -> Value {
    guard let place = pages.known(key) else { return empty }
    let list = lists[place]
    let offset = UInt8(truncatingIfNeeded: ObjectPages.offset(of: key))
    let index = Self.index(of: offset, in: list)
    return index < list.count && list[index].offset == offset ? list[index].value : empty
  }

  /// - Throws: `StoreScopeError` where there are too many to be kept in memory.
  package mutating func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let place = try pages.place(key)
    if place == lists.count { lists.append([]) }
    let offset = UInt8(truncatingIfNeeded: ObjectPages.offset(of: key))
    let index = Self.index(of: offset, in: lists[place])
    if index == lists[place].count || lists[place][index].offset != offset {
      guard count < limit else { throw ObjectPages.tooFarApart }
      count += 1
      lists[place].insert(Element(value: empty, offset: offset), at: index)
    }
    body(&lists[place][index].value)
  }

  /// The first place whose offset isn't lower. Records mostly come in the order of their objects, so the last is tried
  /// first.
  private static func index(of offset: UInt8, in list: ContiguousArray<Element>) -> Int {
    guard let last = list.last, last.offset >= offset else { return list.count }
    var (low, high) = (0, list.count - 1)
    while low < high {
      let middle = (low + high) / 2
      if list[middle].offset < offset { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Calls `body` for every object that has a value, in the order of the keys, until it returns false.
  package func forEach(_ body: (ObjectKey, Value) throws -> Bool) rethrows {
    var all = makeIterator()
    while let (key, value) = all.next() {
      guard try body(key, value) else { return }
    }
  }

  struct Iterator {
    fileprivate let map: SparseObjectMap
    fileprivate var sorted: ArraySlice<(page: ObjectKey, place: Int)>
    fileprivate var index = 0

    mutating func next() -> (key: ObjectKey, value: Value)? {
      while let (page, place) = sorted.first {
        let list = map.lists[place]
        guard index < list.count else {
          sorted.removeFirst()
          index = 0
          continue
        }
        defer { index += 1 }
        return (ObjectPages.key(Int(list[index].offset), of: page), list[index].value)
      }
      return nil
    }
  }

  func makeIterator() -> Iterator { Iterator(map: self, sorted: pages.sorted[...]) }
}
