import Foundation
import TestSupport
import Testing

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// `fleet report`: one page about all stores of a run.
struct FleetReportTests {
  private let folder = TemporaryFolder("fleet-report")

  init() throws {
    var files = FleetFiles()
    let app: FleetFiles.Row = ["app": "com.secret.App", "appVersion": "1.0"]
    files.add(
      "/Secret/a.store", outcome: "blocked", rules: ["event-quota-exceeded", "token-expired"],
      app.merging([
        "errors": 2, "pending": 4, "pendingOldest": "2026-03-01T00:00:00.000000Z", "verdict": "blocked",
        "lastChange": "2026-03-03T00:00:00.000000Z", "launchWipes": true, "launch": "losesData",
      ]) { $1 })
    files.add(
      "/Secret/b.store", outcome: "atRisk", rules: ["token-expired"],
      app.merging([
        "appVersion": "2.0", "errors": 1, "pending": 1, "pendingOldest": "2026-03-02T23:00:00.000000Z",
        "verdict": "waiting", "lastChange": "2026-03-03T00:00:00.000000Z",
      ]) { $1 })
    files.add("/Secret/c.store", app)
    files.fail("/Secret/d.store")
    for (address, succeeded, code) in [("/Secret/a.store", false, 25), ("/Secret/b.store", true, 0)] {
      files.events.append([
        "address": address, "type": "export", "started": "2026-03-02T10:00:00.000000Z",
        "succeeded": succeeded,
        "errorDomain": succeeded ? NSNull() : "CKErrorDomain", "errorCode": succeeded ? NSNull() : code,
      ])
    }
    files.pending = [
      ["address": "/Secret/a.store", "kind": "upload", "reason": "Because.", "count": 3],
      ["address": "/Secret/a.store", "kind": "link", "reason": "Because.", "count": 1],
      ["address": "/Secret/b.store", "kind": "upload", "reason": "Because.", "count": 1],
    ]
    files.days = [
      ["address": "/Secret/a.store", "day": "2026-03-01", "transactions": 2, "changes": 5],
      ["address": "/Secret/b.store", "day": "2026-03-02", "transactions": 1, "changes": 7],
    ]
    try files.write("fleet", in: folder)
  }

  private func report(_ words: String...) throws -> Tool.Result {
    try folder.run(["fleet", "report"] + words, environment: ["SOURCE_DATE_EPOCH": "1776556800"])
  }

