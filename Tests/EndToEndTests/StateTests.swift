import Foundation
import SQLite
import TestSupport
import Testing

/// What `pending`, `trace`, `summary`, plans and `diff` say of a store after something was done to it.
struct StateTests {
  private func applied(_ words: String...) throws -> Demo {
    let demo = try Demo()
    let result = try Tool.run(
      [words[0], demo.path] + words.dropFirst() + ["--apply", "--confirm", "Journeys.store"])
    result.expectDone()
    return demo
  }

  private func changed(_ sql: String) throws -> Demo {
    try Demo { try $0.connection.execute(sql) }
  }

  private func items(_ demo: Demo) throws -> [[String: Any]] {
    try #require(try Tool.json(["pending", demo.path])["pending"] as? [[String: Any]])
  }

  // MARK: Purged history

  /// The date of the first transaction left was given as the beginning, and no transaction looked like no author.
  @Test func purgedHistoryIsNotTakenForTheWhole() throws {
    let demo = try applied("repair", "prune-history")
    let text = try Tool.run(["pending", demo.path]).output
    #expect(text.contains(/Trip\/p1 Spring in Lisbon +Apr 18 08:02  or earlier; app/), "\(text)")
    #expect(text.contains(/City\/p1 Lisbon +history purged/), "\(text)")
    #expect(text.contains("the oldest Apr 14 10:11 or earlier"), "\(text)")
    // Inserted in what is left, so that nothing can have come before.
    #expect(text.contains(/Entry\/p9 Golden Pavilion +Apr 16 13:47  app/), "\(text)")
    #expect(!text.contains("no author"), "\(text)")
    #expect(try Tool.run(["summary", demo.path]).output.contains("since Apr 14 or earlier ('pending')"))
    #expect(try Tool.run(["pending", demo.path, "--no-author"]).output.contains("0 of 25 pending"))
    #expect(try Tool.run(["pending", demo.path, "--all"]).output.contains("app, or earlier"))
  }

  @Test(arguments: ["City/p1", "Trip/p1", "Trip/p4"])
  func tracesShowTheMirrorsRunsOfPurgedTimes(_ object: String) throws {
    let demo = try applied("repair", "prune-history")
    let text = try Tool.run(["trace", demo.path, object]).output
    #expect(text.contains("Older history was purged, so changes before this aren't known."), "\(text)")
    #expect(text.contains("Mar 29 02:59  Export succeeded"), "\(text)")
    #expect(text.contains("CKErrorDomain 25 (quotaExceeded), twice in a row"), "\(text)")
    #expect(!text.contains("no transaction shows why"), "\(text)")
  }

  @Test func tracesOfNoHistoryAtAllStillHaveEvents() throws {
    let demo = try changed("DELETE FROM ACHANGE; DELETE FROM ATRANSACTION")
    let text = try Tool.run(["trace", demo.path, "City/p1"]).output
    #expect(text.contains("History was purged, so its changes aren't known."), "\(text)")
    #expect(text.contains("CKErrorDomain 25 (quotaExceeded), twice in a row"), "\(text)")
  }

  @Test func wholeHistoryIsNotCalledPurged() throws {
    let demo = try Demo()
    for words in [
      ["pending", demo.path], ["pending", demo.path, "--all"], ["trace", demo.path, "City/p1"],
    ] {
      let text = try Tool.run(words).output
      #expect(!text.contains("purged") && !text.contains("or earlier"), "\(text)")
    }
  }

  // MARK: Processed again

