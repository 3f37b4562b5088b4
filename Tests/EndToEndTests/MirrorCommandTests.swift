import Forge
import Foundation
import SQLite
import TestSupport
import Testing

/// What the mirror's commands print for people, on the demo store.
struct MirrorCommandTests {
  private func run(_ words: [String], status: Int32 = 0) throws -> Tool.Result {
    let result = try Tool.run(words)
    #expect(result.status == status, "\(words): \(result.errors)")
    return result
  }

  @Test func aLimitedListOfUnknownLengthCountsNothing() throws {
    let demo = try Demo()
    let all = demo.mirror.records.filter { $0.state == .uploaded }
    #expect(all.count > 2)
    let shown = try run(["records", demo.path, "--state", "uploaded", "--limit", "2"]).output
    #expect(!shown.contains("-2 more") && !shown.contains(" of 0"), "\(shown)")
  }

  /// People took an object for one that the server has as it is here; its title is how they know it.
  @Test func recordsSayWhatChangedSince() throws {
    let demo = try Demo()
    let shown = try run(["records", demo.path, "--state", "uploaded", "--limit", "99"]).output
    for line in [
      #/Entry/p4 +Tram 28 +uploaded, changed since\b/#,
      #/Attachment/p2 +ticket\.txt +uploaded, deleted since\b/#,
      #/Landmark/p6 +Livraria Lello +uploaded +[0-9A-F]{8}/#,
    ] {
      #expect(shown.contains(line), "\(shown)")
    }
    let data = try run(["records", demo.path, "--state", "uploaded", "--format", "csv"]).output
    #expect(!data.contains("since"))
  }

