import Values

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
    fileprivate var pages: ObjectPages.Iterator
    fileprivate var current: (page: ObjectKey, bytes: UnsafeRawBufferPointer)?
    fileprivate var place = ObjectKey.countOfPage

    mutating func next() throws -> (key: ObjectKey, value: Value)? {
      if place == ObjectKey.countOfPage {
        current = try pages.next()
        place = 0
      }
      guard let (page, bytes) = current else { return nil }
      defer { place += 1 }
      let value = bytes.loadUnaligned(
        fromByteOffset: place * MemoryLayout<Value>.stride, as: Value.self)
      return (page.object(at: place), value)
    }
  }

  func makeIterator() throws -> Iterator { Iterator(pages: try pages.makeIterator()) }
}
