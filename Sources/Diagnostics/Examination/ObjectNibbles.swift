import Lens

/// Four bits for each object: of ten million objects, a byte more for each is ten megabytes more.
///
/// An observer that has to remember more says first for which objects, and sees history again for those: see
/// `HistoryObserver.successor(_:)`.
final class ObjectNibbles {
  static let most: UInt8 = 15
  /// Of neighbors in a byte, and of two pages in a page.
  private let pairs = ObjectStates(empty: UInt8(0))

  private static func position(_ place: Int, _ offset: Int) -> (place: Int, offset: Int, shift: Int) {
    (place >> 1, (place & 1) << 7 | offset >> 1, (offset & 1) << 2)
  }

  /// 0 where nothing was set.
  func value(of change: HistoryChange, at place: Int) throws -> UInt8 {
    let (place, offset, shift) = Self.position(place, ObjectStates<UInt8>.offset(of: change))
    return try pairs.state(at: place, offset).pointee >> shift & 15
  }

  /// - Returns: what `body` made of the value.
  /// - Throws: see `ObjectStates`.
  @discardableResult
  func update(
    _ change: HistoryChange, at place: Int, _ body: (UInt8) -> UInt8
  ) throws -> UInt8 {
    let (place, offset, shift) = Self.position(place, ObjectStates<UInt8>.offset(of: change))
    let pair = try pairs.state(at: place, offset)
    let value = body(pair.pointee >> shift & 15) & 15
    pair.pointee = pair.pointee & ~(15 << shift) | value << shift
    return value
  }

  /// Calls `body` for every object of a page that was asked for, in the order of entities and keys.
  func forEach(_ pages: ObjectPages, _ body: (ObjectKey, UInt8) throws -> Void) throws {
    for (page, place) in pages.sorted {
      for index in 0..<ObjectPages.size {
        let (place, offset, shift) = Self.position(place, index)
        try body(
          ObjectPages.key(index, of: page), pairs.state(at: place, offset).pointee >> shift & 15)
      }
    }
  }
}
