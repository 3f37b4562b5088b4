import Archives
import Base
import Diagnostics
import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

/// Where kept URIs are said to be, and what is said where not everything could be searched.
struct ValuePassTests {
  private let folder = TemporaryFolder()

  private static let uri = "x-coredata:///Note/t4DA54E01-0940-45F4-9E16-956E3C7993B517"

  private static func places(_ column: String, _ value: SQLiteValue) throws -> [String] {
    let folder = TemporaryFolder()
    try ExampleStore.plain(folder.path("A.store")) { forge in
      try forge.connection.execute("UPDATE ZPERSON SET \(column) = ? WHERE Z_PK = 3", [value])
    }
    let found = try RuleExample.examine(folder.path("A.store")).findings.filter {
      $0.rule.id == "temporary-object-id"
    }
    #expect(found.flatMap(\.evidence).allSatisfy { $0["reference"]?.text == Self.uri })
    return found.flatMap(\.evidence).compactMap { $0["place"]?.text }
  }

  @Test func pathsLeadIntoStructures() throws {
    #expect(try Self.places("ZNAME", .text("(\(Self.uri))")) == ["Employee.name"])
    let json = #"{"recent": [1, {"id": "\#(Self.uri)"}], "\#(Self.uri)": null}"#
    #expect(
      try Self.places("ZNAME", .text(json)) == ["Employee.name.recent[1].id", "Employee.name"])
    #expect(
      try Self.places("ZPREFERENCES", .blob(ExampleStore.archive(Self.uri))) == ["Employee.preferences[1]"])
    let nested = BinaryPropertyList.write(["inner": .data(ExampleStore.archive(Self.uri))])
    #expect(try Self.places("ZPREFERENCES", .blob(nested)) == ["Employee.preferences.inner[1]"])
  }

  @Test(arguments: [
    "", "x", "-coredata:///Note/t", "x-coredata:", "x-coredata:///Note/t4DA54E01", "x-coredata:///Note",
  ])
  func nothingIsFoundInWhatIsCutOff(_ text: String) throws {
    #expect(try Self.places("ZNAME", .text(text)).isEmpty)
    #expect(try Self.places("ZPREFERENCES", .blob(Array(text.utf8))).isEmpty)
    #expect(try Self.places("ZPREFERENCES", .blob(Array(text.utf16).flatMap { [0, UInt8($0)] })).isEmpty)
  }

  @Test func everyOneInALongTextIsFound() throws {
    let text = Array(repeating: Self.uri, count: 50).joined(separator: " ")
    #expect(try Self.places("ZNAME", .text(text)).count == 50)
  }

  @Test func damagedStructuresAreSearchedAsTheyAre() throws {
    let archive = ExampleStore.archive(Self.uri)
    #expect(try Self.places("ZPREFERENCES", .blob(archive.dropLast(8))) == ["Employee.preferences"])
    #expect(try Self.places("ZNAME", .text(#"{"id": "\#(Self.uri)"#)) == ["Employee.name"])
  }

  @Test func whatIsTooLargeIsNamed() throws {
    let path = folder.path("A.store")
    try ExampleStore.plain(path) { forge in
      try forge.connection.execute("UPDATE ZPERSON SET ZPREFERENCES = zeroblob(70000000) WHERE Z_PK = 2")
    }
    let known = try BaselineFile(
      json:
        #"{"schema":"storescope/baseline/1","findings":[{"rule":"temporary-object-id","count":1,"marks":[]}]}"#,
      path: "x")
    let diagnosis = try RuleExample.examine(path, baseline: known.baseline(ofStoreAt: path, uuid: nil))
    #expect(diagnosis.checked.contains("temporary-object-id"))
    // What may be in what wasn't searched was called gone.
    #expect(!diagnosis.resolved.contains { $0.id == "temporary-object-id" })
    let because = diagnosis.skipped.first { $0.rule == "temporary-object-id" }?.because
    #expect(because == "All values were searched but one: Person.preferences holds 70000000 bytes.")
  }

  @Test func picturesInFilesAreNotRead() throws {
    let path = folder.path("A.store")
    let picture = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(Self.uri.utf8)
    try ExampleStore.plain(path, options: ForgeOptions(inlineLimit: 8)) { forge in
      try forge.save { _ = try $0.insert("Person", ["photo": .bytes(picture)]) }
    }
    let diagnosis = try RuleExample.examine(path)
    #expect(!diagnosis.findings.contains { $0.rule.id == "temporary-object-id" })
  }

  /// The doctor's check must work on a connection that people's own queries use.
  @Test func quickCheckIsAllowedWhereOnlyReadingIs() throws {
    try ExampleStore.plain(folder.path("A.store")) { forge in
      let lines = try forge.connection.onlyReading {
        try forge.connection.rows("PRAGMA main.quick_check(100)") { $0.text(0) }
      }
      #expect(lines == ["ok"])
    }
  }
}
