import Foundation
import SQLite
import TestSupport
import Testing

/// What people read before they change a store.
struct PlanTests {
  private static let plans = [
    ["resync", "--pull"], ["resync", "--push"], ["resync", "--rescan"], ["reset"],
    ["reset", "--server-zone", "kept", "--discard-pending-deletes"], ["repair", "register-missing"],
    ["repair", "prune-history"], ["repair", "raise-max"], ["repair", "remove-orphan-records"],
  ]

  private func run(_ command: [String], _ path: String, _ more: String...) throws -> Tool.Result {
    let result = try Tool.run([command[0], path] + command.dropFirst() + more)
    result.expectDone()
    return result
  }

  /// The verdict came last, conditions were listed by the names that JSON has for them, tables by the framework's.
  @Test(arguments: plans) func verdictsComeFirst(_ command: [String]) throws {
    let demo = try Demo()
    let text = try run(command, demo.path).output
    let plan = try #require(try run(command, demo.path, "--json").json()["plan"] as? [String: Any])
    let conditions = try #require(plan["preconditions"] as? [[String: Any]])
    for name in conditions.compactMap({ $0["name"] as? String }) { #expect(!text.contains("\(name):")) }
    for step in try #require(plan["steps"] as? [[String: Any]]) {
      #expect(!text.contains(try #require(step["table"] as? String)))
    }
    let failed = conditions.filter { $0["holds"] as? Bool == false }
    let second = text.split(separator: "\n")[1]
    let rows = (plan["steps"] as? [[String: Any]])?.isEmpty == false
    #expect(
      second.hasPrefix(!failed.isEmpty ? "Can't be applied" : rows ? "Can be applied: " : "There is nothing"))
    for why in failed.compactMap({ $0["why"] as? String }) {
      // Commands in it name the store.
      #expect(text.contains(why.prefix(60)), "\(why)")
    }
  }

  /// All exports of the demo store fail, and no plan mentioned it.
  @Test(arguments: [["resync", "--push"], ["resync", "--pull"], ["reset"]])
  func plansSayWhatBlocksUploads(_ command: [String]) throws {
    let demo = try Demo()
    #expect(
      try run(command, demo.path).output.contains(
        "Uploads are blocked in any case: iCloud storage is full. Free iCloud storage"))
  }

  /// Findings vanished with the log that shows them, as if the reset had fixed them.
  @Test func whatVanishesWithTheLogIsNotFixed() throws {
    let demo = try Demo()
    let reset = ["reset", "--server-zone", "emptied", "--discard-pending-deletes", "--rehearse"]
    let text = try run(reset, demo.path).output
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("event-quota-exceeded") })
    #expect(line.hasSuffix("not fixed: the event log that shows it is deleted"))
    #expect(text.contains("What blocks sync now (iCloud storage is full) isn't fixed by this"))
    let pull = try run(["resync", "--pull", "--rehearse"], demo.path).output
    #expect(pull.contains(/event-quota-exceeded +1 +1 +unchanged/))
  }

  /// `restore` said what it would replace only when it asked for consent, and never what would be lost.
  @Test func restoringIsRehearsed() throws {
    let demo = try Demo()
    let made = try run(["resync", "--pull", "--apply", "--confirm", "Journeys.store"], demo.path, "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    let then = try FolderSnapshot(demo.folder.path)
    #expect(
      try Tool.run(["restore", backup, "--rehearse"]).output.contains(
        "saved since  nothing, as far as history shows"))
    #expect(try FolderSnapshot(demo.folder.path) == then)
    let connection = try Connection(
      path: demo.path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
    try connection.execute(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
        SELECT 21, Z_ENT, 1, ZTIMESTAMP + 60 FROM ATRANSACTION WHERE Z_PK = 20
      """)
    connection.close()
    let now = try FolderSnapshot(demo.folder.path)
    let result = try Tool.run(["restore", backup, "--rehearse"])
    result.expectDone()
    #expect(
      result.output.contains("saved since  transaction 21, the newest on Apr 18 08:03 UTC"),
      "\(result.output)")
    let plan = try #require(
      try Tool.run(["restore", backup, "--rehearse", "--json"]).json()["plan"] as? [String: Any])
    #expect(
      plan["replaces"] as? Bool == true && (plan["savedSince"] as? [String: Any])?["last"] as? Int == 21)
    #expect(try FolderSnapshot(demo.folder.path) == now)
  }

  /// Only the highest numbers were compared, and the latest time was taken for the last transaction's.
  @Test(arguments: [
    (
      "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - 600 WHERE Z_PK = 20", "diverged",
      "transaction 20 isn't the same one, the newest on Apr 18 07:52 UTC"
    ),
    (
      "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) SELECT 21, ZTIMESTAMP - 600 FROM ATRANSACTION WHERE Z_PK = 20",
      "transactions", "transaction 21, the newest on Apr 18 07:52 UTC"
    ),
  ])
  func transactionsAreComparedByTheirTimes(_ sql: String, _ state: String, _ words: String) throws {
    let demo = try Demo()
    let made = try run(["resync", "--pull", "--apply", "--confirm", "Journeys.store"], demo.path, "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    let connection = try Connection(
      path: demo.path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
    try connection.execute(sql)
    connection.close()
    let text = try Tool.run(["restore", backup, "--rehearse"]).output
    #expect(text.contains(words), "\(text)")
    let json = try Tool.run(["restore", backup, "--rehearse", "--json"]).json()
    let since = (json["plan"] as? [String: Any])?["savedSince"] as? [String: Any]
    #expect(since?["state"] as? String == state)
  }

  /// Commits were numbers without a time.
  @Test func commitsSayWhatWasSavedLast() throws {
    let demo = try Demo()
    let json = try Tool.json(["summary", demo.path, "--commits"])
    let commits = try #require(json["commits"] as? [[String: Any]])
    #expect(commits.count > 2)
    for commit in commits {
      let number = try #require(commit["transaction"] as? Int)
      let ago = try #require(commit["commitsAgo"] as? Int)
      let state = try Tool.json(["summary", demo.path, "--as-of-commit", "\(ago)"])
      #expect((state["history"] as? [String: Any])?["last"] as? String == commit["saved"] as? String)
      #expect((state["history"] as? [String: Any])?["transactions"] as? Int == number)
    }
  }
}
