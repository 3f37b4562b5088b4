import Lens
import SystemCalls

/// What an observer remembers of each object, in the pages that all observers of history share. Room is made for
/// pages that are asked for.
///
/// Millions of changes come here one by one, so that neither copies nor checks on exclusive access may cost anything:
/// pages are memory of this class's own, and asking for a state gives its address.
final class ObjectStates<State: BitwiseCopyable> {
  private static var byteLimit: Int { 64 << 20 }

  private let pages: UnsafeMutableBufferPointer<UnsafeMutablePointer<State>?>
  private let pageLimit: Int
  /// Those that were asked for.
  private var used: [UnsafeMutablePointer<State>] = []
  private let empty: State

  /// `empty` is what an object has that was never asked for.
  init(empty: State) {
    self.empty = empty
    pages = Platform.zeroedMemory(for: UnsafeMutablePointer<State>?.self, count: historyPageLimit)
    pageLimit = Self.byteLimit / ObjectPages.size / MemoryLayout<State>.stride
  }

  deinit {
    for page in used { page.deallocate() }
    Platform.giveBack(pages)
  }

  /// The state of the change's object, to be read and written until the next call.
  /// - Throws: `StoreScopeError` where there are more objects than fit into 64 MB.
  func state(of change: HistoryChange, at place: Int) throws -> UnsafeMutablePointer<State> {
    try state(at: place, Self.offset(of: change))
  }

  static func offset(of change: HistoryChange) -> Int { change.objectKey.map { Int($0 & 255) } ?? 0 }

  func state(at place: Int, _ offset: Int) throws -> UnsafeMutablePointer<State> {
    guard let page = pages[place] else { return try newPage(place) + offset }
    return page + offset
  }

  private func newPage(_ place: Int) throws -> UnsafeMutablePointer<State> {
    guard used.count < pageLimit else { throw ObjectPages.tooFarApart }
    let page = UnsafeMutablePointer<State>.allocate(capacity: ObjectPages.size)
    page.initialize(repeating: empty, count: ObjectPages.size)
    used.append(page)
    pages[place] = page
    return page
  }

  /// Calls `body` for every object of a page that was asked for, in the order of entities and keys.
  func forEach(_ places: ObjectPages, _ body: (ObjectKey, State) throws -> Void) rethrows {
    for (page, place) in places.sorted {
      guard let states = pages[place] else { continue }
      for index in 0..<ObjectPages.size {
        try body(ObjectPages.key(index, of: page), states[index])
      }
    }
  }
}

/// Pages of objects at most, which with a byte for each object are 64 MB.
let historyPageLimit = 1 << 18
