import Foundation
import QueryCatalog
import Testing

struct QueryCatalogTests {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Queries")

  @Test(arguments: QueryCatalog.all)
  func hasAHeader(_ query: SavedQuery) throws {
    let file = Self.folder.appending(path: query.name + ".sql")
    #expect(try String(contentsOf: file, encoding: .utf8) == query.sql)
    #expect(!query.title.isEmpty && !query.shows.isEmpty)
    for parameter in query.parameters {
      #expect(query.sql.contains(":" + parameter.name))
      #expect(!parameter.meaning.isEmpty)
    }
  }
}
