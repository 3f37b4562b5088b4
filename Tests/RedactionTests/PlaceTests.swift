import Base
import Forge
import Foundation
import Lens
import Redaction
import SQLite
import StoreModel
import TestSupport
import Testing

/// Where the copy is made, and what lies there before and after.
struct PlaceTests {
  private static let photo = AttributeDescription(name: "photo", type: .binary, allowsExternalStorage: true)

  @Test func theStoreStaysAsItIs() throws {
    let fixture = try RedactionFixture([Self.photo], objects: [["photo": .bytes([1, 2, 3])]])
    let before = try Data(contentsOf: URL(filePath: fixture.path))
    try fixture.redact()
    #expect(try Data(contentsOf: URL(filePath: fixture.path)) == before)
    #expect(try fixture.folder.names() == ["App.store", "Copy.store"])
  }

  @Test(arguments: [
    "Copy.store", "Copy.store-wal", ".Copy_SUPPORT", "Copy.store.partial", ".Copy_SUPPORT.partial",
  ])
  func nothingIsOverwritten(_ name: String) throws {
    let fixture = try RedactionFixture([Self.photo], objects: [["photo": .bytes([1, 2, 3])]])
    try fixture.folder.write(Array("mine".utf8), to: name)
    #expect(throws: StoreScopeError.self) { try fixture.redact() }
    #expect(try fixture.folder.read(name) == Array("mine".utf8))
    #expect(Set(try fixture.folder.names()) == ["App.store", name])
  }

  @Test func aRunThatFailsLeavesNothing() throws {
    let fixture = try RedactionFixture([Self.photo], objects: [["photo": .bytes([1, 2, 3])]])
    #expect(throws: StoreScopeError.self) {
      try fixture.redact { throw StoreScopeError(.failed, "The store changed.") }
    }
    #expect(try fixture.folder.names() == ["App.store"])
  }

  /// A CHECK, a column or an index takes what its author likes, for each row: the copy was never finished (H1).
  @Test(arguments: [
    ("CHECK (costly > 0)", false), ("c AS (costly) STORED", false), ("", true),
  ])
  func whatTheSchemaComputesHasItsTime(column: String, isIndex: Bool) throws {
    let costly = "length(hex(zeroblob(31000000 + Z_PK % 2)))"
    let fixture = try RedactionFixture(
      [AttributeDescription(name: "name", type: .string)], objects: (0..<100).map { ["name": .text("\($0)")] }
    ) {
      let column = column.replacingOccurrences(of: "costly", with: costly)
      if isIndex { try $0.execute("CREATE INDEX i ON ZPERSON(Z_OPT)") }
      try $0.execute("PRAGMA writable_schema = ON")
      try $0.execute(
        isIndex
          ? "UPDATE sqlite_master SET sql = 'CREATE INDEX i ON ZPERSON(\(costly))' WHERE name = 'i'"
          : "UPDATE sqlite_master SET sql = rtrim(rtrim(sql), ')') || ', \(column))' WHERE name = 'ZPERSON'")
    }
    var redaction = try StoreRedaction(
      OpenStore(at: fixture.path), to: fixture.copyPath, RedactionOptions(marks: Marks(saltText: "test")))
    redaction.secondsAtMost = 0.5
    let error = #expect(throws: StoreScopeError.self) {
      try redaction.run(finish: {}, progress: { _ in })
    }
    #expect(
      error?.problem.contains("an expression in a CHECK, a column or an index") == true, "\(error as Any)")
    #expect(try fixture.folder.names() == ["App.store"])
  }

  /// The copy had its name by then, and stayed although the run had failed.
  @Test(arguments: ["Copy.store-wal", "Copy.store"])
  func aNameThatIsTakenMeanwhileLeavesNothing(_ name: String) throws {
    let large = Array(String(repeating: "a secret that fills a file ", count: 20_000).utf8)
    let fixture = try RedactionFixture([Self.photo], objects: [["photo": .bytes(large)]])
    try fixture.folder.write([], to: "App.store-wal")
    let before = try fixture.folder.names()
    let error = #expect(throws: StoreScopeError.self) {
      try fixture.redact { try fixture.folder.write(Array("theirs".utf8), to: name) }
    }
    #expect(error?.kind == .occupied)
    #expect(try fixture.folder.names() == (before + [name]).sorted())
    #expect(try fixture.folder.read(name) == Array("theirs".utf8))
  }

  /// A file for each, and the row that names it names its new name.
  @Test func filesAreReplacedToo() throws {
    let large = Array(String(repeating: "a secret that fills a file ", count: 20_000).utf8)
    let fixture = try RedactionFixture([Self.photo], objects: [["photo": .bytes(large)]])
    let result = try fixture.redact()
    #expect(result.files == 1)
    let files = ExternalFiles(storePath: fixture.copyPath)
    let name = try #require(try FileReader.names(in: "\(files.supportFolder)/_EXTERNAL_DATA").first)
    let value = try fixture.bytes("SELECT ZPHOTO FROM ZPERSON")
    #expect(value.withUnsafeBytes { ExternalValue($0) } == .file(name))
    #expect(try OriginalValues(fixture.path).found(inCopy: fixture.copyPath).isEmpty)
  }
}
