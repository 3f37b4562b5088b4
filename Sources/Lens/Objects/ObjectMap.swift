import Base

/// A value for each of very many objects, in little memory: 256 neighbors with a byte each take little more than 256
/// bytes, and what takes more than `bytes` together is in a temporary file.
///
/// Inlinable, as every access from another target would else go through code that doesn't know the value's type.
package struct ObjectMap<Value: BitwiseCopyable> {
  @usableFromInline let pages: ObjectPages
  @usableFromInline let empty: Value

  /// - Parameters:
  ///   - empty: what an object has that was never set.
  ///   - bytes: what all values may take in memory. More is worth its bytes only where objects come in any order: mostly
  ///     they come in that of their keys.
  package init(empty: Value, bytes: Int = 512 << 10) {
    self.empty = empty
    pages = [Value](repeating: empty, count: ObjectKey.countOfPage).withUnsafeBytes {
      ObjectPages(empty: $0, bytes: bytes)
    }
  }

  /// - Throws: `StoreScopeError` where the temporary file has no room or can't be used, as all functions.
  @inlinable
  package subscript(key: ObjectKey) -> Value {
    get throws {
      guard let page = try pages.page(of: key) else { return empty }
      return page.load(fromByteOffset: key.placeInPage * MemoryLayout<Value>.stride, as: Value.self)
    }
  }

  @inlinable
  package func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let page = try pages.changedPage(of: key).assumingMemoryBound(to: Value.self)
    body(&page[key.placeInPage])
  }

  @inlinable
  package func set(_ key: ObjectKey, _ value: Value) throws { try update(key) { $0 = value } }

  /// Calls `body` for every object of a page that was touched, in the order of the keys. Nothing may be set meanwhile.
  package func forEach(_ body: (ObjectKey, Value) throws -> Void) throws {
    var all = try makeIterator()
    while let (key, value) = try all.next() { try body(key, value) }
  }

  /// Every object of a page that was touched, in the order of the keys.
  struct Iterator {
    fileprivate let nextPage: () throws -> (page: ObjectKey, bytes: UnsafeRawBufferPointer)?
    fileprivate var current: (page: ObjectKey, bytes: UnsafeRawBufferPointer)?
    fileprivate var place = ObjectKey.countOfPage

    mutating func next() throws -> (key: ObjectKey, value: Value)? {
      if place == ObjectKey.countOfPage {
        current = try nextPage()
        place = 0
      }
      guard let (page, bytes) = current else { return nil }
      defer { place += 1 }
      let value = bytes.loadUnaligned(
        fromByteOffset: place * MemoryLayout<Value>.stride, as: Value.self)
      return (page.object(at: place), value)
    }
  }

  func makeIterator() throws -> Iterator { Iterator(nextPage: try pages.all()) }
}

/// Bytes for each of very many objects, in pages of neighbors: those used last in memory, all others in a temporary
/// file. So memory is the same for any number of objects.
///
/// Millions of changes come here one by one, so that neither copies nor checks on exclusive access may cost anything:
/// pages are memory of this class's own, and asking for one gives its address.
package final class ObjectPages {
  private let bytesOfPage: Int
  /// In memory.
  private let limit: Int
  private let memory: UnsafeMutableRawPointer
  /// What a page begins with.
  private let emptyPage: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var table = PageTable()
  /// By place, which page is there, and whether the file has something else, or nothing, for it.
  @exclusivity(unchecked) private var pages: ContiguousArray<(page: ObjectKey, isChanged: Bool)> = []
  /// The place whose page goes next: that which came first.
  private var hand = 0
  private var spilled: SpilledPages?

  /// - Parameters:
  ///   - empty: what every object of a page has at first; as many bytes for each.
  ///   - bytes: what all pages may take in memory.
  init(empty: UnsafeRawBufferPointer, bytes: Int) {
    bytesOfPage = empty.count
    limit = max(4, bytes / max(1, empty.count))
    memory = Platform.zeroedMemory(byteCount: limit * bytesOfPage)
    emptyPage = .allocate(byteCount: bytesOfPage, alignment: 16)
    UnsafeMutableRawBufferPointer(start: emptyPage, count: bytesOfPage).copyMemory(from: empty)
  }

  deinit {
    Platform.giveBack(memory, byteCount: limit * bytesOfPage)
    emptyPage.deallocate()
  }

  /// Where the object's page lies until the next call; nil if nothing was ever set in it.
  package func page(of key: ObjectKey) throws -> UnsafeRawPointer? {
    let page = key.page
    if let place = table.place(of: page) { return UnsafeRawPointer(address(place)) }
    // The neighbors will be asked for next, so that one that nobody ever set is kept as well.
    guard spilled != nil else { return nil }
    return UnsafeRawPointer(address(try bringIn(page)))
  }

  /// The same to write to.
  package func changedPage(of key: ObjectKey) throws -> UnsafeMutableRawPointer {
    let page = key.page
    let place = try table.place(of: page) ?? bringIn(page)
    pages[place].isChanged = true
    return address(place)
  }

  private func address(_ place: Int) -> UnsafeMutableRawPointer { memory + place * bytesOfPage }

  private func bytes(_ place: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: address(place), count: bytesOfPage)
  }

  /// A page is known to be there only once it is: reading it may fail.
  private func bringIn(_ page: ObjectKey) throws -> Int {
    let place: Int
    if pages.count < limit {
      place = pages.count
      pages.append((PageTable.noPage, false))
    } else {
      place = hand
      hand = (hand + 1) % limit
      try save(place)
      table.remove(pages[place].page)
      pages[place].page = PageTable.noPage
    }
    let target = UnsafeMutableRawBufferPointer(start: address(place), count: bytesOfPage)
    let isKnown = try spilled?.read(page) {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(bytesOfPage)))
    }
    if isKnown != true { address(place).copyMemory(from: emptyPage, byteCount: bytesOfPage) }
    pages[place].page = page
    table.set(page, place)
    return place
  }

  private func save(_ place: Int) throws {
    let spilled = try spilled ?? SpilledPages()
    self.spilled = spilled
    guard pages[place].isChanged else { return }
    try spilled.write(pages[place].page, bytes(place))
    pages[place].isChanged = false
  }

  /// Gives every page that was set or asked for, in the order of the keys, then nil. The bytes last until the next call.
  /// Nothing may be set meanwhile.
  func all() throws -> () throws -> (page: ObjectKey, bytes: UnsafeRawBufferPointer)? {
    guard let spilled else {
      var rest = table.sorted[...]
      return { rest.popFirst().map { ($0.page, self.bytes($0.place)) } }
    }
    for place in pages.indices { try save(place) }
    return try spilled.all()
  }
}

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
