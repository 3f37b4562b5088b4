import CloudKitMirror
import Values

/// What an observer remembers of each object, in the pages that all observers of history share. Room is made for
/// pages that are written to.
struct ObjectStates<State> {
  private static var byteLimit: Int { 64 << 20 }

  private var pages: ContiguousArray<ContiguousArray<State>> = []
  private var used = 0
  private let empty: State

  /// `empty` is what an object has that was never set.
  init(empty: State) { self.empty = empty }

  /// - Throws: `StoreScopeError` where there are more objects than fit into 64 MB.
  mutating func update(_ change: ObservedChange, _ body: (inout State) -> Void) throws {
    guard change.place >= 0, let key = change.objectKey else { return }
    if change.place >= pages.count || pages[change.place].isEmpty { try makeRoom(change.place) }
    body(&pages[change.place][Int(key & 255)])
  }

  private mutating func makeRoom(_ place: Int) throws {
    used += 1
    guard used * ObjectPages.size * MemoryLayout<State>.stride <= Self.byteLimit else {
      throw ObjectPages.tooFarApart
    }
    while pages.count <= place { pages.append([]) }
    pages[place] = ContiguousArray(repeating: empty, count: ObjectPages.size)
  }

  /// Calls `body` for every object of a page that was written to, in the order of entities and keys.
  func forEach(_ places: ObjectPages, _ body: (ObjectKey, State) throws -> Void) rethrows {
    for (page, place) in places.sorted where place < pages.count {
      for (index, state) in pages[place].enumerated() {
        try body(ObjectKey(entity: page.entity, primaryKey: page.primaryKey << 8 | Int64(index)), state)
      }
    }
  }
}
