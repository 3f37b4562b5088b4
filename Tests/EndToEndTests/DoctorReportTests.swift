import Foundation
import SQLite
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `doctor` as code hosts and build servers read it.
final class DoctorReportTests: DemoSuite {
  private typealias Object = [String: Any]

  private func log(_ words: [String]) throws -> [Object] {
    let result = try Tool.run(["doctor"] + words + ["--format", "sarif"]).json()
    #expect(result["version"] as? String == "2.1.0")
    return try result.list("runs")
  }

  private func results(_ words: [String]) throws -> [Object] {
    try #require(try log(words).first?["results"] as? [Object])
  }

  /// The shape that https://docs.oasis-open.org/sarif/sarif/v2.1.0/ demands of what we use of it, and GitHub:
  /// https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
  @Test func sarifIsWhole() throws {
    let run = try #require(try log([demo.path]).first)
    let driver = try #require((run["tool"] as? Object)?["driver"] as? Object)
    #expect(driver["semanticVersion"] as? String == driver["version"] as? String)
    let rules = try driver.list("rules")
    for rule in rules {
      let help = try #require(rule["help"] as? [String: String])
      #expect(help["markdown"]?.contains("**Fix:** ") == true && help["text"]?.contains("Fix: ") == true)
    }
    #expect(((run["automationDetails"] as? Object)?["id"] as? String)?.hasSuffix("/Journeys.store/") == true)
    let results = try run.list("results")
    #expect(results.count == 5)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
      #expect(["error", "warning", "note"].contains(try #require(result["level"] as? String)))
      #expect((result["occurrenceCount"] as? Int ?? 0) > 0)
      #expect(result["baselineState"] == nil)
      let place = (result["locations"] as? [Object])?.first?["physicalLocation"] as? Object
      #expect((place?["region"] as? [String: Int])?["startLine"] == 1)
    }
  }

  /// An alert is recognized by it: on another machine, after another run, and not as that of another rule.
  @Test func fingerprintsStay() throws {
    let (demo, copy) = (try Demo(), try Demo())
    func prints(_ path: String) throws -> [String] {
      try results([path]).compactMap {
        ($0["partialFingerprints"] as? [String: String])?["primaryLocationLineHash"]
      }
    }
    let first = try prints(demo.path)
    #expect(first == (try prints(copy.path)) && Set(first).count == first.count && !first.isEmpty)
    #expect(first.allSatisfy { $0.hasSuffix(":1") })
  }

  /// A store that isn't mirrored had a notification for each of 44 rules that were skipped for the same reason.
  @Test func rulesThatAreSkippedShareANotification() throws {
    let folder = TemporaryFolder("doctor")
    let path = try SmallStores.healthy(in: folder, "a.store")
    let run = try #require(try log([path]).first)
    let invocation = try #require((run["invocations"] as? [Object])?.first)
    let notifications = try invocation.list("toolExecutionNotifications")
    let texts = notifications.compactMap { ($0["message"] as? [String: String])?["text"] }
    #expect(Set(texts).count == texts.count && texts.count < 5, "\(texts)")
    #expect(
      texts.contains { $0.firstMatch(of: /^\d\d rules skipped: The store is not mirrored/) != nil },
      "\(texts)")
  }

  /// As the specification has it, §3.27.24: what is new, what the baseline knows, and what is gone.
  @Test func statesFollowTheBaseline() throws {
    let rule = "relationship-dangling"
    func setTrip(_ trip: Int, of entries: ClosedRange<Int>, in path: String) throws {
      let keys = entries.map(String.init).joined(separator: ", ")
      _ = try Tool.run(
        "/usr/bin/sqlite3", [path, "UPDATE ZENTRY SET ZTRIP = \(trip) WHERE Z_PK IN (\(keys))"])
    }
    let baseline = demo.folder.path("baseline.json")
    try setTrip(900, of: 2...2, in: demo.path)
    _ = try demo.run("doctor", "--rule", rule, "--write-baseline", baseline)
    func result(_ rule: String) throws -> Object? {
      try results([demo.path, "--baseline", baseline]).first { $0["ruleId"] as? String == rule }
    }
    #expect(try result("event-quota-exceeded")?["baselineState"] as? String == "new")
    let unchanged = try result(rule)
    #expect(unchanged?["baselineState"] as? String == "unchanged")
    #expect((unchanged?["suppressions"] as? [Object])?.first?["status"] as? String == "accepted")
    try setTrip(900, of: 2...3, in: demo.path)
    #expect(try result(rule)?["baselineState"] as? String == "updated")
    try setTrip(1, of: 2...3, in: demo.path)
    let absent = try result(rule)
    // A rule that found nothing is no alert.
    #expect(absent?["baselineState"] as? String == "absent" && absent?["kind"] as? String == "pass")
    #expect(absent?["level"] as? String == "none")
  }

  // MARK: - JUnit

  private func junit(_ words: [String], environment: [String: String] = [:]) throws -> String {
    let text = try Tool.run(["doctor"] + words + ["--format", "junit"], environment: environment).output
    #expect(XMLParser(data: Data(text.utf8)).parse())
    return text
  }

  @Test func junitIsWellFormed() throws {
    let text = try junit([demo.path, "--fail-on", "warning"])
    #expect(text.contains("<testcase classname=\"storescope.Journeys.store\" name=\"event-quota-exceeded\""))
    #expect(text.contains("<failure type=\"warning\""))
    // "Nothing." stood alone, and nobody knew of what.
    expectText(text, "\nNext launch: ", "\nFix: ", "'storescope pending \(demo.path)'")
    #expect(text.firstMatch(of: /<testsuite [^>]* time="\d+\.\d{3}">/) != nil)
  }

  /// How long a rule takes is never the same twice.
  @Test func junitIsReproducible() throws {
    let texts = try (0..<2).map { _ in
      try junit([demo.path], environment: ["SOURCE_DATE_EPOCH": "1780000000"])
    }
    #expect(texts[0] == texts[1] && !texts[0].contains("time="))
  }

  @Test func aHealthyStoreHasSkippedTests() throws {
    let folder = TemporaryFolder("doctor")
    let path = try SmallStores.healthy(in: folder, "a.store")
    let text = try junit([path])
    expectText(text, "<skipped message=\"The store is not mirrored to CloudKit.\"/>", lacks: "<failure")
  }
}

