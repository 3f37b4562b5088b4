import Forge
import StoreModel
import TestSupport
import Testing

@testable import Lens

/// Of an entity with 126 attributes a narrow terminal showed the first ones by name, all of them the same number.
struct ColumnRankTests {
  @Test func titlesDatesAndStatesStay() throws {
    let folder = TemporaryFolder("ranks")
    let attributes: [(String, AttributeType)] = [
      ("addedDate", .date), ("adjustedAt", .date), ("createdAt", .date), ("cloudGUID", .string),
      ("cover", .binary), ("count", .integer64), ("isHidden", .boolean), ("mood", .string),
      ("title", .string),
      ("trashedState", .integer16), ("uuid", .uuid),
    ]
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Asset", attributes: attributes.map { AttributeDescription(name: $0.0, type: $0.1) })
    ])
    let forge = try StoreForge(path: folder.path("App.store"), model: model)
    try forge.close()
    let open = try OpenStore(at: forge.path)
    let ranks = ColumnRanks.ofAttributes(of: try #require(open.store.schema["Asset"]))
    let ordered = attributes.map(\.0).sorted { (ranks[$0] ?? 0, $0) < (ranks[$1] ?? 0, $1) }
    #expect(
      ordered == [
        "addedDate", "createdAt", "title", "mood", "trashedState", "isHidden", "adjustedAt", "count", "cover",
        "cloudGUID", "uuid",
      ])
  }
}
