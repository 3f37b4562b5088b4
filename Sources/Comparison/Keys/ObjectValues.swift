import Lens

/// A value for each of very many objects, eight bytes or fewer each.
struct ObjectValues<Value> {
  private var pages: ObjectPages
  private var values: ContiguousArray<Value> = []
  private let empty: Value

  /// What all of them may take together, in memory.
  private static var limit: Int { 1 << 30 }

  init(empty: Value) {
    self.empty = empty
    pages = ObjectPages(bytes: Self.limit, perObject: MemoryLayout<Value>.stride)
  }

  subscript(key: ObjectKey) -> Value {
    guard let place = pages.known(key) else { return empty }
    return values[place * ObjectPages.size + ObjectPages.offset(of: key)]
  }

  /// - Throws: `StoreScopeError` where there is no room for more.
  mutating func update(_ key: ObjectKey, _ body: (inout Value) -> Void) throws {
    let place = try pages.place(key)
    if place * ObjectPages.size == values.count {
      values.append(contentsOf: repeatElement(empty, count: ObjectPages.size))
    }
    body(&values[place * ObjectPages.size + ObjectPages.offset(of: key)])
  }

  mutating func set(_ key: ObjectKey, _ value: Value) throws { try update(key) { $0 = value } }

  /// Every value that was set, with those around it, in the order of the keys.
  func forEach(_ body: (ObjectKey, Value) throws -> Void) rethrows {
    for (page, place) in pages.sorted {
      for offset in 0..<ObjectPages.size {
        let key = ObjectKey(entity: page.entity, primaryKey: page.primaryKey << 8 | Int64(offset))
        try body(key, values[place * ObjectPages.size + offset])
      }
    }
  }
}
