import Foundation
import SQLite
import TestSupport
import Testing

/// `doctor STORE…`: a CI job checks all its fixtures in one run.
struct SeveralStoresTests {
  private typealias Object = [String: Any]

  private let demo: Demo
  private let healthy: String
  private let missing: String

  init() throws {
    demo = try Demo()
    healthy = try SmallStores.healthy(in: demo.folder, "Healthy.store")
    missing = demo.folder.path("Missing.store")
  }

  private func run(_ words: [String]) throws -> Tool.Result { try Tool.run(["doctor"] + words) }

  @Test func oneThatCantBeReadDoesntStopTheOthers() throws {
    let result = try run([missing, healthy, demo.path]).expectErrors(status: 2, "Missing.store")
    let output = result.output
    expectText(
      output, begins: "\(missing)\nNot checked: ", "\n\n\(healthy)\nHealthy. ",
      "\n\n\(demo.path)\nBlocked: iCloud storage is full",
      "\n\n3 stores: 1 healthy, 1 blocked. Couldn't be read: \(missing).\n",
      "'storescope pending \(demo.path)'", lacks: "\n\n\n")
  }

  /// The reason ended at its colon: the names were on the standard error only.
  @Test func severalStoresInOnePlaceAreNamed() throws {
    let place = demo.folder.path
    let result = try run([place, healthy, "--json"])
    let stores = try result.json().list("stores")
    let failure = try #require(stores.first?["failure"] as? String)
    #expect(result.status == 2)
    #expect(
      failure.contains("by name: ") && failure.contains(healthy) && failure.contains(demo.path), "\(failure)")
    #expect(try run([place, healthy]).output.contains(failure))
  }

  /// In a job's summary people see the beginning.
  @Test func markdownLeadsWithTheSum() throws {
    try run([healthy, demo.path, "--format", "markdown"]).expectOutput(
      begins: "## 2 stores: 1 healthy, 1 blocked.")
  }

  /// A store was called healthy because its warning is in the baseline.
  @Test func acceptedFindingsAreNotHealth() throws {
    let warned = try SmallStores.healthy(in: demo.folder, "Warned.store")
    try Demo.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'", at: warned)
    let baseline = demo.folder.path("baseline.json")
    #expect(try run([healthy, warned, "--write-baseline", baseline]).status == 0)
    try run([healthy, warned, "--baseline", baseline]).expectOutput("1 with nothing new", "1 healthy")
  }

  @Test(arguments: [("error", 1), ("never", 0)]) func theWorstDecides(_ severity: String, _ code: Int32)
    throws
  {
    #expect(try run([healthy, demo.path, "--fail-on", severity]).status == code)
    #expect(try run([healthy, demo.path, missing, "--fail-on", severity]).status == 2)
    #expect(try run([healthy, missing, "--fail-on", severity]).status == 2)
  }

  /// Only the first of two hard links was checked, though each may have a -wal of its own.
  @Test func linksToOnePlaceAreOneStore() throws {
    let (hard, soft) = (demo.folder.path("Hard.store"), demo.folder.path("Soft.store"))
    try FileManager.default.linkItem(atPath: healthy, toPath: hard)
    try FileManager.default.createSymbolicLink(atPath: soft, withDestinationPath: healthy)
    let stores = try run([healthy, hard, soft, "--json"]).json()["stores"] as? [Object]
    #expect(stores?.compactMap { ($0["store"] as? Object)?["path"] as? String } == [healthy, hard])
  }

  /// Each store with what it would have alone.
  @Test func jsonHasAnObjectPerStore() throws {
    let several = try run([demo.path, missing, healthy, "--json"]).json()
    #expect(several["schema"] as? String == "storescope/doctor/1" && several["store"] == nil)
    let stores = try several.list("stores")
    #expect(stores.count == 3)
    for (path, store) in zip([demo.path, missing, healthy], stores) {
      #expect((store["store"] as? Object)?["path"] as? String == path)
      guard path != missing else {
        #expect(store["failure"] is String && store["findings"] == nil)
        continue
      }
      var alone = try run([path, "--json"]).json()
      alone["schema"] = nil
      #expect(NSDictionary(dictionary: alone) == NSDictionary(dictionary: store), "\(path)")
    }
    let lines = try run([demo.path, missing, healthy, "--format", "ndjson", "--limit", "1"]).output
      .split(separator: "\n")
    #expect(lines.count == 3 && lines.allSatisfy { $0.hasPrefix("{\"store\":{\"path\":") }, "\(lines)")
  }

  @Test func csvHasTheStoreInEachRow() throws {
    let lines = try run([demo.path, missing, healthy, "--format", "csv"]).output.split(separator: "\n")
    #expect(lines[0].hasPrefix("store,rule,severity,") && lines[0].hasSuffix(",failure"))
    #expect(
      lines.dropFirst().allSatisfy { line in
        [demo.path, missing, "\(healthy),history-key-required,"].contains(where: line.hasPrefix)
      })
    try run([demo.path, healthy, "--columns", "store,rule", "--format", "ndjson"]).expectOutput(
      begins: "{\"store\":\"\(demo.path)\",\"rule\":\"event-quota-exceeded\"}\n")
    // They were called stores.
    let json = try run([demo.path, healthy, "--columns", "rule,count", "--json"]).json()
    #expect((json["findings"] as? [Object])?.first?["rule"] as? String == "event-quota-exceeded")
    #expect(json["stores"] == nil)
  }

  /// Of two runs with one category a code host keeps the later.
  @Test func sarifHasARunPerStore() throws {
    let log = try run([demo.path, missing, healthy, "--format", "sarif"]).json()
    let runs = try log.list("runs")
    let categories = runs.compactMap { ($0["automationDetails"] as? Object)?["id"] as? String }
    #expect(Set(categories).count == 3 && categories.allSatisfy { $0.hasSuffix("/") }, "\(categories)")
    // Nothing was looked for in it, so nothing that was found before counts as fixed.
    #expect(runs[1]["results"] == nil)
    #expect(((runs[1]["invocations"] as? [Object])?.first)?["executionSuccessful"] as? Bool == false)
    #expect(
      (runs[2]["results"] as? [Object])?.compactMap { $0["ruleId"] as? String } == ["history-key-required"])
  }

  /// Several fixtures in one CI job had equal test names.
  @Test func junitHasASuitePerStore() throws {
    let text = try run([demo.path, missing, healthy, "--format", "junit"]).output
    for name in ["Journeys", "Missing", "Healthy"] {
      #expect(text.contains("<testcase classname=\"storescope.\(name).store\" name="))
      #expect(text.matches(of: try Regex("<testsuite name=\"[^\"]*/\(name).store\"")).count == 1)
    }
    #expect(text.matches(of: /<error message="/).count == 1)
  }

  /// `Fixtures/*` names them all.
  @Test func filesThatBelongToAStoreAreNoStores() throws {
    let words = [demo.path, demo.path + "-wal", demo.path + "-shm", healthy, demo.path, "--json"]
    #expect((try run(words).json()["stores"] as? [Any])?.count == 2)
    // One file had two SARIF runs of one category.
    let spelled = demo.folder.path("./Journeys.store")
    #expect((try run([demo.path, spelled, healthy, "--json"]).json()["stores"] as? [Any])?.count == 2)
    // What is left is one store.
    #expect(try run([demo.path, demo.path + "-wal", "--json"]).json()["store"] is Object)
  }

  @Test func eachStoreHasItsBaseline() throws {
    let baseline = demo.folder.path("baseline.json")
    let other = try Demo { try $0.connection.execute("UPDATE ZENTRY SET ZTRIP = 900 WHERE Z_PK = 2") }
    #expect(try run([demo.path, other.path, healthy, "--write-baseline", baseline]).status == 1)
    try run([other.path, demo.path, healthy, "--baseline", baseline, "--fail-on", "info"]).expectOutput(
      status: 0, "\n3 stores: ")
    // Updating one store's part lost those of the others.
    _ = try run([healthy, "--baseline", baseline, "--write-baseline", baseline])
    #expect(try run([other.path, demo.path, "--baseline", baseline, "--fail-on", "info"]).status == 0)
    // What was accepted of one is new in another.
    let moved = demo.folder.path("Moved.store")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: other.path + suffix, toPath: moved + suffix)
    }
    let findings = try run([moved, "--baseline", baseline, "--json"]).json()["findings"] as? [Object]
    #expect(findings?.contains { $0["rule"] as? String == "relationship-dangling" } == true)
    try run([moved, "--baseline", baseline]).expectErrors("doesn't have \(moved)")
    // A baseline that lacks a store would call all its findings new the next time.
    let partial = demo.folder.path("partial.json")
    try run([demo.path, missing, "--write-baseline", partial]).expectErrors(
      status: 2, "didn't write the baseline")
    #expect(!FileManager.default.fileExists(atPath: partial))
  }

  /// A store with a note was among those "without findings".
  @Test func storesAreCountedByWhatWasFound() throws {
    let rule = ["--rule", "history-author-missing"]
    try run([demo.path, healthy] + rule).expectOutput("\n2 stores: 1 with findings, 1 without findings.\n")
    #expect(try run([missing, missing + "2"]).output.hasSuffix("\n\nNone of 2 stores could be read.\n"))
    try run([demo.path, healthy, "--verbose"] + rule).expectErrors("storescope: \(healthy): opened ")
  }

  @Test func whatIsNoStoreIsSaid() throws {
    try run([demo.path, "history-bloat"]).expectErrors(status: 64, "Did you mean '--rule history-bloat'?")
    try demo.run("shell", "-c", "doctor \(healthy)", "--private").expectErrors("Unexpected argument")
    try Tool.run(["doctor", "--help"]).expectOutput("storescope doctor STORE… [OPTIONS]")
  }
}
