import Bulk
import Forge
import SQLite
import StoreModel
import Values

/// Rows by the million, decoded, against the shell's raw table; and memory for ten rows and for many.
enum MillionRows {
  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Measurement",
      attributes: [
        AttributeDescription(name: "at", type: .date), AttributeDescription(name: "count", type: .integer64),
        AttributeDescription(name: "id", type: .uuid), AttributeDescription(name: "isValid", type: .boolean),
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "value", type: .double),
      ],
      relationships: [
        RelationshipDescription(name: "station", destination: "Station", inverse: "measurements")
      ]),
    EntityDescription(
      name: "Station", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "measurements", destination: "Measurement", inverse: "station", isToMany: true)
      ]),
  ])

  static func measure(_ storescope: String, in folder: String) throws {
    let ten = try store(rows: 10, folder + "/ten.store")
    let million = try store(rows: 1_000_000, folder + "/million.store")
    let many = try store(rows: 10_000_000, folder + "/many.store")
    let rows = { (store: String, format: String) in
      (storescope, ["rows", store, "Measurement", "--format", format, "--quiet"])
    }
    for format in ["csv", "json"] {
      try Comparison(
        rows(million, format),
        against: ("sqlite3", ["-\(format)", million, "SELECT * FROM ZMEASUREMENT"]), rounds: 5
      ).report("rows of 1,000,000 objects as \(format), decoded, against sqlite3 -\(format) of the raw table")
    }
    try measureSearch(storescope, million)
    try measureDiff(storescope, million)
    try measureExport(storescope, million, folder)
    for (name, path) in [("10", ten), ("1,000,000", million), ("10,000,000", many)] {
      let command = rows(path, "json")
      let process = Process.run(command.0, command.1)
      print("memory of rows for \(name) objects as json: \(process.peakBytes / 1_000_000) MB")
    }
  }

  /// A text that one object has, so that all of them are looked at; ours also compares UUIDs and looks for deleted objects.
  private static func measureSearch(_ storescope: String, _ path: String) throws {
    let text = "number 999999"
    let like =
      "SELECT Z_PK FROM ZMEASUREMENT WHERE ZTITLE LIKE '%\(text)%'; SELECT Z_PK FROM ZSTATION WHERE ZNAME LIKE '%\(text)%'"
    try Comparison(
      (storescope, ["search", path, text, "--json", "--quiet"]), against: ("sqlite3", [path, like]), rounds: 5
    ).report("search of a text in 1,000,000 objects, against LIKE over the same texts in sqlite3")
  }

  /// A copy in which every thousandth object is another, some are gone and some are new.
  private static func measureDiff(_ storescope: String, _ path: String) throws {
    let later = path + ".later"
    let copied = Process.run("/bin/cp", [path, later])
    guard copied.status == 0 else { throw StoreScopeError(.failed, "The store \(path) could not be copied.") }
    let connection = try Connection(path: later, options: .readWrite())
    try connection.execute(
      """
      PRAGMA journal_mode = DELETE;
      UPDATE ZMEASUREMENT SET ZTITLE = ZTITLE || '!' WHERE Z_PK % 1000 = 7;
      DELETE FROM ZMEASUREMENT WHERE Z_PK % 5000 = 9;
      INSERT INTO ZMEASUREMENT (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK + 2000000, Z_ENT, 1 FROM ZMEASUREMENT WHERE Z_PK < 500;
      """)
    connection.close()
    let except =
      "SELECT * FROM main.ZMEASUREMENT EXCEPT SELECT * FROM later.ZMEASUREMENT;"
      + "SELECT * FROM later.ZMEASUREMENT EXCEPT SELECT * FROM main.ZMEASUREMENT"
    let diff = ["diff", path, later, "--only", "objects", "--json", "--quiet"]
    try Comparison(
      (storescope, diff), against: ("sqlite3", [path, "ATTACH '\(later)' AS later; \(except)"]), rounds: 5
    ).report("diff of 1,000,000 objects, against EXCEPT both ways in sqlite3")
    print("memory of it: \(Process.run(storescope, diff).peakBytes / 1_000_000) MB")
  }

  /// Each run into a new folder, as a finished export is never written over.
  private static func measureExport(_ storescope: String, _ path: String, _ folder: String) throws {
    let target = folder + "/export"
    let script = "rm -rf '\(target)'; exec '\(storescope)' export '\(path)' --to '\(target)' --quiet"
    try Comparison(
      ("/bin/sh", ["-c", script]),
      against: (
        "/bin/sh", ["-c", "sqlite3 -json '\(path)' 'SELECT * FROM ZMEASUREMENT' > '\(target).json'"]
      ),
      rounds: 3
    ).report("export of 1,000,000 objects, hashed, against sqlite3 -json of the raw table into a file")
    print("memory of it: \(Process.run("/bin/sh", ["-c", script]).peakBytes / 1_000_000) MB")
  }

  private static func store(rows: Int, _ path: String) throws -> String {
    let forge = Process.run(CommandLine.arguments[0], [Benchmark.forgeOption, path, String(rows)])
    guard forge.status == 0 else { throw StoreScopeError(.failed, "The store \(path) could not be forged.") }
    return path
  }

  /// `benchmark --forge PATH ROWS`
  static func forge() throws {
    guard CommandLine.arguments.count == 4, let rows = Int(CommandLine.arguments[3]) else {
      throw StoreScopeError(.failed, "'--forge' takes a path and a number of rows.")
    }
    let forge = try StoreForge(path: CommandLine.arguments[2], model: model)
    try BulkForge.fill(forge) { bulk in
      let stations = try bulk.insert("Station", count: 10, ["name": "'Station ' || i"])
      try bulk.insert(
        "Measurement", count: rows,
        [
          "at": "700000000.125 + i * 60.5", "count": "i * 7", "id": "randomblob(16)", "isValid": "i % 2",
          "title": "'measurement number ' || i", "value": "i * 1.25",
          "station": "\(stations.lowerBound) + i % 10",
        ])
    }
    try forge.close()
  }
}
