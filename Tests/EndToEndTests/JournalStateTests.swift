import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// Every reading command, in every state of the journal: all that is committed is shown, and nothing is touched.
struct JournalStateTests {
  /// What the commands say must be the demo as it was after the transaction.
  private func check(
    _ demo: Demo, after transaction: Int64, options: [String] = [],
    run: (_ arguments: [String]) throws -> Tool.Result = { try Tool.run($0) }
  ) throws {
    let before = try FolderSnapshot(demo.folder.path)
    func json(_ reading: String...) throws -> [String: Any] {
      let result = try run(Readings.arguments(reading, demo.path) + options + ["--json"]).expectDone(
        "\(reading) \(options)")
      return try result.json()
    }
    let counts = demo.counts(after: transaction)
    let changes = demo.truth.changes.filter { $0.transaction <= transaction }
    for command in ["summary", "entities"] {
      let entities = try json(command).list("entities")
      let rows = Dictionary(entities.map { ($0["name"] as? String ?? "", $0["rows"] as? Int ?? 0) }) { $1 }
      #expect(rows.filter { $0.value > 0 } == counts, "\(command)")
    }
    let entries = try json("rows", "Entry").list("rows")
    #expect(entries.count == counts["Entry"])
    #expect(entries.contains { $0["title"] as? String == "Golden Pavilion" } == (transaction >= 18))
    #expect(try (json("history")["changes"] as? [Any])?.count == changes.count)
    let groups = try json("history", "--by", "author").list("groups")
    #expect(groups.reduce(0) { $0 + ($1["transactions"] as? Int ?? 0) } == Int(transaction))
    let sql = "SELECT COUNT(*) AS count, MAX(\"transaction\") AS newest FROM changes"
    let counted = ["count": changes.count, "newest": Int(transaction)]
    #expect(try json("query", sql)["rows"] as? [[String: Int]] == [counted])
    let trip = try #require(try json("show", "Trip/p1")["changes"] as? [Any])
    #expect(trip.count == changes.count { $0.object.entity == "Trip" && $0.object.primaryKey == 1 })
    for reading in Readings.ofDemo {
      try run(Readings.arguments(reading, demo.path) + options).expectDone("\(reading) \(options)")
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  @Test(arguments: JournalState.allCases) func allIsShownAndNothingTouched(state: JournalState) throws {
    let demo = try state.demo()
    try check(demo, after: 20 - state.lostCommits)
    let files = try demo.json("summary").object("files")
    #expect(files["journal"] as? String == ([.rollback, .hotJournal].contains(state) ? "rollback" : "wal"))
    #expect(files["hotJournal"] as? Bool == (state == .hotJournal))
    #expect((files["walTail"] as? String == "incompleteFrame") == (state == .tornTail), "\(files)")
  }

  @Test(arguments: JournalState.allCases) func alsoInAReadOnlyFolder(state: JournalState) throws {
    let demo = try state.demo()
    for name in try demo.folder.names() where !name.hasPrefix(".") { chmod(demo.folder.path(name), 0o444) }
    chmod(demo.folder.path, 0o555)
    guard geteuid() == 0 else { return try check(demo, after: 20 - state.lostCommits) }
    // Root may write everywhere, so another user has to read.
    try check(demo, after: 20 - state.lostCommits) { try Tool.run($0, as: 65_534) }
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "the sqlite3 shell is not installed"))
  func besideAWriterInItsTransaction() throws {
    let demo = try Demo()
    let writer = try LiveWriter(demo.path)
    try writer.run(
      "PRAGMA wal_autocheckpoint = 0; PRAGMA cache_size = 3; BEGIN IMMEDIATE; UPDATE ZENTRY SET ZTITLE = hex(zeroblob(5000)); DELETE FROM ZTRIP; DELETE FROM ACHANGE"
    )
    try check(demo, after: 20)
    let files = try demo.json("summary").object("files")
    #expect(files["openedBy"] as? String == "sqlite3, process \(writer.processID)", "\(files)")
    #expect(try writer.run("ROLLBACK") == "")
    #expect(try writer.finish() == "")
  }

  @Test(arguments: 0...3) func commitsAgo(count: Int) throws {
    try check(try Demo(), after: 20 - Int64(count), options: ["--as-of-commit", "\(count)"])
  }

  @Test func commitsThatAreNotInTheWAL() throws {
    let demo = try Demo()
    let before = try FolderSnapshot(demo.folder.path)
    for reading in Readings.ofDemo {
      try demo.run(reading + ["--as-of-commit", "4"])
        .expectRefused(demo.path, "3 commits", "0 to 3")
    }
    try demo.run("summary", "--as-of-commit", "-1").expectRefused(status: 64, "--as-of-commit")
    #expect(try FolderSnapshot(demo.folder.path) == before)
    let clean = try Demo(leaving: .nothing)
    try clean.run("summary", "--as-of-commit", "1").expectRefused(clean.path, "-wal")
  }

  /// A value that was overwritten since is in an earlier commit: "No value contains" was all that was said.
  @Test(arguments: [(0, "the -wal has 3", "1 to 3"), (2, "the -wal has 3", "try 3."), (3, "", "")])
  func earlierCommitsThatWerentSearchedAreMentioned(_ ago: Int, _ count: String, _ which: String) throws {
    let demo = try Demo()
    for question in [["search", "persimmon"], ["show", "persimmon"]] {
      let errors = try demo.run(question + ["--as-of-commit", "\(ago)"]).errors
      #expect(errors.contains("Earlier commits weren't searched") == !count.isEmpty, "\(errors)")
      #expect(errors.contains(count) && errors.contains(which) || count.isEmpty, "\(errors)")
    }
  }

  @Test func commitsAreListed() throws {
    let demo = try Demo()
    let result = try demo.run("summary", "--commits", "--json")
    let commits = try result.json().list("commits")
    // --as-of-commit takes 3 too: the store before the WAL.
    #expect(commits.map { $0["commitsAgo"] as? Int } == [0, 1, 2, 3])
    #expect(commits.last?["frame"] as? Int == 0)
    let size = try demo.folder.read(DemoStore.fileName + "-wal").count
    let ends = commits.compactMap { $0["walBytes"] as? Int }
    #expect(ends == ends.sorted(by: >) && ends.first == size)
    try demo.run("summary", "--commits").expectOutput("Commits in the WAL")
  }

  /// A longer life than the demo's, with every state of it remembered.
  @Test func everyCommitOfARandomLife() throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("Life.sqlite"), model: FixtureModels.manyToMany)
    try RandomLife.live(forge, saves: 3)
    try forge.checkpoint()
    var titles: [[String]] = []
    func remember() {
      titles.append(forge.truth.objects.keys.map { forge.uri(of: $0) }.sorted())
    }
    remember()
    for seed in 2...9 {
      try RandomLife.live(forge, saves: 1, seed: UInt64(seed))
      remember()
    }
    try forge.close(leaving: .wal)
    let before = try FolderSnapshot(folder.path)
    for (ago, wanted) in titles.reversed().enumerated() {
      var uris: [String] = []
      for entity in forge.model.entities.map(\.name) {
        let arguments = ["rows", forge.path, entity, "--json", "--as-of-commit", "\(ago)"]
        let rows = try Tool.run(arguments).json().list("rows")
        uris += rows.compactMap { $0["uri"] as? String }
      }
      #expect(uris.sorted() == wanted, "\(ago) commits ago")
    }
    #expect(try FolderSnapshot(folder.path) == before)
  }
}
