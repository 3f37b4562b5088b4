import Foundation
import SQLite
import TestSupport
import Testing

/// What `repair` and `doctor` advise is what the store would take, and when it shows.
struct OfferedRepairTests {
  private static let unknownTable = "CREATE TABLE ANSCKNEWTHING (Z_PK INTEGER PRIMARY KEY)"
  private static let noZone = "UPDATE ANSCKRECORDMETADATA SET ZRECORDZONE = NULL WHERE ZENTITYPK = 2"

  private func demo(_ statements: [String]) throws -> Demo {
    try Demo { edited in for statement in statements { try edited.connection.execute(statement) } }
  }

  /// The same repairs were listed as the fix, and then refused.
  @Test func whatWouldBeRefusedIsNotOffered() throws {
    let demo = try demo([Self.unknownTable, Self.noZone])
    let json = try Tool.json(["repair", demo.path])
    #expect((json["advice"] as? [Any])?.isEmpty == true)
    let refused = try #require(json["refused"] as? [[String: Any]])
    let pull = try #require(refused.first { $0["operation"] as? String == "resync --pull" })
    #expect((pull["because"] as? String)?.contains("Only stores with the layouts V16 and V17") == true)
    let text = try Tool.run(["repair", demo.path]).output
    #expect(text.contains("'resync --pull' isn't offered."), "\(text)")
    let findings = try #require(
      try Tool.run(["doctor", demo.path, "--json"]).json()["findings"] as? [[String: Any]])
    let finding = try #require(findings.first { $0["rule"] as? String == "record-without-zone" })
    #expect((finding["remedy"] as? String)?.contains("can't be applied to this store") == true)
  }

  /// Applied once, it has nothing left to do until the app runs.
  @Test func whatWasDoneIsNotOfferedAgain() throws {
    let demo = try demo([
      Self.noZone, "UPDATE ANSCKRECORDZONEMETADATA SET ZNEEDSIMPORT = 0, ZCURRENTCHANGETOKEN = x'00'",
    ])
    func offered() throws -> [String] {
      let advice = try Tool.json(["repair", demo.path])["advice"] as? [[String: Any]] ?? []
      return advice.compactMap { $0["operation"] as? String }
    }
    #expect(try offered().contains("resync --pull"))
    let applied = try Tool.run(["resync", demo.path, "--pull", "--apply", "--confirm", "Journeys.store"])
    #expect(applied.status == 0, "\(applied.errors)")
    #expect(try !offered().contains("resync --pull"))
  }

  struct Later: Sendable {
    var edits: [String]
    var operation: [String]
    var rule: String
    var until: String
  }

  /// What only the next launch cures was reported as "unchanged".
  @Test(arguments: [
    Later(
      edits: [noZone], operation: ["resync", "--pull"], rule: "record-without-zone", until: "the next import"),
    Later(
      edits: ["UPDATE ANSCKMIRROREDRELATIONSHIP SET ZRELATEDRECORDNAME = 'GONE', ZISPENDING = 0"],
      operation: ["resync", "--pull"], rule: "link-broken", until: "the next import"),
    Later(
      edits: ["UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = 999999 WHERE Z_PK = 2"],
      operation: ["resync", "--rescan"], rule: "record-transaction-ahead", until: "the next export"),
    Later(
      edits: ["UPDATE ANSCKRECORDMETADATA SET ZENTITYID = 77, ZNEEDSUPLOAD = 1 WHERE Z_PK = 2"],
      operation: ["repair", "remove-orphan-records", "--cloud", "delete"], rule: "record-entity-unknown",
      until: "the next export"),
  ])
  func whatShowsLaterIsSaid(_ later: Later) throws {
    let demo = try demo(later.edits)
    let result = try Tool.run([later.operation[0], demo.path] + later.operation.dropFirst() + ["--rehearse"])
    result.expectDone()
    let line = result.output.split(separator: "\n").first { $0.hasPrefix(later.rule) }
    #expect(line?.contains("goes away with \(later.until)") == true, "\(result.output)")
  }

  @Test func theListSaysItToo() throws {
    let demo = try demo([Self.noZone])
    let advice = try Tool.json(["repair", demo.path])["advice"] as? [[String: Any]] ?? []
    let pull = try #require(advice.first { $0["operation"] as? String == "resync --pull" }, "\(advice)")
    #expect(pull["until"] as? String == "the next import")
    #expect(try Tool.run(["repair", demo.path]).output.contains("Its effect shows with the next import."))
  }
}
