import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// `diff` as people and scripts run it.
struct DiffCommandTests {
  /// The demo store and a copy of it, into which `edit` writes.
  private final class Copies {
    let demo: Demo
    let copy: String

    init(_ edit: (Connection) throws -> Void = { _ in }) throws {
      demo = try Demo(leaving: .nothing)
      copy = demo.folder.path("Later.store")
      try FileManager.default.copyItem(atPath: demo.path, toPath: copy)
      try FileManager.default.copyItem(
        atPath: demo.folder.path(".Journeys_SUPPORT"), toPath: demo.folder.path(".Later_SUPPORT"))
      let connection = try Connection(path: copy, options: .readWrite())
      try connection.execute("PRAGMA journal_mode = DELETE")
      try edit(connection)
      connection.close()
    }
  }

  private static func entity(_ name: String, _ result: Tool.Result) throws -> [String: Any] {
    let entities = try result.json().list("entities")
    return try #require(entities.first { $0["name"] as? String == name })
  }

  @Test func theContractHolds() throws {
    let copies = try Copies { connection in
      try connection.execute("UPDATE ZTRIP SET ZTITLE = 'Elsewhere' WHERE Z_PK = 2")
      try connection.execute("DELETE FROM ZTAG WHERE Z_PK = 1")
      try connection.execute(
        "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT 99, Z_ENT, 1, 'new' FROM ZTAG LIMIT 1")
    }
    let before = try FolderSnapshot(copies.demo.folder.path)
    let result = try copies.demo.run("diff", copies.copy, "--json").expectDone()
    let json = try result.json()
    #expect(json["schema"] as? String == "storescope/diff/1")
    let trip = try Self.entity("Trip", result)
    let changed = try #require((trip["changed"] as? [[String: Any]])?.first)
    #expect(changed["uri"] as? String == "x-coredata://\(copies.demo.uuid)/Trip/p2")
    let property = try #require((changed["properties"] as? [[String: Any]])?.first)
    expectMembers(property, ["name": "title", "to": "Elsewhere"])
    let tag = try Self.entity("Tag", result)
    #expect(tag["added"] as? [String] == ["x-coredata://\(copies.demo.uuid)/Tag/p99"])
    #expect(tag["removed"] as? [String] == ["x-coredata://\(copies.demo.uuid)/Tag/p1"])
    #expect(tag["addedCount"] as? Int == 1 && tag["removedCount"] as? Int == 1)
    #expect(try FolderSnapshot(copies.demo.folder.path) == before)
  }