/// What `repair` and `doctor` advise is what the store would take, and when it shows.
struct OfferedRepairTests {
  private static let unknownTable = "CREATE TABLE ANSCKNEWTHING (Z_PK INTEGER PRIMARY KEY)"
  private static let noZone = "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = NULL WHERE ZENTITYPK = 2"

  private func demo(_ statements: [String]) throws -> Demo {
    try Demo { edited in for statement in statements { try edited.connection.execute(statement) } }
  }

  /// The same repairs were listed as the fix, and then refused.
  @Test func whatWouldBeRefusedIsNotOffered() throws {
    let demo = try demo([Self.unknownTable, Self.noZone])
    let json = try demo.json("repair")
    #expect((json["advice"] as? [Any])?.isEmpty == true)
    let refused = try json.list("refused")
    let pull = try #require(refused.first { $0["operation"] as? String == "resync --pull" })
    #expect((pull["because"] as? String)?.contains("Only stores with the layouts V16 and V17") == true)
    try demo.run("repair").expectOutput("'resync --pull' isn't offered.")
    let findings = try demo.json("doctor").list("findings")
    let finding = try #require(findings.first { $0["rule"] as? String == "record-without-zone" })
    #expect((finding["remedy"] as? String)?.contains("can't be applied to this store") == true)
  }

  /// Applied once, it has nothing left to do until the app runs.
  @Test func whatWasDoneIsNotOfferedAgain() throws {
    let demo = try demo([
      Self.noZone, "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSIMPORT = 0, ZCURRENTCHANGETOKEN = x'00'",
    ])
    func offered() throws -> [String] {
      let advice = try demo.json("repair")["advice"] as? [[String: Any]] ?? []
      return advice.compactMap { $0["operation"] as? String }
    }
    #expect(try offered().contains("resync --pull"))
    try demo.run("resync", "--pull", "--apply", "--confirm", "Journeys.store").expectStatus()
    #expect(try !offered().contains("resync --pull"))
  }

  struct Later: Sendable {
    var edits: [String]
    var operation: [String]
    var rule: String
    var until: String
  }

  /// What only the next launch cures was reported as "unchanged".
  @Test(arguments: [
    Later(
      edits: [noZone], operation: ["resync", "--pull"], rule: "record-without-zone", until: "the next import"),
    Later(
      edits: ["UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRELATEDRECORDNAME = 'GONE', ZISPENDING = 0"],
      operation: ["resync", "--pull"], rule: "link-broken", until: "the next import"),
    Later(
      edits: ["UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = 999999 WHERE Z_PK = 2"],
      operation: ["resync", "--rescan"], rule: "record-transaction-ahead", until: "the next export"),
    Later(
      edits: ["UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77, ZNEEDSUPLOAD = 1 WHERE Z_PK = 2"],
      operation: ["repair", "remove-orphan-records", "--cloud", "delete"], rule: "record-entity-unknown",
      until: "the next export"),
  ])
  func whatShowsLaterIsSaid(_ later: Later) throws {
    let demo = try demo(later.edits)
    let result = try demo.run([later.operation[0]] + later.operation.dropFirst() + ["--rehearse"])
      .expectDone()
    let line = result.output.split(separator: "\n").first { $0.hasPrefix(later.rule) }
    #expect(line?.contains("goes away with \(later.until)") == true, "\(result.output)")
  }

  @Test func theListSaysItToo() throws {
    let demo = try demo([Self.noZone])
    let advice = try demo.json("repair")["advice"] as? [[String: Any]] ?? []
    let pull = try #require(advice.first { $0["operation"] as? String == "resync --pull" }, "\(advice)")
    #expect(pull["until"] as? String == "the next import")
    try demo.run("repair").expectOutput("Its effect shows with the next import.")
  }
}
