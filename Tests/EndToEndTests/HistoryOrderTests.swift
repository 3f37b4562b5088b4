import TestSupport
import Testing

/// History and events: the newest first where people read, the oldest first for machines.
struct HistoryOrderTests {
  private func lines(_ words: String...) throws -> [String] {
    let demo = try Demo()
    let result = try Tool.run([words[0], demo.path] + words.dropFirst())
    result.expectDone("\(words)")
    return result.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: ["table", "markdown"]) func peopleSeeTheNewestFirst(_ format: String) throws {
    let newest = try lines("history", "--format", format, "-n", "1")
    #expect(newest.contains { $0.contains("2026-04-18 08:02") && $0.contains("Attachment/p2") })
    #expect(newest.last?.hasPrefix("98 changes in 20 transactions") == true)
    #expect(newest.last?.contains("Newest first; 1 shown, -n 98 shows all.") == true)
    let oldest = try lines("history", "--format", format, "-n", "1", "--reverse")
    #expect(
      oldest.contains { $0.contains("2026-03-02 08:15") } && oldest.last?.contains("Oldest first") == true)
    let events = try lines("events", "--format", format, "-n", "1")
    #expect(events.contains { $0.contains("2026-04-16 06:45") }, "\(events)")
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
      },
      "\(deleted)")
    let trip = try lines("history", "--object", "Trip", "1", "--property", "budget")
    #expect(
      trip.contains {
        $0.contains("Trip/p1") && $0.contains("\"Spring in Lisbon\"") && $0.contains("updated")
      })
    #expect(trip.last == "1 change in 1 transaction, 2026-04-18. Newest first.")
  }

  /// A day as the end was its midnight, so that the day was left out.
  @Test(arguments: [
    (["history", "--since", "2026-04-18", "--until", "2026-04-18"], 1),
    (["history", "--until", "2026-03-02"], 3), (["history", "--until", "2026-04-18 08:02"], 20),
    (["history", "--until", "2026-04-18 08:01"], 19), (["history", "--until", "2026-04"], 20),
  ]) func daysHaveAnEnd(_ words: [String], _ transactions: Int) throws {
    let demo = try Demo()
    let changes = try Tool.json([words[0], demo.path] + words.dropFirst())["changes"] as? [[String: Any]]
    #expect(Set(changes?.compactMap { $0["transaction"] as? Int } ?? []).count == transactions)
  }

  @Test func eventsHaveAPeriod() throws {
    let demo = try Demo()
    func starts(_ words: String...) throws -> [String] {
      let events = try Tool.json(["events", demo.path] + words)["events"] as? [[String: Any]]
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

  @Test func anOldStoreSaysHowOld() throws {
    let lines = try lines("history", "--since", "2h")
    #expect(lines.last == "(no changes since then: the newest was saved 2026-04-18 08:02)")
  }
}
