import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// What the mirror's commands print for people, on the demo store.
final class MirrorCommandTests: DemoSuite {
  private func run(_ words: String...) throws -> Tool.Result { try run(words) }

  private func run(_ words: [String]) throws -> Tool.Result {
    try demo.run(words).expectStatus(comment: "\(words)")
  }

  @Test func aLimitedListOfUnknownLengthCountsNothing() throws {
    let all = demo.mirror.records.filter { $0.state == .uploaded }
    #expect(all.count > 2)
    try run("records", "--state", "uploaded", "--limit", "2").expectOutput(lacks: "-2 more", " of 0")
  }

  /// People took an object for one that the server has as it is here; its title is how they know it.
  @Test func recordsSayWhatChangedSince() throws {
    let shown = try run("records", "--state", "uploaded", "--limit", "99").output
    for line in [
      #/Entry/p4 +Tram 28 +uploaded, changed since\b/#,
      #/Attachment/p2 +ticket\.txt +uploaded, deleted since\b/#,
      #/Landmark/p6 +Livraria Lello +uploaded +[0-9A-F]{8}/#,
    ] {
      #expect(shown.contains(line), "\(shown)")
    }
    try run("records", "--state", "uploaded", "--format", "csv").expectOutput(lacks: "since")
  }

  @Test func recordsOfAnObject() throws {
    let record = try #require(demo.mirror.records.first { $0.objectExists })
    let entity = record.object.entity
    let other = try #require(
      demo.mirror.records.first { $0.object.entityNumber != record.object.entityNumber })
    func names(_ words: [String]) throws -> [String] {
      let records = try run(["records", "--json"] + words).json()["records"] as? [[String: Any]]
      return (records ?? []).compactMap { $0["recordName"] as? String }
    }
    let object = "\(entity)/p\(record.object.primaryKey)"
    for words in [
      ["--object", object], ["--object", object, "--entity", entity], ["--object", record.name],
      ["--object", record.name.lowercased()], ["--object", record.name, "--entity", entity],
    ] {
      #expect(try names(words) == [record.name], "\(words)")
    }
    try demo.run("records", "--object", "nobody").expectErrors(status: 2, "Entity/pN")
    let elsewhere = try demo.run("records", "--object", object, "--entity", other.object.entity, "--json")
    #expect(elsewhere.status == 64 || !elsewhere.output.contains(record.name))
  }

  @Test func decodedRecordsShowTheirTypeAndProblem() throws {
    let demo = try Demo { forge in
      try forge.connection.execute("DELETE FROM ANSCKRECORDMETADATAENCODEDRECORDASSET")
    }
    for format in ["table", "markdown"] {
      try demo.run("records", "--decode", "--format", format, "--limit", "5000").expectOutput(
        status: 0, "its copy is missing", "recordType", comment: "\(format)")
    }
  }

  @Test func tablesThatAreMissingAreNamed() throws {
    let demo = try Demo { forge in
      try forge.connection.execute("DROP TABLE ANSCKEVENT; DROP TABLE ANSCKRECORDMETADATA")
    }
    try demo.run("events").expectOutput(status: 0, "ANSCKEVENT is missing")
    try demo.run("records").expectOutput(status: 0, "ANSCKRECORDMETADATA is missing")
    #expect(try demo.json("events")["problem"] is String)
  }

  @Test func databasesFlagsAndTokensAreShown() throws {
    let demo = try Demo { forge in
      try forge.connection.execute(
        """
        UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSNEWSHAREINVITATION = 1, ZCURRENTCHANGETOKEN = X'0102';
        """)
    }
    try demo.run("mirror").expectOutput(status: 0, "Databases", "needsNewShareInvitation", "unreadable: ")
  }

  @Test func tracesByValue() throws {
    let (object, state) = try #require(
      demo.truth.objects.sorted { $0.key.primaryKey < $1.key.primaryKey }.first { $0.key.entity == "Person" })
    #expect(!state.values.isEmpty)
    let rows = try run("rows", "Person", "--json").json().list("rows")
    let row = try #require(rows.first { $0["pk"] as? Int64 == object.primaryKey })
    let name = try #require(row["name"] as? String)
    for words in [["Person", "name=\(name)"], ["Person name=\(name)"]] {
      let trace = try run(["trace", "--json"] + words).json()
      expectMembers(trace, ["object": "Person/p\(object.primaryKey)", "exists": true, "mirrored": true])
    }
    let record = try #require(demo.mirror.records.first { $0.objectExists })
    let trace = try run("trace", record.name.lowercased(), "--json").json()
    #expect(trace["object"] as? String == "\(record.object.entity)/p\(record.object.primaryKey)")
    try demo.run("trace", "nobody").expectErrors(status: 2, "property=value")
  }

  /// `history` and `records` had filters, and what is pending had to be read whole.
  @Test func pendingIsSelected() throws {
    func items(_ words: String...) throws -> [[String: Any]] {
      let json = try run(["pending", "--json"] + words).json()
      let items = try json.list("pending")
      let counts = try #require(json["counts"] as? [String: Int])
      #expect(counts.values.reduce(0, +) == items.count && json["total"] as? Int == items.count)
      // The whole store's total was next to the selection's counts, and nothing showed that there was a selection.
      #expect(json["totalUnfiltered"] as? Int == (words.isEmpty ? nil : 25))
      return items
    }
    let all = try items()
    #expect(all.count == 25)
    func count(_ condition: ([String: Any]) -> Bool) -> Int { all.count(where: condition) }
    #expect(try items("--entity", "Trip").count == count { $0["entity"] as? String == "Trip" })
    let places = count { ["City", "Landmark", "Place"].contains($0["entity"] as? String) }
    #expect(try places > 0 && items("--entity", "Place").count == places)
    #expect(
      try items("--kind", "upload", "--kind", "link").count
        == count {
          ["upload", "link"].contains($0["kind"] as? String)
        })
    #expect(try items("--author", "app").count == count { $0["author"] as? String == "app" })
    #expect(try items("--no-author").count == count { $0["author"] is NSNull && !($0["since"] is NSNull) })
    #expect(try items("--object", "Spring in Lisbon").contains { $0["pk"] as? Int == 1 })
    #expect(try items("--object", "Trip/p1", "--kind", "share").isEmpty)
    try run("pending", "--entity", "Trip").expectOutput(
      begins: "Blocked", "4 of 25 pending (--entity Trip): 2 uploads")
    try run("pending", "--kind", "share").expectOutput("0 of 25 pending (--kind share).")
    for (words, says) in [
      (["--author", "ap"], "Did you mean 'app'?"), (["--entity", "Trp"], "'Trip'"),
      (["--author", "app", "--no-causes"], "leave it out"), (["--kind", "uplod"], "'upload'"),
      (["--entity", "Tag", "--object", "Trip/p1"], "leave out --entity or --object"),
    ] {
      let result = try demo.run(["pending"] + words)
      #expect(result.status != 0 && result.errors.contains(says), "\(result.errors)")
    }
  }

  /// A deleted object had no values, and nobody was told that earlier commits have them all.
  @Test func tracesWhatADeletedObjectHad() throws {
    let trace = try run("trace", "Attachment/p2", "--json").json()
    let values = try trace.object("lastValues")
    #expect(values["fileName"] as? String == "ticket.txt" && values["byteCount"] as? Int == 53)
    let text = try run("trace", "Attachment/p2").output
    let command = try #require(
      text.firstMatch(of: /'storescope (show .+ --as-of-commit 1)' prints all of it/))
    #expect(text.contains("fileName   ticket.txt"))
    try Tool.run(command.1.split(separator: " ").map(String.init)).expectOutput("Entry/p4")
    // Its deletion is older than the WAL, and Booleans are no numbers.
    try run("trace", "Trip/p4").expectOutput("isArchived  false", lacks: "--as-of-commit")
    let there = try run("trace", "Trip/p1", "--json").json()
    #expect((there["lastValues"] as? [String: Any])?.isEmpty == true)
  }

  /// Nothing said where the values come from, and links were left out.
  @Test func lastValuesHaveASource() throws {
    try run("trace", "Ideas").expectOutput(
      "last value (server's copy of 2026-03-20)", /\ntrip +Trip\/p4\n/, "The copy leaves out empty values")
    try run("trace", "Trip/p4").expectOutput("last value (history")
  }

  /// Tram 28 was "without its latest changes", though the only one is at the other end of a relationship, because an
  /// attribute that didn't change can't be compared.
  @Test(arguments: [("Tram 28", "attachments"), ("Kinkaku-ji", "entries")])
  func changesElsewhereAreNotMissingOnTheServer(_ title: String, _ property: String) throws {
    let text = try run("trace", title).output
    expectText(text, "on the server with the same values, but to be uploaded again, blocked.")
    #expect(
      text.replacing("\n", with: " ").contains("Only \(property) changed, which isn't part of its record."),
      "\(text)")
  }

  /// "The server's weather can't be compared", also where there is none.
  @Test(arguments: [("Arrival", true), ("Miradouro", false)])
  func whatCantBeComparedIsAProperty(_ title: String, _ hasWeather: Bool) throws {
    let text = try run("trace", title).output.replacing("\n", with: " ")
    #expect(
      text.contains("except that property 'weather' (a composite attribute) can't be compared.")
        == hasWeather, "\(text)")
    #expect(text.contains("weather") == hasWeather, "\(text)")
  }

  @Test func tracesByTruthValue() throws {
    let trips = try run("rows", "Trip", "--json").json().list("rows")
    for value in [true, false] {
      let count = trips.count { $0["isArchived"] as? Bool == value }
      let result = try demo.run("trace", "Trip", "isArchived=\(value)")
      #expect(result.status == (count == 1 ? 0 : 2))
      #expect(
        count < 2 || result.errors.contains("\(count) objects may be meant by 'Trip isArchived=\(value)'"),
        "\(result.errors)")
    }
  }

  @Test func anUnmirroredStoreIsTracedAsSuch() throws {
    let demo = try Demo { forge in
      let tables = try forge.connection.rows("SELECT name FROM sqlite_master WHERE name GLOB 'ANSCK*'") {
        $0.text(0)
      }
      for table in tables { try forge.connection.execute("DROP TABLE IF EXISTS \(table)") }
    }
    let trace = try demo.run("trace", "Trip/p1").expectStatus().output
    // What happened to the object comes first, and not what the store lacks.
    expectText(trace, begins: "Trip/p1 \"Spring in Lisbon\": last changed by app on Apr 18 08:02 UTC")
    let last = trace.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("The store isn't mirrored to CloudKit"), "\(trace)")
  }

  /// "What exactly changed?" had no answer but in `diff --as-of-commit`, which nothing led to. Of an update that was
  /// moved into the main file long ago, nobody has the old values.
  @Test func traceShowsWhatTheNewestUpdateReplaced() throws {
    let trace = try demo.run("trace", "Trip/p1").output
    expectText(trace, "Updated by app: budget (1249.5 → 1312.4).", "Updated by app: isArchived, mood.")
    let steps = try demo.json("trace", "Trip/p1").list("steps")
    #expect(steps.compactMap { $0["before"] as? [String: Double] } == [["budget": 1249.5]])
    let moved = try Demo { try $0.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    try moved.run("trace", "Trip/p1").expectOutput("Updated by app: budget.")
  }

  /// An older state's "on the server with the same values" looked like today's.
  @Test(arguments: ["show", "trace"]) func anOlderStateIsCalledOne(_ command: String) throws {
    let words = [command, demo.path, "Attachment/p2", "--as-of-commit", "1"]
    try Tool.run(words).expectOutput(begins: "Attachment/p2 \"ticket.txt\" as of 1 commit ago: on the server")
  }
}
