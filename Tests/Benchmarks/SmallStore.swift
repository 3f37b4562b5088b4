import Forge

/// What the program costs before it does anything: a store of a few dozen objects.
enum SmallStore {
  static let name = "summary of a small store"

  static func row(_ storescope: String, in folder: String) throws -> ResultTable.Row {
    let store = try DemoStore.make(in: folder + "/small")
    let comparison = try Comparison(
      (storescope, ["summary", store]), against: ("sqlite3", [store, ".schema"]), rounds: 41)
    return ResultTable.Row(name, peer: "sqlite3 .schema", goal: 1, comparison)
  }
}
