import Forge

/// What the program costs before it does anything: a store of a few dozen objects.
enum SmallStore {
  static func measure(_ storescope: String, in folder: String) throws {
    let store = try DemoStore.make(in: folder + "/small")
    try Comparison(
      (storescope, ["summary", store]), against: ("sqlite3", [store, ".schema"]), rounds: 41
    ).report("summary of a small store, against sqlite3 STORE .schema")
  }
}
