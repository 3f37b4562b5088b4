import Lens
import Testing
import Values

struct ObjectPagesTests {
  @Test func neighboursShareAPage() throws {
    var pages = ObjectPages(bytes: 1 << 20, perObject: 1)
    #expect(try pages.place(ObjectKey(entity: 2, primaryKey: 256)) == 0)
    #expect(try pages.place(ObjectKey(entity: 2, primaryKey: 511)) == 0)
    #expect(try pages.place(ObjectKey(entity: 2, primaryKey: 512)) == 1)
    #expect(try pages.place(ObjectKey(entity: 1, primaryKey: 256)) == 2)
    #expect(pages.known(ObjectKey(entity: 1, primaryKey: 300)) == 2)
    #expect(pages.known(ObjectKey(entity: 1, primaryKey: 0)) == nil)
    #expect(pages.sorted.map(\.place) == [2, 0, 1])
  }

  /// Pages that share a slot of the cache, and keys that no framework hands out.
  @Test func anyKeyHasItsPlace() throws {
    var pages = ObjectPages(bytes: 1 << 24, perObject: 1)
    let keys =
      (0..<10_000).map { ObjectKey(entity: $0 % 7, primaryKey: $0 << 20) }
      + [ObjectKey(entity: .min, primaryKey: .min), ObjectKey(entity: .max, primaryKey: .max)]
    let places = try keys.map { try pages.place($0) }
    #expect(Set(places).count == keys.count)
    #expect(try keys.map { try pages.place($0) } == places)
  }

  @Test func bytesAreLimited() throws {
    var pages = ObjectPages(bytes: 3 * 256 * 16, perObject: 16)
    for page in 0..<3 { _ = try pages.place(ObjectKey(entity: 1, primaryKey: Int64(page) << 40)) }
    #expect(throws: StoreScopeError.self) { try pages.place(ObjectKey(entity: 1, primaryKey: -1)) }
    #expect(try pages.place(ObjectKey(entity: 1, primaryKey: 255)) == 0)
  }
}
