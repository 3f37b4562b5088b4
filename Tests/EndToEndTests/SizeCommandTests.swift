import Forge
import Foundation
import SQLite
import TestSupport
import Testing
import Values

/// What people read of `size`: every file has a line, shares are of all files, and nothing large is hidden.
struct SizeCommandTests {
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
    let result = try Tool.run(["size", path] + options, environment: ["LC_ALL": "C.UTF-8"])
    result.expectDone()
    return result.output.split(separator: "\n").prefix { !$0.hasPrefix("Binary") }.compactMap { Line($0) }
  }

  /// "mirror 266 kB" was all that people saw of the largest part.
  @Test func mirrorHistoryAndTheRestAreBrokenDown() throws {
    let demo = try Demo()
    let lines = try lines(demo.path)
    for name in ["copies of records", "records", "transactions", "changes", "schema", "model"] {
      #expect(lines.contains { $0.isBelow && $0.name == name }, "\(name)")
    }
  }

  /// The WAL and external files were in the first line only, and shares were of the main file.
  @Test func everyFileHasAShare() throws {
    let demo = try Demo()
    let lines = try lines(demo.path).filter { !$0.isBelow }
    #expect(
      Set(lines.map(\.name)) == [
        "objects", "history", "mirror", "other", "WAL", "external files", "total",
      ])
    #expect(lines.last?.name == "total" && lines.last?.share == 100)
    let shares = lines.dropLast().map(\.share)
    #expect(abs(shares.reduce(0, +) - 100) <= 3 && shares == shares.sorted(by: >))
  }

  /// `--limit 2` showed two lines, whatever came behind them.
  @Test(arguments: [1, 2, 5]) func aLimitHidesNothingLarge(_ limit: Int) throws {
    let demo = try Demo()
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
    let demo = try Demo()
    let text = try Tool.run(["size", demo.path, "--limit", "100"]).output
    let names = text.split(separator: "\n\n")[1].split(separator: "\n").compactMap {
      $0.firstMatch(of: /^ {2}(\S.*?) {2}/).map { String($0.1) }
    }
    #expect(names.count > 30 && Set(names).count == names.count, "\(names)")
    let wal = Int64(try demo.folder.read(DemoStore.fileName + "-wal").count)
    let only = try #require(try Tool.json(["size", demo.path])["onlyInWAL"] as? Int)
    let freed = "a checkpoint writes it into the file and frees \(Sentence.size(wal - Int64(only)))"
    #expect(text.contains(freed), "\(text)")
    // And `find` has the same total, without external files it was smaller.
    let total = text.prefix { $0 != ":" }
    #expect(try Tool.run(["find", demo.folder.path]).output.contains("\(total)  "), "\(total)")
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
    let result = try Tool.run(["size", demo.path])
    result.expectDone()
    let second = result.output.split(separator: "\n")[1]
    #expect(
      second.contains(/^Free pages use \d+%: VACUUM returns them to the disk\. Objects use the most/),
      "\(second)")
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
    let result = try Tool.run(["size", demo.path])
    result.expectDone()
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
    let demo = try Demo()
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
    let result = try Tool.run(["size", path])
    result.expectDone()
    return try #require(result.output.split(separator: "\n").dropFirst().first)
  }

  @Test func theSummaryHasTheSameTotal() throws {
    let demo = try Demo()
    let total = try Tool.run(["size", demo.path]).output.prefix { $0 != ":" }
    #expect(try Tool.run(["summary", demo.path]).output.contains("size     \(total), "))
  }
}
