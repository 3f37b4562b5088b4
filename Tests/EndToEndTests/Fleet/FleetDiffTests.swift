import Foundation
import TestSupport
import Testing

/// `fleet diff`: what changed between two runs over a fleet.
struct FleetDiffTests {
  private let folder: TemporaryFolder

  /// One of each kind of change, and some stores that stay as they are.
  init() throws {
    folder = try TemporaryFolder("fleet-diff")
    var (before, after) = (FleetFiles(), FleetFiles())
    before.add("/a", outcome: "blocked", rules: ["event-quota-exceeded", "token-expired"])
    after.add("/a", outcome: "atRisk", rules: ["token-expired", "record-orphaned"])
    before.add("/b")
    after.add("/b")
    before.fail("/c", "timedOut")
    after.add("/c", outcome: "atRisk", rules: ["token-expired"])
    before.add("/d", outcome: "atRisk", rules: ["token-expired"])
    before.add("/from", outcome: "atRisk", uuid: "moved", rules: ["token-expired"])
    after.add("/new", outcome: "healthy")
    after.add("/to", outcome: "healthy", uuid: "moved")
    try before.write("before", in: folder)
    try after.write("after", in: folder)
  }

  private func diff(_ words: String...) throws -> Tool.Result {
    try Tool.run(["fleet", "diff"] + words, in: folder.path)
  }

  @Test func eachKindOfChangeIsListed() throws {
    let json = try diff("before", "after", "--json").json()
    #expect(json["schema"] as? String == "storescope/fleet-diff/1")
    let changes = try #require(json["changes"] as? [[String: Any]]).map { change in
      ["change", "address", "formerAddress", "rule", "before", "after"].compactMap { change[$0] as? String }
        .joined(separator: " ")
    }
    #expect(
      changes == [
        "newStore /new healthy", "goneStore /d atRisk", "movedStore /to /from atRisk healthy",
        "outcome /a blocked atRisk", "outcome /c timedOut atRisk", "outcome /to /from atRisk healthy",
        "newFinding /a record-orphaned", "goneFinding /a event-quota-exceeded",
        "goneFinding /to /from token-expired",
      ])
    let stores = try #require(json["stores"] as? [String: Int])
    #expect(
      stores == ["before": 5, "after": 5, "same": 4, "new": 1, "gone": 1, "moved": 1, "outcomeChanged": 3])
  }

  /// A store that nobody could read before, or that is gone, had no findings that could be new or gone.
  @Test func rulesAreCountedInBothRuns() throws {
    let json = try diff("before", "after", "--json").json()
    let rules = try #require(json["rules"] as? [[String: Any]]).map { rule in
      ["before", "after", "new", "gone"].compactMap { rule[$0] as? Int }.map(String.init)
        .joined(separator: " ") + " \(rule["rule"] ?? "")"
    }
    #expect(
      rules == ["1 0 0 1 event-quota-exceeded", "0 1 1 0 record-orphaned", "3 2 0 1 token-expired"])
  }

  @Test func peopleReadASentenceFirst() throws {
    let result = try diff("before", "after")
    #expect(
      result.output.hasPrefix(
        "1 new finding, 2 findings gone, 3 stores with another outcome, 1 new store, 1 store gone, 1 store moved; 4 stores in both runs.\n"
      ), "\(result.output)")
    for line in [
      "outcome       blocked, now at risk", "timed out, now at risk", "from /from", "finding gone",
    ] {
      #expect(result.output.contains(line), "\(result.output)")
    }
  }

  @Test func exitCodesAreThoseOfDiff() throws {
    #expect(try diff("before", "after").status == 0)
    #expect(try diff("before", "after", "--exit-code").status == 1)
    let same = try diff("after", "after", "--exit-code")
    #expect(same.status == 0)
    #expect(same.output == "No difference: 5 stores with the same findings.\n")
    // The one that nobody could read was counted as a store with the same findings.
    #expect(
      try diff("before", "before").output
        == "No difference: 4 stores with the same findings; 1 address couldn't be examined in either run.\n")
    #expect(try diff("before").status == 64)
    #expect(try diff("before", "after", "--format", "html").status == 64)
  }

  @Test func programsGetRows() throws {
    let csv = try diff("before", "after", "--format", "csv").output.split(whereSeparator: \.isNewline)
    #expect(csv.first == "change,address,formerAddress,rule,severity,title,before,after")
    #expect(csv.count == 10)
    let lines = try diff("before", "after", "--format", "ndjson").output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 9)
  }

  /// Two copies of a store have one identifier: which of them was moved can't be known.
  @Test func copiesAreNotTakenForEachOther() throws {
    var (one, two) = (FleetFiles(), FleetFiles())
    for name in ["/1", "/2"] { one.add(name, uuid: "same") }
    for name in ["/3", "/4"] { two.add(name, uuid: "same") }
    try one.write("one", in: folder)
    try two.write("two", in: folder)
    let stores = try #require(try diff("one", "two", "--json").json()["stores"] as? [String: Int])
    #expect(stores["moved"] == 0 && stores["new"] == 2 && stores["gone"] == 2)
  }
}
