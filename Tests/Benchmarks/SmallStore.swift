import Forge

/// What the program costs before it does anything: a store of a few dozen objects.
enum SmallStore {
  static let name = "summary of a small store"

  static func comparison(_ storescope: String, in folder: String) throws -> Comparison {
    let store = try DemoStore.make(in: folder + "/small")
    return try Comparison(
      (storescope, ["summary", store]), against: ("sqlite3", [store, ".schema"]), rounds: 41)
  }

  static func row(_ comparisons: [Int: Comparison]) -> ResultTable.Row {
    ResultTable.Row(name, peer: "sqlite3 .schema", goal: 1, profile: profile, comparisons)
  }

  private static let profile = """
    25 million instructions, and 4.6 million of `.schema`, which reads the schema and nothing else. A quarter of them is \
    SQLite compiling 99 statements, a sixth Swift's runtime making types, a seventh reading the model, an eighth finding \
    its tables and columns. A quarter of the samples is in the kernel, which answers 507 page faults instead of 198.
    """
}
