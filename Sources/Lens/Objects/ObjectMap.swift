/// A value for each of very many objects, in little memory: a million objects with a byte each take about a megabyte.
///
/// Inlinable, as every access from another target would else go through code that doesn't know the value's type.
package struct ObjectMap<Value> {
  @usableFromInline var pages: ObjectPages
  /// Page after page, in blocks: one array that grows would be copied again and again, each time into memory that the
  /// system has to clear first, which took longer than all look-ups.
  @usableFromInline var blocks: ContiguousArray<ContiguousArray<Value>> = []
  @usableFromInline let empty: Value
  /// What a new page holds, to be copied as a whole.
  @usableFromInline let emptyPage: ContiguousArray<Value>

  /// - Parameters:
  ///   - empty: what an object has that was never set.
  ///   - bytes: what all values may take in memory; 64 MB are eight million objects with eight bytes each, or a
  ///     thousandth of them whose keys lie far apart.
  package init(empty: Value, bytes: Int = 64 << 20) {
    self.empty = empty
    emptyPage = ContiguousArray(repeating: empty, count: ObjectPages.size)
    pages = ObjectPages(bytes: bytes, perObject: MemoryLayout<Value>.stride)
  }

  @inlinable
  package subscript(key: ObjectKey) -> Value {
    guard let place = pages.known(key) else { return empty }
    return value(place, ObjectPages.offset(of: key))
  }

  @inlinable static var pagesOfBlock: Int { 64 }

  /// The block of a page, and where in it the page begins.
  @inlinable
  static func position(of place: Int) -> (block: Int, first: Int) {
    let place = UInt(bitPattern: place)
    let count = UInt(bitPattern: pagesOfBlock)
    return (Int(bitPattern: place / count), Int(bitPattern: place % count) * ObjectPages.size)
  }

  @inlinable
  func value(_ place: Int, _ offset: Int) -> Value {
    let (block, first) = Self.position(of: place)
    return blocks[block][first + offset]
  }

  /// - Throws: `StoreScopeError` where the keys lie too far apart to be kept in memory.
  @inlinable
  package mutating func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let (block, first) = Self.position(of: try pages.place(key))
    if block == blocks.count {
      blocks.append([])
      // Not for the first block: most stores fill a part of it.
      if block > 0 { blocks[block].reserveCapacity(Self.pagesOfBlock * ObjectPages.size) }
    }
    if first == blocks[block].count { blocks[block].append(contentsOf: emptyPage) }
    body(&blocks[block][first + ObjectPages.offset(of: key)])
  }

  @inlinable
  package mutating func set(_ key: ObjectKey, _ value: Value) throws { try update(key) { $0 = value } }

  /// Calls `body` for every object of a page that was touched, in the order of the keys, until it returns false.
  @inlinable
  package func forEach(_ body: (ObjectKey, Value) throws -> Bool) rethrows {
    for (page, place) in pages.sorted {
      for index in 0..<ObjectPages.size {
        guard try body(ObjectPages.key(index, of: page), value(place, index)) else {
          return
        }
      }
    }
  }
}

extension ObjectMap {
  /// Every object of a page that was touched, in the order of the keys.
  struct Iterator {
    fileprivate let map: ObjectMap
    fileprivate var sorted: ArraySlice<(page: ObjectKey, place: Int)>
    fileprivate var index = 0

    mutating func next() -> (key: ObjectKey, value: Value)? {
      if index == ObjectPages.size {
        sorted.removeFirst()
        index = 0
      }
      guard let (page, place) = sorted.first else { return nil }
      defer { index += 1 }
      return (ObjectPages.key(index, of: page), map.value(place, index))
    }
  }

  func makeIterator() -> Iterator { Iterator(map: self, sorted: pages.sorted[...]) }
}
