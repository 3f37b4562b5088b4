import Foundation
import SQLite
import TestSupport
import Testing

/// What `pending`, `trace`, `summary`, plans and `diff` say of a store after something was done to it.
final class StateTests: DemoSuite {
  private func apply(_ words: String...) throws {
    try demo.run(words + ["--apply", "--confirm", "Journeys.store"]).expectDone()
  }

  private func changed(_ sql: String) throws -> Demo {
    try Demo { try $0.connection.execute(sql) }
  }

  private func items(_ demo: Demo) throws -> [[String: Any]] {
    try demo.json("pending").list("pending")
  }

  // MARK: Purged history

  /// The date of the first transaction left was given as the beginning, and no transaction looked like no author.
  @Test func purgedHistoryIsNotTakenForTheWhole() throws {
    try apply("repair", "prune-history")
    let text = try demo.run("pending").output
    #expect(text.contains(/Trip\/p1 Spring in Lisbon +Apr 18 08:02  or earlier; app/), "\(text)")
    expectText(text, /City\/p1 Lisbon +history purged/, "the oldest Apr 14 10:11 or earlier")
    // Inserted in what is left, so that nothing can have come before.
    expectText(text, /Entry\/p9 Golden Pavilion +Apr 16 13:47  app/, lacks: "no author")
    try demo.run("summary").expectOutput("since Apr 14 or earlier ('pending')")
    try demo.run("pending", "--no-author").expectOutput("0 of 25 pending")
    try demo.run("pending", "--all").expectOutput("app, or earlier")
  }

  @Test(arguments: ["City/p1", "Trip/p1", "Trip/p4"])
  func tracesShowTheMirrorsRunsOfPurgedTimes(_ object: String) throws {
    try apply("repair", "prune-history")
    try demo.run("trace", object).expectOutput(
      "Older history was purged, so changes before this aren't known.", "Mar 29 02:59  Export succeeded",
      "CKErrorDomain 25 (quotaExceeded), twice in a row", lacks: "no transaction shows why")
  }

  @Test func tracesOfNoHistoryAtAllStillHaveEvents() throws {
    let demo = try changed("DELETE FROM ACHANGE; DELETE FROM ATRANSACTION")
    try demo.run("trace", "City/p1").expectOutput(
      "History was purged, so its changes aren't known.", "CKErrorDomain 25 (quotaExceeded), twice in a row")
  }

  @Test func wholeHistoryIsNotCalledPurged() throws {
    for words in [
      ["pending", demo.path], ["pending", demo.path, "--all"], ["trace", demo.path, "City/p1"],
    ] {
      try Tool.run(words).expectOutput(lacks: "purged", "or earlier")
    }
  }

  // MARK: Processed again

  /// What the server has already was listed as not processed yet, and dated back to the first transaction.
  @Test func rescansOnlyRepeatWhatTheServerHas() throws {
    try apply("resync", "--rescan")
    try demo.run("pending").expectOutput(
      "5 saved objects not processed yet",
      "19  processed again by the next export; probably on the server already",
      /Entry\/p4 Tram 28 +Apr 18 08:02  app/)
    try demo.run("summary").expectOutput(
      "44 changes pending since Mar 29, 19 of them probably on the server already ('pending').")
    let trace = try demo.run("trace", "Entry/p2").output
    #expect(trace.contains("The server probably has it already."), "\(trace)")
    try demo.run("trace", "Entry/p9").expectOutput(lacks: "probably has it already")
  }

  /// A record without anything from the server proves nothing, however old its changes are.
  @Test func withoutACopyNothingIsOnTheServer() throws {
    let demo = try changed(
      """
      DELETE FROM ANSCKMETADATAENTRY WHERE ZKEY = 'NSCloudKitMirroringDelegateLastHistoryTokenKey';
      UPDATE ANSCKRECORDMETADATA SET ZENCODEDRECORDASSET = NULL, ZSYSTEMFIELDSASSET = NULL
      """)
    #expect(try items(demo).allSatisfy { !($0["reason"] as? String ?? "").contains("probably") })
    try demo.run("pending").expectOutput(lacks: "processed again")
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
    let text = try demo.run("repair", repair).output
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
    // Only with --verbose does a rehearsal show all of the plan, which follows its result.
    try demo.run("resync", "--rescan", "--rehearse", "--verbose").expectOutput(
      "\nPlan: resync --rescan (risk here: medium, usually low)\n",
      "What can go wrong\n• 1 deletion (Attachment/p2 \"ticket.txt\") that isn't",
      "That is 40 objects in 20 transactions.", "falls to 0 once exports succeed.",
      /token-missing +0 +1  intended: goes away with the next export/)
  }

  @Test func pruningSaysHowItReadsADate() throws {
    try demo.run("repair", "prune-history", "--before", "2026-04-01").expectOutput(
      "Only transactions saved before Apr 1 00:00 UTC are deleted.")
  }

  /// What a push flags is on the server already.
  @Test func aPushIsNotTakenForNewChanges() throws {
    try demo.run("doctor").expectOutput("25 changes exist only on this device.")
    try apply("resync", "--push")
    try demo.run("doctor").expectOutput("66 changes are pending, some of which may already be on the server.")
    try demo.run("trace", "Entry/p2").expectOutput(": on the server, but to be uploaded again, blocked.")
  }

  // MARK: Who

