import Foundation
import TestSupport
import Testing

@testable import SQLite

/// SQLite's check evaluates what a schema computes: a generated column that costs much kept every command busy that
/// looks for damage (H1). Here a row costs a tenth of a second, and all of them more than the check may take.
struct DamageTests {
  private let folder = TemporaryFolder()
  private static let costly = "length(hex(zeroblob(31000000 + a % 2)))"

  private func check(_ schema: String, isThorough: Bool) throws -> DatabaseCheck {
    let path = folder.path("a.sqlite")
    let writer = try Connection(
      path: path, options: OpenOptions(.readWrite(create: true), trustsSchema: true))
    try writer.execute(
      """
      CREATE TABLE plain(a, b);
      CREATE INDEX plain_b ON plain(b);
      CREATE TABLE t(a, b CHECK(b > 0));
      CREATE INDEX t_a ON t(a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1000) INSERT INTO t SELECT i, i FROM n;
      PRAGMA writable_schema = ON;
      \(schema);
      PRAGMA writable_schema = OFF
      """)
    writer.close()
    let connection = try Connection(path: path, options: .readOnly)
    connection.limitTime(seconds: 3, reason: "an expression was computed")
    return try connection.damage(isThorough: isThorough, atMost: 10)
  }

  @Test(arguments: [false, true]) func checksAreIgnored(isThorough: Bool) throws {
    let check = try check(
      "UPDATE sqlite_master SET sql = replace(sql, 'b > 0', '\(Self.costly)') WHERE name = 't'",
      isThorough: isThorough)
    #expect(check == DatabaseCheck())
  }

  @Test(arguments: [false, true]) func generatedColumnsAreLeftOut(isThorough: Bool) throws {
    let check = try check(
      "UPDATE sqlite_master SET sql = replace(sql, 't(a, b', 't(a, c VARCHAR AS (\(Self.costly)), b') WHERE name = 't'",
      isThorough: isThorough)
    #expect(check.problems == [] && check.tablesLeftOut == ["t"])
    #expect(check.omission == "t wasn't checked: generated columns would have to be computed.")
  }

  @Test(arguments: ["t(\(costly))", "t(a) WHERE \(costly) > 0"])
  func computedIndexesAreNotCompared(definition: String) throws {
    let edit = "UPDATE sqlite_master SET sql = 'CREATE INDEX t_a ON \(definition)' WHERE name = 't_a'"
    let check = try check(edit, isThorough: true)
    #expect(check.problems == [] && check.indexesLeftOut == ["t"])
    #expect(check.omission?.hasPrefix("t wasn't compared with all indexes") == true)
  }

  /// The quick check doesn't compare indexes, and so leaves nothing out.
  @Test func theQuickCheckNeedsNoIndexes() throws {
    let edit = "UPDATE sqlite_master SET sql = 'CREATE INDEX t_a ON t(\(Self.costly))' WHERE name = 't_a'"
    #expect(try check(edit, isThorough: false) == DatabaseCheck())
  }

  /// One table that can't be checked must not hide the damage of another.
  @Test func damageOfOtherTablesIsFound() throws {
    let edit =
      """
      UPDATE sqlite_master SET sql = replace(sql, 't(a, b', 't(a, c AS (1), b') WHERE name = 't';
      UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 't_a') WHERE name = 'plain'
      """
    let check = try check(edit, isThorough: false)
    #expect(!check.problems.isEmpty && check.tablesLeftOut == ["t"], "\(check)")
  }
}