  /// What the server has already was listed as not processed yet, and dated back to the first transaction.
  @Test func rescansOnlyRepeatWhatTheServerHas() throws {
    let demo = try applied("resync", "--rescan")
    let text = try Tool.run(["pending", demo.path]).output
    #expect(text.contains("5 saved objects not processed yet"), "\(text)")
    #expect(
      text.contains("19  processed again by the next export; probably on the server already"), "\(text)")
    #expect(text.contains(/Entry\/p4 Tram 28 +Apr 18 08:02  app/), "\(text)")
    let summary = try Tool.run(["summary", demo.path]).output
    #expect(
      summary.contains(
        "44 changes pending since Mar 29, 19 of them probably on the server already ('pending')."),
      "\(summary)")
    let trace = try Tool.run(["trace", demo.path, "Entry/p2"]).output
    #expect(trace.contains("The server probably has it already."), "\(trace)")
    let own = try Tool.run(["trace", demo.path, "Entry/p9"]).output
    #expect(!own.contains("probably has it already"), "\(own)")
  }

  /// A record without anything from the server proves nothing, however old its changes are.
  @Test func withoutACopyNothingIsOnTheServer() throws {
    let demo = try changed(
      """
      DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey';
      UPDATE ANSCKRECORDMETADATA SET ZENCODEDRECORDASSET = NULL, ZSYSTEMFIELDSASSET = NULL
      """)
    #expect(try items(demo).allSatisfy { !($0["reason"] as? String ?? "").contains("probably") })
    #expect(!(try Tool.run(["pending", demo.path]).output.contains("processed again")))
  }

  // MARK: Risks

  /// Risks were the same words for every store.
  @Test(arguments: [
    ("prune-history", "", "medium"),
    ("prune-history", "UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 0", "low"),
    ("prune-history", "DELETE FROM ATRANSACTION WHERE Z_PK = 17", "high"), ("clear-events", "", "low"),
    ("clear-events", "UPDATE ANSCKEVENT SET ZSUCCEEDED = 1, ZENDEDAT = ZSTARTEDAT", "none"),
  ])
  func risksFollowTheState(_ repair: String, _ sql: String, _ risk: String) throws {
    let demo = try changed(sql)
    let text = try Tool.run(["repair", demo.path, repair]).output
    // Help gives the usual risk, which looked like a contradiction.
    let usual = repair == "clear-events" ? "none" : "low"
    let words = risk == usual ? "risk: \(risk)" : "risk here: \(risk), usually \(usual)"
    #expect(text.hasPrefix("Plan: repair \(repair) (\(words))\n"), "\(text)")
    let losesAuthors = text.contains("pending changes lose the history that shows who made them and when")
    #expect(losesAuthors == (risk == "medium"), "\(text)")
    #expect(
      text.contains("The record of the failures is lost") == (repair == "clear-events" && risk == "low"))
  }

  /// Which deletion may be lost wasn't said, and how much is done again neither.
  @Test func aRescanNamesWhatItMayLose() throws {
    let demo = try Demo()
    // Only with --verbose does a rehearsal show all of the plan, which follows its result.
    let text = try Tool.run(["resync", demo.path, "--rescan", "--rehearse", "--verbose"]).output
    #expect(text.contains("\nPlan: resync --rescan (risk here: medium, usually low)\n"), "\(text)")
    #expect(
      text.contains("What can go wrong\n• 1 deletion (Attachment/p2 \"ticket.txt\") that isn't"), "\(text)")
    #expect(text.contains("That is 40 objects in 20 transactions."), "\(text)")
    #expect(text.contains("falls to 0 once exports succeed."), "\(text)")
    #expect(text.contains(/token-missing +0 +1  intended: goes away with the next export/), "\(text)")
  }

  @Test func pruningSaysHowItReadsADate() throws {
    let demo = try Demo()
    let text = try Tool.run(["repair", demo.path, "prune-history", "--before", "2026-04-01"]).output
    #expect(text.contains("Only transactions saved before Apr 1 00:00 UTC are deleted."), "\(text)")
  }

  /// What a push flags is on the server already.
  @Test func aPushIsNotTakenForNewChanges() throws {
    let pushed = try applied("resync", "--push")
    let text = try Tool.run(["doctor", pushed.path]).output
    #expect(text.contains("66 changes are pending, some of which may already be on the server."), "\(text)")
    let demo = try Demo()
    #expect(try Tool.run(["doctor", demo.path]).output.contains("25 changes exist only on this device."))
    let trace = try Tool.run(["trace", pushed.path, "Entry/p2"]).output
    #expect(trace.contains(": on the server, but to be uploaded again, blocked."), "\(trace)")
  }

  // MARK: Who

  /// Each object was credited to the first author alone.
  @Test(arguments: [("widget", 1), ("app", 16), ("import", 3)])
  func pendingFindsEveryAuthor(_ author: String, _ count: Int) throws {
    let demo = try Demo()
    let text = try Tool.run(["pending", demo.path, "--author", author]).output
    // Scripts group by author, and got one whom they had filtered away.
    let items = try Tool.json(["pending", demo.path, "--author", author])["pending"] as? [[String: Any]]
    #expect(
      items?.allSatisfy { $0["author"] as? String == author || $0["laterAuthor"] as? String == author }
        == true)
    #expect(text.contains("\n\(count) of 25 pending (--author \(author))"), "\(text)")
  }

  @Test func savesWithoutAnAuthorAreNoUnknownOnes() throws {
    let demo = try Demo()
    let result = try Tool.run(["query", demo.path, "pending-by-author", "--format", "csv"])
    #expect(result.output.contains("\n(none),2,1,") && result.output.contains("\n,4,0,,"), "\(result.output)")
  }

  @Test func traceShowsTheNewestOfSeveralChanges() throws {
    let demo = try Demo()
    let text = try Tool.run(["trace", demo.path, "Trip/p1"]).output
    #expect(
      text.contains(
        "Changed by app on Apr 2 18:22 after its last export, most recently by app on Apr 18 08:02."),
      "\(text)")
  }

  @Test(arguments: ["9e999", "-9e999", "1e300"]) func tracesOfImpossibleDates(_ date: String) throws {
    let demo = try changed(
      "UPDATE ZTRIP SET ZSTARTDATE = \(date); UPDATE ATRANSACTION SET ZTIMESTAMP = \(date); UPDATE ANSCKEVENT SET ZSTARTEDAT = \(date), ZENDEDAT = \(date)"
    )
    for words in [["trace", demo.path, "Trip/p1"], ["trace", demo.path, "Trip/p1", "--json"]] {
      try Tool.run(words).expectDone()
    }
  }

  /// Record names are UUIDs, which people copy from anywhere.
  @Test func tracesFindRecordNamesInOtherSpellings() throws {
    let demo = try Demo()
    let records = try #require(try Tool.json(["records", demo.path])["records"] as? [[String: Any]])
    let record = try #require(records.first { $0["entity"] as? String == "Trip" })
    let name = try #require(record["recordName"] as? String)
    let traced = try Tool.json(["trace", demo.path, name])["object"] as? String
    #expect(traced?.hasPrefix("Trip/p") ?? false)
    for spelling in [name.lowercased(), name.uppercased()] {
      #expect(try Tool.json(["trace", demo.path, spelling])["object"] as? String == traced, "\(spelling)")
    }
  }

  // MARK: Silence

  /// That exports weren't even tried for weeks was left to the reader.
  @Test(arguments: [["pending"], ["doctor"], ["report", "-o", "-", "--format", "markdown"]])
  func aGapInTheLogIsSaid(_ words: [String]) throws {
    let demo = try Demo()
    let text = try Tool.run([words[0], demo.path] + words.dropFirst()).output
    #expect(text.contains("No export was logged from "), "\(text)")
    let short = try changed("UPDATE ANSCKEVENT SET ZSTARTEDAT = ZSTARTEDAT / 1e6, ZENDEDAT = ZENDEDAT / 1e6")
    #expect(!(try Tool.run([words[0], short.path] + words.dropFirst()).output.contains("was logged from")))
  }

  // MARK: Two histories

  /// It looked like changes and a loss.
  @Test func divergedStoresSaySoFirst() throws {
    let demo = try Demo()
    let other = try changed("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 5 WHERE Z_PK > 18")
    let text = try Tool.run(["diff", demo.path, other.path]).output
    #expect(
      text.split(separator: "\n")[1].hasPrefix("Diverged after transaction 18: since then 2 transactions"),
      "\(text)")
    let history = try #require(
      try Tool.json(["diff", demo.path, other.path])["history"] as? [String: Any])
    #expect(history["diverged"] as? Bool == true && history["commonUpTo"] as? Int == 18)
    let later = try changed(
      "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) SELECT 21, ZTIMESTAMP + 60 FROM ATRANSACTION WHERE Z_PK = 20"
    )
    #expect(!(try Tool.run(["diff", demo.path, later.path]).output.contains("Diverged")))
  }

  @Test func otherStoresSaySoFirst() throws {
    let demo = try Demo()
    let other = try changed("UPDATE Z_METADATA SET Z_UUID = '11111111-2222-3333-4444-555555555555'")
    let text = try Tool.run(["diff", demo.path, other.path, "--match", "key"]).output
    #expect(text.split(separator: "\n")[1].hasPrefix("Different stores: their identifiers differ"), "\(text)")
  }

  @Test func theModelIsComparedAlone() throws {
    let demo = try Demo()
    let other = try changed("DELETE FROM ZTAG WHERE Z_PK = 8")
    let result = try Tool.run(["diff", demo.path, other.path, "--only", "model"])
    result.expectDone()
    #expect(result.output.contains("No differences. Compared: model."), "\(result.output)")
  }

  // MARK: Restoring

  /// `--apply` was refused as unknown by the one writing command that people know least.
  @Test func restoringTakesApply() throws {
    let demo = try Demo()
    let made = try Tool.run(
      ["resync", demo.path, "--pull", "--apply", "--confirm", "Journeys.store", "--json"])
    let backup = try #require(try made.json()["backup"] as? String)
    try Tool.run(["restore", backup, "--apply", "--confirm", "Journeys.store"]).expectDone()
    let both = try Tool.run(["restore", backup, "--apply", "--rehearse"])
    #expect(both.status == 64 && both.errors.contains("can't be combined"), "\(both.errors)")
  }

  // MARK: Words for a wrong file

  @Test func aThirdStoreIsNotCompared() throws {
    let demo = try Demo()
    let result = try Tool.run(["diff", demo.path, demo.path + "-other", demo.path])
    #expect(result.status == 64 && result.errors.contains("Unexpected argument"), "\(result.errors)")
  }

  /// "Did you mean" suggested the same name again.
  @Test func aLinkToNowhereSaysSo() throws {
    let folder = try TemporaryFolder("links")
    let link = folder.path("App.store")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("gone.store"))
    let result = try Tool.run(["summary", link])
    #expect(
      result.status == 2 && result.errors.contains("it is a symbolic link to a file that doesn't exist"),
      "\(result.errors)")
  }

  @Test func theSameFileIsNamedAsTyped() throws {
    let demo = try Demo()
    let again =
      demo.folder.path + "/../"
      + demo.folder.path("Journeys.store").split(separator: "/").suffix(2)
      .joined(separator: "/")
    let result = try Tool.run(["diff", demo.path, again])
    #expect(
      result.errors.contains("'\(again)' and '\(demo.path)' are the same file"), "\(result.errors)")
  }

  @Test(arguments: [
    ("quota", "Did you mean 'event-quota-exceeded'?"), ("dangling", "object-uri-dangling"),
    ("bloat", "'history-bloat'"),
  ])
  func rulesAreFoundByAWord(_ word: String, _ says: String) throws {
    let demo = try Demo()
    let result = try Tool.run(["doctor", demo.path, "--rule", word])
    #expect(result.status == 64 && result.errors.contains(says), "\(result.errors)")
  }
}
