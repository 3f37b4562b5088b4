import Base
import Forge
import Foundation
import Lens
import SQLite
import TestSupport
import Testing

@testable import Commands

/// `query` while values are withheld. It was answered from a redacted copy: sums, dates and conditions over placeholders
/// came out as if they were facts.
struct AssistantQueryTests {
  private let folder = TemporaryFolder("assistant")
  private let store: String
  private let questions: AssistantQuestions

  init() throws {
    store = try DemoStore.copy(in: folder.path)
    questions = try AssistantQuestions(AssistantSettings(showsValues: false, folders: []))
  }

  private func answer(_ sql: String) throws -> (error: String?, rows: [NSDictionary]) {
    let result = try AssistantCall.result("query", ["sql": sql, "limit": 1000], store, questions)
    let content = try #require(result["structuredContent"] as? [String: Any])
    #expect(content["values"] as? String == "withheld")
    return (content["error"] as? String, content["rows"] as? [NSDictionary] ?? [])
  }

  /// A condition on a name that gets a mark compared it with the mark: "none" of an author's saves.
  @Test func namesCompareAsTheirMarks() throws {
    let connection = try Connection(path: store, options: OpenOptions(.readWrite(create: false)))
    try connection.execute("UPDATE ATRANSACTIONSTRING SET ZNAME = 'ada@example.com' WHERE ZNAME = 'app'")
    try connection.execute("UPDATE ANSCKRECORDZONEMETADATA SET ZCKRECORDZONENAME = 'Ada'")
    let records = try connection.first("SELECT COUNT(*) FROM ANSCKRECORDMETADATA") { Int($0.integer(0)) }
    connection.close()
    let shown = try answer("SELECT author, COUNT(*) AS n FROM transactions GROUP BY author ORDER BY n DESC")
    let (author, count) = (shown.rows[0]["author"] as? String ?? "", shown.rows[0]["n"] as? Int)
    #expect(author.hasPrefix("[withheld"))
    for name in ["ada@example.com", author] {
      let found = try answer("SELECT COUNT(*) AS n FROM transactions WHERE author IN ('x', '\(name)')")
      #expect(found.rows.first?["n"] as? Int == count, "\(found)")
    }
    let ofZone = try answer("SELECT COUNT(*) AS n FROM records WHERE zone = 'Ada'")
    #expect(ofZone.rows.first?["n"] as? Int == records, "\(ofZone)")
  }

  // MARK: - Refused