  @Test func formatsSayTheSame() throws {
    let copies = try Copies { try $0.execute("UPDATE ZTRIP SET ZTITLE = 'Elsewhere' WHERE Z_PK < 3") }
    func run(_ options: String...) throws -> Tool.Result {
      let result = try copies.demo.run(["diff", copies.copy, "--only", "objects"] + options).expectDone()
      return result
    }
    let lines = try run("--format", "ndjson").output.split(separator: "\n")
    let entities = try run("--json").json().list("entities")
    #expect(lines.count == entities.count)
    for (line, entity) in zip(lines, entities) {
      let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? NSDictionary)
      #expect(object == entity as NSDictionary)
    }
    let csv = try run("--format", "csv").output.split(whereSeparator: \.isNewline)
    #expect(csv.count == 3 && csv[0] == "change,entity,uri,property,from,to,title")
    try run("--summary", "--format", "csv").expectOutput("Trip,0,0,2")
    try run("--summary").expectOutput(lacks: "Elsewhere")
    try run().expectOutput("Elsewhere", "Trip/p1")
    try run("--format", "markdown").expectOutput("Elsewhere")
    // A limit cuts the lists and not the counts.
    let limited = try run("--json", "--limit", "1")
    let trip = try Self.entity("Trip", limited)
    #expect((trip["changed"] as? [Any])?.count == 1 && trip["changedCount"] as? Int == 2)
    #expect(try run("--entity", "Tag", "--json").json()["differs"] as? Bool == false)
  }

  /// Of what was added and removed, only keys were shown: `Keyword p5–p22`.
  @Test func valuesOfAddedAndRemovedObjects() throws {
    let copies = try Copies { connection in
      try connection.execute(
        """
        DELETE FROM ZTAG WHERE Z_PK = 2;
        INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME, ZPARENT) SELECT 99, Z_ENT, 1, 'new', 1 FROM ZTAG LIMIT 1;
        UPDATE ZTRIP SET ZTITLE = 'Elsewhere' WHERE Z_PK = 2
        """)
    }
    func run(_ options: String...) throws -> Tool.Result {
      let result = try copies.demo.run(["diff", copies.copy, "--only", "objects"] + options).expectDone()
      return result
    }
    // As `rows` prints them, and named by what people know them by.
    let json = try run("--json")
    let tag = try Self.entity("Tag", json)
    let added = try #require((tag["addedObjects"] as? [NSDictionary])?.first)
    let removed = try #require((tag["removedObjects"] as? [NSDictionary])?.first)
    #expect(
      added["name"] as? String == "new" && added["uri"] as? String == (tag["added"] as? [String])?.first)
    let rows = try copies.demo.json("rows", "Tag", "--where", "pk = 2")["rows"]
    for (name, value) in try #require((rows as? [[String: Any]])?.first) {
      #expect(removed[name] as? NSObject == value as? NSObject, "\(name)")
    }
    let trip = try #require(try (Self.entity("Trip", json)["changed"] as? [[String: Any]])?.first)
    #expect((trip["title"] as? String)?.isEmpty == false)

    try run().expectOutput("+1 −1 ~", lacks: "parent: Tag/p1")
    try run("--values").expectOutput("       parent: Tag/p1")
    let plain = try run("--format", "csv").output.split(whereSeparator: \.isNewline)
    let full = try run("--format", "csv", "--values").output.split(whereSeparator: \.isNewline)
    #expect(plain.filter { $0.hasPrefix("added,") }.count == 1)
    #expect(
      full.contains {
        $0.hasPrefix("added,Tag,")
          && $0.hasSuffix("/Tag/p99,parent,,x-coredata://\(copies.demo.uuid)/Tag/p1,new")
      }, "\(full)")
    #expect(
      full.contains { $0.hasPrefix("removed,Tag,") && $0.contains(",name,") && !$0.contains(",name,,") })
  }

  /// CSV had the sentence "another order" in a column for values.
  @Test func valuesInCSVAreNoSentences() throws {
    let folder = TemporaryFolder("order")
    let forge = try StoreForge(path: folder.path("App.store"), model: FixtureModels.manyToMany)
    let (one, two, list) = try forge.save { save in
      let (one, two) = (try save.insert("Song", ["name": "One"]), try save.insert("Song", ["name": "Two"]))
      return (one, two, try save.insert("Playlist", ["name": "Mix"], links: ["songs": [one, two]]))
    }
    try forge.checkpoint()
    try FileManager.default.copyItem(atPath: folder.path("App.store"), toPath: folder.path("Before.store"))
    try forge.save { save in
      try save.unlink(list, "songs", one)
      try save.link(list, "songs", one)
      try save.update(two, ["name": "Two"])
    }
    try forge.close(leaving: .nothing)
    let result = try Tool.run([
      "diff", folder.path("Before.store"), folder.path("App.store"), "--only", "objects", "--format", "csv",
    ]).expectDone()
    let rows = result.output.split(whereSeparator: \.isNewline).dropFirst()
    #expect(rows.count == 1, "\(result.output)")
    #expect(rows.allSatisfy { $0.hasPrefix("reordered,Playlist,") && $0.hasSuffix(",songs,,,Mix") })
  }

  /// The text ignored --limit, and a long text was printed whole, twice.
  @Test func examplesStandForTheRest() throws {
    let long = String(repeating: "The same words. ", count: 40)
    let copies = try Copies {
      try $0.execute(
        """
        UPDATE ZTAG SET ZNAME = ZNAME || ' changed';
        UPDATE ZENTRY SET ZTEXT = '\(long)' WHERE Z_PK = 2; UPDATE ZENTRY SET ZTEXT = NULL WHERE Z_PK = 3
        """)
    }
    let before = copies.demo.folder.path("Before.store")
    try FileManager.default.copyItem(atPath: copies.copy, toPath: before)
    let connection = try Connection(path: copies.copy, options: .readWrite())
    try connection.execute("UPDATE ZENTRY SET ZTEXT = '\(long)and others' WHERE Z_PK = 2")
    connection.close()
    func lines(_ words: String...) throws -> [String] {
      let result = try Tool.run(["diff"] + words + ["--only", "objects"]).expectDone()
      return result.output.split(separator: "\n").map(String.init)
    }
    let tags = try lines(copies.demo.path, copies.copy, "--entity", "Tag")
    #expect(tags.contains("  8  Tag changed") && tags.contains("     … and 5 more"), "\(tags)")
    #expect(tags.count { $0.contains("Tag/p") } == 3 && tags.contains("       name: food → food changed"))
    for (limit, count) in [("0", 0), ("1", 1), ("8", 8), ("500", 8)] {
      let some = try lines(copies.demo.path, copies.copy, "--entity", "Tag", "--limit", limit)
      #expect(some.count { $0.contains("Tag/p") } == count)
      #expect(some.contains { $0.contains("--limit N shows") } == (count < 8))
    }
    let entries = try lines(copies.demo.path, copies.copy, "--entity", "Entry")
    #expect(entries.contains { $0.hasPrefix("       text: ") && $0.hasSuffix(" → NULL") }, "\(entries)")
    // Of two long texts, the place where they part.
    let parted = try lines(before, copies.copy, "--entity", "Entry")
    #expect(
      parted.contains("       text: …same words.  → …same words. and others")
        && parted.allSatisfy { $0.count < 160 }, "\(parted)")
  }

  /// The answer was that no object differs, and a narrow screen left the mirror's changes a strip of 20 columns.
  @Test func whatDiffersComesFirst() throws {
    let copies = try Copies {
      try $0.execute(
        """
        UPDATE ANSCKRECORDZONEMETADATA SET ZCURRENTCHANGETOKEN = NULL;
        UPDATE ANSCKRECORDMETADATA SET ZNEEDSUPLOAD = 1 WHERE Z_PK = (
          SELECT MIN(Z_PK) FROM ANSCKRECORDMETADATA WHERE ZNEEDSUPLOAD = 0 AND ZNEEDSCLOUDDELETE = 0)
        """)
    }
    func lines(_ options: String...) throws -> [Substring] {
      try copies.demo.run(["diff", copies.copy] + options).output.split(separator: "\n")
    }
    let mirror = try lines("--only", "objects", "--only", "mirror")
    #expect(
      mirror[1].hasPrefix("Only the mirror differs: 1 record, 1 zone. Objects, matched by"), "\(mirror)")
    let alone = try lines("--only", "mirror")
    #expect(alone[1] == "The mirror differs: 1 record, 1 zone.", "\(alone)")
    #expect(alone.contains("• zone com.apple.coredata.cloudkit.zone: token removed"), "\(alone)")
    #expect(
      alone.contains { $0.hasSuffix("to be uploaded") } && !alone.contains { $0.contains("pendingUpload") })
  }

  @Test func exitCodeIsAskedFor() throws {
    let copies = try Copies { try $0.execute("UPDATE ZTRIP SET ZTITLE = 'Elsewhere' WHERE Z_PK = 2") }
    #expect(try copies.demo.run("diff", copies.copy).status == 0)
    #expect(try copies.demo.run("diff", copies.copy, "--exit-code").status == 1)
    try copies.demo.run("diff", copies.copy, "--exit-code", "--only", "history", "--only", "mirror")
      .expectOutput(status: 0, "No differences. Compared: history, mirror.")
    let json = try copies.demo.json("diff", copies.copy, "--only", "history")
    #expect(json["model"] is NSNull && json["entities"] is [Any])
  }

  // MARK: States of one store

  @Test func commitsOfOneStore() throws {
    let demo = try Demo()
    let before = try FolderSnapshot(demo.folder.path)
    let result = try demo.run("diff", "--as-of-commit", "3", "--json").expectDone()
    let counts = try #require(try result.json()["counts"] as? [String: Int])
    // One object got another value, and two tags got the new object.
    #expect(counts == ["added": 1, "removed": 1, "changed": 3])
    // The same, in two steps and backwards; the store may be named twice.
    let first = try demo.run("diff", "--as-of-commit", "3", "--to-commit", "1", "--json")
    let second = try demo.run("diff", demo.path, "--as-of-commit", "1", "--json")
    let back = try demo.run("diff", "--to-commit", "3", "--json")
    var sums: [String: Int] = [:]
    for run in [first, second] {
      run.expectDone()
      let counts = try #require(try run.json()["counts"] as? [String: Int])
      sums.merge(counts) { $0 + $1 }
    }
    #expect(sums["added"] == 1 && sums["removed"] == 1)
    // The older state comes first: what was deleted since looked like something added.
    #expect((try back.json()["counts"] as? [String: Int])?["added"] == 1)
    let bare = try demo.run("diff", "--json")
    #expect(bare.output == second.output && bare.errors.contains("newest commit"))
    #expect(try FolderSnapshot(demo.folder.path) == before)
    try demo.run("diff", "--as-of-commit", "99").expectRefused("commits")
  }

  /// A writer that goes on meanwhile keeps its locks, and the two states stay the same distance apart.
  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func besideAWriter() throws {
    let demo = try Demo(leaving: .nothing)
    let writer = try LiveWriter(demo.path)
    try writer.run("PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0")
    for number in 1...5 {
      try writer.run("UPDATE ZTRIP SET ZTITLE = 'title \(number)' WHERE Z_PK = 1")
      let result = try demo.run("diff", "--as-of-commit", "1", "--only", "objects", "--format", "csv")
        .expectDone()
      let lines = result.output.split(whereSeparator: \.isNewline)
      #expect(lines.count == 2 && lines[1].contains(",title \(number),"), "\(result.output)")
    }
    try writer.run("BEGIN IMMEDIATE; UPDATE ZTRIP SET ZTITLE = 'unseen' WHERE Z_PK = 1")
    try demo.run("diff", "--as-of-commit", "1", "--only", "objects", "--json").expectDone().expectOutput(
      lacks: "unseen")
    try writer.run("COMMIT")
    #expect(try writer.finish().isEmpty)
  }

  // MARK: Backups

  @Test func backupsOfThisTool() throws {
    let demo = try Demo()
    let name = URL(filePath: demo.path).lastPathComponent
    let applied = try demo.run("repair", "clear-events", "--apply", "--confirm", name, "--json")
    let backup = try #require(
      try demo.folder.names().first {
        $0.hasSuffix(".backup")
      }, "\(applied.errors)")
    let folder = demo.folder.path(backup)
    let before = try FileTree.hashes(folder)
    let forward = try Tool.run(["diff", folder, demo.path, "--json"]).expectDone()
    #expect(try forward.json()["differs"] as? Bool == true)
    let other = try forward.json().object("other")
    #expect(other["path"] as? String == demo.path)
    let back = try demo.run("diff", folder + "/", "--only", "objects", "--json").expectDone()
    #expect(try back.json()["differs"] as? Bool == false)
    #expect(try FileTree.hashes(folder) == before)
  }

  // MARK: Two devices

  @Test func differentStoresNeedToBeMatched() throws {
    let copies = try Copies {
      try $0.execute("UPDATE Z_METADATA SET Z_UUID = 'DEADBEEF-0000-4000-8000-000000000002'")
      try $0.execute("UPDATE ZTRIP SET ZTITLE = 'Elsewhere' WHERE Z_PK = 1")
    }
    let byRecord = try copies.demo.run("diff", copies.copy, "--json").expectDone()
    #expect(try byRecord.json()["matchedBy"] as? String == "record")
    let changed = try Self.entity("Trip", byRecord).list("changed")
    #expect(changed.count == 1)
    #expect((changed[0]["other"] as? String)?.hasPrefix("x-coredata://DEADBEEF") == true)
    // Without a mirror nothing tells.
    let connection = try Connection(path: copies.copy, options: .readWrite())
    let tables = try connection.rows(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ANSCK%'"
    ) {
      $0.text(0)
    }
    for table in tables { try connection.execute("DROP TABLE \(table)") }
    connection.close()
    try copies.demo.run("diff", copies.copy).expectRefused("--match key", "--only model")
    try copies.demo.run("diff", copies.copy, "--match", "record").expectRefused("Later.store")
    let byKey = try copies.demo.run("diff", copies.copy, "--match", "key", "--json").expectDone()
    #expect((try Self.entity("Trip", byKey)["changed"] as? [Any])?.count == 1)
  }

  // MARK: Refusals

  /// 'No differences' was said of logs and histories that weren't compared.
  @Test func whatIsNotComparedIsNoSameness() throws {
    let copies = try Copies {
      try $0.execute("UPDATE Z_METADATA SET Z_UUID = 'DEADBEEF-0000-4000-8000-000000000002'")
      try $0.execute("DELETE FROM ANSCKEVENT")
    }
    func text(_ part: String) throws -> String {
      try copies.demo.run("diff", copies.copy, "--only", part).output
    }
    #expect(try text("mirror").contains("Compared: mirror without its event log."))
    #expect(try text("history").contains("so their histories can't be compared.\nNothing to compare."))
    let plain = try Copies { connection in
      let mirror = try connection.rows(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'ANSCK%'"
      ) {
        $0.text(0)
      }
      for table in mirror { try connection.execute("DROP TABLE \(table)") }
    }
    let other = plain.demo.folder.path("Again.store")
    try FileManager.default.copyItem(atPath: plain.copy, toPath: other)
    let words = ["diff", plain.copy, other, "--only", "mirror"]
    try Tool.run(words).expectOutput("Nothing to compare: neither store is mirrored.")
  }

  @Test func whatIsNoStoreIsRefused() throws {
    let demo = try Demo(leaving: .nothing)
    try demo.folder.write(Array("text".utf8), to: "text.txt")
    let plain = try Connection(path: demo.folder.path("plain.db"), options: .readWrite(create: true))
    try plain.execute("CREATE TABLE t(x)")
    plain.close()
    try demo.folder.link("link.store", to: demo.path)
    try demo.run("diff", demo.folder.path("text.txt")).expectRefused("text.txt")
    try demo.run("diff", demo.folder.path("plain.db")).expectRefused("plain.db", "Z_METADATA")
    try demo.run("diff", demo.folder.path("none.store")).expectRefused("none.store")
    // The folder has one store only, under several names.
    try demo.run("diff", demo.folder.path).expectRefused(status: 64, "same file", "--as-of-commit")
    try FileManager.default.linkItem(atPath: demo.path, toPath: demo.folder.path("hard.store"))
    for name in ["link.store", "hard.store"] {
      try demo.run("diff", demo.folder.path(name))
        .expectRefused(status: 64, "same file", "--as-of-commit")
    }
    try demo.run("diff").expectRefused(status: 64, "OTHER", "--as-of-commit")
    try demo.run("diff", "--as-of-commit", "1").expectRefused("no -wal")
    try demo.run("diff", demo.folder.path("x"), "--match", "name")
      .expectRefused(status: 64, "key or record")
  }

  /// An error names the store that it is about.
  @Test func damageIsNamed() throws {
    let copies = try Copies()
    let size = try copies.demo.folder.read("Later.store").count
    var bytes = try copies.demo.folder.read("Later.store")
    for offset in stride(from: 4096 * 8, to: size, by: 4096) { bytes[offset] = 0xFF }
    try copies.demo.folder.write(bytes, to: "Later.store")
    let result = try copies.demo.run("diff", copies.copy)
    result.expectAnswer()
    #expect(result.status == 2 && result.errors.contains("Later.store"), "\(result.errors)")
  }

  @Test func inTheShell() throws {
    let copies = try Copies { try $0.execute("UPDATE ZTRIP SET ZTITLE = 'Elsewhere' WHERE Z_PK = 2") }
    try copies.demo.run("shell", "-c", "diff \(copies.copy) --only objects").expectDone().expectOutput(
      "Elsewhere")
  }
}
