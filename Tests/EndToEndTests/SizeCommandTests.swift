import Base
import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// What people read of `size`: every file has a line, shares are of all files, and nothing large is hidden.
final class SizeCommandTests: DemoSuite {
  private struct Line {
    var name: Substring
    var share: Int
    var isBelow: Bool

    /// `  Entry   12 kB   2%  8 objects`
    init?(_ line: Substring) {
      guard let match = line.firstMatch(of: /^( *)(\S.*?)  +[\d.,]+ [kMG]?B  +(<?)(\d+)%/),
        let number = Int(match.4)
      else { return nil }
      (name, share, isBelow) = (match.2, match.3.isEmpty ? number : 0, !match.1.isEmpty)
    }
  }

  /// The lines of the first table.
  private func lines(_ path: String, _ options: String...) throws -> [Line] {
    let result = try Tool.run(["size", path] + options, environment: ["LC_ALL": "C.UTF-8"]).expectDone()
    return result.output.split(separator: "\n").prefix { !$0.hasPrefix("Binary") }.compactMap { Line($0) }
  }

  /// "mirror 266 kB" was all that people saw of the largest part.
  @Test func mirrorHistoryAndTheRestAreBrokenDown() throws {
    let lines = try lines(demo.path)
    for name in ["copies of records", "records", "transactions", "changes", "schema", "model"] {
      #expect(lines.contains { $0.isBelow && $0.name == name }, "\(name)")
    }
  }

  /// The WAL and external files were in the first line only, and shares were of the main file.
  @Test func everyFileHasAShare() throws {
    let lines = try lines(demo.path).filter { !$0.isBelow }
    #expect(
      Set(lines.map(\.name)) == ["objects", "history", "mirror", "other", "WAL", "external files", "total"])
    #expect(lines.last?.name == "total" && lines.last?.share == 100)
    let shares = lines.dropLast().map(\.share)
    #expect(abs(shares.reduce(0, +) - 100) <= 3 && shares == shares.sorted(by: >))
  }

  /// `--limit 2` showed two lines, whatever came behind them.
  @Test(arguments: [1, 2, 5]) func aLimitHidesNothingLarge(_ limit: Int) throws {
    let all = try lines(demo.path).filter { !$0.isBelow }.map(\.name)
    let limited = try lines(demo.path, "--limit", "\(limit)")
    #expect(limited.filter { !$0.isBelow }.map(\.name) == all)
    let objects = limited.drop { $0.name != "objects" }.dropFirst().prefix(while: \.isBelow)
    #expect(objects.count == limit + 1)
    #expect(objects.last?.name == "\(11 - limit) more")
  }

  /// History is the second largest part of this store, behind many entities.
  @Test(.enabled(if: RealStores.arePresent)) func aLimitHidesNothingLargeOfARealStore() throws {
    let store = try RealStores.copy("plaso/RMAdminStore-Local.sqlite")
    #expect(try lines(store.path, "--limit", "1").contains { $0.name == "history" && $0.share > 40 })
  }

  /// Two tables had one name, and what a checkpoint frees wasn't said.
  @Test func namesAreDistinctAndWhatIsFreedIsSaid() throws {
    let text = try demo.run("size", "--limit", "100").output
    let names = text.split(separator: "\n\n")[1].split(separator: "\n").compactMap {
      $0.firstMatch(of: /^ {2}(\S.*?) {2}/).map { String($0.1) }
    }
    #expect(names.count > 30 && Set(names).count == names.count, "\(names)")
    let wal = Int64(try demo.folder.read(DemoStore.fileName + "-wal").count)
    let only = try #require(try demo.json("size")["onlyInWAL"] as? Int)
    let freed = "a checkpoint writes it into the file and frees \(Sentence.size(wal - Int64(only)))"
    #expect(text.contains(freed), "\(text)")
    // And `find` has the same total, without external files it was smaller.
    let total = text.prefix { $0 != ":" }
    try Tool.run(["find", demo.folder.path]).expectOutput("\(total)  ", comment: "\(total)")
  }

  /// Almost half of the file was free, which came last, behind advice on indexes.
  @Test func whatCanBeFreedComesFirstIfItIsMuch() throws {
    let demo = try Demo {
      try $0.connection.execute(
        """
        UPDATE ZTRIP SET ZTITLE = printf('%.1300000c', 'x') WHERE Z_PK = 1;
        UPDATE ZTRIP SET ZTITLE = printf('%.2000000c', 'x') WHERE Z_PK = 1;
        PRAGMA wal_checkpoint(TRUNCATE);
        """)
    }
    let result = try demo.run("size").expectDone()
    let second = result.output.split(separator: "\n")[1]
    expectText(second, /^Free pages use \d+%: VACUUM returns them to the disk\. Objects use the most/)
  }

  /// "most of them of Note" stood there although the table had the most bytes and the fewest objects.
  @Test func theLargestTableIsNamedWithItsShare() throws {
    let demo = try Demo {
      try $0.connection.execute(
        """
        UPDATE ZTRIP SET ZTITLE = printf('%.3000000c', 'x') WHERE Z_PK = 1;
        PRAGMA wal_checkpoint(TRUNCATE);
        """)
    }
    let result = try demo.run("size").expectDone()
    let second = result.output.split(separator: "\n")[1]
    #expect(second.contains(/^Objects use the most: \d+%, the largest is Trip \(\d+%\)\./), "\(second)")
  }

  /// "Deleting objects leaves free pages" was said of indexes, which keep their pages.
  @Test func indexesAreNamedAsTheCause() throws {
    let demo = try Demo {
      let indexes = (1...300).map { "CREATE INDEX I\($0) ON ZTRIP (ZTITLE);" }
      try $0.connection.execute(indexes.joined() + "PRAGMA wal_checkpoint(TRUNCATE);")
    }
    let second = try answer(demo.path)
    #expect(second.contains(/^Indexes of objects use the most: \d+%\. Core Data makes some/), "\(second)")
  }

  /// One part was named only, and it wasn't the one that can be got back.
  @Test func allThatCanBeGotBackIsNamed() throws {
    #expect(try answer(demo.path).contains(/^The mirror uses.* The WAL uses another \d+%: a checkpoint/))
  }

  /// Tables without objects were named as those to delete from, and neither free pages nor history at all.
  @Test(
    .enabled(if: RealStores.arePresent),
    arguments: [
      ("plaso/NotesV7.storedata", "in indexes (32%)", "Free pages use 44%: VACUUM"),
      (
        "plaso/RMAdminStore-Local.sqlite", "InstalledApp (27%), mostly its iconData",
        "History uses another 45%"
      ),
      ("LoopKit/Model_v1.sqlite", "Indexes of objects use the most: 67%", "hardly helps"),
      ("osxphotos/Photos-26.1.sqlite", "Indexes of objects use the most: 53%", "The WAL uses another 15%"),
    ]) func realStoresNameTheirCause(_ path: String, _ cause: String, _ rest: String) throws
  {
    let store = try RealStores.copy(path)
    let second = try answer(store.path)
    #expect(second.contains(cause) && second.contains(rest), "\(second)")
    #expect(!second.contains("OfflineAction") && !second.contains("CachedGlucoseObject"), "\(second)")
  }

  private func answer(_ path: String) throws -> Substring {
    let result = try Tool.run(["size", path]).expectDone()
    return try #require(result.output.split(separator: "\n").dropFirst().first)
  }

  @Test func theSummaryHasTheSameTotal() throws {
    let total = try demo.run("size").output.prefix { $0 != ":" }
    try demo.run("summary").expectOutput("size     \(total), ")
  }
}