  @Test func recordsOfAnObject() throws {
    let demo = try Demo()
    let record = try #require(demo.mirror.records.first { $0.objectExists })
    let entity = record.object.entity
    let other = try #require(
      demo.mirror.records.first { $0.object.entityNumber != record.object.entityNumber })
    func names(_ words: [String]) throws -> [String] {
      let records = try run(["records", demo.path, "--json"] + words).json()["records"] as? [[String: Any]]
      return (records ?? []).compactMap { $0["recordName"] as? String }
    }
    let object = "\(entity)/p\(record.object.primaryKey)"
    for words in [
      ["--object", object], ["--object", object, "--entity", entity], ["--object", record.name],
      ["--object", record.name.lowercased()], ["--object", record.name, "--entity", entity],
    ] {
      #expect(try names(words) == [record.name], "\(words)")
    }
    let mistaken = try Tool.run(["records", demo.path, "--object", "nobody"])
    #expect(mistaken.status == 2 && mistaken.errors.contains("Entity/pN"))
    let elsewhere = try Tool.run(
      ["records", demo.path, "--object", object, "--entity", other.object.entity, "--json"])
    #expect(elsewhere.status == 64 || !elsewhere.output.contains(record.name))
  }

  @Test func decodedRecordsShowTheirTypeAndProblem() throws {
    let demo = try Demo { forge in
      try forge.connection.execute("DELETE FROM ANSCKRECORDMETADATAENCODEDRECORDASSET")
    }
    for format in ["table", "markdown"] {
      let shown = try run(["records", demo.path, "--decode", "--format", format, "--limit", "5000"]).output
      #expect(shown.contains("its copy is missing") && shown.contains("recordType"), "\(format)")
    }
  }

  @Test func tablesThatAreMissingAreNamed() throws {
    let demo = try Demo { forge in
      try forge.connection.execute("DROP TABLE ANSCKEVENT; DROP TABLE ANSCKRECORDMETADATA")
    }
    #expect(try run(["events", demo.path]).output.contains("ANSCKEVENT is missing"))
    #expect(try run(["records", demo.path]).output.contains("ANSCKRECORDMETADATA is missing"))
    #expect(try run(["events", demo.path, "--json"]).json()["problem"] as? String != nil)
  }

  @Test func databasesFlagsAndTokensAreShown() throws {
    let demo = try Demo { forge in
      try forge.connection.execute(
        """
        UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSNEWSHAREINVITATION = 1, ZCURRENTCHANGETOKEN = X'0102';
        """)
    }
    let shown = try run(["mirror", demo.path]).output
    #expect(shown.contains("Databases") && shown.contains("needsNewShareInvitation"), "\(shown)")
    #expect(shown.contains("unreadable: "))
  }

  @Test func tracesByValue() throws {
    let demo = try Demo()
    let (object, state) = try #require(
      demo.truth.objects.sorted { $0.key.primaryKey < $1.key.primaryKey }.first { $0.key.entity == "Person" })
    #expect(!state.values.isEmpty)
    let rows = try #require(
      try run(["rows", demo.path, "Person", "--json"]).json()["rows"] as? [[String: Any]])
    let row = try #require(rows.first { $0["pk"] as? Int64 == object.primaryKey })
    let name = try #require(row["name"] as? String)
    for words in [["Person", "name=\(name)"], ["Person name=\(name)"]] {
      let trace = try run(["trace", demo.path, "--json"] + words).json()
      #expect(trace["object"] as? String == "Person/p\(object.primaryKey)")
      #expect(trace["exists"] as? Bool == true && trace["mirrored"] as? Bool == true)
    }
    let record = try #require(demo.mirror.records.first { $0.objectExists })
    let trace = try run(["trace", demo.path, record.name.lowercased(), "--json"]).json()
    #expect(trace["object"] as? String == "\(record.object.entity)/p\(record.object.primaryKey)")
    let nobody = try Tool.run(["trace", demo.path, "nobody"])
    #expect(nobody.status == 2 && nobody.errors.contains("property=value"), "\(nobody.errors)")
  }

  /// `history` and `records` had filters, and what is pending had to be read whole.
  @Test func pendingIsSelected() throws {
    let demo = try Demo()
    func items(_ words: String...) throws -> [[String: Any]] {
      let json = try run(["pending", demo.path, "--json"] + words).json()
      let items = try #require(json["pending"] as? [[String: Any]])
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
    let text = try run(["pending", demo.path, "--entity", "Trip"]).output
    #expect(
      text.contains("4 of 25 pending (--entity Trip): 2 uploads") && text.hasPrefix("Blocked"), "\(text)")
    #expect(
      try run(["pending", demo.path, "--kind", "share"]).output.contains("0 of 25 pending (--kind share)."))
    for (words, says) in [
      (["--author", "ap"], "Did you mean 'app'?"), (["--entity", "Trp"], "'Trip'"),
      (["--author", "app", "--no-causes"], "leave it out"), (["--kind", "uplod"], "'upload'"),
      (["--entity", "Tag", "--object", "Trip/p1"], "leave out --entity or --object"),
    ] {
      let result = try Tool.run(["pending", demo.path] + words)
      #expect(result.status != 0 && result.errors.contains(says), "\(result.errors)")
    }
  }

  /// A deleted object had no values, and nobody was told that earlier commits have them all.
  @Test func tracesWhatADeletedObjectHad() throws {
    let demo = try Demo()
    let trace = try run(["trace", demo.path, "Attachment/p2", "--json"]).json()
    let values = try #require(trace["lastValues"] as? [String: Any])
    #expect(values["fileName"] as? String == "ticket.txt" && values["byteCount"] as? Int == 53)
    let text = try run(["trace", demo.path, "Attachment/p2"]).output
    let command = try #require(
      text.firstMatch(of: /'storescope (show .+ --as-of-commit 1)' prints all of it/))
    #expect(text.contains("fileName   ticket.txt"))
    #expect(try run(command.1.split(separator: " ").map(String.init)).output.contains("Entry/p4"))
    // Its deletion is older than the WAL, and Booleans are no numbers.
    let trip = try run(["trace", demo.path, "Trip/p4"]).output
    #expect(!trip.contains("--as-of-commit") && trip.contains("isArchived  false"), "\(trip)")
    let there = try run(["trace", demo.path, "Trip/p1", "--json"]).json()
    #expect((there["lastValues"] as? [String: Any])?.isEmpty == true)
  }

  /// Nothing said where the values come from, and links were left out.
  @Test func lastValuesHaveASource() throws {
    let demo = try Demo()
    let text = try run(["trace", demo.path, "Ideas"]).output
    #expect(text.contains("last value (server's copy of 2026-03-20)"), "\(text)")
    #expect(
      text.contains(/\ntrip +Trip\/p4\n/) && text.contains("The copy leaves out empty values"), "\(text)")
    let kept = try run(["trace", demo.path, "Trip/p4"]).output
    #expect(kept.contains("last value (history"), "\(kept)")
  }

  /// Tram 28 was "without its latest changes", though the only one is at the other end of a relationship, because an
  /// attribute that didn't change can't be compared.
  @Test(arguments: [("Tram 28", "attachments"), ("Kinkaku-ji", "entries")])
  func changesElsewhereAreNotMissingOnTheServer(_ title: String, _ property: String) throws {
    let demo = try Demo()
    let text = try run(["trace", demo.path, title]).output
    #expect(
      text.contains("on the server with the same values, but to be uploaded again, blocked."), "\(text)")
    #expect(
      text.replacing("\n", with: " ").contains("Only \(property) changed, which isn't part of its record."),
      "\(text)")
  }

  /// "The server's weather can't be compared", also where there is none.
  @Test(arguments: [("Arrival", true), ("Miradouro", false)])
  func whatCantBeComparedIsAProperty(_ title: String, _ hasWeather: Bool) throws {
    let demo = try Demo()
    let text = try run(["trace", demo.path, title]).output.replacing("\n", with: " ")
    #expect(
      text.contains("except that property 'weather' (a composite attribute) can't be compared.")
        == hasWeather, "\(text)")
    #expect(text.contains("weather") == hasWeather, "\(text)")
  }

  @Test func tracesByTruthValue() throws {
    let demo = try Demo()
    let trips = try #require(
      try run(["rows", demo.path, "Trip", "--json"]).json()["rows"] as? [[String: Any]])
    for value in [true, false] {
      let count = trips.count { $0["isArchived"] as? Bool == value }
      let result = try Tool.run(["trace", demo.path, "Trip", "isArchived=\(value)"])
      #expect(result.status == (count == 1 ? 0 : 2))
      #expect(
        count < 2 || result.errors.contains("\(count) objects may be meant by 'Trip isArchived=\(value)'"),
        "\(result.errors)"
      )
    }
  }

  @Test func anUnmirroredStoreIsTracedAsSuch() throws {
    let demo = try Demo { forge in
      let tables = try forge.connection.rows("SELECT name FROM sqlite_master WHERE name GLOB 'ANSCK*'") {
        $0.text(0)
      }
      for table in tables { try forge.connection.execute("DROP TABLE IF EXISTS \(table)") }
    }
    let trace = try run(["trace", demo.path, "Trip/p1"]).output
    // What happened to the object comes first, and not what the store lacks.
    #expect(
      trace.hasPrefix("Trip/p1 \"Spring in Lisbon\": last changed by app on Apr 18 08:02 UTC"), "\(trace)")
    let last = trace.split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("The store isn't mirrored to CloudKit"), "\(trace)")
  }

  /// "What exactly changed?" had no answer but in `diff --as-of-commit`, which nothing led to. Of an update that was
  /// moved into the main file long ago, nobody has the old values.
  @Test func traceShowsWhatTheNewestUpdateReplaced() throws {
    let demo = try Demo()
    let trace = try Tool.run(["trace", demo.path, "Trip/p1"]).output
    #expect(trace.contains("Updated by app: budget (1249.5 → 1312.4)."), "\(trace)")
    #expect(trace.contains("Updated by app: isArchived, mood."), "\(trace)")
    let steps = try #require(try Tool.json(["trace", demo.path, "Trip/p1"])["steps"] as? [[String: Any]])
    #expect(steps.compactMap { $0["before"] as? [String: Double] } == [["budget": 1249.5]])
    let moved = try Demo { try $0.connection.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    #expect(try Tool.run(["trace", moved.path, "Trip/p1"]).output.contains("Updated by app: budget."))
  }

  /// An older state's "on the server with the same values" looked like today's.
  @Test(arguments: ["show", "trace"]) func anOlderStateIsCalledOne(_ command: String) throws {
    let demo = try Demo()
    let words = [command, demo.path, "Attachment/p2", "--as-of-commit", "1"]
    #expect(
      try Tool.run(words).output.hasPrefix("Attachment/p2 \"ticket.txt\" as of 1 commit ago: on the server"))
  }
}