  @Test func theNumbersAreTheDatasets() throws {
    let json = try report("fleet", "-o", "-", "--json", "--include-values").json()
    #expect(json["schema"] as? String == "storescope/fleet-report/1")
    let stores = try json.object("stores")
    #expect(stores["found"] as? Int == 4 && stores["examined"] as? Int == 3 && stores["failed"] as? Int == 1)
    #expect(
      stores["outcomes"] as? [String: Int] == ["healthy": 1, "needsAttention": 0, "blocked": 1, "atRisk": 1])
    #expect(stores["launchWipes"] as? Int == 1 && stores["launchLosesData"] as? Int == 1)
    let findings = try json.list("findings")
    #expect(findings.map { $0["rule"] as? String } == ["token-expired", "event-quota-exceeded"])
    #expect(findings.map { $0["stores"] as? Int } == [2, 1])
    #expect(findings.map { $0["occurrences"] as? Int } == [4, 2])
    let versions = try findings[0].list("versions")
    #expect(versions.map { $0["appVersion"] as? String } == ["1.0", "2.0"])
    let pending = try json.object("pending")
    expectMembers(pending, ["changes": 5, "stores": 2, "hours50": 1, "hours90": 48])
    let events = try json.object("events")
    let failure = try #require((events["failures"] as? [[String: Any]])?.first)
    #expect(failure["error"] as? String == "CKErrorDomain 25" && failure["stores"] as? Int == 1)
    #expect((json["history"] as? [String: Int]) == ["transactions": 3, "changes": 12])
    let worst = try json.list("worst")
    #expect(worst.map { $0["address"] as? String } == ["/Secret/b.store", "/Secret/a.store"])
  }

  /// It is made to be shared: nothing of it shows whose stores they are, unless that is asked for.
  @Test(arguments: ["html", "markdown", "json"]) func itShowsNoValues(_ format: String) throws {
    let text = try report("fleet", "-o", "-", "--format", format, "--salt", "s").output
    expectText(text, "token-expired", lacks: "ecret")
    let whole = try report("fleet", "-o", "-", "--format", format, "--include-values").output
    #expect(format == "markdown" || whole.contains("com.secret.App"))
    #expect(!whole.contains("Secret's message"))
    #expect(try report("fleet", "-o", "-", "--format", format, "--salt", "s").output == text)
  }

  /// Only the number of addresses by kind of failure was shown, so that nobody knew where to look. What a failure says of
  /// a store may have names in it.
  @Test func unreadableAddressesAreListed() throws {
    let own = try report("fleet", "-o", "-", "--include-values").output
    #expect(own.contains("/Secret/d.store") && own.contains("s failure.</"))
    let shared = try report("fleet", "-o", "-").output
    #expect(shared.contains("Each of these addresses (1 of 1)") && !shared.contains("failure.</"))
    let json = try report("fleet", "-o", "-", "--json").json()
    let unread = try #require((json["unreadable"] as? [[String: Any]])?.first)
    #expect(unread["failure"] as? String == "damaged" && unread["message"] is NSNull)
  }

  /// It listed the worst stores without what is wrong with them.
  @Test func theWorstStoresHaveACause() throws {
    let json = try report("fleet", "-o", "-", "--json").json()
    let worst = try json.list("worst")
    #expect(
      worst.map { $0["cause"] as? String } == [
        "The history token's transaction is gone", "iCloud storage is full",
      ])
  }

  /// `wal-missing` was called a warning because the rule is one, although its findings were notes.
  @Test(arguments: ["info", "warning"]) func theSeverityIsTheFindings(_ severity: String) throws {
    var files = FleetFiles()
    files.add("/a", outcome: "needsAttention", rules: ["wal-missing"], severity: severity)
    try files.write("severity", in: folder)
    let json = try report("severity", "-o", "-", "--json").json()
    let finding = try #require((json["findings"] as? [[String: Any]])?.first)
    #expect(finding["severity"] as? String == severity)
  }

  /// A table whose only row was `(app not recorded)` stood below each rule.
  @Test(arguments: [nil, "1.0"]) func versionsAreShownIfThereAreAny(_ version: String?) throws {
    var files = FleetFiles()
    files.add(
      "/a", outcome: "atRisk", rules: ["token-expired"], ["appVersion": version.map { $0 as Any } ?? NSNull()]
    )
    try files.write("versions", in: folder)
    #expect(try report("versions", "-o", "-").output.contains("By app version") == (version != nil))
  }

  @Test func thePageHasAllParts() throws {
    let page = try report("fleet", "-o", "-", "--title", "Beta 3 <&>").output
    #expect(page.contains("<title>storescope report: Beta 3 &lt;&amp;&gt;: 33% healthy</title>"))
    for id in ["findings", "health", "versions", "sync", "errors", "pending", "history", "field", "stores"] {
      #expect(page.contains("id=\"\(id)\""), "\(id)")
    }
    // The name of XHTML is no address that anything is loaded from.
    let content = page.replacing(#" xmlns="http://www.w3.org/1999/xhtml""#, with: "")
    #expect(!content.contains("http://") && !content.contains("src="))
    #expect(XMLParser(data: Data(page.replacing("<!DOCTYPE html>", with: "").utf8)).parse())
  }

  /// Links lead to pages that are there, and to nothing else: an identifier may be made up.
  @Test func storesLeadToTheirReports() throws {
    var files = FleetFiles()
    files.add("/a", outcome: "atRisk")
    files.add("/b", outcome: "atRisk")
    files.add("/c", outcome: "atRisk", ["storeId": "../../\(String(repeating: "x", count: 58))"])
    try files.write("linked", in: folder)
    try folder.makeFolder("reports")
    try folder.write([], to: "reports/\(FleetFiles.id(1)).html")
    #expect(try report("linked", "-o", "linked.html").status == 0)
    let page = try folder.text("linked.html")
    #expect(
      page.matches(of: /href="reports\/[^"]*"/).map { String($0.0) } == [
        "href=\"reports/\(FleetFiles.id(1)).html\""
      ])
  }

  @Test func anotherFileIsNeverReplaced() throws {
    try folder.write(Array("mine".utf8), to: "notes.html")
    #expect(try report("fleet", "-o", "notes.html").status == 2)
    #expect(try report("fleet", "-o", "notes.html", "--force").status == 2)
    #expect(try folder.read("notes.html") == Array("mine".utf8))
    for ending in ["html", "md", "json"] {
      #expect(try report("fleet", "-o", "report.\(ending)").status == 0)
      #expect(try report("fleet", "-o", "report.\(ending)").status == 2)
      #expect(try report("fleet", "-o", "report.\(ending)", "--force").status == 0)
    }
    #expect(try report("fleet").status == 64)
    #expect(try report("fleet", "-o", "-", "--format", "csv").status == 64)
  }

  /// Datasets may come from strangers: what can't be one is named, with its line.
  @Test(
    arguments: [
      (#"{"address":"/b"}"# + "\n" + #"{"address":"/a"}"#, "isn't in the order of addresses"),
      (#"{"address":"/a"}"# + "\n[1]", "line 2"), ("{\"address\":", "line 1"), ("{}", "without an address"),
    ]) func aBrokenDatasetIsNamed(_ text: String, _ message: String) throws
  {
    try FleetFiles().write("broken", in: folder)
    try folder.write(Array(text.utf8), to: "broken/stores.ndjson")
    let result = try report("broken", "-o", "-")
    #expect(result.status == 2 && result.output.isEmpty)
    #expect(result.errors.contains(message) && result.errors.contains("stores.ndjson"), "\(result.errors)")
  }

  @Test func onlyAFinishedRunIsRead() throws {
    try FileManager.default.removeItem(atPath: folder.path("fleet/manifest.json"))
    let unfinished = try report("fleet", "-o", "-")
    #expect(unfinished.status == 2 && unfinished.errors.contains("isn't finished"), "\(unfinished.errors)")
    // Its datasets are written last: that they aren't there yet had been called a folder of something else.
    try folder.makeFolder("begun")
    try folder.write(Array("{}\n".utf8), to: "begun/unfinished.ndjson")
    let begun = try report("begun", "-o", "-")
    #expect(begun.status == 2 && begun.errors.contains("has an unfinished run"), "\(begun.errors)")
    let none = try report(".", "-o", "-")
    #expect(none.status == 2 && none.errors.contains("has no stores.ndjson"), "\(none.errors)")
  }

  /// `stores-10.ndjson` comes behind `stores-2.ndjson`, and no other file belongs to them.
  @Test func largeDatasetsAreReadInTheOrderOfTheirFiles() throws {
    try FleetFiles().write("parts", in: folder)
    for (name, address) in [
      ("stores", "/1"), ("stores-2", "/2"), ("stores-10", "/3"), ("stores-old", "/0"), ("storesx", "/0"),
    ] {
      let row = try FleetFiles.lines([["address": address, "outcome": "healthy"]])
      try folder.write(row, to: "parts/\(name).ndjson")
    }
    let result = try report("parts", "-o", "-", "--json")
    #expect((try result.json()["stores"] as? [String: Any])?["examined"] as? Int == 3, "\(result.errors)")
  }

  /// Names of everything in a fleet can be anybody's.
  @Test func hostileNamesStayText() throws {
    var files = FleetFiles()
    files.add(
      "/<script>\u{1B}[2J", outcome: "atRisk", rules: ["<b>rule\u{202E}"],
      ["app": "\"><img src=x>", "appVersion": "<i>", "modelVersions": ["<u>"], "pending": Int64.max])
    try files.write("hostile", in: folder)
    for words in [["-o", "-"], ["-o", "-", "--include-values"]] {
      try folder.run(["fleet", "report", "hostile"] + words).expectOutput(
        lacks: "<script>\u{1B}", "<img", "<b>rule", "<i>", "<u>", "\u{1B}")
    }
  }
}
