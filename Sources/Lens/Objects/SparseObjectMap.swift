import Base

/// A value for some of very many objects: unlike `ObjectMap`, it has no memory for their neighbors. Of ten million objects
/// every eighth may be pending, which are neighbors of all others.
package final class SparseObjectMap<Value: BitwiseCopyable> {
  fileprivate struct Element: BitwiseCopyable {
    var value: Value
    let offset: UInt8
  }

  fileprivate struct Page {
    var key: ObjectKey
    /// Those objects that have a value, in the order of their keys.
    var list: ContiguousArray<Element> = []
    /// Whether the file has something else, or nothing, for it.
    var isChanged = false

    mutating func read(_ bytes: UnsafeRawBufferPointer) {
      for start in stride(from: 0, to: bytes.count, by: MemoryLayout<Element>.stride) {
        list.append(bytes.loadUnaligned(fromByteOffset: start, as: Element.self))
      }
    }
  }

  @exclusivity(unchecked) private var table = PageTable()
  /// By place.
  @exclusivity(unchecked) private var pages: ContiguousArray<Page> = []
  /// Places without a page.
  private var free: [Int] = []
  /// The place whose page goes next.
  private var hand = 0
  private var spilled: SpilledPages?
  private let empty: Value
  private let limit: Int
  /// What the lists have taken from memory, and some bytes for each page.
  private(set) var used = 0

  /// - Parameters:
  ///   - empty: what an object has that was never set.
  ///   - bytes: what all values may take in memory; the others are in a temporary file.
  package init(empty: Value, bytes: Int = 256 << 10) {
    self.empty = empty
    limit = bytes
  }

  /// - Throws: `StoreScopeError` where the temporary file has no room or can't be used, as all functions.
  package subscript(key: ObjectKey) -> Value {
    get throws {
      guard let place = try place(of: key.page) else { return empty }
      let offset = UInt8(truncatingIfNeeded: key.placeInPage)
      let index = Self.index(of: offset, in: pages[place].list)
      guard index < pages[place].list.count, pages[place].list[index].offset == offset else { return empty }
      return pages[place].list[index].value
    }
  }

  package func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let place = try place(of: key.page) ?? bringIn(key.page)
    let offset = UInt8(truncatingIfNeeded: key.placeInPage)
    let index = Self.index(of: offset, in: pages[place].list)
    if index == pages[place].list.count || pages[place].list[index].offset != offset {
      let before = bytes(place)
      pages[place].list.insert(Element(value: empty, offset: offset), at: index)
      used += bytes(place) - before
      try makeRoom(keeping: place)
    }
    pages[place].isChanged = true
    body(&pages[place].list[index].value)
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

  // MARK: Pages

  /// Nil if nothing was ever set in the page. Of those in the file its neighbors will be asked for next, so that one
  /// that isn't there is kept as well.
  private func place(of page: ObjectKey) throws -> Int? {
    if let place = table.place(of: page) { return place }
    return spilled == nil ? nil : try bringIn(page)
  }

  private func bringIn(_ key: ObjectKey) throws -> Int {
    let place: Int
    if used >= limit, let evicted = try evict(keeping: nil) {
      // Its memory is just right for the next: given back and taken again, it would be in pieces soon.
      place = evicted
      used -= bytes(place)
      pages[place].key = key
    } else if let last = free.popLast() {
      place = last
      pages[place] = Page(key: key)
    } else {
      place = pages.count
      pages.append(Page(key: key))
    }
    _ = try spilled?.read(key) { pages[place].read($0) }
    used += bytes(place)
    table.set(key, place)
    try makeRoom(keeping: place)
    return place
  }

  private func bytes(_ place: Int) -> Int {
    96 + pages[place].list.capacity * MemoryLayout<Element>.stride
  }

  private func makeRoom(keeping kept: Int) throws {
    while used > limit, let place = try evict(keeping: kept) {
      used -= bytes(place)
      pages[place].list = []
      free.append(place)
    }
  }

  /// Pages go in turn: most are asked for again only after all others.
  /// - Returns: the place of the one that went; nil where there is no other.
  private func evict(keeping kept: Int?) throws -> Int? {
    guard table.count > 1 else { return nil }
    while true {
      let place = hand
      hand = (hand + 1) % pages.count
      guard place != kept, table.place(of: pages[place].key) == place else { continue }
      try save(place)
      table.remove(pages[place].key)
      pages[place].list.removeAll(keepingCapacity: true)
      return place
    }
  }

  private func save(_ place: Int) throws {
    let spilled = try spilled ?? SpilledPages()
    self.spilled = spilled
    guard pages[place].isChanged else { return }
    try pages[place].list.withUnsafeBytes { try spilled.write(pages[place].key, $0) }
    pages[place].isChanged = false
  }

  // MARK: All

  /// Calls `body` for every object that has a value, in the order of the keys. Nothing may be set meanwhile.
  package func forEach(_ body: (ObjectKey, Value) throws -> Void) throws {
    var all = try makeIterator()
    while let (key, value) = try all.next() { try body(key, value) }
  }

  /// Whether `isWanted` is true of any object that has a value. Nothing may be set meanwhile.
  func contains(where isWanted: (ObjectKey, Value) throws -> Bool) throws -> Bool {
    var all = try makeIterator()
    while let (key, value) = try all.next() {
      if try isWanted(key, value) { return true }
    }
    return false
  }

  struct Iterator {
    fileprivate let nextPage: () throws -> Page?
    fileprivate var page = Page(key: PageTable.noPage)
    fileprivate var index = 0

    mutating func next() throws -> (key: ObjectKey, value: Value)? {
      while index == page.list.count {
        guard let next = try nextPage() else { return nil }
        (page, index) = (next, 0)
      }
      defer { index += 1 }
      return (page.key.object(at: Int(page.list[index].offset)), page.list[index].value)
    }
  }

  func makeIterator() throws -> Iterator {
    guard let spilled else {
      var rest = table.sorted[...]
      return Iterator(nextPage: { rest.popFirst().map { self.pages[$0.place] } })
    }
    for place in pages.indices { try save(place) }
    let next = try spilled.all()
    return Iterator(nextPage: {
      try next().map { key, bytes in
        var page = Page(key: key)
        page.read(bytes)
        return page
      }
    })
  }
}