/// `--chart` on the demo store: what it draws, and that it changes nothing else.
final class ChartCommandTests: DemoSuite {
  static let commands = [
    ["history"], ["history", "--by", "entity"], ["history", "--by", "day"], ["events"], ["pending"],
  ]

  private func run(_ words: [String], _ path: String, _ more: String...) throws -> Tool.Result {
    let result = try Tool.run(
      [words[0], path] + words.dropFirst() + more, environment: ["LC_ALL": "C.UTF-8"]
    ).expectDone("\(words) \(more)")
    return result
  }

  @Test(arguments: commands, ["json", "ndjson", "csv"])
  func machinesSeeNoChart(_ words: [String], format: String) throws {
    #expect(
      try run(words, demo.path, "--chart", "--format", format).output
        == run(words, demo.path, "--format", format).output)
  }

  @Test func historyCountsEveryChange() throws {
    let text = try run(["history"], demo.path, "--chart").output
    for author in ["app", "import", "widget"] {
      let transactions = Set(demo.truth.transactions.filter { $0.author == author }.map(\.number))
      let count = demo.truth.changes.count { transactions.contains($0.transaction) }
      let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(author + " ") })
      #expect(line.hasSuffix(" \(count)"), "\(line)")
    }
    #expect(text.contains("Changes per day (UTC)") && text.contains("█"))
    try run(["history", "--author", "widget"], demo.path, "--chart").expectOutput(lacks: "import")
    let ascii = try demo.run("history", "--chart", environment: ["LC_ALL": "en_US.ISO-8859-1"])
      .output
    #expect(ascii.contains("#") && ascii.utf8.allSatisfy { $0 < 0x80 })
  }

  @Test func eventsAndPendingAreDrawn() throws {
    let events = try run(["events"], demo.path, "--chart").output
    for word in ["setup", "import", "export", "✗", "succeeded"] { #expect(events.contains(word)) }
    let pending = try run(["pending"], demo.path, "--chart").output
    for word in ["By kind", "upload", "By age", "█"] { #expect(pending.contains(word)) }
    try run(["pending"], demo.path, "--chart", "--format", "markdown").expectOutput("```\nBy kind\n")
  }

  @Test(arguments: [80, 200]) func chartsFitATerminal(_ columns: Int) throws {
    for words in Self.commands {
      let text = try PseudoTerminal.run(
        [words[0], demo.path] + words.dropFirst() + ["--chart", "--no-color"], columns: UInt16(columns))
      for line in text.split(separator: "\n") where line.contains("█") || line.contains("·") {
        #expect(line.count <= columns, "\(line)")
      }
    }
  }
}
