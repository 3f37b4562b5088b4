import Foundation
import SQLite
import TestSupport
import Testing

/// What people read before they change a store.
final class PlanTests: DemoSuite {
  private static let plans = [
    ["resync", "--pull"], ["resync", "--push"], ["resync", "--rescan"], ["reset"],
    ["reset", "--server-zone", "kept", "--discard-pending-deletes"], ["repair", "register-missing"],
    ["repair", "prune-history"], ["repair", "raise-max"], ["repair", "remove-orphan-records"],
  ]

  private func run(_ command: [String], _ path: String, _ more: String...) throws -> Tool.Result {
    let result = try Tool.run([command[0], path] + command.dropFirst() + more).expectDone()
    return result
  }

  /// The verdict came last, conditions were listed by the names that JSON has for them, tables by the framework's.
  @Test(arguments: plans) func verdictsComeFirst(_ command: [String]) throws {
    let text = try run(command, demo.path).output
    let plan = try run(command, demo.path, "--json").json().object("plan")
    let conditions = try plan.list("preconditions")
    for name in conditions.compactMap({ $0["name"] as? String }) { #expect(!text.contains("\(name):")) }
    for step in try plan.list("steps") {
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
    try run(command, demo.path).expectOutput(
      "Uploads are blocked in any case: iCloud storage is full. Free iCloud storage")
  }

  /// Findings vanished with the log that shows them, as if the reset had fixed them.
  @Test func whatVanishesWithTheLogIsNotFixed() throws {
    let reset = ["reset", "--server-zone", "emptied", "--discard-pending-deletes", "--rehearse"]
    let text = try run(reset, demo.path).output
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("event-quota-exceeded") })
    #expect(line.hasSuffix("not fixed: the event log that shows it is deleted"))
    #expect(text.contains("What blocks sync now (iCloud storage is full) isn't fixed by this"))
    // It had a blank, and "not rehearsed" without a reason.
    #expect(text.contains(/event-export-stale +1 +\? +unknown: The event log is empty/), "\(text)")
    try run(["resync", "--pull", "--rehearse"], demo.path).expectOutput(
      /event-quota-exceeded +1 +1 +unchanged/)
  }

  /// The whole plan came before what was found out, which was on the second screen.
  @Test func rehearsalsBeginWithTheirResult() throws {
    try run(["resync", "--pull", "--rehearse"], demo.path).expectOutput(
      begins: "Rehearsed in memory: resync --pull; nothing was changed\nsync before",
      "Can be applied: 2 rows change", "What can go wrong", lacks: "At the next launch", "Alternatives")
    try run(["resync", "--pull", "--rehearse", "--verbose"], demo.path).expectOutput(
      "At the next launch", "Alternatives")
  }

