import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// `doctor` as scripts use it, on the demo store with one object's row taken away behind Core Data's back.
struct DoctorTests {
  private let folder = TemporaryFolder("doctor")

  private func brokenStore() throws -> String {
    let path = try DemoStore.make(in: folder.path)
    _ = try Tool.run("/usr/bin/sqlite3", [path, "DELETE FROM ZPERSON WHERE Z_PK = 3"])
    return path
  }

  @Test func findingsHaveThePromisedKeys() throws {
    let path = try brokenStore()
    let before = try FolderSnapshot(folder.path)
    let report = try Tool.json(["doctor", path])
    let findings = try report.list("findings")
    let orphaned = try #require(findings.first { $0["rule"] as? String == "record-orphaned" })
    #expect((report["skipped"] as? [[String: Any]])?.allSatisfy { $0["because"] is String } == true)
    for key in ["severity", "title", "message", "count", "objects", "evidence", "remedy"] {
      #expect(orphaned[key] != nil, "\(key)")
    }
    #expect(orphaned["severity"] as? String == "warning")
    #expect((orphaned["objects"] as? [String])?.count == 1)
    let order = ["error": 0, "warning": 1, "info": 2]
    let severities = findings.compactMap { $0["severity"] as? String }.compactMap { order[$0] }
    #expect(severities == severities.sorted())
    #expect((report["checked"] as? [String])?.contains("record-orphaned") ?? false)
    #expect(report["skipped"] is [[String: Any]])
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test func isTheSameFromRunToRun() throws {
    let path = try brokenStore()
    let outputs = try (0..<3).map { _ in try Tool.run(["doctor", path, "--json"]).output }
    #expect(Set(outputs).count == 1)
  }

  @Test func exitCodeFollowsFailOn() throws {
    let path = try brokenStore()
    let rule = ["--rule", "record-orphaned"]
    for (severity, code) in [("error", 0), ("warning", 1), ("info", 1), ("never", 0)] {
      let result = try Tool.run(["doctor", path, "--fail-on", severity] + rule)
      #expect(result.status == Int32(code), "\(severity)")
    }
    #expect(try Tool.run(["doctor", path + ".missing"]).status == 2)
    try Tool.run(["doctor", path, "--rule", "record-orphan"]).expectErrors(status: 64, "Did you mean")
  }

  /// A team adopts the doctor on a store with old sins: only new ones count.
  @Test func baselineHidesWhatWasThere() throws {
    let path = try brokenStore()
    let baseline = folder.path + "/sins.json"
    let rule = ["--rule", "record-orphaned", "--fail-on", "warning"]
    #expect(try Tool.run(["doctor", path, "--write-baseline", baseline] + rule).status == 1)
    try Tool.run(["doctor", path, "--baseline", baseline] + rule).expectStatus()
    _ = try Tool.run("/usr/bin/sqlite3", [path, "DELETE FROM ZPERSON WHERE Z_PK = 2"])
    let report = try Tool.json(["doctor", path, "--baseline", baseline] + rule)
    let finding = try #require((report["findings"] as? [[String: Any]])?.first)
    expectMembers(finding, ["count": 1, "known": 1])
    try "{}".write(toFile: baseline, atomically: true, encoding: .utf8)
    try Tool.run(["doctor", path, "--baseline", baseline]).expectErrors(status: 2, "a baseline")
  }

  /// `--limit 1` once left out all findings but one, where the contract caps what each of them lists.
  @Test(arguments: ["json", "ndjson", "csv"]) func noFindingIsLeftOut(_ format: String) throws {
    let demo = try Demo()
    let outputs = try ["1", "1000"].map { limit in
      try demo.run("doctor", "--format", format, "--limit", limit).output
    }
    let rules = try outputs.map { output in
      try output.matches(of: Regex("event-quota-exceeded|event-export-stale|history-backlog")).count
    }
    #expect(rules[0] == rules[1] && rules[0] >= 3, "\(rules)")
  }

  /// The contract has `explain` take a rule's id.
  @Test func everyRuleIsExplained() throws {
    let rules = try Tool.json(["rules"]).list("rules")
    for id in rules.compactMap({ $0["rule"] as? String }) {
      let explanations = try Tool.json(["explain", id]).list("explanations")
      #expect(explanations.first?["subject"] as? String == id)
      for key in ["meaning", "causes", "advice", "sources"] {
        #expect(explanations.first?[key] != nil, "\(id) \(key)")
      }
    }
  }

  @Test func thresholdsAreChecked() throws {
    let path = try brokenStore()
    for word in ["nonsense", "record-orphaned.days=1", "nothing.days=1", "record-orphaned.days"] {
      #expect(try Tool.run(["doctor", path, "--set", word]).status == 64, "\(word)")
    }
  }

  // MARK: - What people read

  /// The headline was about the second error, and said nothing of the first.
  @Test func theHeadlineAndTheListBeginAlike() throws {
    let demo = try Demo {
      try $0.connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 0 WHERE Z_NAME = 'Trip'")
    }
    let lines = try demo.run("doctor").output.split(separator: "\n")
    #expect(
      lines[0]
        == "Blocked: iCloud storage is full, and 25 changes exist only on this device. 1 more error: keys above the highest assigned key."
    )
    #expect(
      lines.filter { $0.hasPrefix("error ") }.map { $0.split(separator: " ")[1] } == [
        "event-quota-exceeded", "object-id-above-max",
      ])
  }

  private func text(_ words: [String], code: Int32 = 0) throws -> String {
    let result = try Tool.run(["doctor"] + words).expectStatus(code)
    return result.output
  }

  @Test func theConclusionComesFirst() throws {
    let demo = try Demo()
    let lines = try text([demo.path], code: 1).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines[0] == "Blocked: iCloud storage is full, and 25 changes exist only on this device.")
    #expect(lines[1].contains(/^1 error, 1 warning, 3 notes \(\d+ rules checked/), "\(lines[1])")
    #expect(
      lines.contains {
        $0.hasPrefix("error    event-quota-exceeded") && $0.hasSuffix("iCloud storage is full")
      })
    // Notes are one line each, and nothing else explains them.
    #expect(lines.filter { $0.hasPrefix("note     ") }.count == 3)
    #expect(!lines.contains { $0.contains("Why:") })
    let verbose = try text([demo.path, "--verbose"], code: 1)
    for label in ["Why: ", "Next launch: ", "Fix: ", "Confidence: ", "Evidence: "] {
      #expect(verbose.contains("         " + label), "\(label)")
    }
  }

  /// Damage was hidden behind a full iCloud storage, and what it kept from being read went unsaid.
  @Test(arguments: [
    ("ZENTRY_ZTRIP_INDEX", "Blocked: iCloud storage is full, and 25 changes exist only on this device\\."),
    (
      "ANSCKRECORDMETADATA",
      "The state of sync and \\d+ rules couldn't be checked: SQLite can't read all of ANSCKRECORDMETADATA\\."
    ),
    ("ACHANGE", "\\d+ rules couldn't be checked: SQLite can't read all of ACHANGE\\."),
  ])
  func damageComesFirst(_ table: String, _ pattern: String) throws {
    let demo = try Demo(leaving: .nothing)
    let root = try Connection(path: demo.path, options: .overlay()).first(
      "SELECT (rootpage - 1) * page_size FROM sqlite_master, pragma_page_size WHERE name = ?", [.text(table)]
    ) { Int($0.integer(0)) }
    var bytes = try demo.folder.read(DemoStore.fileName)
    let start = try #require(root)
    bytes.replaceSubrange(start..<start + 200, with: [UInt8](repeating: 7, count: 200))
    try demo.folder.write(bytes, to: DemoStore.fileName)
    let first = try text([demo.path], code: 1).prefix { $0 != "\n" }
    #expect(first.hasPrefix("The file is damaged: SQLite's check finds "), "\(first)")
    #expect(try first.contains(Regex(pattern)), "\(first)")
  }

  /// Each said another day for the same.
  @Test func theOldestPendingChangeIsTheSameEverywhere() throws {
    let demo = try Demo()
    let pending = try demo.run("pending", "--json").output
    let since = pending.matches(of: /"since":"([^"]+)"/).map(\.output.1).min()
    let doctor = try demo.run("doctor", "--json").output
    #expect(doctor.firstMatch(of: /"pendingSince":"([^"]+)"/)?.output.1 == since)
  }

  /// "65 skipped …; 7 skipped" could be anything: now the numbers add up, and each is about rules.
  @Test func skippedRulesAddUp() throws {
    let path = try SmallStores.healthy(in: folder, "a.store")
    try Tool.run(
      "/usr/bin/sqlite3", [path, "DROP TABLE ACHANGE; DROP TABLE ATRANSACTION; DELETE FROM Z_MODELCACHE"]
    ).expectStatus()
    let output = try text([path])
    let match = try #require(
      output.replacing("\n", with: " ").firstMatch(
        of:
          /(\d+) rules checked; (\d+) skipped: (\d+) about CloudKit, (\d+) about history, (\d+) for other reasons; --verbose shows why/
      ), "\(output)")
    let counts = [match.1, match.2, match.3, match.4, match.5].compactMap { Int($0) }
    #expect(counts[1] == counts[2...].reduce(0, +))
  }

  @Test func aHealthyStoreIsCalledSo() throws {
    let path = try SmallStores.healthy(in: folder, "a.store")
    let output = try text([path])
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      lines[0].wholeMatch(of: /Healthy\. \d+ rules checked; \d+ about CloudKit skipped: not mirrored\./)
        != nil, "\(output)")
    // Every store with history has this note, which says nothing against it.
    #expect(output.contains("note     history-key-required"), "\(output)")
    // One rule says nothing of the others.
    #expect(try text([path, "--rule", "history-bloat"]) == "Nothing found. 1 rule checked.\n")
  }

  /// "Healthy." stood above a note on commits that may be missing, and at 80 columns the note was cut to its title.
  @Test func whatCanNotBeSeenIsNotCalledHealthy() throws {
    let path = try folder.forge(FixtureModels.library, named: "a.store", leaving: .nothing) {
      _ = try $0.insert("Book", ["year": .integer(1)])
    }
    let screen = try PseudoTerminal.run(["doctor", path, "--no-color"], columns: 80)
    let lines = screen.split(whereSeparator: \.isNewline)
    #expect(
      lines.first?.hasPrefix("No problems found, but newer commits may be in a missing -wal file.") == true)
    #expect(lines.allSatisfy { $0.count <= 80 })
    // What to do about it was only in --verbose, and then another thing there: the -wal alone, put next to the store.
    #expect(
      screen.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "copy the store and its -wal again, together, from where they came."), "\(screen)")
    #expect(
      screen.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(
        "This WAL store has no -wal file: normal if the last program that used it closed it."), "\(screen)")
  }

  /// A rule's title and its message were the same sentence, one below the other.
  @Test func nothingIsSaidTwice() throws {
    let demo = try Demo { try $0.connection.execute("DELETE FROM ZPACKINGITEM WHERE Z_PK IN (1, 2)") }
    let output = try text([demo.path, "--fail-on", "never"])
    #expect(output.contains("2 objects are missing without a delete in history; last changed on "))
    #expect(!output.contains("Objects missing without a delete in history"), "\(output)")
  }

  @Test func objectsHaveTitlesAndCommandsThePath() throws {
    let demo = try Demo { edited in
      for key in 1...7 {
        try edited.connection.execute("UPDATE ZENTRY SET ZTRIP = \(900 + key) WHERE Z_PK = \(key + 1)")
      }
    }
    let output = try text([demo.path, "--rule", "relationship-dangling"], code: 1)
    #expect(
      output.hasPrefix("7 relationships lead to objects that don't exist, such as Entry.trip to Trip/p901."))
    #expect(output.contains("Entry/p4 \"Tram 28\"") && output.contains(" and 2 more\n"), "\(output)")
    let verbose = try text([demo.path, "--rule", "relationship-dangling", "--verbose"], code: 1)
    #expect(verbose.contains("Evidence:\n         object"), "\(verbose)")
    let quota = try text([demo.path, "--rule", "event-quota-exceeded"], code: 1)
    #expect(quota.contains("'storescope pending \(demo.path)'"))
  }

  /// What a quick check can't see.
  @Test func thoroughComparesIndexesWithTables() throws {
    let demo = try Demo(leaving: .nothing)
    let index = "ZENTRY_ZTRIP_INDEX"
    _ = try Tool.run(
      "/usr/bin/sqlite3",
      [
        demo.path, ".dbconfig defensive off", "PRAGMA writable_schema = ON",
        "CREATE TEMP TABLE kept AS SELECT * FROM sqlite_master WHERE name = '\(index)'",
        "DELETE FROM sqlite_master WHERE name = '\(index)'", "PRAGMA writable_schema = RESET",
        "UPDATE ZENTRY SET ZTRIP = 3 WHERE Z_PK = 4", "PRAGMA writable_schema = ON",
        "INSERT INTO sqlite_master SELECT * FROM kept", "PRAGMA writable_schema = RESET",
      ])
    let rule = ["--rule", "integrity-check-failed", "--json"]
    func count(_ more: [String]) throws -> Int? {
      let findings = try demo.run(["doctor"] + rule + more).json()["findings"] as? [[String: Any]]
      return findings?.first?["count"] as? Int
    }
    #expect(try count([]) == nil)
    #expect(try count(["--thorough"]) ?? 0 > 0)
  }
}