  /// Each object was credited to the first author alone.
  @Test(arguments: [("widget", 1), ("app", 16), ("import", 3)])
  func pendingFindsEveryAuthor(_ author: String, _ count: Int) throws {
    let text = try demo.run("pending", "--author", author).output
    // Scripts group by author, and got one whom they had filtered away.
    let items = try demo.json("pending", "--author", author)["pending"] as? [[String: Any]]
    #expect(
      items?.allSatisfy { $0["author"] as? String == author || $0["laterAuthor"] as? String == author }
        == true)
    #expect(text.contains("\n\(count) of 25 pending (--author \(author))"), "\(text)")
  }

  @Test func savesWithoutAnAuthorAreNoUnknownOnes() throws {
    try demo.run("query", "pending-by-author", "--format", "csv").expectOutput("\n(none),2,1,", "\n,4,0,,")
  }

  @Test func traceShowsTheNewestOfSeveralChanges() throws {
    try demo.run("trace", "Trip/p1").expectOutput(
      "Changed by app on Apr 2 18:22 after its last export, most recently by app on Apr 18 08:02.")
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
    let records = try demo.json("records").list("records")
    let record = try #require(records.first { $0["entity"] as? String == "Trip" })
    let name = try #require(record["recordName"] as? String)
    let traced = try demo.json("trace", name)["object"] as? String
    #expect(traced?.hasPrefix("Trip/p") ?? false)
    for spelling in [name.lowercased(), name.uppercased()] {
      #expect(try demo.json("trace", spelling)["object"] as? String == traced, "\(spelling)")
    }
  }

  // MARK: Silence

  /// That exports weren't even tried for weeks was left to the reader.
  @Test(arguments: [["pending"], ["doctor"], ["report", "-o", "-", "--format", "markdown"]])
  func aGapInTheLogIsSaid(_ words: [String]) throws {
    try demo.run(words).expectOutput("No export was logged from ")
    let short = try changed("UPDATE ANSCKEVENT SET ZSTARTEDAT = ZSTARTEDAT / 1e6, ZENDEDAT = ZENDEDAT / 1e6")
    try short.run(words).expectOutput(lacks: "was logged from")
  }

  // MARK: Two histories

  /// It looked like changes and a loss.
  @Test func divergedStoresSaySoFirst() throws {
    let other = try changed("UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP + 5 WHERE Z_PK > 18")
    let text = try demo.run("diff", other.path).output
    #expect(
      text.split(separator: "\n")[1].hasPrefix("Diverged after transaction 18: since then 2 transactions"),
      "\(text)")
    let history = try demo.json("diff", other.path).object("history")
    #expect(history["diverged"] as? Bool == true && history["commonUpTo"] as? Int == 18)
    let later = try changed(
      "INSERT INTO ATRANSACTION (Z_PK, ZTIMESTAMP) SELECT 21, ZTIMESTAMP + 60 FROM ATRANSACTION WHERE Z_PK = 20"
    )
    try demo.run("diff", later.path).expectOutput(lacks: "Diverged")
  }

  @Test func otherStoresSaySoFirst() throws {
    let other = try changed("UPDATE Z_METADATA SET Z_UUID = '11111111-2222-3333-4444-555555555555'")
    let text = try demo.run("diff", other.path, "--match", "key").output
    #expect(text.split(separator: "\n")[1].hasPrefix("Different stores: their identifiers differ"), "\(text)")
  }

  @Test func theModelIsComparedAlone() throws {
    let other = try changed("DELETE FROM ZTAG WHERE Z_PK = 8")
    try demo.run("diff", other.path, "--only", "model").expectDone().expectOutput(
      "No differences. Compared: model.")
  }

  // MARK: Restoring

  /// `--apply` was refused as unknown by the one writing command that people know least.
  @Test func restoringTakesApply() throws {
    let made = try demo.run("resync", "--pull", "--apply", "--confirm", "Journeys.store", "--json")
    let backup = try #require(try made.json()["backup"] as? String)
    try Tool.run(["restore", backup, "--apply", "--confirm", "Journeys.store"]).expectDone()
    try Tool.run(["restore", backup, "--apply", "--rehearse"]).expectErrors(status: 64, "can't be combined")
  }

  // MARK: Words for a wrong file

  @Test func aThirdStoreIsNotCompared() throws {
    try demo.run("diff", demo.path + "-other", demo.path).expectErrors(status: 64, "Unexpected argument")
  }

  /// "Did you mean" suggested the same name again.
  @Test func aLinkToNowhereSaysSo() throws {
    let folder = TemporaryFolder("links")
    let link = folder.path("App.store")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder.path("gone.store"))
    try Tool.run(["summary", link]).expectErrors(
      status: 2, "it is a symbolic link to a file that doesn't exist")
  }

  @Test func theSameFileIsNamedAsTyped() throws {
    let again =
      demo.folder.path + "/../"
      + demo.folder.path("Journeys.store").split(separator: "/").suffix(2)
      .joined(separator: "/")
    try demo.run("diff", again).expectErrors("'\(again)' and '\(demo.path)' are the same file")
  }

  @Test(arguments: [
    ("quota", "Did you mean 'event-quota-exceeded'?"), ("dangling", "object-uri-dangling"),
    ("bloat", "'history-bloat'"),
  ])
  func rulesAreFoundByAWord(_ word: String, _ says: String) throws {
    try demo.run("doctor", "--rule", word).expectErrors(status: 64, says)
  }
}
