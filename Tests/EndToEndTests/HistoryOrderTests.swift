import Foundation
import SQLite
import TestSupport
import Testing

/// History and events: the newest first where people read, the oldest first for machines.
final class HistoryOrderTests: DemoSuite {
  /// Dates of the year that is on the calendar have no year.
  private static let year = ["SOURCE_DATE_EPOCH": "1780000000"]

  private func lines(_ words: String...) throws -> [String] {
    let result = try demo.run(words, environment: Self.year).expectDone("\(words)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["table", "markdown"]) func peopleSeeTheNewestFirst(_ format: String) throws {
    let newest = try lines("history", "--format", format, "-n", "1")
    #expect(newest.contains { $0.contains("Apr 18 08:02") && $0.contains("Attachment/p2") })
    #expect(newest.contains("98 changes in 20 transactions, Mar 2 to Apr 18 UTC. Newest first."))
    #expect(newest.last == "… and 97 more of 98: --limit 98 shows them all")
    let oldest = try lines("history", "--format", format, "-n", "1", "--reverse")
    #expect(
      oldest.contains { $0.contains("Mar  2 08:15") } && oldest.contains { $0.contains("Oldest first") })
    let events = try lines("events", "--format", format, "-n", "1")
    #expect(events.contains { $0.contains("Apr 16 06:45") }, "\(events)")
  }

