import Foundation
import QueryCatalog
import SQLite
import TestSupport
import Testing

/// `fleet PATH… --to FOLDER`: what it writes about many stores.
struct FleetTests {
  private typealias Object = [String: Any]

  /// One that is neither read nor reported would be missed by nobody.
  @Test func everyStoreIsAccountedFor() throws {
    let place = try FleetPlace()
    let run = try place.run()
    #expect(run.result.status == 0, "\(run.result.errors)")
    let stores = try FleetPlace.rows("stores", in: run.folder)
    let failures = try FleetPlace.rows("failures", in: run.folder)
    let found = try Tool.json(["find", place.folder.path])
    let addresses = try ["stores", "skipped"].flatMap { key in
      try #require(found[key] as? [Object]).compactMap { $0["address"] as? String }
    }
    #expect((stores + failures).compactMap { $0["address"] as? String }.sorted() == Set(addresses).sorted())
    #expect(stores.count == FleetPlace.whole)
    #expect(failures.count == FleetPlace.broken, "\(failures)")
    let sums = try #require(run.result.output.split(separator: "\n").first)
    #expect(sums.hasPrefix("6 stores: 1 healthy, 5 blocked."), "\(run.result.output)")
    #expect(run.result.output.contains("3 more couldn't be read: "), "\(run.result.output)")
    #expect(run.result.output.contains("; failures.ndjson lists them."), "\(run.result.output)")
    #expect(
      run.result.output.contains("\nWhy sync is blocked: iCloud storage is full."), "\(run.result.output)")
    for dataset in ["stores", "findings", "entities", "events", "pending"] {
      let addresses = try FleetPlace.rows(dataset, in: run.folder).compactMap { $0["address"] as? String }
      #expect(!addresses.isEmpty)
      #expect(addresses == addresses.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }, "\(dataset)")
    }
  }

  /// A database that isn't Core Data's was in no list, while `doctor` refuses it: one whose first page shows that, one whose
  /// tables don't fit on that page, and one in an archive.
  @Test func otherDatabasesAreListed() throws {
    let place = try FleetPlace()
    let many = try Connection(path: place.folder.path("many.graphdb"), options: .readWrite(create: true))
    for number in 0..<200 { try many.execute("CREATE TABLE table\(number)(a, b, c)") }
    many.close()
    var zip = ZipForge()
    zip.add("other.sqlite", try place.folder.read("other.sqlite"))
    try zip.write(to: place.folder.path("other.zip"))
    let run = try place.run(["--json"])
    let left = ["many.graphdb", "other.sqlite", "other.zip!/other.sqlite"].map(place.folder.path)
    #expect(try run.result.json()["leftOut"] as? [String] == left, "\(run.result.output)")
    #expect(try FleetPlace.rows("stores", in: run.folder).count == FleetPlace.whole)
    #expect(try FleetPlace.rows("failures", in: run.folder).count == FleetPlace.broken)
    try place.run().result.expectOutput(
      "3 databases left out (not a store of Core Data):\n  ", "  \(left[0])\n")
    let alone = TemporaryFolder("fleet-other")
    try alone.write(try place.folder.read("other.sqlite"), to: "other.sqlite")
    try Tool.run(["fleet", alone.path, "--to", alone.path("out")]).expectErrors(
      status: 2, "1 database left out")
  }

  @Test func findingsAreThoseOfTheDoctor() throws {
    let place = try FleetPlace()
    let run = try place.run(["--include-values"])
    let findings = try FleetPlace.rows("findings", in: run.folder)
    for store in try FleetPlace.rows("stores", in: run.folder) {
      let address = try #require(store["address"] as? String)
      let doctor = try Tool.json(["doctor", address, "--limit", "100"])
      func texts(_ list: [Object]) -> [String] {
        list.map { finding in
          ["rule", "severity", "title", "message", "count", "objects"].map { "\(finding[$0] ?? "")" }
            .joined(separator: "|")
        }
      }
      let own = findings.filter { $0["address"] as? String == address }
      #expect(try texts(own) == texts(#require(doctor["findings"] as? [Object])), "\(address)")
      let summary = try Tool.json(["summary", address])
      let identity = try summary.object("store")
      #expect(store["uuid"] as? String == identity["uuid"] as? String)
      let pending = try Tool.json(["pending", address])
      #expect(
        store["pending"] as? Int
          == (store["mirror"] is NSNull ? nil : try #require(pending["total"] as? Int)), "\(address)")
    }
  }

  /// Readers take types and columns from the manifest and the scripts, and never see a value.
  @Test func filesAreWhatTheManifestSays() throws {
    let place = try FleetPlace()
    let run = try place.run()
    let data = try Data(contentsOf: URL(fileURLWithPath: "\(run.folder)/manifest.json"))
    let manifest = try #require(try JSONSerialization.jsonObject(with: data) as? Object)
    let datasets = try manifest.list("datasets")
    let hashes = try FileTree.hashes(run.folder)
    var files: Set<String> = ["manifest.json", "load.sql", "spark-schemas.json"]
    files.formUnion(datasets.map { "\($0["name"] as? String ?? "").ndjson" })
    files.formUnion(QueryCatalog.fleet.map { "queries/\($0.name).sql" })
    #expect(Set(hashes.keys) == files)
    for query in QueryCatalog.fleet {
      let file = "\(run.folder)/queries/\(query.name).sql"
      #expect(try String(contentsOfFile: file, encoding: .utf8) == query.sql, "\(query.name)")
    }
    let load = try String(contentsOfFile: "\(run.folder)/load.sql", encoding: .utf8)
    for dataset in datasets {
      let name = try #require(dataset["name"] as? String)
      let file = try #require((dataset["files"] as? [Object])?.first)
      #expect(file["sha256"] as? String == hashes["\(name).ndjson"])
      let rows = try FleetPlace.rows(name, in: run.folder)
      #expect(dataset["rows"] as? Int == rows.count)
      let columns = try dataset.list("columns").compactMap { $0["name"] as? String }
      #expect(rows.allSatisfy { Set($0.keys) == Set(columns) }, "\(name)")
      #expect(load.contains("'\(name)*.ndjson'"))
      for column in columns { #expect(load.contains("'\(column)': '")) }
    }
    let text = try String(contentsOfFile: "\(run.folder)/pending.ndjson", encoding: .utf8)
    #expect(text.contains("\"kind\":\"upload\""))
    let demo = try Demo()
    let names = try demo.json("records").list("records")
      .compactMap { $0["recordName"] as? String }
    #expect(!names.isEmpty)
    for dataset in hashes.keys {
      let text = try String(contentsOfFile: "\(run.folder)/\(dataset)", encoding: .utf8)
      #expect(!names.contains { text.contains($0) }, "\(dataset)")
    }
  }

  @Test func whatIsNotAskedForIsLeftOut() throws {
    let place = try FleetPlace()
    let mirrored = try place.run(["--mirrored"])
    #expect(try FleetPlace.rows("stores", in: mirrored.folder).count == FleetPlace.whole - 1)
    let named = try place.run(["--app", "maps"])
    #expect(
      try FleetPlace.rows("stores", in: named.folder).count == 1,
      "\(named.result.output)\(named.result.errors)")
    // Damaged stores of other apps had been counted as the app's. An archive that can't be read may have one of its own.
    #expect(try FleetPlace.rows("failures", in: named.folder).isEmpty)
    try place.folder.write([], to: "empty.zip")
    let withArchive = try place.run(["--app", "maps"])
    let failures = try FleetPlace.rows("failures", in: withArchive.folder)
    #expect(failures.compactMap { $0["address"] as? String } == [place.folder.path("empty.zip")])
    let noise = try place.run(["--app", "noise"])
    let broken = try FleetPlace.rows("failures", in: noise.folder)
    #expect(
      broken.compactMap { $0["address"] as? String } == ["empty.zip", "noise.store"].map(place.folder.path))
  }

  /// Each wrong word, and what is said.
  @Test(arguments: [
    (["--stdin", "x"], "leave out 'x'"), (["--stdin", "--to", "x"], "'--to'"),
    (["x", "--rows"], "'--stdin'"),
    (["x", "--to", "y", "--jobs", "0"], "from 1 up"), (["x", "--to", "y", "--memory", "much"], "512MB"),
    (["x"], "--to FOLDER"), (["--to", "y"], "PATH"),
  ]) func mistakes(_ words: [String], _ says: String) throws {
    try Tool.run(["fleet"] + words).expectRefused(status: 64, says)
  }

  @Test func aFolderWithAnythingElseStays() throws {
    let place = try FleetPlace()
    let run = try place.run()
    let before = try FileTree.hashes(run.folder)
    let words = ["fleet", place.folder.path, "--to"]
    try Tool.run(words + [run.folder]).expectRefused("a finished run")
    try Tool.run(words + [place.folder.path]).expectRefused("it isn't empty")
    #expect(try FileTree.hashes(run.folder) == before)
    let empty = TemporaryFolder("fleet-empty")
    try Tool.run(["fleet", empty.path, "--to", empty.path("out")]).expectRefused("No store")
    #expect(try empty.names().isEmpty)
    // None of several can be read.
    try empty.write([UInt8](repeating: 7, count: 4096), to: "noise.store")
    try Tool.run(["fleet", empty.path, "--to", empty.path("out")]).expectErrors(
      status: 2, "None of the stores")
    #expect(try FleetPlace.rows("failures", in: empty.path("out")).count == 1)
  }

  /// To make keys of a password takes seconds: the process of each store gets them ready made.
  @Test func encryptedBackups() throws {
    let folder = TemporaryFolder("fleet")
    try FindRun.makeBackup(in: folder, password: "right")
    try folder.write(Array("right".utf8), to: "password")
    let words = ["fleet", folder.path("backup"), "--password-file", folder.path("password")]
    try Tool.run(words + ["--to", folder.path("out")]).expectStatus()
    let store = try #require(try FleetPlace.rows("stores", in: folder.path("out")).first)
    #expect(store["container"] as? String == "backup")
    #expect(store["path"] is NSNull)
    let address = try #require(store["address"] as? String)
    try folder.write(Array("\(address)\n".utf8), to: "addresses")
    let (status, _) = try Tool.run(
      ["fleet", "--stdin", "--rows", "--password-file", folder.path("password")],
      input: folder.path("addresses"), output: folder.path("rows"), errors: folder.path("errors"))
    #expect(status == 0)
    #expect(try folder.text("rows").hasPrefix("{\"dataset\":\"stores\""))
    let refused = try Tool.run(["fleet", folder.path("backup"), "--to", folder.path("none")]).expectStatus(2)
    let failure = try FleetPlace.rows("failures", in: folder.path("none")).first
    #expect(failure?["failure"] as? String == "encrypted", "\(refused.errors)")
  }
}
