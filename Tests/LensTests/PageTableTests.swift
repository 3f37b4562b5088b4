import Base
import Testing

@testable import Lens

struct PageTableTests {
  /// Pages that share a slot of the cache, before and after the cache grows.
  @Test func everyPageHasItsPlace() {
    var table = PageTable()
    let pages = (0..<10_000).map { ObjectKey(entity: $0 % 7, primaryKey: $0 << 20) }
    for (place, page) in pages.enumerated() { table.set(page, place) }
    #expect(pages.map { table.place(of: $0) } == Array(pages.indices))
    #expect(table.sorted.map(\.page) == pages.sorted())
    for page in pages where page.entity == 3 { table.remove(page) }
    for (place, page) in pages.enumerated() {
      #expect(table.place(of: page) == (page.entity == 3 ? nil : place))
    }
  }

  @Test func neighborsShareAPage() {
    let keys = [0, 255, 256, -1, -256].map { ObjectKey(entity: 2, primaryKey: $0) }
    #expect(keys.map(\.page.primaryKey) == [0, 0, 1, -1, -1])
    #expect(keys.map(\.placeInPage) == [0, 255, 0, 255, 0])
    #expect(keys.map { $0.page.object(at: $0.placeInPage) } == keys)
  }
}