  /// What may be missing came before what was asked for.
  @Test func adviceComesBeforeTheMissingWAL() throws {
    for ending in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: demo.path + ending) }
    let lines = try run(["repair"], demo.path).output.split(separator: "\n")
    #expect(lines[0].contains("repair"), "\(lines)")
    #expect(lines.dropFirst().contains { $0.hasPrefix("No -wal file next to the store") }, "\(lines)")
  }

  /// A choice was demanded that made no difference.
  @Test func nobodyChoosesForNothing() throws {
    try run(["repair", "remove-orphan-records"], demo.path).expectOutput(
      "There is nothing to do", lacks: "--cloud")
  }

  /// Completion offers the log next to its backup, and the error said that there was no backup.
  @Test func aLogLeadsToItsBackup() throws {
    let made = try run(["resync", "--pull", "--apply", "--confirm", "Journeys.store"], demo.path, "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    let refused = try Tool.run(["restore", backup + ".log"]).expectErrors(
      status: 64, "is the log of a backup")
    #expect(refused.errors.hasSuffix("\n  storescope restore \(backup)\n"), "\(refused.errors)")
  }

  /// The answer was the last line, its reason was cut at 80 columns, and there was no command to paste.
  @Test func theRepairThatAppliesComesFirst() throws {
    let demo = try Demo {
      try $0.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Trip'")
    }
    let lines = try run(["repair"], demo.path).output.split(separator: "\n")
    // A command that is too long for the line has one of its own, which nothing breaks.
    let answer = lines.prefix(2).joined(separator: " ")
    #expect(answer.contains(/^1 repair applies: +storescope repair \S+ raise-max/), "\(lines)")
    #expect(lines.contains { $0.hasPrefix("Risk: low. The highest key") && !$0.contains("…") }, "\(lines)")
    #expect(lines.dropFirst().contains { $0.hasPrefix("No repair fixes this: iCloud storage is full.") })
  }

  /// What is seen afterward was said of the original, which doesn't change.
  @Test func whatFollowsIsSaidOfTheCopy() throws {
    let copy = demo.folder.path("Copy.store")
    let words = ["--server-zone", "emptied", "--discard-pending-deletes", "--on-copy"]
    try run(["reset"] + words + [copy], demo.path).expectOutput("'storescope pending \(copy)' rises")
  }

  /// Fifteen rows came with a warning of thousands of uploads.
  @Test func manyUploadsAreWarnedOf() throws {
    try run(["resync", "--push"], demo.path).expectOutput(lacks: "throttle")
    let numbers = "WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
    try demo.execute(
      """
      \(numbers) INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME)
        SELECT i, (SELECT Z_ENT FROM ZTAG), 1, i FROM n;
      \(numbers) INSERT INTO ANSCKRECORDMETADATA (Z_PK, Z_ENT, Z_OPT, ZENTITYID, ZENTITYPK, ZRECORDZONE, ZCKRECORDNAME)
        SELECT i, (SELECT Z_ENT FROM ANSCKRECORDMETADATA), 1, (SELECT Z_ENT FROM ZTAG), i, 1, 'name ' || i FROM n
      """)
    try run(["resync", "--push", "--entity", "Tag"], demo.path).expectOutput(
      /• 1,0\d\d uploads in a row can make CloudKit throttle/)
  }

  /// The reasons ran together, and nothing said whether anything had happened.
  @Test(arguments: [["--apply", "--confirm", "Journeys.store"], ["--rehearse"]])
  func refusalsListTheirReasons(_ options: [String]) throws {
    let before = try FolderSnapshot(demo.folder.path)
    let refused = try demo.run(["reset"] + options)
    let lines = refused.errors.split(separator: "\n")
    #expect(refused.status == 2 && lines.count == 3, "\(refused.errors)")
    #expect(lines[0].hasSuffix("and nothing was changed:"))
    #expect(lines[1].hasPrefix("• 4 pending deletions") && lines[1].contains("--discard-pending-deletes"))
    #expect(lines[2].hasPrefix("• The result depends") && lines[2].contains("--server-zone"))
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  /// A restore of the wrong backup was final, unless one knew what to do with the folder of the files it had replaced.
  @Test func aRestoreIsUndone() throws {
    let confirm = ["--confirm", "Journeys.store"]
    let made = try demo.run(["resync", "--push", "--apply", "--json"] + confirm)
    let now = try StoreContent(demo.path)
    let restored = try Tool.run(["restore", try #require(try made.json()["backup"] as? String)] + confirm)
      .expectDone()
    #expect(try StoreContent(demo.path) != now)
    let undo = try #require(restored.output.firstMatch(of: /To undo this:\n +storescope restore (.+)/)?.1)
    try demo.run("restore").expectOutput("storescope restore \(undo)\n")
    try Tool.run(["restore", String(undo)] + confirm).expectDone()
    #expect(try StoreContent(demo.path) == now)
    // It spoke of a manifest.
    try Tool.run(["restore", demo.folder.path("none.backup")])
      .expectRefused("There is no folder '\(demo.folder.path("none.backup"))'", "othing was changed")
  }

  /// `restore` said what it would replace only when it asked for consent, and never what would be lost.
  @Test func restoringIsRehearsed() throws {
    let made = try run(["resync", "--pull", "--apply", "--confirm", "Journeys.store"], demo.path, "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    let then = try FolderSnapshot(demo.folder.path)
    try Tool.run(["restore", backup, "--rehearse"]).expectOutput(
      "saved since  nothing, as far as history shows")
    #expect(try FolderSnapshot(demo.folder.path) == then)
    try demo.execute(
      """
      INSERT INTO ATRANSACTION (Z_PK, Z_ENT, Z_OPT, ZTIMESTAMP)
        SELECT 21, Z_ENT, 1, ZTIMESTAMP + 60 FROM ATRANSACTION WHERE Z_PK = 20
      """)
    let now = try FolderSnapshot(demo.folder.path)
    try Tool.run(["restore", backup, "--rehearse"]).expectDone().expectOutput(
      "saved since  transaction 21, the newest on Apr 18 08:03 UTC")
    let plan = try Tool.json(["restore", backup, "--rehearse"]).object("plan")
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
    let made = try run(["resync", "--pull", "--apply", "--confirm", "Journeys.store"], demo.path, "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    try demo.execute(sql)
    let text = try Tool.run(["restore", backup, "--rehearse"]).output
    #expect(text.contains(words), "\(text)")
    let json = try Tool.json(["restore", backup, "--rehearse"])
    let since = (json["plan"] as? [String: Any])?["savedSince"] as? [String: Any]
    #expect(since?["state"] as? String == state)
  }

  /// Commits were numbers without a time.
  @Test func commitsSayWhatWasSavedLast() throws {
    let json = try demo.json("summary", "--commits")
    let commits = try json.list("commits")
    #expect(commits.count > 2)
    for commit in commits {
      let number = try #require(commit["transaction"] as? Int)
      let ago = try #require(commit["commitsAgo"] as? Int)
      let state = try demo.json("summary", "--as-of-commit", "\(ago)")
      #expect((state["history"] as? [String: Any])?["last"] as? String == commit["saved"] as? String)
      #expect((state["history"] as? [String: Any])?["transactions"] as? Int == number)
    }
  }
}