  @Test(arguments: [
    "SELECT SUM(budget) FROM Trip", "SELECT MAX(date) FROM Entry", "SELECT COUNT(title) FROM Trip",
    "SELECT COUNT(*) FROM Entry WHERE date > '2026-03-25'", "SELECT COUNT(*) FROM Trip WHERE isArchived",
    "SELECT pk FROM Trip WHERE title LIKE '%Lisbon%'", "SELECT pk FROM Trip ORDER BY title",
    "SELECT COUNT(*) FROM Trip GROUP BY title",
    "SELECT COUNT(*) FROM Trip GROUP BY pk HAVING MIN(title) > 'a'",
    "SELECT title IS NULL FROM Trip", "SELECT (pk, title) = (1, 'x') FROM Trip", "SELECT \"title\" FROM Trip",
    "SELECT pk FROM Trip t WHERE EXISTS (SELECT 1 FROM Entry e WHERE e.title = 'x')",
    "SELECT SUM(pk) OVER (ORDER BY title) FROM Trip",
    "SELECT t.pk FROM Trip t JOIN Entry e ON e.title = t.title",
    "SELECT 'x' IN (SELECT title FROM Trip)", "SELECT trip.title FROM Entry",
    "SELECT pk FROM Entry WHERE trip.title = 'x'", "SELECT weather.condition FROM Entry",
    // SQLite's authorizer isn't asked about what these compare.
    "SELECT COUNT(*) FROM Trip JOIN (SELECT 'Spring in Lisbon' AS title) USING (title)",
    "SELECT COUNT(*) FROM Trip NATURAL JOIN (SELECT 'Spring in Lisbon' AS title)",
    "SELECT COUNT(*) FROM ZTRIP JOIN (SELECT 'Spring in Lisbon' AS ZTITLE) USING (ZTITLE)",
    "SELECT COUNT(*) FROM ZTRIP NATURAL JOIN (SELECT 'Spring in Lisbon' AS ZTITLE)",
    // It takes a name that the SQL itself defines for the view's.
    "WITH records AS (SELECT ZTITLE FROM main.ZTRIP) SELECT * FROM records",
    "WITH Trip(pk) AS (SELECT ZTITLE FROM ZTRIP) SELECT pk FROM Trip",
    "WITH Trip AS MATERIALIZED (SELECT ZTITLE AS pk FROM ZTRIP) SELECT MAX(pk) FROM Trip",
    "SELECT * FROM (SELECT ZTITLE AS pk FROM ZTRIP) AS Trip",
    "WITH RECURSIVE Trip(pk) AS (SELECT ZTITLE FROM ZTRIP UNION SELECT pk FROM Trip) SELECT * FROM Trip",
    "SELECT pk FROM Trip UNION ALL SELECT ZTITLE FROM ZTRIP", "SELECT (SELECT ZTITLE FROM ZTRIP)",
    "SELECT * FROM main.ZTRIP", "SELECT COUNT(*) FROM main.ZTRIP", "SELECT rowid FROM ZTRIP",
    "SELECT * FROM 'ZTRIP'",
    "SELECT * FROM Z_METADATA", "SELECT ZCKRECORDNAME FROM ANSCKRECORDMETADATA",
    "SELECT * FROM sqlite_master", "SELECT sql FROM temp.sqlite_schema", "PRAGMA table_info(ZTRIP)",
    "SELECT * FROM pragma_table_info('ZTRIP')", "SELECT name FROM pragma_function_list",
    "SELECT * FROM lens_properties",
    "SELECT tombstone FROM changes", "SELECT process FROM transactions", "SELECT bundle FROM changes",
    "SELECT recordName FROM records", "SELECT fields FROM records", "SELECT MAX(modified) FROM records",
    "SELECT value FROM metadataEntries", "SELECT id FROM events", "SELECT recordName FROM pending",
    "SELECT objectRecord FROM links", "SELECT blob_json(x'00')", "SELECT blob_kind(x'00')",
    "SELECT external_data(x'0200')", "SELECT metadata_archive(x'00')",
    "SELECT record_copy('fields', 1, 0, 0, 0, 0, 0, 0)",
    "SELECT tombstone(1, 2, 'x')", "SELECT sqlite_version()",
    "EXPLAIN SELECT title FROM Trip", "deleted-objects", "records-not-uploaded", "table-sizes",
  ]) func isRefused(_ sql: String) throws {
    let (error, rows) = try answer(sql)
    #expect(
      error?.hasSuffix("this server shows no values; start it with --include-values.") == true, "\(rows)")
  }

  /// No column of an entity that isn't a key or an address, and no saved query that needs one.
  @Test func noAttributeIsOpen() throws {
    let names = try answer(
      "SELECT entity, name FROM properties WHERE kind = 'attribute' AND \"column\" IS NOT NULL"
    ).rows
    #expect(names.count > 30)
    for name in names {
      let sql = "SELECT \"\(name["name"] ?? "")\" FROM \"\(name["entity"] ?? "")\""
      #expect(try answer(sql).error?.contains("this server shows no values") == true, "\(sql)")
    }
  }

  /// What is wrong isn't said to be withheld.
  @Test(arguments: [
    ("SELECT titel FROM Trip", "Did you mean 'title'?"), ("SELECT pk FROM Tripp", "Tripp"),
    ("SELECT pk FROM", "incomplete"),
    ("DELETE FROM Trip", "only reading"), ("SELECT nothing(1)", "nothing"),
  ]) func mistakesAreExplained(_ sql: String, _ expected: String) throws {
    let error = try #require(try answer(sql).error)
    #expect(error.contains(expected) && !error.contains("this server"), "\(error)")
  }

  // MARK: - Answered

  @Test(arguments: [
    "SELECT COUNT(*) FROM Trip", "SELECT pk, uri, entity FROM Place ORDER BY pk",
    "SELECT e.pk, e.trip, t.uri FROM Entry e LEFT JOIN Trip t ON t.pk = e.trip ORDER BY 1",
    "SELECT trip, COUNT(*) FROM Entry GROUP BY trip ORDER BY 2 DESC, 1",
    "SELECT * FROM Trip_entries ORDER BY source, target",
    "SELECT pk FROM Entry WHERE trip = pk('Trip/p1') ORDER BY pk",
    "SELECT pk FROM Entry WHERE trip = '1' ORDER BY pk",
    "SELECT trip_uri, place_uri FROM Entry ORDER BY pk",
    "SELECT pk FROM Trip JOIN Entry USING (pk) ORDER BY pk",
    "SELECT author, COUNT(*) FROM transactions GROUP BY author ORDER BY 1",
    "SELECT MAX(timestamp) FROM transactions",
    "SELECT \"transaction\", timestamp, author, context FROM transactions ORDER BY 1",
    "SELECT COUNT(*) FROM events WHERE started > '2026-04-01'",
    "SELECT unixepoch(ended) - unixepoch(started) FROM events ORDER BY row",
    """
    SELECT \"transaction\", timestamp, change, entity, pk, uri, properties, unsure, row, entityNumber
    FROM changes ORDER BY row
    """,
    "SELECT value, COUNT(*) FROM changes, json_each(properties) GROUP BY 1 ORDER BY 1",
    """
    SELECT zone, entity, pk, uri, state, needsUpload, needsCloudDelete, acknowledged, lastExported, pendingExport,
      objectExists, recordType, row, entityNumber, objectEntityNumber, tableExists, zoneRow, zoneExists
    FROM records ORDER BY row
    """,
    "SELECT kind, entity, pk, uri, \"transaction\", author, since, zone, row FROM pending ORDER BY kind, entity, pk, row",
    """
    SELECT type, started, ended, succeeded, errorDomain, errorCode, errorName, affected, finished, explanation, isNoise
    FROM events ORDER BY row
    """,
    "SELECT name, owner, scope, records, hasToken, lastFetch, row FROM zones",
    "SELECT key, kind, rows, row FROM metadataEntries ORDER BY row",
    "SELECT entity, relationship, relatedEntity, isUploaded, needsDelete, row FROM links ORDER BY row",
    "SELECT * FROM entities ORDER BY number", "SELECT * FROM properties",
    "SELECT iso_date(0), object_uri('Trip', 7)",
    "WITH Trip AS (SELECT pk + 1 AS pk FROM Entry) SELECT MAX(pk) FROM Trip",
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT SUM(i) FROM n",
    "SELECT row_number() OVER (ORDER BY pk DESC) AS n, pk FROM Trip ORDER BY pk",
    "SELECT COUNT(*) FROM Trip, events, records", "changes-by-author", "changed-properties",
    "records-by-state",
    "pending-by-entity", "pending-by-author", "errors-by-code", "events-by-day", "failed-exports", "churn",
  ]) func isTrue(_ sql: String) throws {
    let (error, rows) = try answer(sql)
    #expect(error == nil)
    let run = try Tool.run(["query", store, sql, "--json", "--limit", "1000"])
    let expected = try #require(try run.json()["rows"] as? [NSDictionary], "\(run.errors)")
    #expect(rows == expected)
  }

  /// `list` shows what can be asked, and all of it can be.
  @Test func listedColumnsAreOpen() throws {
    let result = try AssistantCall.result("query", ["list": "views", "limit": 1000], store, questions)
    let views = try #require((result["structuredContent"] as? [String: Any])?["views"] as? [[String: String]])
    #expect(!views.contains { $0["name"] == "Trip" && $0["column"] == "title" })
    for (view, columns) in Dictionary(grouping: views, by: { $0["name"] ?? "" }) {
      let names = columns.compactMap { $0["column"] }
      let listed = names.map { "\"\($0)\"" }.joined(separator: ", ")
      #expect(try answer("SELECT \(listed) FROM \"\(view)\"").error == nil)
      let all = try answer("SELECT * FROM \"\(view)\" LIMIT 1").rows.first?.allKeys as? [String]
      #expect(all.map { Set($0) == Set(names) } ?? true)
    }
  }
}