  @Test(arguments: ["csv", "ndjson"]) func machinesSeeTheOldestFirst(_ format: String) throws {
    #expect(try lines("history", "--format", format, "-n", "1").last?.contains("2026-03-02") == true)
    #expect(
      try lines("history", "--format", format, "-n", "1", "--reverse").last?.contains("2026-04-18") == true)
    #expect(
      try lines("events", "--format", format, "-n", "1", "--reverse").last?.contains("2026-04-16") == true)
  }

  /// Whose and when is said once per transaction; a tombstone is called one; objects have titles.
  @Test func changesAreTold() throws {
    let deleted = try lines("history", "--change", "delete", "--entity", "Trip")
    #expect(
      deleted.contains {
        $0.contains("\"Somewhere warm?\"") && $0.contains("deleted") && $0.contains("tombstone {")
      }, "\(deleted)")
    let trip = try lines("history", "--object", "Trip/p1", "--property", "budget")
    #expect(
      trip.contains {
        $0.contains("Trip/p1") && $0.contains("\"Spring in Lisbon\"") && $0.contains("updated")
      })
    #expect(trip.last == "1 change in 1 transaction, Apr 18 UTC. Newest first.")
    // "What exactly changed" isn't in history, and nothing said where it is.
    let older = try lines("history", "Trip/p1", "--property", "mood")
    #expect(older.last?.contains("Trip/p1' shows old and new values") == true, "\(older)")
    // Of a few changes, the object is one of them; of many, it's one that nobody has chosen yet.
    let save = try lines("history", "--at", "Apr 18 08:02")
    #expect(save.last?.contains("OBJECT' shows old and new values") == true, "\(save)")
    #expect(try !lines("history", "-n", "3").contains { $0.contains("shows values") })
  }

  /// The answer to "What exactly did it change?" was on the second page of `trace`.
  @Test func valuesOfTheNewestUpdateAreShown() throws {
    let words = ["history", demo.path, "Trip/p1", "--at", "Apr 18 08:02"]
    try Tool.run(words, environment: ["COLUMNS": "80"]).expectOutput("budget (1249.5 → 1312.4)")
    let changes = try Tool.json(words).list("changes")
    #expect(changes.map { $0["before"] as? [String: Double] } == [["budget": 1249.5]])
    let all = try demo.json("history", "Trip/p1").list("changes")
    #expect(all.count > 1 && all.dropLast().allSatisfy { $0["before"] == nil } && all.last?["before"] != nil)
    let moved = try Demo { try $0.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    try moved.run("history", "Trip/p1").expectOutput("shows old and new values")
  }

  /// `properties`, which most deletions lack, was kept, and the names of what was deleted were left out.
  @Test func narrowListsOfDeletionsHaveTitles() throws {
    let words = ["history", demo.path, "--change", "delete"]
    try Tool.run(words, environment: ["COLUMNS": "80"]).expectOutput("\"Ideas\"", "Not shown: properties")
  }

  /// The columns that a narrow table's note tells to name turned the list round, with other dates, words and no authors.
  @Test func namedColumnsAreThoseOfTheTable() throws {
    let named = try lines("history", "--columns", "timestamp,author,change", "-n", "1")
    #expect(named[2].contains(/^Apr 18 08:02 +app +deleted$/), "\(named)")
    let unnamed = try lines("history", "--no-author", "--columns", "author,object", "-n", "1")
    #expect(unnamed[2].contains("(none, Journeys)"), "\(unnamed)")
    // What the table lacks is in the data only, whose order is the file's.
    let process = try lines("history", "--columns", "timestamp,process", "-n", "1")
    #expect(process[2].contains("2026-03-02"), "\(process)")
  }

  /// Local time was ignored here, and nothing said whose time it was.
  @Test(arguments: [
    (["history", "-n", "1"], "Apr 18 04:02"), (["doctor", "--fail-on", "never"], "since Apr 15 15:20, and"),
    (["doctor", "--fail-on", "never", "--format", "markdown"], "since Apr 15 15:20, and"),
    (["rows", "Entry", "-n", "1"], "2026-03-20 12:30:00"), (["summary"], "Apr 18 04:02"),
  ]) func localTimesNameTheirZoneOnce(words: [String], time: String) throws {
    let result = try demo.run(
      words + ["--local"], environment: Self.year.merging(["TZ": "America/New_York"]) { $1 }
    ).expectDone("\(words)")
    #expect(result.output.contains(time), "\(result.output)")
    let lines = result.output.split(separator: "\n").filter {
      $0.hasPrefix("Times are local (America/New_York")
    }
    #expect(lines.count == 1 && result.output.ranges(of: "New_York").count == 1)
    #expect(!result.output.contains("UTC"))
  }

  /// A day as the end was its midnight, so that the day was left out.
  @Test(arguments: [
    (["history", "--since", "2026-04-18", "--until", "2026-04-18"], 1),
    (["history", "--until", "2026-03-02"], 3), (["history", "--until", "2026-04-18 08:02"], 20),
    (["history", "--until", "2026-04-18 08:01"], 19), (["history", "--until", "2026-04"], 20),
  ]) func daysHaveAnEnd(_ words: [String], _ transactions: Int) throws {
    let changes = try demo.json(words)["changes"] as? [[String: Any]]
    #expect(Set(changes?.compactMap { $0["transaction"] as? Int } ?? []).count == transactions)
  }

  @Test func eventsHaveAPeriod() throws {
    func starts(_ words: String...) throws -> [String] {
      let events = try demo.json(["events"] + words)["events"] as? [[String: Any]]
      return events?.compactMap { $0["started"] as? String } ?? []
    }
    let all = try starts()
    let day = try #require(all.last?.prefix(10)).description
    #expect(try starts("--since", day) == all.filter { $0 >= day })
    #expect(try starts("--until", day) == all)
    #expect(try starts("--since", day, "--until", day) == all.filter { $0.hasPrefix(day) })
  }

  @Test func groupsAreTurnedRound() throws {
    let days = try lines("history", "--by", "day", "--format", "csv").dropFirst()
    let reversed = try lines("history", "--by", "day", "--format", "csv", "--reverse").dropFirst()
    #expect(Array(days) == reversed.reversed() && days.count > 2)
  }

  /// "Changes per week" was printed.
  @Test func daysAreBars() throws {
    let chart = try lines("history", "--by", "day", "--chart")
    #expect(
      chart.contains("Changes per day (UTC)")
        && chart.contains { $0.hasPrefix("2026-03-02 ") && $0.hasSuffix(" 29") })
  }

  /// `10:31` meant today, months after the last change, and the answer was that there are none.
  @Test(arguments: [
    (
      ["history", "--since", "2026-05-01 10:31"],
      "(no changes since May 1 10:31 UTC; the newest was saved Apr 18 08:02 UTC)"
    ),
    (
      ["history", "--since", "2026-05-01 10:31", "--by", "author"],
      "(no changes since May 1 10:31 UTC; the newest was saved Apr 18 08:02 UTC)"
    ),
    (["history", "--until", "2026-01-31"], "(no changes until Jan 31 23:59 UTC)"),
    (
      ["history", "--since", "2026-04-01", "--until", "2026-04-01"],
      "(no changes from Apr 1 00:00 to Apr 1 23:59 UTC)"
    ),
    (["events", "--since", "2026-05-01 10:31"], "(no events since May 1 10:31 UTC)"),
  ]) func anEmptyAnswerShowsWhichTimeWasUnderstood(_ words: [String], _ last: String) throws {
    let result = try demo.run(words, environment: Self.year)
    #expect(result.output.split(separator: "\n").last.map(String.init) == last)
  }

  @Test func aTimeAloneIsOfToday() throws {
    let last = try #require(try lines("history", "--since", "10:31").last)
    expectText(last, begins: "(no changes since ", ends: "; the newest was saved Apr 18 08:02 UTC)")
  }

  /// A change without an author looked like one more of the transaction above it.
  @Test func noAuthorIsNamed() throws {
    let nobody = try lines("history", "--no-author", "-n", "1")
    #expect(nobody.contains { $0.hasPrefix("Mar 29 03:00           13  (none, Journeys)") }, "\(nobody)")
    #expect(try lines("history", "--by", "author").contains { $0.hasPrefix("(none)") })
  }

  /// The error's code was cut, and what it means was repeated with each of them.
  @Test func errorsAreExplainedOnce() throws {
    let events = try lines("events").joined(separator: "\n")
    #expect(events.components(separatedBy: "failed: CKErrorDomain 25 (quotaExceeded)").count == 3)
    #expect(events.components(separatedBy: "Storage is full").count == 2)
    #expect(events.contains("downloads continue."), "sentences aren't cut in files")
  }
}
