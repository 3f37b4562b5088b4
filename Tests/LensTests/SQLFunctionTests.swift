import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Functions that exist and that nobody can find are no use.
struct SQLFunctionTests {
  @Test func everyFunctionIsListedOrTheViewsOwn() throws {
    let folder = TemporaryFolder("functions")
    defer { withExtendedLifetime(folder) {} }
    _ = try DemoStore.mirror(in: folder.path).forge.close()
    let sql = "SELECT DISTINCT name FROM pragma_function_list"
    let plain = try Connection(path: ":memory:", options: OpenOptions(.readWrite(create: true)))
    let builtIn = Set(try plain.rows(sql) { $0.text(0) })
    let open = try OpenStore(at: folder.path(DemoStore.fileName))
    let own = Set(try open.lens().connection.rows(sql) { $0.text(0) }).subtracting(builtIn)
    #expect(own == Set(SQLFunction.all.map(\.name)).union(SQLFunction.ofViews))
    #expect(Set(SQLFunction.all.map(\.name)).isDisjoint(with: SQLFunction.ofViews))
  }
}
