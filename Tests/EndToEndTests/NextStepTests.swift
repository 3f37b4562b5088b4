import Foundation
import TestSupport
import Testing

/// What people are told who don't know the next word yet: these answers were refusals or lists of facts.
struct NextStepTests {
  /// "exactly one of --pull, --push and --rescan" left it to the reader what these are.
  @Test func resyncSaysWhatItsWaysAre() throws {
    let demo = try Demo()
    let result = try Tool.run(["resync", demo.path])
    #expect(result.status == 64)
    let lines = result.errors.split(separator: "\n").map(String.init)
    #expect(lines.first?.contains("'storescope preflight \(demo.path)'") == true, "\(result.errors)")
    #expect(lines.dropFirst().map { $0.split(separator: " ")[0] } == ["--pull", "--push", "--rescan"])
  }

  /// "No finding calls for a repair" next to an error reads as if all were well.
  @Test func repairMentionsErrorsThatItDoesNotFix() throws {
    let demo = try Demo()
    let result = try Tool.run(["repair", demo.path])
    result.expectDone()
    #expect(result.output.contains("iCloud storage is full. 'storescope doctor"), "\(result.output)")
  }

  /// A store is what people have in mind, and its backups lie next to it under long names.
  @Test func restoreOfAStoreListsItsBackups() throws {
    let demo = try Demo()
    #expect(try Tool.run(["restore", demo.path]).output.contains("No backup is next to 'Journeys.store'."))
    #expect(
      try Tool.run(["resync", demo.path, "--rescan", "--apply", "--confirm", "Journeys.store"]).status == 0)
    let result = try Tool.run(["restore", demo.path])
    // Help says that it lists them, and it was an error.
    result.expectDone()
    let lines = result.output.split(separator: "\n").map(String.init)
    #expect(lines.count == 2, "\(result.output)")
    let command = try #require(lines.last).split(separator: " ").map(String.init)
    #expect(command.prefix(2) == ["storescope", "restore"])
    try Tool.run(command.dropFirst() + ["--rehearse"]).expectDone("the command that was printed")
    // A script that wants one restored must not take the list for success.
    let refused = try Tool.run(["restore", demo.path, "--confirm", "Journeys.store"])
    #expect(refused.status == 64 && refused.errors.contains("needs the folder of a backup"))
  }

  /// Shares of parts were there, but not the sentence that people want.
  @Test func sizeBeginsWithWhatUsesMost() throws {
    let demo = try Demo()
    let result = try Tool.run(["size", demo.path])
    result.expectDone()
    let second = result.output.split(separator: "\n")[1]
    #expect(second.hasPrefix("The mirror uses the most: 3") && second.contains("Sync needs it"))
  }

  /// A line per property was two screens long.
  @Test(arguments: [(["--verbose"], true), ([], false)])
  func redactHasALinePerTable(_ options: [String], _ hasProperties: Bool) throws {
    let demo = try Demo()
    let result = try Tool.run(["redact", demo.path, "-o", demo.folder.path("Copy.store")] + options)
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("Entry ") }
    #expect((lines.count > 1) == hasProperties, "\(result.output)")
  }

  /// Who writes a report wants to know what it says.
  @Test func reportSaysItsHeadline() throws {
    let demo = try Demo()
    let result = try Tool.run(["report", demo.path, "-o", demo.folder.path("report.html")])
    #expect(
      result.status == 0 && result.errors.contains("Blocked: iCloud storage is full"), "\(result.errors)")
  }

  /// "Who changed it at 10:31?" took two options with the same value.
  @Test(arguments: [
    ("history", "Apr 18 08:02", "transaction", 3), ("history", "2026-04-16", "transaction", 5),
    ("history", "Apr 18 08:03", "transaction", 0), ("events", "Apr 16", "started", 2),
  ]) func aMinuteOrADayIsOneOption(_ command: String, _ when: String, _ key: String, _ count: Int) throws {
    let demo = try Demo()
    let at = try Tool.run([command, demo.path, "--at", when, "--json"], environment: ["TZ": "UTC"])
    let both = try Tool.run([command, demo.path, "--since", when, "--until", when, "--json"])
    at.expectDone()
    #expect(at.output == both.output)
    let rows = try #require(try at.json()[command == "history" ? "changes" : "events"] as? [[String: Any]])
    #expect(rows.count == count && rows.allSatisfy { $0[key] != nil })
  }
}
