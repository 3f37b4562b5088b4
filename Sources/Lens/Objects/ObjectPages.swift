import SystemCalls
import Values

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

  /// Every page that was set or asked for, in the order of the keys. Nothing may be set meanwhile.
  struct Iterator {
    fileprivate let owner: ObjectPages
    fileprivate var inMemory: ArraySlice<(page: ObjectKey, place: Int)>
    fileprivate var spilled: SpilledPages.Iterator?

    /// Nil at the end. The bytes last until the next call.
    mutating func next() throws -> (page: ObjectKey, bytes: UnsafeRawBufferPointer)? {
      if spilled != nil { return try spilled?.next() }
      guard let (page, place) = inMemory.popFirst() else { return nil }
      return (page, owner.bytes(place))
    }
  }

  func makeIterator() throws -> Iterator {
    guard let spilled else { return Iterator(owner: self, inMemory: table.sorted[...], spilled: nil) }
    for place in pages.indices { try save(place) }
    return Iterator(owner: self, inMemory: [], spilled: try spilled.makeIterator())
  }
}
